"""Declarations at file scope: what each names, and what it mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.lexer import CLOSE, OPEN, Kind, Token, angle_closing, closing, tokenize
from transpile.core import Span
from transpile.parsers.text.outline import file_scope
from transpile.parsers.text.units import definitions

_TYPES = frozenset((b"class", b"struct", b"union", b"enum"))
_KEYWORDS = _TYPES | frozenset(
    b"""
    alignas auto bool break case char const constexpr continue decltype default delete do double else
    explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr
    operator private protected public register return short signed sizeof static switch template this throw
    true typedef typename unsigned using virtual void volatile while
    """.split()
)
"""Words that declare nothing."""
_DECLARED_BEFORE = frozenset((b";", b"=", b"[", b"(", b")", b",", b"{", b":", b"<"))
"""Marks behind a name that a declaration declares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A declaration at file scope, or in a namespace."""

    span: Span
    names: frozenset[bytes]
    """All that it may declare; rather too much than too little."""
    words: frozenset[bytes]
    """All that it mentions."""
    nameless: bool
    """It serves others without being named: a macro's call, ``using``."""


def pieces(path: str, data: bytes, macros: frozenset[bytes] = frozenset()) -> tuple[Piece, ...]:
    """Return the declarations of a file in the order of the text; directives and namespaces are none.

    Args:
        path: Where the text is from.
        data: The text.
        macros: Names of macros with parameters, whose calls may declare anything.
    """
    tokens = tokenize(data).text
    scope = file_scope(tokens)
    spans = {item.span.start: item.span.end for item in definitions(path, data)}
    return tuple(_piece(part, macros) for part in _parts(tokens, scope, spans))


def _parts(tokens: Sequence[Token], scope: bytearray, functions: dict[int, int]) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each declaration."""
    first = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.start in functions:
            # What stands before without an end, such as a macro's call, may belong to it.
            while at < len(tokens) and tokens[at].end <= functions[token.start]:
                at += 1
            yield tokens[first:at]
            first = at
        elif token.kind is Kind.DIRECTIVE and first == at:
            first = at = at + 1
        elif token.text in (b"{", b"}") and scope[at]:
            first = at = at + 1  # of a namespace
        elif token.text == b"{":
            at = (closing(tokens, at) or len(tokens) - 1) + 1
            if not _goes_on(tokens[first:at]):
                yield tokens[first:at]
                first = at
        elif token.text in (b"(", b"["):
            at = (closing(tokens, at) or at) + 1
        elif token.text == b";":
            at += 1
            yield tokens[first:at]
            first = at
        else:
            at += 1
    yield from _some(tokens[first:])


def _some(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    if any(token.kind is not Kind.DIRECTIVE for token in tokens):
        yield tokens


def _goes_on(tokens: Sequence[Token]) -> bool:
    """Tell whether a declaration goes on behind its braces: a type or an initial value, not a function."""
    head = _head(tokens)
    words = {token.text for token in head}
    return bool(words & (_TYPES | {b"typedef", b"="})) or not any(token.text == b"(" for token in head)


def _head(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return what stands before the first brace, without a template's parameters."""
    opened = next((at for at, token in enumerate(tokens) if token.text == b"{"), len(tokens))
    first = 0
    while first + 1 < opened and (tokens[first].text, tokens[first + 1].text) == (b"template", b"<"):
        first = (angle_closing(tokens, first + 1) or first + 1) + 1
    return tokens[first:opened]


def _piece(tokens: Sequence[Token], macros: frozenset[bytes]) -> Piece:
    words = frozenset(token.text for token in tokens if token.kind is Kind.WORD) - _KEYWORDS
    first = next(token.text for token in tokens if token.kind is not Kind.DIRECTIVE)
    alias = first == b"using" and not any(token.text == b"=" for token in tokens)
    return Piece(
        span=Span(start=tokens[0].start, end=tokens[-1].end),
        names=frozenset(_names(tokens, words)) - _KEYWORDS,
        words=words,
        nameless=alias or first in macros,
    )


def _names(tokens: Sequence[Token], words: frozenset[bytes]) -> Iterator[bytes]:
    head = _head(tokens)
    spelt = [token.text for token in head]
    if b"typedef" in spelt or b"operator" in spelt or b"enum" in spelt:
        # Operators are found by their operands' types; enumerators stand between the braces.
        yield from words
        return
    if _TYPES.intersection(spelt) and len(head) < len(tokens):
        closed = max(at for at, token in enumerate(tokens) if token.text == b"}")
        yield from (token.text for token in (*head, *tokens[closed:]) if token.kind is Kind.WORD)
        return
    declared = tokens[tokens.index(head[0]) :]
    texts = [token.text for token in declared]
    depth, value = 0, False
    for at, token in enumerate(declared):
        # A pointer to a function or to an array: `float (*f)(int)`.
        pointed = depth == 1 and texts[max(at - 2, 0) : at] in ([b"(", b"*"], [b"(", b"&"])
        named = token.kind is Kind.WORD and _DECLARED_BEFORE.issuperset(texts[at + 1 : at + 2])
        if named and not value and (depth == 0 or pointed):
            yield token.text
        depth += (token.text in OPEN) - (token.text in CLOSE)
        if depth == 0 and token.text in (b"=", b","):
            value = token.text == b"="
