"""``i + 1 < n``: a test of the loop's variable and a number, as one of the variable alone."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, condition, field, find, operator, replace, source, unparenthesized
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.nests import SIGNED, begun
from transpile.translators.loops.iteration.trips import grouped
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_COMPARISONS = ("<", "<=", ">", ">=")


def with_plain_bound(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more test of a variable alone; None where there is none."""
    variables = resolve(function, around.refers)
    for node in find(function.body, "for_statement"):
        start = node.child_by_field_name("initializer")
        setting = begun(start, variables) if start is not None else None
        if setting is None or node.child_by_field_name("condition") is None:
            continue
        edits = list(_edits(condition(node), setting[0], variables))
        if edits:
            return function.edited(edits)
    return None


def _edits(test: Node, variable: Variable, variables: Variables) -> Iterator[Edit[str]]:
    if test.type != "binary_expression" or operator(test) not in _COMPARISONS:
        return
    sides = field(test, "left"), field(test, "right")
    for moved, bound in (sides, sides[::-1]):
        ahead = _ahead(unparenthesized(moved), variable, variables)
        if ahead is None or not all(_signed(variables.of(item)) for item in find(test, "identifier")):
            continue
        sign, number = ahead
        back = "-" if sign == "+" else "+"
        yield replace(moved, variable.name)
        yield replace(bound, f"{grouped(source(unparenthesized(bound)))} {back} {number}")
        return


def _ahead(node: Node, variable: Variable, variables: Variables) -> tuple[str, str] | None:
    """Return the sign and the number of ``i + 1``; None for what is no such sum of the variable."""
    if node.type != "binary_expression" or operator(node) not in ("+", "-"):
        return None
    left, right = unparenthesized(field(node, "left")), unparenthesized(field(node, "right"))
    if variables.of(left) is not variable or right.type != "number_literal" or not source(right).isdigit():
        return None
    return operator(node), source(right)


def _signed(variable: Variable | None) -> bool:
    """Tell whether a sum of a variable and a small number does not wrap."""
    return variable is not None and variable.bare in SIGNED
