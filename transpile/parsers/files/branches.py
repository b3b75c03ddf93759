"""Branches of ``#if`` that a build compiles, as far as the names in its conditions are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from transpile.code.edits import Edit, apply
from transpile.code.lexer import Kind, Macro, Token, spelled, tokenize
from transpile.core import Source, Span, Unit
from transpile.expressions import ExpressionError, evaluate
from transpile.parsers.files.conditionals import behind_mark, chains, defined, given_macros
from transpile.parsers.files.includes import read_by

_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")
_UNDEFINED = re.compile(rb"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Values:
    """Knowledge of names in conditions."""

    numbers: Mapping[str, int]
    """The value of each name; 0 where it is not defined."""
    defined: frozenset[str]


def compiled(source: Source, unit: Unit) -> bytes:
    """Return the text of a unit without the branches that its build is known to leave out."""
    if b"#" not in unit.text:
        return unit.text
    marks = [mark for group in chains(tokenize(unit.text).text) for mark in group]
    edits = tuple(edits_without(unit.text, 0, settings(source, unit, marks)))
    return apply(unit.text, edits)


def edits_without(text: bytes, start: int, known: Values) -> Iterator[Edit[bytes]]:
    """Yield what takes the conditions on known names out of a text that begins at an offset of its file."""
    gone: list[Span] = []
    for marks in chains(tokenize(text).text):
        kept = _kept(marks, text, known)
        if kept is None or any(span.start <= marks[0].start < span.end for span in gone):
            continue
        first, last = _line(text, marks[0]).start, _line(text, marks[-1]).end
        gone += (Span(start=first, end=kept.start or last), Span(start=kept.end or last, end=last))
    yield from (Edit(start + span.start, start + span.end, b"") for span in gone if span.start < span.end)


def _kept(marks: Sequence[Token], text: bytes, known: Values) -> Span | None:
    """Return the branch that is compiled, empty if there is none; None where other names decide."""
    for mark, following in pairwise(marks):
        taken = holds(mark, known)
        if taken is None:
            return None
        if taken:
            return Span(start=_line(text, mark).end, end=_line(text, following).start)
    return Span(start=0, end=0)


def condition_of(mark: Token) -> str:
    """Return the condition of a branch, as ``#if`` would have it; empty for ``#else``."""
    name, *rest = behind_mark(mark)
    word, condition = name.text.decode("latin-1"), spelled(rest)
    if not word.endswith("def"):
        return condition
    return f"{'!' if word.endswith('ndef') else ''}defined({condition})"


def holds(mark: Token, known: Values) -> bool | None:
    """Tell whether a branch is compiled if none before it is; None where that is not known."""
    condition = condition_of(mark)
    if not condition:
        return True
    asked = [one or other for one, other in _DEFINED.findall(condition)]
    if not known.numbers.keys() >= {*asked, *_NAME.findall(_DEFINED.sub("", condition))}:
        return None
    condition = _DEFINED.sub(lambda match: str(int((match[1] or match[2]) in known.defined)), condition)
    try:
        return evaluate(_SUFFIX.sub(r"\1", condition), known.numbers) != 0
    except ExpressionError:
        return None


def _line(text: bytes, token: Token) -> Span:
    """Return the lines of a directive, with their ends."""
    end = text.find(b"\n", token.end)
    return Span(start=text.rfind(b"\n", 0, token.start) + 1, end=len(text) if end < 0 else end + 1)


def settings(source: Source, unit: Unit, marks: Iterable[Token], *, by_flags: bool = False) -> Values:
    """Return what names in a unit's conditions stand for: macros of one value, and names without any.

    One that begins with an underscore is the compiler's, and whether the compiler reads a header that no
    include leads to is not known. What other translation units define is their own.

    Args:
        source: Of the unit.
        unit: Whose conditions they are.
        marks: Directives with these conditions.
        by_flags: Take what this build defines by flags; else such a name may have any value.
    """
    near = read_by(source, unit.translation_unit)
    apart = {item.path for item in source.translation_units} - {*near}
    asked = {token.text for mark in marks for token in behind_mark(mark)[1:] if token.kind is Kind.WORD}
    macros: dict[bytes, set[int | None]] = {}
    for path, data in source.files.items():
        if path in apart:
            continue
        for macro in tokenize(data).macros:
            macros.setdefault(macro.name, set()).add(_number(macro) if path in near else None)
        for name in _UNDEFINED.findall(data):
            macros.setdefault(name, set()).add(None)
    if by_flags:
        for name, values in _given(source, unit).items():
            macros.setdefault(name, set()).update(values)
    else:
        asked -= defined({}, source.translation_units)
    numbers: dict[str, int] = {}
    for name in asked:
        value, *more = macros.get(name, {0})
        if value is not None and not more and not name.startswith(b"_"):
            numbers[name.decode("latin-1")] = value
    return Values(numbers, frozenset(name for name in numbers if name.encode("latin-1") in macros))


def _given(source: Source, unit: Unit) -> Mapping[bytes, set[int | None]]:
    """Return the values that flags give to macros where the file of a unit is compiled.

    Where translation units that read the file differ, one of the values is None: not known.
    """
    each = [
        given_macros(build.flags)
        for build in source.translation_units
        if unit.path in read_by(source, build.path)
    ]
    names = {name for given in each for name in given}
    return {name: {given.get(name) for given in each} for name in names}


def _number(macro: Macro) -> int | None:
    """Return the whole number that a macro stands for; None for anything else."""
    match [token for token in macro.body if token.text not in (b"(", b")")]:
        case [Token(kind=Kind.NUMBER, text=digits)] if macro.parameters is None and digits.isdigit():
            return int(digits)
        case _:
            return None
