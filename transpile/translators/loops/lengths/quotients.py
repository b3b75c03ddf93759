"""Places that go by quotients and remainders of a loop's number: ``scale[c / 128]``, ``wave[i % period]``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from transpile.code.polynomial import (
    Monomial,
    Polynomial,
    add,
    constant,
    multiply,
    name,
    spelled,
    substituted,
)
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import grouped
from transpile.translators.loops.iteration.values import Values, split


@dataclass(frozen=True, slots=True)
class Limit:
    """Number of quotients or remainders of the numbers from 0 to below another one."""

    count: Polynomial
    """Number of numbers that are divided."""
    by: Polynomial
    """The divisor."""
    quotient: bool

    def text(self, count: Polynomial, by: Polynomial) -> str:
        """Return what its name stands for, by other names of the same numbers."""
        if self.quotient:
            return f"(({spelled(add(count, constant(-1)))}) / {grouped(spelled(by))})"
        return f"min({spelled(count)}, {spelled(by)})"

    @property
    def name(self) -> str:
        """Return the name by which polynomials hold it."""
        return self.text(self.count, self.by)

    @property
    def numbers(self) -> Polynomial:
        """Return how many there are, where one is divided."""
        return add(name(self.name), constant(int(self.quotient)))


@dataclass(frozen=True, slots=True)
class Parts:
    """Numbers of quotients and remainders of a dimension."""

    counts: Mapping[str, Polynomial]
    """Of the dimensions that were asked for."""
    limits: Mapping[str, Limit]
    """Meanings of names in these."""
    divisor: Polynomial
    attained: bool
    """One number has the last of all of them."""


def whole(place: Polynomial, values: Values) -> Polynomial:
    """Return a place without the parts of numbers of which it takes the whole: ``d * (i / d) + i % d``."""
    for dimension, (divisor, quotient, remainder) in reversed(values.parts.items()):
        upper, lower = factor_of(place, quotient), factor_of(place, remainder)
        if upper and lower and upper == multiply(divisor, lower):
            place = substituted(place, remainder, add(name(dimension), multiply(divisor, name(quotient)), -1))
    return place


def iterations(loop: Loop, values: Values) -> Polynomial | None:
    """Return how often a loop runs that counts from 0, one at a time; None for others."""
    first, bound = values.of(loop.first), values.of(loop.bound)
    if first != {} or bound is None or loop.converted or loop.step != 1:
        return None
    return add(bound, constant(int(loop.inclusive)))


def family(dimension: str, values: Values) -> frozenset[str]:
    """Return a dimension with all that it is divided into."""
    parts = values.parts.get(dimension, ())[1:]
    return frozenset((dimension,)).union(*(family(part, values) for part in parts))


def parts_of(dimension: str, count: Polynomial, values: Values, used: Collection[str]) -> Parts:
    """Return how many quotients and remainders the numbers from 0 to below another one have.

    Args:
        dimension: It is divided.
        count: The other number.
        values: The reader that divided it.
        used: The dimensions that matter.
    """
    divisor, quotient, remainder = values.parts[dimension]
    asked = [part for part in (quotient, remainder) if family(part, values) & set(used)]
    rows, left = split(count, divisor)
    if rows and not left:
        counts = {quotient: rows, remainder: divisor}
        return Parts({part: counts[part] for part in asked}, {}, divisor, attained=True)
    limits = {part: Limit(count, divisor, part == quotient) for part in asked}
    return Parts(
        {part: limit.numbers for part, limit in limits.items()},
        {limit.name: limit for limit in limits.values()},
        divisor,
        attained=len(asked) == 1,
    )


def factor_of(place: Polynomial, dimension: str) -> Polynomial | None:
    """Return what a dimension is multiplied by; None where it occurs as a square."""
    found: dict[Monomial, int] = {}
    for monomial, amount in place.items():
        if monomial.count(dimension) > 1:
            return None
        if dimension in monomial:
            found[tuple(item for item in monomial if item != dimension)] = amount
    return found
