"""Source and translation side by side, line by line, with what differs marked."""

from __future__ import annotations

import unicodedata
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
from pygments.token import STANDARD_TYPES

_LEXERS = {
    ".c": CLexer,
    ".cu": CudaLexer,
    ".cuh": CudaLexer,
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
_MOST_PAIRS = 4096
"""Of lines that are held against each other; longer stretches are laid side by side from their top."""


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

    kind: Literal["same", "changed", "alone"]
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
    lexer = _LEXERS.get(suffix, CppLexer)(stripnl=False)
    found: list[list[Token]] = [[]]
    for kind, value in lexer.get_tokens(readable(text).rstrip("\r\n")):
        style = STANDARD_TYPES.get(kind, "")
        for number, part in enumerate(value.split("\n")):
            if number:
                found.append([])
            if part:
                found[-1].append(Token(part, "" if style == "w" else style))
    return [tuple(line) for line in (found if found[-1] else found[:-1])]


def readable(text: bytes) -> str:
    """Return bytes as text; those that are not UTF-8 stand there as they are written in C."""
    return text.decode("utf-8", "backslashreplace")


def visible(text: str) -> str:
    """Spell out what is not seen, or makes code look like other code: controls, marks of direction."""
    return "".join(
        character
        if character in "\t\n" or unicodedata.category(character) not in ("Cc", "Cf")
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def _rows(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Row]:
    # Loops of a translation set a whole body further in: blanks alone are no difference.
    matcher = SequenceMatcher(None, [_words(line) for line in left], [_words(line) for line in right], False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for number in range(b - a):
                yield _row("same", left, right, a + number, c + number)
        else:
            for one, other in _aligned(left, right, range(a, b), range(c, d)):
                yield _changed(left, right, one, other)


def _aligned(
    left: Sequence[Line], right: Sequence[Line], ones: range, others: range
) -> Iterator[tuple[int | None, int | None]]:
    """Yield which lines of two stretches belong on one row: the two most alike first, then what is around."""
    pairs = (
        [(one, other) for one in ones for other in others] if len(ones) * len(others) <= _MOST_PAIRS else []
    )
    likeness = {pair: _matcher(left[pair[0]], right[pair[1]]).ratio() for pair in pairs}
    best = max(pairs, key=likeness.__getitem__, default=None)
    if best is None or likeness[best] < _ALIKE:
        yield from zip_longest(ones, others)
        return
    one, other = best
    yield from _aligned(left, right, range(ones.start, one), range(others.start, other))
    yield best
    yield from _aligned(left, right, range(one + 1, ones.stop), range(other + 1, others.stop))


def _changed(left: Sequence[Line], right: Sequence[Line], one: int | None, other: int | None) -> Row:
    row = _row("changed" if one is not None and other is not None else "alone", left, right, one, other)
    if row.left is None or row.right is None:
        return row
    matcher = _matcher(row.left, row.right)
    if matcher.ratio() < _ALIKE:
        return row
    blocks = matcher.get_matching_blocks()
    return replace(
        row,
        left=_marked(row.left, {at for block in blocks for at in range(block.a, block.a + block.size)}),
        right=_marked(row.right, {at for block in blocks for at in range(block.b, block.b + block.size)}),
    )


def _row(
    kind: Literal["same", "changed", "alone"],
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


def _matcher(left: Line, right: Line) -> SequenceMatcher[str]:
    return SequenceMatcher(None, _words(left), _words(right), False)


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
