"""Choices that limit a number, as calls of ``min`` and ``max``."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.trees import descendants, grammar_of, parse, text

_BEFORE, _BEHIND = "int x = ", ";"
_LESS = {"<": "min", "<=": "min", ">": "max", ">=": "max"}


def limited(written: str) -> str:
    """Return an expression with ``min(a, b)`` in place of ``a < b ? a : b``, and ``max`` the other way."""
    while "?" in written:
        root = parse(f"{_BEFORE}{written}{_BEHIND}".encode(), grammar_of("a.cpp")).root_node
        found = ((node, _limit(node)) for node in descendants(root, "conditional_expression"))
        node, call = next(((node, call) for node, call in found if call), (root, ""))
        if not call or root.has_error:
            break
        whole = text(root)
        written = f"{whole[: node.start_byte]}{call}{whole[node.end_byte :]}"[len(_BEFORE) : -len(_BEHIND)]
    return written


def _limit(node: Node) -> str:
    """Return the call that a choice amounts to; empty where it is another choice."""
    condition = node.child_by_field_name("condition")
    while condition is not None and condition.type == "parenthesized_expression":
        condition = condition.named_children[0] if condition.named_children else None
    if condition is None or condition.type != "binary_expression":
        return ""
    left, right = (text(condition.child_by_field_name(side)) for side in ("left", "right"))
    name = _LESS.get(text(condition.child_by_field_name("operator")), "")
    chosen = tuple(_bare(text(node.child_by_field_name(side))) for side in ("consequence", "alternative"))
    if chosen == (_bare(right), _bare(left)):
        name = {"min": "max", "max": "min"}.get(name, "")
    elif chosen != (_bare(left), _bare(right)):
        return ""
    return f"{name}({left}, {right})" if name else ""


def _bare(written: str) -> str:
    """Return an expression without spaces, and without brackets around all of it."""
    found = re.sub(r"\s+", "", written)
    inner = re.fullmatch(r"\(([^()]*)\)", found)
    return inner[1] if inner else found
