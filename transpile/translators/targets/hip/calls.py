"""Calls in a token stream: where the name stands, and where each argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token, closing, split, tokenize
from transpile.parsers.text.calls import opened

_MEMBER = (b".", b"->")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call by name, in the text or in the body of a macro."""

    name: Token
    arguments: tuple[Sequence[Token], ...]
    end: int
    """Where the closing bracket stands."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Return the places of the arguments."""
        return [(item[0].start, item[-1].end) for item in self.arguments]


def calls(data: bytes, names: frozenset[bytes]) -> Iterator[Call]:
    """Yield the calls of functions of these names."""
    for stream in tokenize(data).streams:
        for index, token in enumerate(stream[:-1]):
            if token.kind is not Kind.WORD or token.text not in names:
                continue
            if index and stream[index - 1].text in _MEMBER:
                continue
            found = _call(stream, index)
            if found is not None:
                yield found


def _call(stream: Sequence[Token], index: int) -> Call | None:
    at = opened(stream, index)
    end = None if at is None else closing(stream, at)
    if at is None or end is None:
        return None
    arguments = tuple(item for item in split(stream[at + 1 : end]) if item)
    return Call(name=stream[index], arguments=arguments, end=stream[end].start)
