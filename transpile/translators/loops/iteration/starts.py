"""Values of variables when a loop begins, from the statements beside the loop."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import find, inside, source
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.nests import begun, written_names


def start_of(variable: Variable, loop: Node, variables: Variables) -> str:
    """Return the expression that a variable was given before a loop and still is; empty for any other."""
    between: list[Node] = [loop]
    beside = loop.prev_named_sibling
    while beside is not None:
        if beside.type in _JOINED:
            return ""
        if beside.id == variable.declaration.id:
            return _kept(variable.initializer, between, variables) if variable.initializer is not None else ""
        if any(inside(write, beside) for write in variable.writes):
            setting = begun(beside, variables) if beside.type == "expression_statement" else None
            return _kept(setting[1], between, variables) if setting is not None else ""
        between.append(beside)
        beside = beside.prev_named_sibling
    return ""


def _kept(value: Node, between: list[Node], variables: Variables) -> str:
    """Return a value of plain names and numbers that none of these nodes changes; empty for others."""
    names = [variables.of(item) for item in find(value, "identifier")]
    plain = not any(True for _ in find(value, *_OTHERS)) and all(
        item is not None and not item.escapes and not item.static for item in names
    )
    written = frozenset[str]().union(*(written_names(node, variables) for node in between))
    free = all(item is not None and item.name not in written for item in names)
    return source(value) if plain and free else ""


_JOINED = ("labeled_statement", "case_statement")
"""Where control may come in from elsewhere."""
_OTHERS = (
    "call_expression",
    "assignment_expression",
    "update_expression",
    "subscript_expression",
    "pointer_expression",
    "field_expression",
    "comma_expression",
)
