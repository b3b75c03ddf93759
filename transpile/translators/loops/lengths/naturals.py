"""Subscripts that the text shows to be no less than zero: others may lead ahead of where a pointer points."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import field, operator, source, squeeze, unparenthesized
from transpile.code.variables import Variables
from transpile.translators.loops.iteration.nests import is_natural
from transpile.translators.loops.lengths.guards import Guard, bounds, guards, still_holds
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import is_whole, signed, type_of

_KEEPING = ("+", "*", "/", "%", ">>", "|")
"""Operators under which what is not below zero stays so."""


def natural(node: Node, within: Node, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether an expression is no less than zero wherever control comes to it.

    Args:
        node: The expression.
        within: The statement in which conditions are looked for.
        variables: Those of the function.
        around: What names stand for.
    """
    node = unparenthesized(node)
    if is_natural(node, variables) or _is_unsigned(node, variables, around):
        return True
    if node.type == "binary_expression" and operator(node) in (*_KEEPING, "&"):
        sides = (natural(field(node, side), within, variables, around) for side in ("left", "right"))
        return any(sides) if operator(node) == "&" else all(sides)
    return any(_says(guard, node, variables) for guard in guards(node, within))


def _is_unsigned(node: Node, variables: Variables, around: EnclosingScope) -> bool:
    kind = type_of(node, variables, around)
    return is_whole(kind) and not signed(kind)


def _says(guard: Guard, node: Node, variables: Variables) -> bool:
    """Tell whether a condition says that an expression is no less than zero, and still does."""
    own = squeeze(source(node))
    for below, above, inclusive in bounds(guard):
        least = source(below)
        enough = least.isdigit() or (least == "-1" and not inclusive)
        if enough and squeeze(source(above)) == own:
            return still_holds(guard, node, variables)
    return False
