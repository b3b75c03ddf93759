"""Where a buffer was copied back from the device, a probe marks the place (see ``assemble/probes.py``)."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared
from transpile.assemble.host_code.tree import of_type, peel


def probe(data: bytes, path: str, place: Node, pointer: Node, written: bytes, size: bytes) -> bytes:
    """Return the statement that records a buffer, labelled with its place and, where known, its element type.

    ``pointer`` is an expression that leads to the buffer, ``written`` how the statement spells it.
    """
    line = data.count(b"\n", 0, place.start_byte) + 1
    label = f"{path.replace(' ', '_')}:{line}".encode("utf-8", "surrogateescape")
    element = element_of(pointer)
    label = re.sub(rb'[\\"]', b"_", label + (b" " + element if element else b""))
    return b'transpile_probe("' + label + b'", ' + written + b", " + size + b");"


def element_of(pointer: Node) -> bytes | None:
    """Return the element type behind a pointer expression, where a declaration tells."""
    pointer = peel(pointer)
    name = next(of_type(pointer, "identifier"), None)
    found: Declared | None = declared(name) if name is not None else None
    if found is None:
        return None
    vector = re.match(rb"(?:std::)?vector\s*<\s*(.+?)\s*>$", found.bare_type)
    return vector.group(1) if vector else found.bare_type
