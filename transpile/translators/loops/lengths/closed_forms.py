"""Upper bounds of accesses, as polynomials of numbers that are fixed before the loops begin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as member

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, multiply, names, number, substituted
from transpile.code.syntax import field, inside, operator, source, subscript, unparenthesized
from transpile.code.types import conversion
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.values import Values, outer_name
from transpile.translators.loops.lengths.quotients import (
    Limit,
    factor_of,
    family,
    iterations,
    parts_of,
    whole,
)


@dataclass(frozen=True, slots=True)
class Ends:
    """Where an access goes if all its loops have iterations."""

    end: Polynomial
    """The number behind the last element."""
    factors: tuple[Polynomial, ...]
    """Factors of loops: where one of these is below 0, the last element is another one."""
    first: Polynomial
    """The number of the first element."""
    attained: bool
    """No step leads past the last element."""
    limits: Mapping[str, Limit] = member(default_factory=dict)
    """Meanings of names in these that stand for quotients and remainders."""

    @property
    def divides(self) -> bool:
        """Tell whether to reckon it divides by what may be 0 where control never comes to the access."""
        return any(limit.quotient and names(limit.by) for limit in self.limits.values())


def furthest(
    access: Access, nest: Nest, values: Values, rows: Sequence[int], around: Sequence[Loop] = ()
) -> Ends | None:
    """Return where an access goes if all its loops have iterations.

    None where the subscript is no polynomial of counted loops, or where it may fall with one size and rise
    with another.

    Args:
        access: Of an array that the caller passes.
        nest: Where it stands.
        values: The reader of the nest's expressions.
        rows: How many elements each subscript but the last counts: none for arrays of one dimension.
        around: Loops of the host around the nest.
    """
    place = _flat(access.subscripts, rows)
    own = _innermost_first(item.loop for item in nest.loops if inside(access.node, item.loop.node))
    if place is None:
        return None
    swept: _Swept | None = _Swept(place, place)
    for loop in own:
        swept = None if swept is None else swept.over(loop, loop.dimension, values)
    if swept is None or names(swept.high) & values.varying:
        return None
    for loop in _innermost_first(around):
        outside = Values(loop.node, [loop], values.variables, values.around)
        swept = None if swept is None else swept.over(loop, outer_name(loop.variable), outside)
    if swept is None:
        return None
    attained = swept.attained and all(abs(loop.step) == 1 for loop in (*own, *around))
    return Ends(add(swept.high, constant(1)), swept.factors, swept.low, attained, swept.limits)


@dataclass(frozen=True, slots=True)
class _Swept:
    """The greatest and the least place that some loops lead to."""

    high: Polynomial
    low: Polynomial
    factors: tuple[Polynomial, ...] = ()
    attained: bool = True
    limits: Mapping[str, Limit] = member(default_factory=dict)

    def over(self, loop: Loop, dimension: str, values: Values) -> _Swept | None:
        """Return the same with one more loop; None where it leads to no place that is known."""
        swept = replace(self, high=whole(self.high, values), low=whole(self.low, values))
        used = swept.used
        if dimension in used:
            ends = _ends_of(loop, values)
            return None if ends is None else swept._between(dimension, *ends)
        if not family(dimension, values) & used:
            return swept
        count = iterations(loop, values)
        return None if count is None else swept._counted(dimension, count, values)

    @property
    def used(self) -> frozenset[str]:
        """Return what the places go by."""
        return names(self.high) | names(self.low)

    def _counted(self, dimension: str, count: Polynomial, values: Values) -> _Swept | None:
        """Return the same where a dimension counts up from 0, and perhaps is divided."""
        if dimension in self.used:
            return self._between(dimension, {}, add(count, constant(-1)))
        parts = parts_of(dimension, count, values, self.used)
        if (names(count) | names(parts.divisor)) & values.varying:
            return None
        swept: _Swept | None = replace(
            self,
            factors=(*self.factors, *_named([parts.divisor])),
            attained=self.attained and parts.attained,
            limits={**self.limits, **parts.limits},
        )
        for part, numbers in parts.counts.items():
            swept = None if swept is None else swept._counted(part, numbers, values)
        return swept

    def _between(self, dimension: str, least: Polynomial, most: Polynomial) -> _Swept | None:
        """Return the same where a dimension is a number between two; None where its factor has no sign."""
        high = _at_its_end(self.high, dimension, least, most)
        low = _at_its_end(self.low, dimension, most, least)
        if high is None or low is None:
            return None
        factors = [factor_of(place, dimension) or {} for place in (self.high, self.low)]
        rising = [factor if min(factor.values()) > 0 else add({}, factor, -1) for factor in _named(factors)]
        return replace(self, high=high, low=low, factors=(*self.factors, *rising))


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
        case "cast_expression" | "call_expression" if cast := conversion(node):
            kind, value = cast
            return _NARROW.get(kind, 0) or _above(value, variables)
        case "binary_expression" if operator(node) in ("&", "%"):
            limit = number(source(unparenthesized(field(node, "right"))))
            most = limit.get((), 0) if limit is not None else 0
            return most + 1 if operator(node) == "&" and most else most
        case _:
            return 0


_NARROW = {"unsignedchar": 1 << 8, "unsignedshort": 1 << 16}
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


def _named(factors: Iterable[Polynomial]) -> list[Polynomial]:
    """Return the factors that are no mere numbers."""
    return [factor for factor in factors if set(factor) - {()}]


def _ends_of(loop: Loop, values: Values) -> tuple[Polynomial, Polynomial] | None:
    """Return the least and the greatest number of a loop; None where they are no polynomials."""
    first, bound = values.of(loop.first), values.of(loop.bound)
    if first is None or bound is None or loop.converted:
        return None
    inward = -1 if loop.step > 0 else 1
    behind = add(bound, constant(0 if loop.inclusive else inward))
    return (first, behind) if loop.step > 0 else (behind, first)


def _at_its_end(
    place: Polynomial, dimension: str, falling: Polynomial, rising: Polynomial
) -> Polynomial | None:
    """Return a place with a number for a dimension, by whether the place falls or rises with it."""
    factor = factor_of(place, dimension)
    if factor is None:
        return None
    if all(amount > 0 for amount in factor.values()):
        return substituted(place, dimension, rising)
    if all(amount < 0 for amount in factor.values()):
        return substituted(place, dimension, falling)
    return None
