"""Sentinels in index arrays: padding that callers write as -1, or as any number below 0, and sources skip."""

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
from transpile.core import ArrayFact, Launch, Origin

_LOWEST = (-3, -1)
"""Least elements that are tried: a source that bears -3 skips all below 0, which is more than -1 alone."""
_ROWS = 3


def with_sentinels(
    subject: Subject, known: Pilot, facts: Facts, rows: Sequence[Scalars]
) -> Asking[tuple[ArrayFact, ...]]:
    """Return the arrays, of which those may hold less than 0 by which the source touches nothing more."""
    names = [item.name for item in subject.arrays if _is_signed(item) and _from_zero(known, facts, item.name)]
    pairs = launched(subject, facts.law, rows[-_ROWS:], 9)
    low: dict[str, int] = {}
    for lowest in _LOWEST if pairs else ():
        left = [name for name in names if name not in low]
        borne = yield from _borne(subject, known, facts, left, pairs, lowest)
        low |= dict.fromkeys(borne, lowest)
    return tuple(
        replace(fact, values=replace(fact.values, low=str(low[fact.name])))
        if fact.name in low and fact.values is not None
        else fact
        for fact in facts.arrays
    )


def _borne(
    subject: Subject,
    known: Pilot,
    facts: Facts,
    names: Sequence[str],
    pairs: Sequence[tuple[Scalars, Launch]],
    lowest: int,
) -> Asking[frozenset[str]]:
    """Return the arrays with which the source touches nothing more by elements from a number below 0 on."""
    asked = [
        (name, row, launch, fill)
        for name in names
        for row, launch in pairs
        for fill in _with_sentinel(
            name, fillings(subject, known, facts.intervals(subject, known, row))[0], lowest
        )
    ]
    outcomes = yield [
        Probe(scalars=row, launch=with_shared(launch, known), filling=fill) for _, row, launch, fill in asked
    ]
    failed = {
        name
        for (name, row, launch, _), outcome in zip(asked, outcomes, strict=True)
        if not within(facts.arrays, {**numbers_of(subject, row), **quantities(launch)}, outcome)
        or _leads_below(facts, outcome)
    }
    return frozenset(names) - failed


def _is_signed(item: ArrayInput) -> bool:
    return item.integer and item.element.scalar is not None and BITS[item.element.scalar][0] < 0


def _from_zero(known: Pilot, facts: Facts, name: str) -> bool:
    """Tell whether elements of an array steer others, one by one, and are none below 0."""
    values = next((fact.values for fact in facts.arrays if fact.name == name), None)
    own = known.filling.own.get(name)
    alone = own is not None and own.style is Style.RANDOM and name not in known.offsets
    return alone and values is not None and values.low == "0"


def _with_sentinel(name: str, fill: Filling, lowest: int) -> list[Filling]:
    """Return fills with many elements that are sentinels, and one with no others."""
    high = fill.own[name].high
    turns = (
        *(Values(Style.RANDOM, lowest, end) for end in (min(high, 1), high)),
        Values(Style.CONSTANT, lowest, lowest),
    )
    return [replace(fill, own={**fill.own, name: values}) for values in turns]


def _leads_below(facts: Facts, outcome: Outcome) -> bool:
    """Tell whether a call went below a pointer where data decides how far."""
    if isinstance(outcome, Failed):
        return True
    free = {fact.name for fact in facts.arrays if fact.origin is Origin.BOUND}
    return any(item.low < 0 for name, item in outcome.touched.items() if name in free)
