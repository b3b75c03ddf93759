"""Comparisons in C, where unsigned numbers wrap and signed ones become unsigned, and of whole numbers."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.polynomial import Polynomial
from transpile.code.syntax import find, inside, operator, source
from transpile.code.types import LENGTH, arithmetic
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.containers import measured

WIDE = frozenset(("unsignedlong", "unsignedlonglong"))
"""Unsigned numbers beyond which no array goes, so that a sum of one and a few does not wrap."""
_LITERAL = re.compile(r".*[uU][lL]*")


def is_of_whole_numbers(test: Node, values: Values) -> bool:
    """Tell whether what a comparison finds in C holds of whole numbers, too.

    ``n - 1`` of an unsigned 0 is the largest number there is, and so is a -1 beside what is unsigned.
    """
    lengths = [call for call in find(test, "call_expression") if measured(call, values.variables) is not None]
    names = [node for node in find(test, "identifier") if not any(inside(node, length) for length in lengths)]
    unsigned = [node for node in names if _is_unsigned(node, values)]
    if not lengths and not unsigned and not _mentions_unsigned(test):
        return True
    alike = len(unsigned) == len(names) and all(values.is_itself(node) for node in names)
    return alike and not _has_minus(test)


def counts_alike(loop: Loop, values: Values) -> bool:
    """Tell whether all that bounds a loop over an unsigned number is of its type, and a number of its own.

    What is subtracted there may still wrap.
    """
    kind, variables = loop.variable.bare, values.variables
    parts = (loop.first, loop.bound)
    lengths = [call for part in parts for call in find(part, "call_expression") if measured(call, variables)]
    names = [node for part in parts for node in find(part, "identifier")]
    names = [node for node in names if not any(inside(node, length) for length in lengths)]
    if lengths and kind != LENGTH:
        return False
    return all(
        (variable := variables.of(node)) is not None and variable.bare == kind and values.is_itself(node)
        for node in names
    )


def is_above_zero(loop: Loop, values: Values) -> bool:
    """Tell whether a loop over an unsigned number is bounded by such numbers, and no difference of them."""
    bounds = [values.of(part) for part in (loop.first, loop.bound)]
    return counts_alike(loop, values) and all(value is not None and not subtracts(value) for value in bounds)


def subtracts(value: Polynomial) -> bool:
    """Tell whether an expression may be less than zero though no name in it is."""
    return any(factor < 0 for factor in value.values())


def _has_minus(test: Node) -> bool:
    """Tell whether something is subtracted or negated; the parser takes a minus for a part of a literal."""
    operators = (operator(node) for node in find(test, "binary_expression", "unary_expression"))
    return "-" in operators or any(source(node)[0] == "-" for node in find(test, "number_literal"))


def _is_unsigned(node: Node, values: Values) -> bool:
    variable = values.variables.of(node)
    return variable is not None and _holds_no_sign(variable.type)


def _mentions_unsigned(test: Node) -> bool:
    literals = (_LITERAL.fullmatch(source(node)) for node in find(test, "number_literal"))
    types = (_holds_no_sign(source(node)) for node in find(test, "type_descriptor"))
    return any(literals) or any(types)


def _holds_no_sign(spelling: str) -> bool:
    kind = arithmetic(spelling)
    return kind is not None and not kind.signed
