"""Functions and variables of files without kernels lose ``__host__``, ``__device__`` and ``__constant__``."""

from __future__ import annotations

import re

from transpile.assemble.host_code.tree import apply
from transpile.code.edits import Edit
from transpile.code.lexer import Kind, Token, tokenize

_PLAIN = frozenset((b"__host__", b"__device__", b"__managed__", b"__grid_constant__"))
_INLINE = frozenset((b"__forceinline__",))


def without_qualifiers(data: bytes) -> bytes:
    """Return the text without CUDA's qualifiers; text with kernels or shared memory is left as it is."""
    tokens = tokenize(data).text
    texts = {token.text for token in tokens}
    if b"__global__" in texts or b"__shared__" in texts:
        return data
    return apply(data, [edit for index in range(len(tokens)) for edit in _edits(data, tokens, index)])


def _edits(data: bytes, tokens: tuple[Token, ...], index: int) -> list[Edit[bytes]]:
    token = tokens[index]
    if token.kind is not Kind.WORD:
        return []
    end = token.end
    after = re.compile(rb"[ \t]+|\r?\n(?=[ \t]*\w)").match(data, end)
    if token.text in _PLAIN:
        return [Edit(token.start, after.end() if after else end, b"")]
    if token.text in _INLINE:
        near = {tokens[at].text for at in range(max(0, index - 3), min(len(tokens), index + 4))}
        if b"inline" in near:
            return [Edit(token.start, after.end() if after else end, b"")]
        return [Edit(token.start, end, b"inline")]
    if token.text == b"__constant__":
        near = {tokens[at].text for at in range(max(0, index - 2), min(len(tokens), index + 3))}
        if near & {b"static", b"extern"}:
            return [Edit(token.start, after.end() if after else end, b"")]
        return [Edit(token.start, end, b"static")]
    return []
