"""tree-sitter for C, C++ and CUDA: trees of whole files, and the queries that others put to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath

import tree_sitter_c
import tree_sitter_cpp
import tree_sitter_cuda
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

_WHOLE = re.compile(r"(0[xX][0-9a-fA-F]+|0|[1-9]\d*)[uUlL]*")
_GRAMMARS = {"c": tree_sitter_c.language, "cpp": tree_sitter_cpp.language, "cuda": tree_sitter_cuda.language}


@cache
def language(name: str) -> Language:
    """Return the grammar ``c``, ``cpp`` or ``cuda``."""
    return Language(_GRAMMARS[name]())


def grammar_of(path: str) -> str:
    """Return the grammar for a file: C for ``.c``, else CUDA, which is C++ and more."""
    return "c" if PurePosixPath(path).suffix == ".c" else "cuda"


def parse(data: bytes, grammar: str = "cuda") -> Tree:
    """Parse a text, whatever it is: what the grammar does not know becomes ERROR nodes."""
    return Parser(language(grammar)).parse(data)


@cache
def query(source: str, grammar: str = "cuda") -> Query:
    """Compile a query once."""
    return Query(language(grammar), source)


def captures(node: Node, source: str, grammar: str = "cuda") -> dict[str, list[Node]]:
    """Return what a query finds below a node, by capture name, each list in the order of the text."""
    found = QueryCursor(query(source, grammar)).captures(node)
    return {name: sorted(nodes, key=lambda item: item.start_byte) for name, nodes in found.items()}


def text(node: Node | None) -> str:
    """Return a node's text; bytes that are not UTF-8 survive as surrogates. Empty for None."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "surrogateescape")


def inner_declarator(node: Node) -> Node | None:
    """Return the declarator or name inside a declarator; the grammar gives those of references no field."""
    return node.child_by_field_name("declarator") or next(
        (child for child in node.named_children if child.type.endswith(("declarator", "identifier"))), None
    )


def declared(declarator: Node | None) -> Node | None:
    """Return the name that a declarator declares; None where it has none."""
    while declarator is not None and declarator.type not in ("identifier", "field_identifier"):
        declarator = inner_declarator(declarator)
    return declarator


def whole_number(node: Node) -> str | None:
    """Return a literal as a decimal number; None where it is no whole one."""
    found = _WHOLE.fullmatch(text(node).replace("'", ""))
    return str(int(found[1], 0)) if found else None


def ancestors(node: Node) -> Iterator[Node]:
    """Yield the nodes around a node, innermost first."""
    while (parent := node.parent) is not None:
        yield parent
        node = parent


def descendants(node: Node, *types: str) -> Iterator[Node]:
    """Yield the nodes of the given types below a node, in the order of the text."""
    cursor = node.walk()
    while True:
        current = cursor.node
        if current is not None and current.type in types and current != node:
            yield current
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
