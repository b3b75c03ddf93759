"""How far an access goes at most, as a polynomial of numbers that are fixed before the loops begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from transpile.translators.loops.analysis import Nest
from transpile.translators.loops.memory.accesses import Access
from transpile.translators.loops.nests import Loop
from transpile.translators.loops.values import Values, outer_name
from transpile.translators.rules.polynomial import (
    Polynomial,
    add,
    constant,
    multiply,
    names,
    number,
    substituted,
)
from transpile.translators.rules.syntax import (
    field,
    inside,
    operator,
    source,
    squeeze,
    subscript,
    unparenthesized,
)
from transpile.translators.rules.variables import Variables


def furthest(
    access: Access, nest: Nest, values: Values, rows: Sequence[int], around: Sequence[Loop] = ()
) -> Polynomial | None:
    """Return the number behind the last element that an access reaches if all its loops have iterations.

    Sizes are taken for no negative numbers. None where the subscript is no polynomial of loops that count by
    one, or where it may fall with one size and rise with another.

    Args:
        access: Of an array that the caller passes.
        nest: Where it stands.
        values: The reader of the nest's expressions.
        rows: How many elements each subscript but the last counts: none for arrays of one dimension.
        around: Loops of the host around the nest.
    """
    place = _flat(access.subscripts, rows)
    own = [item.loop for item in nest.loops if inside(access.node, item.loop.node)]
    for loop in _innermost_first(own):
        dimensions = values.dimensions(loop)
        if place is None or len(dimensions) > 1:
            return None
        place = _at_its_end(place, loop, loop.dimension, values)
    if place is None or names(place) & values.varying:
        return None
    for loop in _innermost_first(around):
        outside = Values(loop.node, [loop], values.variables, values.around)
        place = _at_its_end(place, loop, outer_name(loop.variable), outside)
        if place is None:
            return None
    return add(place, constant(1))


def ceiling(element: Node, variables: Variables) -> int:
    """Return how many elements an array has at most, by what its subscript may be at all; 0 where unknown.

    So of tables with an element for each number that a type, a mask or a remainder leaves.
    """
    if element.type != "subscript_expression":
        return 0
    base = variables.of(unparenthesized(field(element, "argument")))
    return _above(subscript(element), variables) if base is not None and base.parameter else 0


def _above(node: Node, variables: Variables) -> int:
    """Return what a number that is not negative stays below, whatever data are; 0 where nothing says so."""
    node = unparenthesized(node)
    match node.type:
        case "identifier":
            variable = variables.of(node)
            if variable is None or variable.pointer or variable.array:
                return 0
            own = _NARROW.get(variable.bare, 0)
            once = variable.initializer if variable.constant else None
            return own or (_above(once, variables) if once is not None else 0)
        case "subscript_expression":
            base = variables.of(unparenthesized(field(node, "argument")))
            return _NARROW.get(base.bare, 0) if base is not None and base.pointer else 0
        case "cast_expression":
            own = _NARROW.get(squeeze(source(field(node, "type"))), 0)
            return own or _above(field(node, "value"), variables)
        case "binary_expression" if operator(node) in ("&", "%"):
            limit = number(source(unparenthesized(field(node, "right"))))
            most = limit.get((), 0) if limit is not None else 0
            return most + 1 if operator(node) == "&" and most else most
        case _:
            return 0


_NARROW = {"unsignedchar": 1 << 8, "uint8_t": 1 << 8, "unsignedshort": 1 << 16, "uint16_t": 1 << 16}
"""Numbers that types hold which tables may have an element for each of."""


def _flat(subscripts: Sequence[Polynomial | None], rows: Sequence[int]) -> Polynomial | None:
    """Return the number of an element, counted through rows."""
    if len(subscripts) != len(rows) + 1:
        return None
    total: Polynomial = {}
    for place, row in zip(subscripts, (*rows, 1), strict=True):
        if place is None:
            return None
        total = add(total, multiply(constant(row), place))
    return total


def _innermost_first(loops: Iterable[Loop]) -> list[Loop]:
    return sorted(loops, key=lambda loop: _size(loop.node))


def _size(node: Node) -> int:
    return node.end_byte - node.start_byte


def _at_its_end(place: Polynomial, loop: Loop, dimension: str, values: Values) -> Polynomial | None:
    """Return a place in that iteration of a loop in which it is greatest, whose number has a name."""
    factor = _factor(place, dimension)
    if factor is None:
        return None
    if not factor:
        return place
    first, bound = values.of(loop.first), values.of(loop.bound)
    if first is None or bound is None or abs(loop.step) != 1 or loop.converted:
        return None
    inward = 0 if loop.inclusive else -loop.step
    last = add(bound, constant(inward))
    low, high = (first, last) if loop.step > 0 else (last, first)
    if all(amount > 0 for amount in factor.values()):
        return substituted(place, dimension, high)
    if all(amount < 0 for amount in factor.values()):
        return substituted(place, dimension, low)
    return None


def _factor(place: Polynomial, dimension: str) -> Polynomial | None:
    """Return what a dimension is multiplied by; None where it occurs as a square."""
    found: dict[tuple[str, ...], int] = {}
    for monomial, amount in place.items():
        if monomial.count(dimension) > 1:
            return None
        if dimension in monomial:
            found[tuple(item for item in monomial if item != dimension)] = amount
    return found
