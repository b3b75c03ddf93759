"""Source and translation side by side, line by line, with what differs marked."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Literal

from markupsafe import Markup, escape
from pygments.lexers.c_cpp import CLexer, CppLexer
from pygments.lexers.c_like import CudaLexer
from pygments.lexers.fortran import FortranFixedLexer, FortranLexer
from pygments.token import STANDARD_TYPES, Whitespace

from transpile.visible import visible

_LEXERS = {
    ".c": CLexer,
    ".cu": CudaLexer,
    ".cuh": CudaLexer,
    ".hip": CudaLexer,
    ".f": FortranFixedLexer,
    ".for": FortranFixedLexer,
    ".f90": FortranLexer,
    ".f95": FortranLexer,
    ".f03": FortranLexer,
    ".f08": FortranLexer,
}
"""By suffix; everything else is C++."""
_ALIKE = 0.5
"""Share of equal words from which one line is another with changes, and not a new one."""
_SECONDS = 2.0
"""For the colours of one text: lexers take quadratic time over what was written to that end."""
_PLAIN = re.compile(r"\w+|\s+|.", re.DOTALL)
_MOST_PAIRS = 250_000
"""Of lines of two texts, or words of two lines, that are held against each other; more are only shown."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of code with the class of its colour; changed where the other side's line lacks it."""

    text: str
    style: str
    changed: bool = False

    def __html__(self) -> str:
        """Return the markup of the word, escaped."""
        body = escape(visible(self.text))
        if self.style:
            body = Markup('<span class="{}">{}</span>').format(self.style, body)
        return Markup("<mark>{}</mark>").format(body) if self.changed else body


Line = tuple[Token, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of either side, or of both where they belong together; numbers count from zero."""

    kind: Literal["same", "changed"]
    left: Line | None = None
    right: Line | None = None
    left_number: int | None = None
    right_number: int | None = None


def compared(source: bytes, translation: bytes, path: str) -> tuple[Row, ...]:
    """Return the rows of two texts; ``path`` is the source's, and tells its language."""
    left = lines(source, PurePosixPath(path).suffix.lower())
    right = lines(translation, ".cpp")
    return tuple(_rows(left, right))


def lines(text: bytes, suffix: str) -> list[Line]:
    """Return a text as lines of coloured words."""
    if not text:
        return []
    found: list[list[Token]] = [[]]
    for style, value in _words_of(readable(text).rstrip("\n"), suffix):
        for number, part in enumerate(value.split("\n")):
            if number:
                found.append([])
            if part:
                found[-1].append(Token(part, style))
    return [tuple(line) for line in found]


def _words_of(text: str, suffix: str) -> Iterator[tuple[str, str]]:
    """Yield each word with the class of its colour."""
    ends = time.monotonic() + _SECONDS
    for place, kind, value in _LEXERS.get(suffix, CppLexer)().get_tokens_unprocessed(text):
        if time.monotonic() > ends:
            yield from (("", word) for word in _PLAIN.findall(text[place:]))
            return
        yield "" if kind is Whitespace else STANDARD_TYPES.get(kind, ""), value


def readable(text: bytes) -> str:
    """Return bytes as text; those that are not UTF-8 stand there as they are written in C."""
    return text.replace(b"\r\n", b"\n").decode("utf-8", "backslashreplace")


def _rows(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Row]:
    waiting: tuple[list[int], list[int]] = ([], [])
    for one, other in [*_aligned(left, right), (None, None)]:
        if (one is None) != (other is None):
            waiting[one is None].append(one if one is not None else other or 0)
            continue
        # Lines without a partner share rows with those of the other side.
        for alone, opposite in zip_longest(*waiting):
            yield _row("changed", left, right, alone, opposite)
        waiting = ([], [])
        if one is not None and other is not None:
            yield _paired(left, right, one, other)


def _aligned(left: Sequence[Line], right: Sequence[Line]) -> list[tuple[int | None, int | None]]:
    """Return which lines belong together, in order, such that these pairs have the most words in common."""
    if len(left) * len(right) > _MOST_PAIRS:
        return [*zip_longest(range(len(left)), range(len(right)))]
    ours, theirs = [Counter(_words(line)) for line in left], [Counter(_words(line)) for line in right]
    common = [[_in_common(one, other) for other in theirs] for one in ours]
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for one in reversed(range(len(left))):
        for other in reversed(range(len(right))):
            paired = common[one][other] + best[one + 1][other + 1] if common[one][other] else 0
            best[one][other] = max(best[one + 1][other], best[one][other + 1], paired)
    found: list[tuple[int | None, int | None]] = []
    one = other = 0
    while one < len(left) and other < len(right):
        if common[one][other] and best[one][other] == common[one][other] + best[one + 1][other + 1]:
            found.append((one, other))
            one, other = one + 1, other + 1
        elif best[one][other] == best[one + 1][other]:
            found.append((one, None))
            one += 1
        else:
            found.append((None, other))
            other += 1
    found += [(place, None) for place in range(one, len(left))]
    return found + [(None, place) for place in range(other, len(right))]


def _in_common(one: Counter[str], other: Counter[str]) -> int:
    """Return how many words two lines share; none where they are too unlike to be one line."""
    shared = (one & other).total()
    return shared if 2 * shared >= _ALIKE * (one.total() + other.total()) else 0


def _paired(left: Sequence[Line], right: Sequence[Line], one: int, other: int) -> Row:
    ours, theirs = left[one], right[other]
    # Loops of a translation set a whole body further in: blanks alone are no difference.
    if _words(ours) == _words(theirs):
        return _row("same", left, right, one, other)
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return _row("changed", left, right, one, other)
    blocks = SequenceMatcher(None, _words(ours), _words(theirs), False).get_matching_blocks()
    return replace(
        _row("changed", left, right, one, other),
        left=_marked(ours, {at for block in blocks for at in range(block.a, block.a + block.size)}),
        right=_marked(theirs, {at for block in blocks for at in range(block.b, block.b + block.size)}),
    )


def _row(
    kind: Literal["same", "changed"],
    left: Sequence[Line],
    right: Sequence[Line],
    one: int | None,
    other: int | None,
) -> Row:
    return Row(
        kind=kind,
        left=left[one] if one is not None else None,
        right=right[other] if other is not None else None,
        left_number=one,
        right_number=other,
    )


def _words(line: Line) -> tuple[str, ...]:
    return tuple(token.text for token in line if not token.text.isspace())


def _marked(line: Line, equal: set[int]) -> Line:
    """Return the line with every word marked but those at these places among its words."""
    place = -1
    found: list[Token] = []
    for token in line:
        blank = token.text.isspace()
        place += not blank
        # A blank between two marked words is marked by the second of them.
        changed = not blank and place not in equal
        if changed and len(found) > 1 and found[-1].text.isspace() and found[-2].changed:
            found[-1] = replace(found[-1], changed=True)
        found.append(replace(token, changed=changed))
    return tuple(found)
