"""Marks in a port where its source copied a buffer back from the device.

Host passes leave ``transpile_probe("label", pointer, bytes);`` on a line of its own. The port is published
without these lines; the program judge builds it with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from transpile.assemble.host_code.tree import apply, calls, deletion, enclosing, parse

NAME = b"transpile_probe"
_HEADER = b"#include <simt/probe.h>\n"


def present(files: Mapping[str, bytes]) -> bool:
    """Tell whether any file is probed."""
    return any(NAME in data for data in files.values())


def without(data: bytes) -> bytes:
    """Return the text as it is published."""
    if NAME not in data:
        return data
    edits = []
    for call in calls(parse(data), frozenset((NAME,))):
        statement = enclosing(call, "expression_statement")
        if statement is not None:
            edits.append(deletion(data, statement))
    return apply(data, edits)


def included(data: bytes) -> bytes:
    """Return the text as it is built for recording."""
    if NAME not in data:
        return data
    guard = re.match(rb"\s*#\s*pragma\s+once[^\n]*\n", data)
    at = guard.end() if guard else 0
    return data[:at] + _HEADER + data[at:]
