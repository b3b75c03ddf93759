"""Places where a function may end, or go on elsewhere, that are no statements of its own for that."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.assemble.host_code.definitions import Definitions, plain_name
from transpile.assemble.host_code.tree import of_type, text_of
from transpile.assemble.host_code.twins import Act, Event

_DEPTH = 4
_ACTS = {
    b"return": Act.LEAVES,
    b"throw": Act.LEAVES,
    b"break": Act.JUMPS,
    b"continue": Act.JUMPS,
    b"goto": Act.JUMPS,
}
"""The act of a macro, by a word of its body."""


def exits(function: Node, known: Definitions) -> Iterator[Event]:
    """Yield where a function throws, calls what may throw, or uses a macro that returns or jumps."""
    body = function.child_by_field_name("body")
    for node in of_type(body, "throw_statement", "identifier") if body is not None else ():
        if node.type == "throw_statement":
            yield Event(node.start_byte, Act.LEAVES)
            continue
        for macro in known.macros.get(text_of(node), ()):
            words = {token.text for token in macro.body}
            for word in words & _ACTS.keys():
                yield Event(node.start_byte, _ACTS[word])
            if any(_throws(word, known, _DEPTH) for word in words):
                yield Event(node.start_byte, Act.LEAVES)
    for call in of_type(body, "call_expression") if body is not None else ():
        if _throws(plain_name(call), known, _DEPTH):
            yield Event(call.start_byte, Act.LEAVES)


def _throws(name: bytes, known: Definitions, depth: int) -> bool:
    """Tell whether a function of the program throws, or calls one that does."""
    for function in known.functions.get(name, ()) if depth else ():
        if next(of_type(function, "throw_statement"), None) is not None:
            return True
        if any(_throws(plain_name(call), known, depth - 1) for call in of_type(function, "call_expression")):
            return True
    return False
