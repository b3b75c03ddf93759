"""How far an access goes at most, as a polynomial of numbers that are fixed before the loops begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from transpile.translators.loops.analysis import Nest
from transpile.translators.loops.memory.accesses import Access
from transpile.translators.loops.nests import Loop
from transpile.translators.loops.values import Values
from transpile.translators.rules.polynomial import Polynomial, add, constant, multiply, names, substituted
from transpile.translators.rules.syntax import inside


def furthest(access: Access, nest: Nest, values: Values, rows: Sequence[int]) -> Polynomial | None:
    """Return the number behind the last element that an access reaches if all its loops have iterations.

    Sizes are taken for no negative numbers. None where the subscript is no polynomial of loops that count by
    one, or where it may fall with one size and rise with another.

    Args:
        access: Of an array that the caller passes.
        nest: Where it stands.
        values: The reader of the nest's expressions.
        rows: How many elements each subscript but the last counts: none for arrays of one dimension.
    """
    place = _flat(access.subscripts, rows)
    around = [item.loop for item in nest.loops if inside(access.node, item.loop.node)]
    for loop in _innermost_first(around):
        if place is None:
            return None
        place = _at_its_end(place, loop, values)
    if place is None or names(place) & values.varying:
        return None
    return add(place, constant(1))


def _flat(subscripts: Sequence[Polynomial | None], rows: Sequence[int]) -> Polynomial | None:
    """Return the number of an element, counted through rows."""
    if len(subscripts) != len(rows) + 1:
        return None
    total: Polynomial = {}
    for subscript, row in zip(subscripts, (*rows, 1), strict=True):
        if subscript is None:
            return None
        total = add(total, multiply(constant(row), subscript))
    return total


def _innermost_first(loops: Iterable[Loop]) -> list[Loop]:
    return sorted(loops, key=lambda loop: _size(loop.node))


def _size(node: Node) -> int:
    return node.end_byte - node.start_byte


def _at_its_end(place: Polynomial, loop: Loop, values: Values) -> Polynomial | None:
    """Return a place in that iteration of a loop in which it is greatest."""
    [dimension, *others] = values.dimensions(loop) or (loop.dimension,)
    if others:
        return None
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
