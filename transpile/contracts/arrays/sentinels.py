"""Sentinels in index arrays: padding that callers write as -1, and the source skips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.contracts.arrays.extents import fillings, launched, with_shared
from transpile.contracts.arrays.ranges import BITS, Facts, within
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Failed, Filling, Outcome, Probe, Style, Values
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import ArrayInput, Subject
from transpile.core import ArrayFact, Origin

_SENTINEL = -1
_ROWS = 3


def with_sentinels(
    subject: Subject, known: Pilot, facts: Facts, rows: Sequence[Scalars]
) -> Asking[tuple[ArrayFact, ...]]:
    """Return the arrays, of which those may hold -1 with which the source touches nothing more by that."""
    names = [item.name for item in subject.arrays if _is_signed(item) and _from_zero(known, facts, item.name)]
    pairs = launched(subject, facts.law, rows[-_ROWS:], 9)
    asked = [
        (name, row, launch, fill)
        for name in names
        for row, launch in pairs
        for fill in _with_sentinel(name, fillings(subject, known, facts.intervals(subject, known, row))[0])
    ]
    outcomes = yield [
        Probe(scalars=row, launch=with_shared(launch, known), filling=fill) for _, row, launch, fill in asked
    ]
    borne = set(names if pairs else ())
    for (name, row, launch, _), outcome in zip(asked, outcomes, strict=True):
        environment = {**numbers_of(subject, row), **quantities(launch)}
        if not within(facts.arrays, environment, outcome) or _leads_below(facts, outcome):
            borne.discard(name)
    return tuple(
        replace(fact, values=replace(fact.values, low=str(_SENTINEL)))
        if fact.name in borne and fact.values is not None
        else fact
        for fact in facts.arrays
    )


def _is_signed(item: ArrayInput) -> bool:
    return item.integer and item.element.scalar is not None and BITS[item.element.scalar][0] < 0


def _from_zero(known: Pilot, facts: Facts, name: str) -> bool:
    """Tell whether elements of an array steer others, one by one, and are none below 0."""
    values = next((fact.values for fact in facts.arrays if fact.name == name), None)
    own = known.filling.own.get(name)
    alone = own is not None and own.style is Style.RANDOM and name not in known.offsets
    return alone and values is not None and values.low == "0"


def _with_sentinel(name: str, fill: Filling) -> list[Filling]:
    """Return fills with many elements that are the sentinel, and one with no others."""
    high = fill.own[name].high
    turns = (
        *(Values(Style.RANDOM, _SENTINEL, end) for end in (min(high, 1), high)),
        Values(Style.CONSTANT, _SENTINEL, _SENTINEL),
    )
    return [replace(fill, own={**fill.own, name: values}) for values in turns]


def _leads_below(facts: Facts, outcome: Outcome) -> bool:
    """Tell whether a call went below a pointer where data decides how far."""
    if isinstance(outcome, Failed):
        return True
    free = {fact.name for fact in facts.arrays if fact.origin is Origin.BOUND}
    return any(item.low < 0 for name, item in outcome.touched.items() if name in free)
