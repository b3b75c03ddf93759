"""Whether the syntax tree shows every mention of a name: macros and text that does not parse hide some."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from tree_sitter import Node

from transpile.assemble.host_code.tree import text_of, uses
from transpile.code.lexer import Kind, tokenize


def hidden_words(texts: Iterable[bytes]) -> frozenset[bytes]:
    """Return the words in the macro bodies of some files: what they mean is decided where they are used."""
    return frozenset().union(*(_macro_words(data) for data in texts))


@functools.lru_cache(maxsize=256)
def _macro_words(data: bytes) -> frozenset[bytes]:
    macros = tokenize(data).macros
    return frozenset(
        token.text
        for macro in macros
        for token in macro.body
        if token.kind is Kind.WORD and token.text not in (macro.parameters or ())
    )


def fully_seen(scope: Node, name: bytes) -> bool:
    """Tell whether the tree has an identifier for every mention of a variable in a region."""
    tokens = tokenize(text_of(scope)).text
    mentions = 0
    for index, token in enumerate(tokens):
        member = index > 0 and tokens[index - 1].text in (b".", b"->", b"::")
        if token.text == name and not member:
            mentions += 1
    return mentions == sum(1 for _ in uses(scope, name))
