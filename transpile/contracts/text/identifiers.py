"""Names in the syntax tree of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import descendants, text


def root_of(node: Node | None) -> str:
    """Return the name that a place in memory is reached by."""
    while node is not None and node.type != "identifier":
        inner = node.child_by_field_name("argument") or node.child_by_field_name("left")
        node = inner or (node.named_child(0) if node.named_child_count else None)
    return text(node)


def identifiers(node: Node) -> Iterator[Node]:
    """Yield the identifiers of an expression, itself included."""
    if node.type == "identifier":
        yield node
    yield from descendants(node, "identifier")


def innermost(declarator: Node | None) -> str:
    """Return the name that a declarator declares."""
    while declarator is not None and declarator.type != "identifier":
        last = (
            declarator.named_child(declarator.named_child_count - 1) if declarator.named_child_count else None
        )
        declarator = declarator.child_by_field_name("declarator") or last
    return text(declarator)


def called_of(node: Node) -> str:
    """Return the bare name of what is called."""
    return re.sub(r"\s*<.*", "", text(node.child_by_field_name("function")), flags=re.DOTALL).rpartition(
        "::"
    )[2]


def arguments_of(node: Node) -> list[Node]:
    """Return the arguments of a call."""
    arguments = node.child_by_field_name("arguments")
    return [item for item in arguments.named_children if item.type != "comment"] if arguments else []


def parameters_of(root: Node) -> list[str]:
    """Return the names of a function's parameters."""
    for listed in descendants(root, "parameter_list"):
        return [innermost(item.child_by_field_name("declarator")) for item in listed.named_children]
    return []
