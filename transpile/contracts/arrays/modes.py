"""Modes: numbers at which a function takes another way, and reaches more than while extents were fitted.

Extents are fitted under positive numbers. Where a number that is no size may be 0 or -1, and the function
goes further there or into arrays that it had never touched, that refutes the fit, not the number: such an
array has no expression. So does a size of 0 under which more than a first element is reached, as other loops
go on: ``b[i]`` beside ``b[i * m + k]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from transpile.contracts.arrays.extents import fillings, launched, with_shared
from transpile.contracts.arrays.ranges import BITS, Facts
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Probe, Touched
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import Subject
from transpile.core import ArrayFact, Launch, Origin, Role
from transpile.expressions import ExpressionError, evaluate

_OTHERS = (0, -1)
"""Flags that are off, and what has no sense as a size."""
_FIRST = 1
"""Elements that many functions look at without asking whether there are any."""


def with_modes(subject: Subject, known: Pilot, facts: Facts) -> Asking[Facts]:
    """Return the facts without extents that 0 or -1 of some number refute, and with these numbers."""
    if subject.launched:
        return facts
    pairs: list[tuple[str, int, Scalars, Launch]] = []
    for name, value in _tried(subject, facts):
        row = repaired({**known.scalars, name: value}, facts.relations, 1)
        if row[name] == value:
            pairs += [(name, value, *pair) for pair in launched(subject, facts.law, [row], 5)]
    fills = [fillings(subject, known, facts.intervals(subject, known, row)) for _, _, row, _ in pairs]
    outcomes = iter(
        (
            yield [
                Probe(scalars=row, launch=with_shared(launch, known), filling=fill)
                for (_, _, row, launch), own in zip(pairs, fills, strict=True)
                for fill in own
            ]
        )
    )
    arrays = {fact.name: fact for fact in facts.arrays}
    modes = set(facts.modes)
    for (name, value, used, launch), own in zip(pairs, fills, strict=True):
        environment = {**numbers_of(subject, used), **quantities(launch)}
        for outcome in [next(outcomes) for _ in own]:
            if not isinstance(outcome, Observed) or not outcome.valid:
                continue
            for fact in facts.arrays:
                touched = outcome.touched.get(fact.name)
                first = name in facts.sizes and touched is not None and touched.high <= _FIRST
                if touched is not None and not first and _leaves(fact, touched, environment):
                    arrays[fact.name] = _loosened(arrays[fact.name], touched)
                    modes.add((name, value))
    return replace(facts, arrays=tuple(arrays.values()), modes=frozenset(modes))


def _tried(subject: Subject, facts: Facts) -> Iterator[tuple[str, int]]:
    for item in subject.scalars:
        if item.integer:
            low, high = item.ends or BITS[item.scalar]
            values = _OTHERS[:1] if item.name in facts.sizes else _OTHERS
            yield from ((item.name, value) for value in values if low <= value <= high)


def _leaves(fact: ArrayFact, touched: Touched, environment: Mapping[str, int]) -> bool:
    if fact.origin is Origin.BOUND:
        return False
    try:
        return touched.high > max(evaluate(fact.extent, environment), 0)
    except ExpressionError:
        return True


def _loosened(fact: ArrayFact, touched: Touched) -> ArrayFact:
    """Return an array whose extent is but what was seen so far, in a role that these calls know as well."""
    role = fact.role
    if touched.written and role in (Role.UNUSED, Role.IN):
        role = Role.INOUT if touched.read_first or role is Role.IN else Role.OUT
    elif touched.read_first and role is not Role.IN:
        role = Role.IN if role is Role.UNUSED else Role.INOUT
    return replace(fact, role=role, origin=Origin.BOUND)
