"""Kernel launches as tokens: ``kernel<<<configuration>>>(arguments)``, in text and in macro bodies alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token, angle_opening, closing, opening
from transpile.core import Span

_KEYWORDS = frozenset(
    (b"if", b"while", b"for", b"switch", b"return", b"else", b"do", b"case", b"operator", b"co_await")
)


def bare_name(kernel: str) -> str:
    """Return the name of a launched kernel without brackets, template arguments and namespaces."""
    return re.sub(r"[\s(&)]|<.*", "", kernel).rpartition("::")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchText:
    """A launch as the token list has it."""

    kernel: Sequence[Token]
    configuration: Sequence[Token]
    arguments: Sequence[Token]
    opened: Span
    """The bytes of ``<<<``."""
    closed: Span
    """The bytes of ``>>>``."""
    parentheses: tuple[Token, Token]

    @property
    def span(self) -> Span:
        """Return the bytes from the kernel expression to the closing parenthesis."""
        return Span(start=self.kernel[0].start, end=self.parentheses[1].end)


def find_launches(tokens: Sequence[Token]) -> Iterator[LaunchText]:
    """Yield the launches of a token list in order; what only looks like one is passed over."""
    for index, token in enumerate(tokens):
        if (
            token.text == b"<"
            and _three(tokens, index, b"<")
            and (index == 0 or tokens[index - 1].text != b"<")
        ):
            launch = _launch(tokens, index)
            if launch is not None:
                yield launch


def _three(tokens: Sequence[Token], index: int, mark: bytes) -> bool:
    """Tell whether three of the mark stand in a row, apart by blanks at most (formatters write ``<< <``)."""
    return len(tokens) > index + 2 and tokens[index + 1].text == mark == tokens[index + 2].text


def _launch(tokens: Sequence[Token], index: int) -> LaunchText | None:
    first = _expression_start(tokens, index - 1)
    if first is None:
        return None
    last = _configuration_end(tokens, index + 3)
    if last is None:
        return None
    close = closing(tokens, last + 3)
    if close is None:
        return None
    return LaunchText(
        kernel=tokens[first:index],
        configuration=tokens[index + 3 : last],
        arguments=tokens[last + 4 : close],
        opened=Span(start=tokens[index].start, end=tokens[index + 2].end),
        closed=Span(start=tokens[last].start, end=tokens[last + 2].end),
        parentheses=(tokens[last + 3], tokens[close]),
    )


def _configuration_end(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the ``>>>`` that ends a configuration and is followed by arguments."""
    at = index
    while at < len(tokens):
        text = tokens[at].text
        if text in (b"(", b"[", b"{"):
            close = closing(tokens, at)
            if close is None:
                return None
            at = close
        elif text in (b")", b"]", b"}", b";"):
            return None
        elif (
            text == b">" and _three(tokens, at, b">") and at + 3 < len(tokens) and tokens[at + 3].text == b"("
        ):
            return at
        at += 1
    return None


def _expression_start(tokens: Sequence[Token], index: int) -> int | None:
    """Return where the kernel expression that ends at the index begins; None where none ends there."""
    start = _primary_start(tokens, index)
    while start is not None and start > 0:
        before = tokens[start - 1].text
        if before == b"::":
            # `a::k`, `A<int>::k` or the global `::k`
            outer = _primary_start(tokens, start - 2) if start > 1 else None
            if outer is None or (tokens[start - 2].text != b">" and tokens[start - 2].kind is not Kind.WORD):
                return start - 1
            start = outer
        elif before in (b".", b"->", b"##"):
            start = _primary_start(tokens, start - 2)
        elif before == b"template" and start > 1 and tokens[start - 2].text in (b"::", b".", b"->"):
            start -= 1
        else:
            break
    return start


def _primary_start(tokens: Sequence[Token], index: int) -> int | None:
    """Return where a name, a name with template arguments, a call, a subscript or a parenthesis begins."""
    if index < 0:
        return None
    token = tokens[index]
    if token.kind is Kind.WORD:
        return None if token.text in _KEYWORDS else index
    if token.text == b">":
        angle = angle_opening(tokens, index)
        return _name_before(tokens, angle) if angle else None
    if token.text in (b")", b"]"):
        bracket = opening(tokens, index)
        if bracket is None:
            return None
        name = _name_before(tokens, bracket)
        return bracket if name is None and token.text == b")" else name
    return None


def _name_before(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the plain name right before the index."""
    if index > 0 and tokens[index - 1].kind is Kind.WORD and tokens[index - 1].text not in _KEYWORDS:
        return index - 1
    return None
