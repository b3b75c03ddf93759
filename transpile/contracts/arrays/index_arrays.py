"""Intervals of the values of index arrays, as expressions of the scalars."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Style, Values
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import Subject
from transpile.core import Range, greatest_of
from transpile.expressions import ExpressionError, evaluate

_SPARE = 40
"""By how much the greatest element of an array may exceed what it has to be."""
_A_ROW = 3
"""Elements that a row has on average, where no scalar says how many there are in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """Bounds of what steering arrays hold, by name."""

    below: Mapping[str, str] = field(default_factory=dict)
    """What elements stay below."""
    counts: Mapping[str, str] = field(default_factory=dict)
    """How many elements an array of offsets has, so that its last one can be set."""
    free: Mapping[str, int] = field(default_factory=dict)
    """Arrays whose greatest element a row says, and what it is in rows that do not."""

    def intervals(self, subject: Subject, known: Pilot, row: Scalars) -> dict[str, Values]:
        """Return what the steering arrays hold in calls with these scalars."""
        found: dict[str, Values] = {}
        for name, values in known.filling.own.items():
            high = _value(self.below.get(name, "1"), subject, row, 1) - 1
            if name in self.free:
                high = int(row.get(greatest_of(name), self.free[name]))
            count = _value(self.counts.get(name, "0"), subject, row, 0)
            found[name] = Values(values.style, values.low, max(high, values.low), count)
        return found

    def range_of(self, name: str, low: str) -> Range:
        """Return the closed interval that elements keep to."""
        if name in self.free:
            return Range(low=low, high=greatest_of(name))
        below = self.below[name]
        if below.endswith(" + 1"):
            return Range(low=low, high=below.removesuffix(" + 1"))
        return Range(low=low, high=str(int(below) - 1) if below.isdigit() else f"{below} - 1")


def _value(text: str, subject: Subject, row: Scalars, otherwise: int) -> int:
    try:
        return evaluate(text, numbers_of(subject, row))
    except ExpressionError:
        return otherwise


def uniform(known: Pilot, text: str) -> Steering:
    """Return one bound for all."""
    return Steering(below=dict.fromkeys(known.filling.own, text))


def freely(subject: Subject, known: Pilot, extents: Mapping[str, str]) -> Steering | None:
    """Return no bounds at all: rows say how great elements get, whatever sizes are.

    None where it is not known which element of an array of offsets is the last one.
    """
    own = known.filling.own
    whole = {item.name for item in subject.arrays if item.integer and item.element.scalar is not None}
    ascending = [name for name in own if name in known.offsets or own[name].style is Style.ASCENDING]
    if any(name not in extents for name in ascending):
        return None
    usual = {name: values.high for name, values in own.items() if name in whole}
    others = {name: f"{values.high} + 1" for name, values in own.items() if name not in whole}
    return Steering(below=others, free=usual, counts={name: extents[name] for name in ascending})


def drawn(
    subject: Subject,
    known: Pilot,
    free: Mapping[str, int],
    extents: Mapping[str, str],
    rows: Sequence[Scalars],
    seed: int,
) -> list[dict[str, int | float]]:
    """Return rows with a greatest element for every steering array, drawn whatever sizes are.

    The first two rows have the same, so that launches in which they differ show.
    """
    generator = random.Random(seed)
    found: list[dict[str, int | float]] = []
    for turn, row in enumerate(rows):
        greatest: dict[str, int | float] = {}
        for name in free:
            values = known.filling.own[name]
            least = values.low
            if values.style is Style.DISTINCT:
                least += max(_value(extents.get(name, "0"), subject, row, 0) - 1, 0)
            greatest[greatest_of(name)] = least + generator.randint(0, _SPARE * known.coarse.get(name, 1))
        if turn == 1:
            greatest = {name: found[0][name] for name in greatest}
        found.append({**row, **greatest})
    return found


def structured(
    subject: Subject, known: Pilot, extents: Mapping[str, str], plain: Sequence[str]
) -> list[Steering]:
    """Return bounds that tell offsets, which go up to a total, from indices, best first.

    Args:
        subject: The kernel, whose text may leave scalars unmentioned: callers pass them to say how large
            something is, such as the number of columns and of nonzeros.
        known: What the pilot found.
        extents: Of the steering arrays.
        plain: Bounds that may do for indices.
    """
    totals = list(subject.unmentioned)
    below: dict[str, str] = {}
    counts: dict[str, str] = {}
    for name in known.offsets:
        extent = extents.get(name, "")
        if not extent.endswith(" + 1"):
            return []
        total = totals.pop() if totals else f"{_A_ROW} * {_factor(extent.removesuffix(' + 1'))}"
        below[name], counts[name] = f"{total} + 1", extent
    indices = [name for name in known.filling.own if name not in below]
    if not below and not totals:
        return []
    found = [Steering(below=below | dict.fromkeys(indices, text), counts=counts) for text in plain]
    if totals:
        own = {name: totals[min(turn, len(totals) - 1)] for turn, name in enumerate(indices)}
        found.insert(0, Steering(below=below | own, counts=counts))
    return found


def _factor(text: str) -> str:
    return f"({text})" if " " in text else text
