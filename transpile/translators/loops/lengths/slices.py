"""Lines that are left of statements, and how they are put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import find, operator, source, unparenthesized
from transpile.translators.loops.symbols.lines import deeper, with_head

CHANGES = ("assignment_expression", "update_expression")
_PLAIN = ("identifier", "number_literal", "subscript_expression", "call_expression", "field_expression")
_TIGHT = frozenset(("+", "-", "*", "/", "%"))
"""Operators that bind at least as a sum does."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Lines that are left of a statement."""

    lines: tuple[str, ...] = ()
    reaches: bool = False
    """There is more in them than jumps: without it, the loop around them has no use."""


NOTHING = Slice()


def joined(slices: Iterable[Slice]) -> Slice:
    """Return what is left of statements that follow each other."""
    parts = list(slices)
    return Slice(tuple(line for part in parts for line in part.lines), any(part.reaches for part in parts))


def with_cases(test: Node, cases: Sequence[tuple[Node, Slice]]) -> tuple[str, ...]:
    """Return the lines of a ``switch``, each case of which has a scope of its own."""
    lines: list[str] = []
    for case, kept in cases:
        label = case.child_by_field_name("value")
        head = f"case {source(label)}:" if label is not None else "default:"
        lines += [f"{head} {{", *deeper(kept.lines), "}"]
    return with_head(f"switch ({source(test)})", lines)


def sets(node: Node) -> bool:
    """Tell whether an expression changes what it names."""
    return any(True for _ in find(node, *CHANGES))


def heads(loop: Node, body: Node) -> list[Node]:
    """Return what the head of a loop holds."""
    return [child for child in loop.named_children if child.id != body.id]


def summand(node: Node) -> str:
    """Return an expression that may stand beside a plus."""
    plain = node.type in _PLAIN or (node.type == "binary_expression" and operator(node) in _TIGHT)
    return source(node) if plain else f"({source(unparenthesized(node))})"
