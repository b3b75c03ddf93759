"""Slices of a loop body: the conditions that decide how often statements are reached, and their inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import ancestors, find, inside
from transpile.code.variables import Variable, Variables

_HEADED = ("if_statement", "for_statement", "while_statement")
_BODIES = ("body", "consequence", "alternative")
_SIMPLE = ("expression_statement", "declaration")
_JUMPS = ("continue_statement", "break_statement")
_AROUND = (*_HEADED, "compound_statement", "else_clause")
_IN_HEADS = ("declaration", "init_statement", "condition_declaration")
"""Syntax in a condition that may set something first, so that it cannot be negated as it stands."""
_TYPES = ("type_definition", "alias_declaration", "field_declaration_list")


@dataclass(frozen=True, slots=True)
class Slice:
    """Statements of a body that have to be gone through, and no others."""

    kept: frozenset[int]
    """The nodes of all of them."""
    reached: tuple[Node, ...]
    """What they decide about."""
    again: tuple[Node, ...]
    """What is computed in them beside what they are to reach: whole statements, and parts of heads."""


def sliced(body: Node, reached: Collection[Node], variables: Variables) -> Slice | None:
    """Return what decides how often statements of a body are reached; None where that is not plain."""
    if any(find(body, *_TYPES)):
        return None
    kept: dict[int, Node] = {}
    left = [*reached, *find(body, *_JUMPS)]
    while left:
        for node in left:
            kept |= {item.id: item for item in (node, *ancestors(node)) if inside(item, body)}
        again = [part for node in kept.values() if node not in reached for part in _computed(node)]
        needed = {item for part in again for item in variables.used_in(part)}
        left = [node for node in _giving(body, needed) if node.id not in kept]
    plain = all(_is_plain(node) for node in kept.values())
    return Slice(frozenset(kept), tuple(reached), tuple(again)) if plain else None


def _is_plain(node: Node) -> bool:
    """Tell whether a statement can be written again without what is left out of it."""
    if node.type == "if_statement":
        return not any(True for part in _head(node) for _ in find(part, *_IN_HEADS))
    return node.type in (*_AROUND, *_SIMPLE, *_JUMPS)


def _computed(node: Node) -> list[Node]:
    """Return what a statement computes itself, without the statements in it."""
    if node.type in _SIMPLE:
        return [node]
    return _head(node) if node.type in _HEADED else []


def _head(node: Node) -> list[Node]:
    """Return the parts of a statement that stand before those in it."""
    parts = enumerate(node.children)
    return [child for index, child in parts if node.field_name_for_child(index) not in _BODIES]


def _giving(body: Node, needed: Collection[Variable]) -> Iterator[Node]:
    """Yield the statements of a body that declare variables, or give them values."""
    places = [place for item in needed for place in (item.declaration, *item.writes)]
    for node in find(body, *_SIMPLE, *_HEADED):
        if any(inside(place, part) for part in _computed(node) for place in places):
            yield node
