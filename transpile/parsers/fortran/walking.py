"""Walks over the tree, whatever its nodes are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

from transpile.parsers.fortran import tree

Node = (
    tree.Expression
    | tree.Statement
    | tree.Argument
    | tree.Loop
    | tree.Allocation
    | tree.Declaration
    | tree.Entity
    | tree.TypeSpec
)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, in the order of the text."""
    stack: list[object] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack.extend(reversed(current))
        elif is_dataclass(current) and not isinstance(current, type):
            yield current  # type: ignore[misc]
            stack.extend(getattr(current, name) for name in reversed(_names(type(current))))


def names(node: Node) -> Iterator[tree.Name]:
    """Yield the names that a node mentions."""
    return (item for item in walk(node) if isinstance(item, tree.Name))


@cache
def _names(sort: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(sort) if item.name != "line")
