"""Sizes from which on code runs in parallel, or grids are capped: trials are smaller, and see both."""

from __future__ import annotations

import re

_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\r?\n|[^\n])*", re.MULTILINE)
_CLAUSE = re.compile(rb"\b(if|final)[ \t]*\(")
_ABOVE = re.compile(rb"(>=?[\s\\]*)(\d+)(?![\w.])|(?<![\w.])(\d+)([\s\\]*<=?)")
_BELOW = re.compile(rb"(<=?[\s\\]*)(\d+)(?![\w.])|(?<![\w.])(\d+)([\s\\]*>=?)")
_BOUNDS = {b"if": _ABOVE, b"final": _BELOW}
"""Comparisons that keep code sequential: too little to do, or a task too small to be cut further."""
_LEAST = 100
"""A smaller number may stand for something else than a size, such as a step."""
_LAUNCH = re.compile(rb"<<<([^;{}]*?)>>>|\bdim3\s+\w+\s*[({]([^;]*)[)}]\s*;", re.DOTALL)
_INITIAL = rb"\b(?:%s)\s*=\s*([^;=][^;]*);"
_CAP = re.compile(rb"(<=?\s*|>=?\s*|\bmin\b[^;]*?,\s*|[?:]\s*)([2-9]\d{3}|[1-9]\d{4,})\b(?![\w.])")
"""A number as the greatest of a grid: compared with, chosen instead, or the second of a minimum."""
_ASSIGNED = rb"\bif\s*\(\s*(%s)\s*>=?\s*([2-9]\d{3}|[1-9]\d{4,})\s*\)\s*\{?\s*\1\s*=\s*\2\s*;"
"""The same where a variable is that of a grid: ``if (blocks > 65535) blocks = 65535;``."""
_NUMBER = re.compile(rb"\b\d+(?=\s*[;)])")
_CAPPING = re.compile(
    rb"[<>]=?\s*([2-9]\d{3}|[1-9]\d{4,})\b.*?\?.*?(?<!\w)\1\b|\bmin\b[^;]*?,\s*(?:[2-9]\d{3}|[1-9]\d{4,})\s*\)",
    re.DOTALL,
)
_BLOCKS = b"3"


def lowered(text: bytes) -> bytes:
    """Return a text whose parallel regions and tasks do not wait for sizes.

    ``if (n > 10000)`` becomes ``if (n > 0)``, and ``final(n < 10000)`` becomes ``final(n < 0)``.

    Only numbers are seen: a size that has a name stays.
    """
    return _uncapped(_PRAGMA.sub(lambda found: _pragma(found.group()), text))


def _uncapped(text: bytes) -> bytes:
    """Return a text whose grids are capped at few blocks: ``n < 65535 ? n : 65535`` is ``n < 3 ? n : 3``.

    A kernel that is right under the greatest grid is right under any, since its threads go on with a stride.
    Blocks have no more than 1024 threads, and no cap of theirs is so large.
    """
    spans = _launching(text)
    names = {word for start, end in spans for word in re.findall(rb"[A-Za-z_]\w*", text[start:end])}
    if names:
        any_of = b"|".join(map(re.escape, sorted(names)))
        text = re.sub(_ASSIGNED % any_of, lambda found: _NUMBER.sub(_BLOCKS, found.group()), text)
        spans = _launching(text)
        spans += [found.span(1) for found in re.finditer(_INITIAL % any_of, text)]
    for start, end in sorted(set(spans), reverse=True):
        if _CAPPING.search(text, start, end):
            text = text[:start] + _CAP.sub(rb"\g<1>" + _BLOCKS, text[start:end]) + text[end:]
    return text


def _launching(text: bytes) -> list[tuple[int, int]]:
    """Return where launches say how many blocks there are."""
    return [found.span(index) for found in _LAUNCH.finditer(text) for index in (1, 2) if found[index]]


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
