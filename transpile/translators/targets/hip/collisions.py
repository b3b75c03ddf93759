"""Names of the program that are HIP's as well: to rename CUDA's would let them mean something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from transpile.code.edits import line_of
from transpile.code.identity import Same
from transpile.code.lexer import Kind, Token, tokenize
from transpile.core import Diagnostic, Severity, Source, Span
from transpile.parsers.files.discovery import is_code
from transpile.translators.targets.hip import tables, vendors

_NO_TYPES = frozenset((b"return", b"else", b"case", b"goto", b"new", b"delete", b"throw", b"do", b"in"))
_BEHIND = (b"=", b";", b",", b")", b"(", b"[", b"{", b":")
_BEFORE = (b";", b"{", b"}", b"(", b",")
_POINTERS = (b"*", b"&")


@dataclass(frozen=True, slots=True)
class Collision:
    """Where a program declares a name of HIP's."""

    path: str
    line: int
    name: bytes


def collisions(source: Source) -> tuple[Collision, ...]:
    """Return the declarations of HIP's names in what is not HIP already. Looked for once a source."""
    return _collisions(Same(source))


@lru_cache(maxsize=4)
def _collisions(key: Same) -> tuple[Collision, ...]:
    source = key.source
    known = _names(source.files.get(tables.OWN, b""))
    left = vendors.already(source)
    return tuple(
        item
        for path, data in source.files.items()
        if is_code(path) and path not in left
        for item in _declared(path, data, known)
    )


@cache
def _names(own: bytes) -> frozenset[bytes]:
    rows = tables.names(own).values()
    return frozenset(row.hip.encode() for row in rows if row.hip != row.cuda) - {
        row.cuda.encode() for row in rows
    }


def _declared(path: str, data: bytes, known: frozenset[bytes]) -> Iterator[Collision]:
    tokens = tokenize(data)
    places = [
        (token.start, token.text)
        for index, token in enumerate(tokens.text)
        if token.text in known and _is_declared(tokens.text, index)
    ]
    places += [(macro.end, macro.name) for macro in tokens.macros if macro.name in known]
    for place, name in places:
        if not vendors.is_chosen(data, Span(start=place, end=place)):
            yield Collision(path, line_of(data, place), name)


def _is_declared(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a type stands before a name, and nothing that it would be the type of behind it."""
    if index + 1 < len(tokens) and tokens[index + 1].text not in _BEHIND:
        return False
    before = index - 1
    while before > 0 and tokens[before].text in _POINTERS:
        before -= 1
    typed = before >= 0 and tokens[before].kind is Kind.WORD and tokens[before].text not in _NO_TYPES
    # `a * b` is a product as a rule: what is pointed to is believed where a declaration may begin.
    first = before in (0, index - 1) or (
        tokens[before - 1].kind is not Kind.MARK or tokens[before - 1].text in _BEFORE
    )
    return typed and first


def told(source: Source) -> Iterator[Diagnostic]:
    """Yield an error for each declaration of a name of HIP's."""
    for item in collisions(source):
        yield Diagnostic(
            code="TP214",
            severity=Severity.ERROR,
            path=item.path,
            line=item.line,
            message=f"the program declares `{item.name.decode()}`, a name of HIP: CUDA's name for that stays",
            hint="rename the program's own in the source",
        )
