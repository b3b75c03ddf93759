"""``for (i = 0, k = 0; i < n; i++, k += 2)``: what goes along with the loop's variable leaves the head."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, condition, field, find, inside, replace, source, unparenthesized
from transpile.translators.loops.iteration.frames import Frame, framed, indented
from transpile.translators.loops.iteration.places import before, continues, ending, first_changed
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_TARGETS = {"update_expression": "argument", "init_declarator": "declarator"}


def with_one_variable(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more head that sets and moves one variable; None where there is none."""
    return first_changed(function, lambda node: _edits(function, node), "for_statement")


def _edits(function: Function, node: Node) -> Iterator[Edit[str]]:
    if node.child_by_field_name("condition") is not None:
        yield from list(_begun(function, node)) or _moved(function, node)


def _begun(function: Function, node: Node) -> Iterator[Edit[str]]:
    start = node.child_by_field_name("initializer")
    parts = _separate(start, condition(node)) if start is not None else None
    if start is None or parts is None:
        return
    own, others = parts
    kind = _type(start) if start.type == "declaration" else ""
    lines = [f"{kind}{source(item)};" for item in others]
    yield replace(start, f"{kind}{source(own)}{';' if kind else ''}")
    if kind and any(_is_named_elsewhere(function, item, node) for item in others):
        yield from framed(function, node, Frame(("{", *indented(lines)), ("}",), depth=1))
    else:
        yield Edit(node.start_byte, node.start_byte, before(function, node, lines))


def _type(declaration: Node) -> str:
    """Return what stands before the first name that is declared."""
    end = field(declaration, "declarator").start_byte - declaration.start_byte
    return source(declaration)[:end]


def _is_named_elsewhere(function: Function, declarator: Node, loop: Node) -> bool:
    """Tell whether a function has the name of what a loop declares for something else, too."""
    names = (node for node in find(function.root, "identifier") if not inside(node, loop))
    return any(source(name) == _target(declarator) for name in names)


def _moved(function: Function, node: Node) -> Iterator[Edit[str]]:
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
    if node.type == "declaration":
        return node.children_by_field_name("declarator")
    node = unparenthesized(node)
    if node.type != "comma_expression":
        return [node]
    return [*_parts(field(node, "left")), *_parts(field(node, "right"))]


def _names(node: Node) -> set[str]:
    return {source(item) for item in find(node, "identifier")}


def _target(node: Node) -> str:
    """Return what an update, an assignment or a declaration gives a value; empty for others."""
    child = node.child_by_field_name(_TARGETS.get(node.type, "left"))
    return source(child) if child is not None and child.type == "identifier" else ""
