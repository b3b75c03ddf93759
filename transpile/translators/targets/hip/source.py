"""A source in HIP: every file of code ported, every unit and launch where it stands then."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from functools import lru_cache

from transpile.code.edits import Edit, edited
from transpile.code.identity import Same
from transpile.core import HIP, HIP_OR_CUDA, Source, Span
from transpile.parsers.files.discovery import is_code
from transpile.parsers.ptx.places import without_assembly
from transpile.translators.targets.hip import collisions, compatibility, helpers, vendors
from transpile.translators.targets.hip.tables import OWN
from transpile.translators.targets.hip.text import edits


def in_hip(source: Source, *, single: bool = False) -> Source:
    """Return a source with all its files in HIP; its units keep their ids. Made once a source.

    Args:
        source: CUDA.
        single: CUDA is to take the texts as well.
    """
    return _in_hip(Same(source), single)


@lru_cache(maxsize=4)
def _in_hip(key: Same, single: bool) -> Source:
    left = vendors.already(key.source)

    def stays(path: str, data: bytes, span: Span) -> bool:
        return path in left or vendors.is_chosen(data, span)

    source = without_assembly(key.source, stays)
    taken = frozenset(item.name for item in collisions.collisions(source))
    code = {path: data for path, data in source.files.items() if is_ported(path, data) and path not in left}
    own = frozenset(posixpath.basename(path).encode() for path in code)
    table = source.files.get(OWN, b"")
    found = {path: _edits(path, data, own, table, taken, single) for path, data in code.items()}
    port = edited(source, found)
    files = dict(port.files)
    if single:
        files |= compatibility.written({path: files[path] for path in files if is_code(path)}, table, taken)
    for name in helpers.HELPERS:
        if any(name.encode() in data for data in files.values()):
            files.setdefault(name, helpers.text_of(name))
    return replace(port, files=files, dialect=HIP_OR_CUDA if single else HIP)


@lru_cache(maxsize=512)
def _edits(
    path: str, data: bytes, own: frozenset[bytes], table: bytes, taken: frozenset[bytes], single: bool
) -> tuple[Edit[bytes], ...]:
    return tuple(edits(path, data, own, table, taken, single=single))


def is_ported(path: str, data: bytes) -> bool:
    """Tell whether a file is to be changed: code, and none of the headers that ports bring along."""
    return is_code(path) and not helpers.is_ours(path, data) and not compatibility.is_ours(path, data)
