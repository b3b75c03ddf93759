"""Sets of iterations in isl: whether two accesses to one array meet in different iterations of a loop.

Whatever is not affine is left out of the constraints, so that a set is never too small: what is found
empty is empty. isl is exact in what is affine (Verdoolaege, "isl: An Integer Set Library", 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from math import gcd
from operator import and_

import islpy

from transpile.code.polynomial import Monomial, Polynomial, add, constant, name, ratio, substituted

MARK = "'"
"""Ends the names of the second of two iterations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A polynomial that is ``>=``, ``=`` or ``!=`` zero."""

    value: Polynomial
    sign: str = ">="


@dataclass(slots=True)
class _Names:
    """Names that isl can read, of dimensions and of products of what is fixed."""

    varying: frozenset[str]
    known: dict[Monomial, str] = field(default_factory=dict)

    def of(self, monomial: Monomial) -> str:
        return self.known.setdefault(monomial, f"v{len(self.known)}")


def empty(
    constraints: Iterable[Constraint],
    varying: frozenset[str],
    alternatives: Sequence[Sequence[Constraint]] = (),
) -> bool:
    """Tell whether no integers meet all constraints and one of the alternatives.

    Constraints that are not affine in the varying names are left out. Products of fixed names count as
    numbers of their own.
    """
    spelled = _Names(varying)
    fixed = [text for item in constraints if (text := _text(item, spelled)) is not None]
    for choice in alternatives or ((),):
        texts = [_text(item, spelled) for item in choice]
        parts = [*fixed, *(text for text in texts if text is not None)]
        if not _is_empty(parts, spelled):
            return False
    return True


def covered(
    reached: Iterable[Constraint],
    ways: Iterable[Sequence[Constraint]],
    varying: frozenset[str],
    hidden: frozenset[str],
) -> bool:
    """Tell whether all integers that meet some constraints meet one of several ways for some hidden numbers.

    Of what is reached, constraints that are not affine are left out; ways with such a one are none.
    """
    spelled = _Names(varying | hidden)
    texts = [text for item in reached if (text := _text(item, spelled)) is not None]
    spelled_ways = [[_text(item, spelled) for item in way] for way in ways]
    left = _set(texts, spelled, hidden)
    for way in spelled_ways:
        known = [text for text in way if text is not None]
        if len(known) == len(way):
            left = left.subtract(_set(known, spelled, hidden))
    return bool(left.is_empty())


def _set(parts: Sequence[str], spelled: _Names, hidden: frozenset[str]) -> islpy.Set:
    """Return the numbers for which there are hidden ones with which they meet constraints."""
    moving = {monomial: text for monomial, text in spelled.known.items() if set(monomial) & spelled.varying}
    free = [text for monomial, text in moving.items() if set(monomial) & hidden]
    seen = [text for monomial, text in moving.items() if not set(monomial) & hidden]
    parameters = [text for monomial, text in spelled.known.items() if monomial not in moving]
    formula = " and ".join(parts) or "true"
    if free:
        formula = f"exists {', '.join(free)} : {formula}"
    return islpy.Set(f"[{', '.join(parameters)}] -> {{ [{', '.join(seen)}] : {formula} }}")


def _is_empty(parts: Sequence[str], spelled: _Names) -> bool:
    dimensions = [name for monomial, name in spelled.known.items() if set(monomial) & spelled.varying]
    parameters = [name for monomial, name in spelled.known.items() if not set(monomial) & spelled.varying]
    text = f"[{', '.join(parameters)}] -> {{ [{', '.join(dimensions)}] : {' and '.join(parts) or 'true'} }}"
    return bool(islpy.Set(text).is_empty())


def _text(item: Constraint, spelled: _Names) -> str | None:
    if not affine(item.value, spelled.varying):
        return None
    terms = [
        f"{number}" if not monomial else f"{number} {spelled.of(monomial)}"
        for monomial, number in sorted(item.value.items())
    ]
    return f"{' + '.join(terms) or '0'} {item.sign} 0"


def affine(value: Polynomial, varying: frozenset[str]) -> bool:
    """Tell whether a polynomial is linear in what varies, with numbers for factors."""
    return all(len(monomial) == 1 or not set(monomial) & varying for monomial in value)


def primed(value: Polynomial, varying: frozenset[str]) -> Polynomial:
    """Return a polynomial over the second of two iterations."""
    return {
        tuple(sorted(item + MARK if item in varying else item for item in monomial)): number
        for monomial, number in value.items()
    }


def at_least(value: Polynomial, low: Polynomial) -> Constraint:
    """Return ``value >= low``."""
    return Constraint(value=add(value, low, -1))


def below(value: Polynomial, high: Polynomial) -> Constraint:
    """Return ``value < high``."""
    return Constraint(value=add(add(high, value, -1), constant(-1)))


def unmet(item: Constraint) -> Constraint:
    """Return that what is to be zero or more is less."""
    return below(item.value, {})


def compared(operator: str, left: Polynomial, right: Polynomial) -> Constraint | None:
    """Return a comparison of C as a constraint; None for what is no comparison."""
    match operator:
        case ">=":
            return at_least(left, right)
        case "<=":
            return at_least(right, left)
        case ">":
            return below(right, left)
        case "<":
            return below(left, right)
        case "==":
            return Constraint(value=add(left, right, -1), sign="=")
        case "!=":
            return Constraint(value=add(left, right, -1), sign="!=")
        case _:
            return None


def different(pairs: Sequence[tuple[Polynomial, Polynomial]]) -> Iterator[tuple[Constraint, ...]]:
    """Yield the ways in which one of the pairs may differ."""
    for left, right in pairs:
        yield (below(left, right),)
        yield (below(right, left),)


def going_back(pairs: Sequence[tuple[Polynomial, Polynomial]]) -> Iterator[tuple[Constraint, ...]]:
    """Yield the ways in which pairs but the last are in lexicographic order, and the last goes down."""
    *outer, (last, last_then) = pairs
    for at, (one, then) in enumerate(outer):
        same = (Constraint(value=add(left, right, -1), sign="=") for left, right in outer[:at])
        yield (*same, below(one, then), below(last_then, last))


@dataclass(frozen=True, slots=True)
class Shape:
    """An array of one dimension taken as one of several: the sizes of its rows, outermost first."""

    strides: tuple[Monomial, ...]
    """In elements, each a part of the one before; the last is 1."""
    factors: tuple[int, ...]
    """How many of each stride a step is: 3 where elements of rows come in threes; the last is 1."""
    short: dict[str, Polynomial] = field(default_factory=dict)
    """By how much names are less than what they stand for in strides, in the order of substitution."""

    def subscripts(self, value: Polynomial, varying: frozenset[str]) -> tuple[Polynomial, ...] | None:
        """Return a number in the array as one for each dimension; None where it does not fit."""
        found: list[dict[Monomial, int]] = [{} for _ in self.strides]
        for monomial, number in _lengthened(value, self.short).items():
            place, rest = _placed(monomial, self.strides)
            if sum(item in varying for item in rest) > 1 or (len(rest) > 1 and set(rest) & varying):
                return None
            if number % self.factors[place]:
                return None
            found[place][rest] = number // self.factors[place]
        return tuple(map(self._said, found))

    def lengths(self) -> tuple[Polynomial, ...]:
        """Return how long each dimension but the outermost is."""
        pairs = zip(pairwise(self.strides), pairwise(self.factors), strict=True)
        known = (
            {length: more // less}
            for (outer, inner), (more, less) in pairs
            if (length := ratio(outer, inner)) is not None
        )
        return tuple(map(self._said, known))

    def _said(self, value: Polynomial) -> Polynomial:
        """Return what strides say in the source's names."""
        for item, by in reversed(self.short.items()):
            value = substituted(value, item, add(name(item), by))
        return value


def shape_of(values: Sequence[Polynomial], varying: frozenset[str]) -> Shape | None:
    """Return the rows in which subscripts of one array move; None where they are no rows of rows."""
    short = _short(values, varying)
    strides: set[Monomial] = {()}
    for value in values:
        for monomial in _lengthened(value, short):
            if set(monomial) & varying:
                strides.add(tuple(item for item in monomial if item not in varying))
    ordered = sorted(strides, key=len, reverse=True)
    for outer, inner in pairwise(ordered):
        if len(outer) == len(inner) or ratio(outer, inner) is None:
            return None
    return Shape(tuple(ordered), _factors([_lengthened(value, short) for value in values], ordered), short)


def _placed(monomial: Monomial, strides: Sequence[Monomial]) -> tuple[int, Monomial]:
    """Return the first stride that a part of a subscript is a multiple of, and of what."""
    return next(
        (index, rest) for index, stride in enumerate(strides) if (rest := ratio(monomial, stride)) is not None
    )


def _factors(values: Iterable[Polynomial], strides: Sequence[Monomial]) -> tuple[int, ...]:
    """Return how many of each stride all steps along it are multiples of."""
    numbers: list[list[int]] = [[] for _ in strides]
    for monomial, number in (item for value in values for item in value.items()):
        numbers[_placed(monomial, strides)[0]].append(number)
    found: list[int] = []
    for own in numbers[:-1]:
        found.append(gcd(*own, *found[-1:]))
    return (*found, 1)


def _lengthened(value: Polynomial, short: Mapping[str, Polynomial]) -> Polynomial:
    """Return a polynomial over names that stand for so much more than they did."""
    for item, by in short.items():
        value = substituted(value, item, add(name(item), by, -1))
    return value


def _short(values: Sequence[Polynomial], varying: frozenset[str]) -> dict[str, Polynomial]:
    """Return by how much names are less than lengths of rows: ``m`` by ``2 * p`` in ``i * (m + 2 * p) + j``.

    Nothing is, where that does not make every step along a dimension a product of lengths.
    """
    short: dict[str, Polynomial] = {}
    while True:
        steps = [item for value in values for item in _steps(_lengthened(value, short), varying)]
        sums = [item for item in steps if len(item) > 1]
        if not sums:
            return short
        found = next((one for item in sums if (one := _sum(item, short)) is not None), None)
        if found is None:
            return {}
        short[found[0]] = found[1]


def _steps(value: Polynomial, varying: frozenset[str]) -> Iterable[Polynomial]:
    """Return how far a subscript goes with each dimension."""
    steps: dict[Monomial, dict[Monomial, int]] = {}
    for monomial, number in value.items():
        moving = tuple(item for item in monomial if item in varying)
        if moving:
            steps.setdefault(moving, {})[tuple(item for item in monomial if item not in varying)] = number
    return steps.values()


def _sum(step: Polynomial, known: Collection[str]) -> tuple[str, Polynomial] | None:
    """Return a name and what is added to it in ``(m + 2 * p - 1) * k``; None for what is no such product.

    Args:
        step: A polynomial of several terms.
        known: Names that stand for a length already.
    """
    common = _common(step)
    terms = {rest: number for item, number in step.items() if (rest := ratio(item, common)) is not None}
    for (item, *others), number in ((key, value) for key, value in terms.items() if key):
        alone = not others and sum(item in monomial for monomial in terms) == 1
        if alone and item not in known and all(other % number == 0 for other in terms.values()):
            return item, {key: value // number for key, value in terms.items() if key != (item,)}
    return None


def _common(step: Polynomial) -> Monomial:
    """Return the names that all terms are multiples of."""
    counts = [Counter(monomial) for monomial in step]
    return tuple(sorted(reduce(and_, counts).elements()))
