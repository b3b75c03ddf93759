"""Pointers that a loop follows in any case once it runs: others may be null where nobody follows them."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import ancestors, field, find, inside, operator, source, squeeze, walk

_CHOOSING = ("if_statement", "conditional_expression", "switch_statement", "while_statement", "try_statement")
_REPEATED = ("for_statement", "do_statement", "for_range_loop", "lambda_expression", "case_statement")
_LEAVING = ("continue_statement", "break_statement", "return_statement", "throw_statement")


def is_certain(pointer: str, loop: Node, body: Node, is_fixed: bool, *, runs: bool = True) -> bool:
    """Tell whether a pointer is followed wherever a loop has iterations, or before it, or behind it.

    Args:
        pointer: An expression, squeezed.
        loop: The loop.
        body: That of the function.
        is_fixed: The variable that the expression begins with keeps its value throughout the function.
        runs: The loop has iterations; else those that have none count, too.
    """
    leaving = [item for item in walk(body) if item.type in _LEAVING and not inside(item, loop)]
    for node in find(body, "field_expression"):
        if operator(node) != "->" or squeeze(source(field(node, "argument"))) != pointer:
            continue
        if inside(node, loop):
            if _is_reached(node, loop) and (runs or not inside(node, field(loop, "body"))):
                return True
        elif is_fixed and _is_passed(node, loop):
            if node.end_byte <= loop.start_byte:
                return True
            if not any(loop.end_byte <= item.start_byte <= node.start_byte for item in leaving):
                return True
    return False


def _is_reached(node: Node, loop: Node) -> bool:
    """Tell whether the first iteration of a loop comes to an expression; loops in it are taken to run."""
    if any(item.type in _LEAVING and item.end_byte <= node.start_byte for item in walk(loop)):
        return False
    inner = node
    for outer in ancestors(node):
        if _may_skip(outer, inner):
            return False
        if outer.id == loop.id:
            return True
        inner = outer
    return False


def _is_passed(node: Node, loop: Node) -> bool:
    """Tell whether whoever comes to a loop comes to an expression that stands before it or behind it."""
    inner = node
    for outer in ancestors(node):
        if _may_skip(outer, inner):
            return False
        if inside(loop, outer):
            return True
        if outer.type in _REPEATED:
            return False
        inner = outer
    return False


def _may_skip(outer: Node, inner: Node) -> bool:
    """Tell whether something may run without a part of it."""
    if outer.type in _CHOOSING:
        return not _is_field(inner, outer, "condition")
    if outer.type == "binary_expression" and operator(outer) in ("&&", "||", "and", "or"):
        return not _is_field(inner, outer, "left")
    return outer.type == "for_statement" and _is_field(inner, outer, "update")


def _is_field(inner: Node, outer: Node, name: str) -> bool:
    found = outer.child_by_field_name(name)
    return found is not None and found.id == inner.id
