"""Statements that every iteration of a loop reaches."""

from __future__ import annotations

from collections.abc import Collection

from tree_sitter import Node

from transpile.code.syntax import LOOPS, ancestors, find, inside, operator
from transpile.translators.loops.iteration.nests import Loop, leaves_early

_ALWAYS = ("expression_statement", "declaration", "compound_statement")
"""Statements that run whenever those around them do."""
_CHOOSES = ("conditional_expression", "sizeof_expression", "decltype")


def goes_through(loop: Loop) -> bool:
    """Tell whether every iteration of a loop goes through its body to the end."""
    skipped = (
        next(item for item in ancestors(jump) if item.type in LOOPS).id == loop.node.id
        for jump in find(loop.body, "continue_statement")
    )
    return not leaves_early(loop) and not any(skipped)


def runs_always(node: Node, loop: Loop, entered: Collection[Loop] = ()) -> bool:
    """Tell whether every iteration of a loop gets to a node.

    Args:
        node: A node in its body.
        loop: The loop.
        entered: Loops in its body each of which is known to have iterations, and to go through all of them.
    """
    for parent in ancestors(node):
        if parent.id == loop.node.id:
            return True
        if any(parent.id == item.node.id and inside(node, item.body) for item in entered):
            continue
        statement = parent.type.endswith("_statement") or parent.type in ("declaration", "for_range_loop")
        chooses = parent.type in _CHOOSES or (
            parent.type == "binary_expression" and operator(parent) in ("&&", "||")
        )
        left_out = parent.type.startswith("preproc") or (statement and parent.type not in _ALWAYS)
        if chooses or left_out:
            return False
    return False
