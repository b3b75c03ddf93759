"""Comparisons of whole numbers that a routine asks of its arguments, by the checks that end in an error code.

``else if (lda < max(1, n)) then; info = -4`` asks for ``lda >= max(1, n)``. Trials draw arguments that meet
all of these and such as fail one. They are a guess of what is useful, and no verdict depends on them.
"""

from __future__ import annotations

import re

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.conditions import reader
from transpile.parsers.fortran.symbols import Procedure
from transpile.parsers.fortran.walking import walk

_MOST_TEXT = 400
_NOTHING = re.compile(r"<=? \(?[-01]\d*\)?$|== \(?-?\d+\)?$")


def accepted(procedure: Procedure) -> tuple[str, ...]:
    """Return the comparisons that hold where a routine finds nothing wrong, an argument on their left."""
    conditions = reader(procedure)
    codes = _codes(procedure.unit)
    found = (
        demand.comparison
        for statement in procedure.unit.body
        for node in walk(statement)
        if isinstance(node, tree.If)
        for condition, body in node.arms
        if condition is not None and _is_error(body, codes)
        for demand in conditions.asked(condition, holds=False)
    )
    return tuple(dict.fromkeys(item for item in found if _useful(item)))


def _useful(comparison: str) -> bool:
    """Tell whether a comparison leaves more than the case in which nothing is to be done.

    Of ``nb > n and n > 0`` that is wrong, the former is what is asked to be otherwise.
    """
    return 0 < len(comparison) <= _MOST_TEXT and _NOTHING.search(comparison) is None


def _codes(unit: tree.Unit) -> set[str]:
    """Return the variables that are compared with zero: error codes are some of them."""
    return {
        side.name
        for statement in unit.body
        for node in walk(statement)
        if isinstance(node, tree.Binary) and node.operator in ("/=", "==", "<", ">")
        for side, other in ((node.left, node.right), (node.right, node.left))
        if isinstance(side, tree.Name) and isinstance(other, tree.Integer) and other.value == 0
    }


def _is_error(body: tuple[tree.Statement, ...], codes: set[str]) -> bool:
    """Tell whether an arm does nothing but set an error code."""
    real = [item for item in body if not isinstance(item, tree.Comment)]
    if len(real) != 1 or not isinstance(real[0], tree.Assign) or not isinstance(real[0].target, tree.Name):
        return False
    value = real[0].value
    negative = isinstance(value, tree.Unary) and value.operator == "-"
    number = value.operand if isinstance(value, tree.Unary) else value
    known = real[0].target.name in codes or negative
    return known and isinstance(number, tree.Integer) and number.value != 0
