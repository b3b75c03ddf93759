"""Premises of a proof: facts of the contract, listed where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transpile.core import Contract
from transpile.testers.prove.arithmetic import Arithmetic, Term, WholeNumbers, bounds
from transpile.testers.prove.sides import Original


@dataclass(frozen=True, slots=True)
class Premises:
    """What is taken for granted beside what always is."""

    tame: bool = True
    """Unsigned sums and products do not wrap."""
    lows: bool = True
    """Scalars are at least what the contract says."""
    distinct: bool = True
    """Arrays have different elements where the contract says so."""

    def texts(self, contract: Contract) -> tuple[str, ...]:
        """Return them for people."""
        found = ["no unsigned sum or product wraps"] if self.tame else []
        if self.lows:
            found += [f"{name} is at least {low}" for name, low in lows_of(contract)]
        if self.distinct:
            found += [f"the elements of {name} are all different" for name in sorted(distinct_of(contract))]
        return tuple(found)


def at_least(sides: Original, arithmetic: Arithmetic) -> list[Term]:
    """Return that scalars are at least what the contract says."""
    types = {name: kind for (_, kind), name in zip(sides.source.parameters, sides.names, strict=True)}
    facts = []
    for name, low in lows_of(sides.contract):
        kind = types.get(name)
        if kind is not None:
            term = arithmetic.constant(f"parameter {name}", kind)
            facts.append(arithmetic.compare("<=", kind, arithmetic.literal(low, kind), term))
    return facts


def parameters(sides: Original, arithmetic: WholeNumbers, premises: Premises) -> Iterator[Term]:
    """Yield where the scalar parameters lie."""
    lows = dict(lows_of(sides.contract)) if premises.lows else {}
    for (_, kind), name in zip(sides.source.parameters, sides.names, strict=True):
        if kind is not None and not kind.floating and kind.value != "bool":
            low, high = bounds(kind)
            term = arithmetic.constant(f"parameter {name}", kind)
            yield arithmetic.bounded(term, max(low, lows.get(name, low)), high)


def lows_of(contract: Contract) -> list[tuple[str, int]]:
    """Return the whole numbers from zero upward that the contract gives as least values of scalars."""
    whole = {
        item.name
        for item in contract.signature.parameters
        if item.element is not None and item.element.scalar is not None and not item.element.scalar.floating
    }
    found = [(fact.name, fact.values.low) for fact in contract.scalars if fact.name in whole]
    return [(name, int(low)) for name, low in found if low.isdigit()]


def multiples_of(contract: Contract) -> dict[str, int]:
    """Return the whole numbers that the contract gives as what scalars are multiples of."""
    found = ((fact.name, fact.multiple_of) for fact in contract.scalars)
    return {name: int(number) for name, number in found if number.isdigit() and int(number) > 1}


def distinct_of(contract: Contract) -> frozenset[str]:
    """Return the arrays whose elements the contract says are all different."""
    return frozenset(fact.name for fact in contract.arrays if fact.distinct)
