"""Lines of ``#if`` that a place in a file depends on."""

from __future__ import annotations

import re

_LINE = re.compile(rb"^[ \t]*#[ \t]*(if|endif)\w*", re.MULTILINE)
_GUARD = re.compile(rb"[ \t]*#[ \t]*ifndef[ \t]+(\w+)[^\n]*\n\s*#[ \t]*define[ \t]+\1\b")


def open_conditionals(before: bytes) -> int:
    """Return how many conditions are open at the end of a text, guards of headers aside."""
    guards: list[bool] = []
    for line in _LINE.finditer(before):
        if line[1] == b"if":
            guards.append(_GUARD.match(before, line.start()) is not None)
        elif guards:
            guards.pop()
    return guards.count(False)
