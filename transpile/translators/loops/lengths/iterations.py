"""Loops without iterations: they reach nothing, however far their subscripts would go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from transpile.code.polynomial import Polynomial, spelled
from transpile.expressions import names as names_of
from transpile.translators.loops.iteration.trips import tight
from transpile.translators.loops.lengths.comparisons import POINTS, drawn, value

SIZES = (0, 1, 2, 3, 4, 5, 8, 17, 100)
NEGATIVE = (-1, -2, -7)
"""Numbers for which lengths are compared, where loops may have no iterations."""


@dataclass(frozen=True, slots=True)
class Trip:
    """When a loop has iterations."""

    text: str
    """A comparison, as the host writes it."""
    span: Polynomial
    """A polynomial that is positive exactly then, of numbers that are fixed before the loops."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of the host before an array is copied."""

    comparisons: tuple[str, ...] = ()
    """Without them nothing is reached, and a length of 0 does not say the same."""
    sufficient: bool = False
    """With them the length is above 0."""


UNCONDITIONAL = Condition()


def condition(
    paths: Sequence[Sequence[Trip]], tests: Sequence[str], length: str, signs: Sequence[str] = ()
) -> Condition:
    """Return what is asked before an array is copied.

    Args:
        paths: The loops around each access to it.
        tests: Conditions on the call that all accesses are under.
        length: How many elements are reached if these loops have iterations.
        signs: Comparisons that hold wherever it is copied.
    """
    known = _of_loops(paths, length, signs)
    return replace(known, comparisons=(*tests, *known.comparisons)) if tests else known


def _of_loops(paths: Sequence[Sequence[Trip]], length: str, signs: Sequence[str]) -> Condition:
    first, *others = paths
    spans = {trip.text: spelled(trip.span) for trip in first}
    for path in others:
        spans = {text: span for text, span in spans.items() if text in {trip.text for trip in path}}
    used = frozenset[str]().union(*map(names_of, (length, *spans.values(), *signs)))
    choices = dict.fromkeys(sorted(used), (*SIZES, *NEGATIVE))
    rows = [
        row for row in drawn(choices, seed=11, count=4 * POINTS) if all(value(text, row) for text in signs)
    ]
    empty = [row for row in rows if any(value(span, row) <= 0 for span in spans.values())]
    # Nor is divided by 0 where the loops would not come to that.
    if all(value(length, row, otherwise=1) <= 0 for row in empty):
        return UNCONDITIONAL
    asked = [text for text, span in spans.items() if any(value(span, row) <= 0 for row in rows)]
    sufficient = all(value(length, row, otherwise=1) > 0 for row in rows if row not in empty)
    return Condition(tuple(asked), sufficient)


def asked(
    nonnegative: Sequence[Polynomial], trips: Sequence[Trip], unsigned: frozenset[str]
) -> tuple[str, ...]:
    """Return the comparisons that loops with iterations do not imply.

    Args:
        nonnegative: What is not to be below 0.
        trips: The loops.
        unsigned: Names that are never below 0.
    """
    texts = dict.fromkeys(map(spelled, nonnegative))
    spans = [spelled(trip.span) for trip in trips]
    used = sorted(frozenset[str]().union(*map(names_of, [*texts, *spans])))
    choices = {name: SIZES if name in unsigned else (*SIZES, *NEGATIVE) for name in used}
    rows = [
        row
        for row in drawn(choices, seed=13, count=4 * POINTS)
        if all(value(span, row) > 0 for span in spans)
    ]
    return tuple(f"{tight(text)} >= 0" for text in texts if any(value(text, row) < 0 for row in rows))
