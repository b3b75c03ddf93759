"""``for (i = 0, k = 0; i < n; i++, k += 2)``: what goes along with the loop's variable leaves the head."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.translators.loops.forms.places import before, continues, ending, first_changed
from transpile.translators.loops.surroundings.outside import Outside
from transpile.translators.rules.syntax import (
    Edit,
    Function,
    condition,
    field,
    find,
    replace,
    source,
    unparenthesized,
)


def with_one_variable(function: Function, around: Outside) -> str | None:
    """Return the text with one more head that sets and moves one variable; None where there is none."""
    return first_changed(function, lambda node: _edits(function, node), "for_statement")


def _edits(function: Function, node: Node) -> Iterator[Edit]:
    if node.child_by_field_name("condition") is not None:
        yield from _begun(function, node)
        yield from _moved(function, node)


def _begun(function: Function, node: Node) -> Iterator[Edit]:
    start = node.child_by_field_name("initializer")
    parts = _separate(start, condition(node)) if start is not None else None
    if start is not None and parts is not None:
        ahead = before(function, node, [f"{source(item)};" for item in parts[1]])
        yield Edit(node.start_byte, node.start_byte, ahead)
        yield replace(start, source(parts[0]))


def _moved(function: Function, node: Node) -> Iterator[Edit]:
    update = node.child_by_field_name("update")
    parts = _separate(update, condition(node)) if update is not None else None
    if update is not None and parts is not None and not continues(node):
        yield replace(update, source(parts[0]))
        yield from ending(function, node, [f"{source(item)};" for item in parts[1]])


def _separate(node: Node, test: Node) -> tuple[Node, list[Node]] | None:
    """Return the part that is about what is tested, and others that have nothing to do with it."""
    parts = _parts(node)
    tested = _names(test)
    own = [item for item in parts if _target(item) in tested]
    others = [item for item in parts if _target(item) not in tested]
    if len(own) != 1 or not others:
        return None
    targets = {_target(item) for item in others}
    mixed = any(_target(own[0]) in _names(item) for item in others) or bool(targets & _names(own[0]))
    return None if mixed or "" in targets else (own[0], others)


def _parts(node: Node) -> list[Node]:
    node = unparenthesized(node)
    if node.type != "comma_expression":
        return [node]
    return [*_parts(field(node, "left")), *_parts(field(node, "right"))]


def _names(node: Node) -> set[str]:
    return {source(item) for item in find(node, "identifier")}


def _target(node: Node) -> str:
    """Return what an update or an assignment gives a value; empty for others."""
    child = node.child_by_field_name("argument" if node.type == "update_expression" else "left")
    return source(child) if child is not None and child.type == "identifier" else ""
