"""Sizes from which on code runs at once: trials are smaller, and have to see it run at once all the same."""

from __future__ import annotations

import re

_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\r?\n|[^\n])*", re.MULTILINE)
_CLAUSE = re.compile(rb"\b(if|final)[ \t]*\(")
_ABOVE = re.compile(rb"(>=?[\s\\]*)(\d+)(?![\w.])|(?<![\w.])(\d+)([\s\\]*<=?)")
_BELOW = re.compile(rb"(<=?[\s\\]*)(\d+)(?![\w.])|(?<![\w.])(\d+)([\s\\]*>=?)")
_BOUNDS = {b"if": _ABOVE, b"final": _BELOW}
"""What keeps code from running at once: too little, for a task too little to be cut further."""
_LEAST = 100
"""A smaller number may stand for something else than a size, such as a step."""


def lowered(text: bytes) -> bytes:
    """Return a text whose parallel regions and tasks do not wait for sizes.

    ``if (n > 10000)`` becomes ``if (n > 0)``, and ``final(n < 10000)`` becomes ``final(n < 0)``.

    Only numbers are seen: a size that has a name stays.
    """
    return _PRAGMA.sub(lambda found: _pragma(found.group()), text)


def _pragma(line: bytes) -> bytes:
    pieces, at = [], 0
    for found in _CLAUSE.finditer(line):
        if found.start() >= at:
            end = _closing(line, found.end())
            pieces += [line[at : found.end()], _BOUNDS[found[1]].sub(_bound, line[found.end() : end])]
            at = end
    return b"".join((*pieces, line[at:]))


def _closing(line: bytes, start: int) -> int:
    """Return where a parenthesis that is open at a place closes."""
    depth = 1
    for at in range(start, len(line)):
        depth += {b"(": 1, b")": -1}.get(line[at : at + 1], 0)
        if depth == 0:
            return at
    return len(line)


def _bound(found: re.Match[bytes]) -> bytes:
    number = found[2] or found[3]
    if int(number) < _LEAST:
        return found.group()
    least = b"1" if b"=" in found.group() else b"0"
    return found[1] + least if found[1] else least + found[4]
