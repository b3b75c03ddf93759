"""Words that stand for kernels as values: what launches, declares or only asks about kernels is none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from transpile.code.lexer import Kind, Token
from transpile.parsers.text.launches import find_launches

_INERT = tuple(vendor + word for vendor in (b"cuda", b"hip") for word in (b"Func", b"Occupancy"))
"""Beginnings of functions of the runtime that ask about a kernel, and launch nothing."""
_BEFORE_VALUES = frozenset((b"return", b"case", b"else", b"co_return", b"throw"))
_TYPE_MARKS = (b"*", b"&")
_OF_MEMBERS = (b".", b"->")


def values(tokens: Sequence[Token], names: Collection[bytes]) -> Iterator[Token]:
    """Yield the names that stand for values in a text, or in the body of a macro."""
    launched = {token.start for launch in find_launches(tokens) for token in launch.kernel}
    variables: dict[bytes, float] = {}
    depth, brackets = 0, 0
    for index, token in enumerate(tokens):
        depth += {b"{": 1, b"}": -1}.get(token.text, 0)
        brackets += {b"(": 1, b")": -1}.get(token.text, 0)
        if token.text == b"}":
            variables = {name: level for name, level in variables.items() if level <= depth}
        if token.kind is not Kind.WORD or token.text not in names or token.start in launched:
            continue
        before = tokens[index - 1].text if index else b""
        behind = tokens[index + 1].text if index + 1 < len(tokens) else b""
        if behind == b"(" or before in _OF_MEMBERS:
            continue
        if _is_declared(tokens, index):
            if behind != b"<":  # an instantiation of a template
                # A parameter lives in the block behind its brackets.
                variables.setdefault(token.text, depth + 0.5 * (brackets > 0))
        elif (before == b"::" or token.text not in variables) and not _is_inert(tokens, index):
            yield token


def _is_declared(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a name is that of a new variable: a type stands before it."""
    at = index - 1
    while at >= 0 and tokens[at].text in _TYPE_MARKS:
        at -= 1
    if at < 0:
        return False
    before = tokens[at]
    if before.kind is Kind.WORD:
        return before.text not in _BEFORE_VALUES
    return before.text == b">" and at < index - 1 and tokens[at + 1].text in _TYPE_MARKS


def _is_inert(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a name is passed to a function of the runtime that launches nothing, or made known."""
    depth = 0
    for at in range(index - 1, -1, -1):
        text = tokens[at].text
        depth += {b")": 1, b"(": -1}.get(text, 0)
        if text in (b";", b"{", b"}"):
            return False
        if text == b"using":
            return True
        if depth < 0:
            return at > 0 and tokens[at - 1].text.startswith(_INERT)
    return False
