"""Explicit instantiations of functions become pointers to them, which libclang shows and follows.

It shows no function that only ``template void f<float>(float *);`` makes (C++17, [temp.explicit]), so the
kernels that such a function launches would have no template arguments.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from zlib import crc32

from transpile.code.edits import Edit, line_ends
from transpile.code.lexer import Kind, Token, angle_opening, closing, opening

_CLASSES = frozenset((b"class", b"struct", b"union"))
_NAMES_BEFORE = frozenset((b"extern", b".", b">", b"::"))
"""Tokens before it where it makes nothing: another file does, or a name depends on types."""
_DIGITS = (string.digits + string.ascii_letters).encode()
_BASE = len(_DIGITS)
_QUALIFIERS = re.compile(rb"\b(?:__global__|__host__|__device__|__forceinline__|inline)\b")


def pointer_edits(data: bytes, tokens: Sequence[Token]) -> Iterator[Edit[bytes]]:
    """Yield the pointer in place of each explicit instantiation, as long as that was."""
    for index, token in enumerate(tokens[:-1]):
        before = tokens[index - 1].text if index else b""
        if token.text == b"template" and before not in _NAMES_BEFORE and tokens[index + 1].text != b"<":
            edit = _pointer(data, tokens, index)
            if edit is not None:
                yield edit


def _pointer(data: bytes, tokens: Sequence[Token], first: int) -> Edit[bytes] | None:
    last = next((at for at in range(first, len(tokens)) if tokens[at].text == b";"), None)
    opened = _parameters(tokens, first, last) if last is not None else None
    closed = closing(tokens, opened) if opened is not None else None
    name = _name(tokens, opened) if opened is not None else None
    if last is None or opened is None or closed is None or closed > last or name is None or name <= first:
        return None
    start, end = tokens[first].start, tokens[last].end
    result = data[tokens[first].end : tokens[name].start].lstrip(b" ")
    named = data[tokens[name].start : tokens[opened].start]
    parameters = data[tokens[opened].start : tokens[closed].end]
    text = b"%s(*%s)%s=%s;" % (
        _QUALIFIERS.sub(lambda found: b" " * len(found[0]), result),
        _unique(data[start:end]),
        parameters,
        named,
    )
    behind = line_ends(data[tokens[closed].end : end])
    room = end - start - len(text) - len(behind)
    return Edit(start, end, text + b" " * room + behind) if room >= 0 else None


def _parameters(tokens: Sequence[Token], first: int, last: int) -> int | None:
    """Return the bracket that opens the parameters: the last one outside of others; None for a class."""
    if tokens[first + 1].text in _CLASSES:
        return None
    closed = next((at for at in range(last - 1, first, -1) if tokens[at].text == b")"), None)
    behind = {token.text for token in tokens[closed:last]} if closed is not None else set[bytes]()
    # Behind them, an arrow or the brackets of an attribute say what a pointer would have to repeat.
    return None if closed is None or behind - {b")", b"noexcept"} else opening(tokens, closed)


def _name(tokens: Sequence[Token], opened: int) -> int | None:
    """Return where the name in front of the parameters begins, its scopes and arguments included."""
    at: int | None = opened - 1
    if tokens[opened - 1].text == b">":
        at = angle_opening(tokens, opened - 1)
        at = at - 1 if at is not None else None
    if at is None or tokens[at].kind is not Kind.WORD:
        return None
    while tokens[at - 1].text == b"::" and tokens[at - 2].kind is Kind.WORD:
        at -= 2
    return at


def _unique(text: bytes) -> bytes:
    """Return a name for a text that no program may use; it is as long as what ``template`` leaves."""
    number = crc32(text)
    return b"__" + bytes(_DIGITS[number // _BASE**place % _BASE] for place in range(3))
