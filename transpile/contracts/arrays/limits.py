"""Sizes and indices that end where an array does whose length is fixed: one of its own, a global, a row.

Nothing in a trace tells: behind the end of a row lies the next one, behind a local array the frame. The
sanitizers do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.contracts.arrays.extents import brink, launched, with_shared
from transpile.contracts.arrays.ranges import Facts, Limits
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Probe
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import Launch
from transpile.expressions import ExpressionError

_STEPS = (-1, 0, 1)
"""From the length of an array to where a scalar may end, counted in what it is a multiple of."""
_BASES = (None, 1, 0)
"""Values of the other integers while one is tried: as they were, or too small to make the source fail."""


def limits(subject: Subject, known: Pilot, facts: Facts) -> Asking[Limits]:
    """Return the values at which the sanitizers begin to object.

    Asked before anything else is tried: what leaves an array unseen overwrites what the next call needs.
    """
    if not subject.dimensions:
        return Limits()
    base = yield from _base(subject, known, facts)
    if base is None:
        return Limits()
    steps = {name: facts.law.multiple_of(name) for name in subject.integers}
    asked = [
        (name, value, _probe(subject, known, facts, {**base, name: value}))
        for name, step in steps.items()
        for value in _near(subject.dimensions, step)
    ]
    usable = [(name, value, probe) for name, value, probe in asked if probe is not None]
    outcomes = yield [probe for _, _, probe in usable]
    borne: dict[str, dict[int, bool]] = {name: {} for name in subject.integers}
    for (name, value, _), outcome in zip(usable, outcomes, strict=True):
        borne[name][value] = isinstance(outcome, Observed)
    return Limits(
        base, {name: _ends(subject.dimensions, found, steps[name]) for name, found in borne.items()}
    )


def _near(lengths: Sequence[int], step: int) -> list[int]:
    """Return the values of a scalar that are tried, all multiples of a number."""
    counts = {-1, 0, *(length // step + count for length in lengths for count in (*_STEPS, _STEPS[-1] + 1))}
    return [step * count for count in sorted(counts)]


def _ends(lengths: Sequence[int], borne: Mapping[int, bool], step: int) -> tuple[int | None, int | None]:
    """Return where a scalar ends near a length: indices before it, sizes at it, others behind."""
    near = (step * (length // step + count) for length in lengths for count in _STEPS)
    ends = [end for end in near if borne.get(end) and borne.get(end + step) is False]
    below = None if borne.get(-step, True) or not borne.get(0) else 0
    return below, min(ends) if ends else None


def _base(subject: Subject, known: Pilot, facts: Facts) -> Asking[Scalars | None]:
    """Return scalars that the sanitizers do not object to; None where none are found."""
    rows = [
        known.scalars if value is None else {**known.scalars, **dict.fromkeys(subject.integers, value)}
        for value in _BASES
    ]
    probes = [(row, _probe(subject, known, facts, row)) for row in rows]
    usable = [(row, probe) for row, probe in probes if probe is not None]
    outcomes = yield [probe for _, probe in usable]
    return next(
        (row for (row, _), item in zip(usable, outcomes, strict=True) if isinstance(item, Observed)), None
    )


def _probe(subject: Subject, known: Pilot, facts: Facts, asked: Scalars) -> Probe | None:
    row = repaired(dict(asked), facts.relations, 1)
    launch = _launch(subject, known, facts, row) if row == asked else None
    if launch is None:
        return None
    try:
        return brink(subject, known, facts.intervals(subject, known, row), facts.arrays, row, launch)
    except ExpressionError:
        return None


def _launch(subject: Subject, known: Pilot, facts: Facts, row: Scalars) -> Launch | None:
    """Return a launch that the law admits; None where there is none."""
    if not subject.launched:
        return Launch()
    found = launched(subject, facts.law, [row], 5)
    return with_shared(found[0][1], known) if found else None
