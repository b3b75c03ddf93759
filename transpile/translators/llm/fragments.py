"""Changes of a text named by the fragment that changes: a line number says little of code on one line."""

from __future__ import annotations

from itertools import takewhile

_AROUND = 18
"""Characters on either side."""


def changed(before: bytes, after: bytes) -> str:
    """Return in words what became of the one place at which two texts differ."""
    old, new = (text.decode("utf-8", "replace") for text in (before, after))
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    line = old.count("\n", 0, start) + 1
    return f"line {line}: `{_fragment(old, start, end)}` becomes `{_fragment(new, start, end)}`"


def _shared(first: str, second: str) -> int:
    """Return how many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _fragment(text: str, start: int, end: int) -> str:
    """Return what stands between two places, with some of its line on either side, whole words of it."""
    last = len(text) - end
    left = _cut(text[max(start - _AROUND, 0) : start].rpartition("\n")[2], start > _AROUND, first=True)
    right = _cut(text[last : last + _AROUND].partition("\n")[0], end > _AROUND, first=False)
    return " ".join((left + text[start:last] + right).split())


def _cut(text: str, more: bool, *, first: bool) -> str:
    """Return a text without the word that it was cut in, where more of it stands beside it."""
    if not more or len(text) < _AROUND:
        return text
    return text.partition(" ")[2] or text if first else text.rpartition(" ")[0] or text
