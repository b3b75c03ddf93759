"""Text that ``#if`` removes for certain, because nothing defines a name, and text that it may remove."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Macro, Token, tokenize
from transpile.core import Span, TranslationUnit

_OF_DEVICES = frozenset(
    (b"__CUDACC__", b"__CUDA_ARCH__", b"__NVCC__", b"__HIPCC__", b"__HIP_DEVICE_COMPILE__")
)
"""Names that compilers of plain C and C++ do not define."""

_OPENING = ([b"if"], [b"ifdef"], [b"ifndef"])
_BRANCHES = ([b"elif"], [b"elifdef"], [b"elifndef"], [b"else"])
_NOT_NEWLINE = re.compile(rb"[^\n]")


@dataclass(slots=True)
class _Choice:
    """An ``#if`` that is open."""

    taken: bool
    """A branch before this one holds for certain, or this one."""
    removed: int | None
    """Where the branch begins, if it is removed for certain."""


def defined(files: Mapping[str, bytes], units: Iterable[TranslationUnit]) -> frozenset[bytes]:
    """Return the names that any file or any build of a source defines, wherever it does."""
    given = (name for unit in units for name in given_macros(unit.flags))
    written = (macro.name for data in files.values() for macro in tokenize(data).macros)
    return frozenset((*given, *written))


def given_macros(flags: Sequence[str]) -> dict[bytes, int | None]:
    """Return the macros that flags define, and the whole numbers they stand for; None for other texts."""
    given: dict[bytes, int | None] = {}
    words = iter(flags)
    for word in words:
        if word[:2] not in ("-D", "-U"):
            continue
        macro, separator, value = (word[2:] or next(words, "")).partition("=")
        name, *parameters = macro.split("(")
        text = value if separator else "1"
        whole = not parameters and re.fullmatch(r"0|[1-9][0-9]*", text)
        given[name.encode()] = int(text) if whole else None
        if word.startswith("-U"):
            del given[name.encode()]
    return given


def left(data: bytes, names: Collection[bytes]) -> bytes:
    """Return a text with blanks for what conditions remove if no other names are defined.

    A name that begins with an underscore may be the compiler's, and a condition that is more than a name
    may hold or not: all its branches are left.
    """
    return _without(data, _removed(data, names))


def certain(data: bytes) -> bytes:
    """Return a text with blanks for what stands under a condition; the guard of a header is none."""
    tokens = tokenize(data)
    text = tokens.text
    chosen = list(_chosen(text))
    whole = text and chosen == [Span(start=text[0].start, end=text[-1].end)]
    if whole and _is_guard(text[0], tokens.macros):
        chosen = list(_chosen(text[1:-1]))
    return _without(data, chosen)


def _without(data: bytes, spans: Iterable[Span]) -> bytes:
    text = bytearray(data)
    for span in spans:
        text[span.start : span.end] = _NOT_NEWLINE.sub(b" ", span.of(data))
    return bytes(text)


def chains(text: Iterable[Token]) -> list[tuple[Token, ...]]:
    """Return the directives from each ``#if`` to its ``#endif``, by where they begin."""
    opened: list[list[Token]] = []
    found: list[tuple[Token, ...]] = []
    for token in text:
        word = _words(token)[:1] if token.kind is Kind.DIRECTIVE else []
        if word in _OPENING:
            opened.append([])
        if opened and (word in (*_OPENING, *_BRANCHES) or word == [b"endif"]):
            opened[-1].append(token)
        if opened and word == [b"endif"]:
            found.append(tuple(opened.pop()))
    return sorted(found, key=lambda marks: marks[0].start)


def _chosen(text: Iterable[Token]) -> Iterator[Span]:
    """Yield what stands between an ``#if`` and its ``#endif``, with both; none within another."""
    end = 0
    for marks in chains(text):
        if marks[0].start >= end:
            end = marks[-1].end
            yield Span(start=marks[0].start, end=end)


def _is_guard(first: Token, macros: Iterable[Macro]) -> bool:
    """Tell whether a text begins with the question that keeps it from being read twice."""
    match _words(first):
        case [b"ifndef", name] | [b"if", b"!", b"defined", b"(", name, b")"]:
            return any(macro.name == name for macro in macros)
        case _:
            return False


def _removed(data: bytes, names: Collection[bytes]) -> Iterator[Span]:
    """Yield the branches that are removed for certain, also inside of one another."""
    choices: list[_Choice] = []
    for token in tokenize(data).text:
        if token.kind is not Kind.DIRECTIVE:
            continue
        words = _words(token)
        if words[:1] in _OPENING:
            choices.append(_Choice(taken=False, removed=None))
        if not choices:
            continue
        choice = choices[-1]
        if choice.removed is not None:
            yield Span(start=choice.removed, end=token.start)
        holds = _holds(words, names)
        choice.removed = token.end if choice.taken or holds is False else None
        choice.taken = choice.taken or holds is True
        if words[:1] == [b"endif"]:
            choices.pop()


def behind_mark(directive: Token) -> tuple[Token, ...]:
    """Return the tokens of a directive behind its mark: its name, and what follows."""
    return tokenize(directive.text.partition(b"#")[2]).text


def _words(directive: Token) -> list[bytes]:
    return [token.text for token in behind_mark(directive)]


def _holds(words: Sequence[bytes], names: Collection[bytes]) -> bool | None:
    """Tell whether a branch is compiled if no branch before it is; None where that is not known."""
    match words:
        case [b"else"]:
            return True
        case [b"if" | b"elif", (b"0" | b"1") as number]:
            return number == b"1"
        case [b"ifdef" | b"elifdef", name] | [b"if" | b"elif", b"defined", b"(", name, b")"]:
            return False if _is_undefined(name, names) else None
        case [b"ifndef" | b"elifndef", name] | [b"if" | b"elif", b"!", b"defined", b"(", name, b")"]:
            return True if _is_undefined(name, names) else None
        case _:
            return None


def _is_undefined(name: bytes, names: Collection[bytes]) -> bool:
    return name not in names and (not name.startswith(b"_") or name in _OF_DEVICES)
