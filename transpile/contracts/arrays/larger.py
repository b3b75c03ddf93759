"""Sizes beyond those that extents were fitted with: what is reached there refutes the fit, not the size."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from transpile.contracts.arrays.bounding import Bounded
from transpile.contracts.arrays.extents import fillings, launched, with_shared
from transpile.contracts.arrays.index_arrays import Steering
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Failed, Floats, Outcome, Probe
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import Subject
from transpile.core import greatest_of
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

_FRACTIONS = (1.5, 3.0, 0.25, 7.5)
_SIZES = (33, 65, 100)
"""Behind the width of a word, of two, and of a block: what is divided or shifted away below shows there."""
_MOST = 20_000
"""Numbers of the text that are greater are no sizes to try: traced calls would take too long."""
_LITERALS = 4
"""Numbers of the text: twice as large sizes, and one more, show what they divide."""
_ELEMENTS = (1_000, 70_000)
"""Greatest elements of arrays that steer others: behind a byte, and behind a short number."""
_WIDER = 9
"""Times as many values of elements whose range is but a guess."""


def enlarged(
    subject: Subject, base: Scalars, varied: Sequence[str], relations: Sequence[str]
) -> list[dict[str, int | float]]:
    """Return rows in each of which one integer is larger than in those that fits are made from.

    And rows with other floating numbers: what follows from them is no expression of the integers.
    """
    fractions = [item.name for item in subject.scalars if not item.integer]
    literals = sorted({abs(number) for number in subject.literals if _SIZES[0] < abs(number) <= _MOST})
    sizes = (*_SIZES, *(2 * number + past for number in literals[:_LITERALS] for past in (0, 1)))
    rows = [{**base, name: size} for name in varied for size in sizes]
    rows += [{**base, name: value} for name in fractions for value in _FRACTIONS]
    return [repaired(row, relations, 0) for row in rows]


def exceeding(
    subject: Subject, known: Pilot, law: Law, found: tuple[Bounded, Steering], rows: Sequence[Scalars]
) -> Asking[tuple[list[Scalars], set[str]]]:
    """Return the rows under which the source behaves and leaves extents that were found, and which arrays.

    Args:
        subject: What is learnt about.
        known: What the pilot found.
        law: Its launches.
        found: The extents, and how arrays of indices are filled.
        rows: Sizes to try.
    """
    bounded, steering = found[0], _wider(found[1])
    greatest = {greatest_of(name): value for name, value in steering.free.items()}
    further = [
        {**row, **greatest, name: value} for row in rows[:1] for name in greatest for value in _ELEMENTS
    ]
    pairs = launched(subject, law, [*({**row, **greatest} for row in rows), *further], 7)
    fills = [fillings(subject, known, steering.intervals(subject, known, row))[:2] for row, _ in pairs]
    if pairs:
        pairs, fills = [*pairs, pairs[0]], [*fills, [replace(fills[0][0], floats=Floats.HIGHER)]]
    outcomes = iter(
        (
            yield [
                Probe(scalars=row, launch=with_shared(launch, known), filling=fill)
                for (row, launch), own in zip(pairs, fills, strict=True)
                for fill in own
            ]
        )
    )
    beyond: list[Scalars] = []
    names: set[str] = set()
    for (row, launch), own in zip(pairs, fills, strict=True):
        group = [next(outcomes) for _ in own]
        environment = {**numbers_of(subject, row), **quantities(launch)}
        left = {name for item in group for name in _left(bounded, environment, item)}
        if left:
            names |= left
            beyond.append({name: value for name, value in row.items() if name not in greatest})
    return beyond, names


def _wider(steering: Steering) -> Steering:
    """Return other ranges where these are guesses: extents that follow from them are none of the sizes."""
    below = {
        name: text if names_of(text) else f"{_WIDER} * ({text})" for name, text in steering.below.items()
    }
    return replace(steering, below=below)


def _left(bounded: Bounded, environment: dict[str, int], outcome: Outcome) -> Collection[str]:
    """Return the arrays that a call, which behaved, reached beyond their extents."""
    if isinstance(outcome, Failed) or outcome.race:
        return ()
    found = []
    for name, bounds in bounded.bounds.items():
        try:
            extent = max(evaluate(bounds.extent, environment), 0)
        except ExpressionError:
            continue
        if name in outcome.touched and outcome.touched[name].high > extent:
            found.append(name)
    return found


def loosened(bounded: Bounded, names: Collection[str]) -> Bounded:
    """Return what was found, where the extents of some arrays are but what was seen so far."""
    bounds = {
        name: replace(item, exact=item.exact and name not in names) for name, item in bounded.bounds.items()
    }
    return replace(bounded, bounds=bounds)
