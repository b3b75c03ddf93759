"""Sizes that a function cannot exceed because an array of its own, or a row of a parameter, has that length.

Nothing in a trace tells: behind the end of a row lies the next one, behind a local array the frame. The
sanitizers do.
"""

from __future__ import annotations

from dataclasses import replace

from transpile.contracts.extents import fillings
from transpile.contracts.pilot import Pilot
from transpile.contracts.probe import Asking, Failed, Probe
from transpile.contracts.ranges import Facts
from transpile.contracts.relations import repaired
from transpile.contracts.subject import Subject
from transpile.core import Launch, Range, ScalarFact
from transpile.expressions import ExpressionError, evaluate


def limited(
    subject: Subject, known: Pilot, facts: Facts, scalars: tuple[ScalarFact, ...]
) -> Asking[tuple[ScalarFact, ...]]:
    """Return the scalars with sizes that end where the sanitizers begin to object."""
    if subject.launched or not subject.dimensions:
        return scalars
    asked = [
        (fact, length, _probe(subject, known, facts, fact.name, length + step))
        for fact in scalars
        if fact.size
        for length in subject.dimensions
        for step in (0, 1)
    ]
    usable = [(fact, length, probe) for fact, length, probe in asked if probe is not None]
    outcomes = yield [probe for _, _, probe in usable]
    ends: dict[tuple[str, int], list[bool]] = {}
    for (fact, length, _), outcome in zip(usable, outcomes, strict=True):
        ends.setdefault((fact.name, length), []).append(isinstance(outcome, Failed))
    least: dict[str, int] = {}
    for (name, length), failed in ends.items():
        if failed == [False, True]:
            least[name] = min(length, least.get(name, length))
    return tuple(
        replace(fact, values=Range(low=fact.values.low, high=str(least[fact.name])))
        if fact.name in least
        else fact
        for fact in scalars
    )


def _probe(subject: Subject, known: Pilot, facts: Facts, name: str, value: int) -> Probe | None:
    row = repaired({**known.scalars, name: value}, facts.relations, 1)
    environment = {item: int(row[item]) for item in subject.integers}
    try:
        extents = {fact.name: max(evaluate(fact.extent, environment), 0) for fact in facts.arrays}
    except ExpressionError:
        return None
    if row[name] != value:
        return None
    filling = fillings(subject, known, facts.intervals(subject, known, row))[0]
    return Probe(scalars=row, launch=Launch(), filling=filling, extents=extents)
