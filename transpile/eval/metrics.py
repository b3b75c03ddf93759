"""Figures of an evaluation, with intervals: nothing counts as right that no test of its own has shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from transpile.report.passing import pass_at

_Z = 1.959964
"""Of a normal distribution, for 95 %."""
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to an item."""

    built: bool
    judged: bool
    """Our testers kept it."""
    right: bool | None
    """By the item's own test; None where none could say."""
    speedup: float | None = None
    """Over its source, where it was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an item."""

    id: str
    answers: tuple[Answer, ...] = ()
    """All that were drawn; rules give one."""
    kept: bool = False
    kept_right: bool | None = None
    """Of what is kept, by the item's own test."""
    why: str = ""
    """Why it is not kept."""
    untested: str = ""
    """Why its own test says nothing."""
    made: str = ""
    """The text that is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share with the interval in which it lies, 95 % of the time."""

    value: float
    low: float
    high: float
    of: int
    """Items that it is a share of."""


def share(found: Sequence[bool]) -> Figure | None:
    """Return a share of items that are right or wrong, with Wilson's interval; None of none."""
    n = len(found)
    if not n:
        return None
    p = sum(found) / n
    centre, spread = p + _Z**2 / (2 * n), _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n * n))
    scale = 1 + _Z**2 / n
    low, high = (centre - spread) / scale, (centre + spread) / scale
    # Rounding must not leave the value outside.
    return Figure(value=p, low=max(min(low, p), 0.0), high=min(max(high, p), 1.0), of=n)


def mean(found: Sequence[float]) -> Figure | None:
    """Return a mean over items with the interval of resampled items; None of none.

    Items that are all right or all wrong show nothing of how others vary: of such it is a share.
    """
    n = len(found)
    if not n:
        return None
    if set(found) <= {0.0, 1.0}:
        return share([value == 1.0 for value in found])
    random = Random(0)
    means = sorted(sum(random.choices(found, k=n)) / n for _ in range(_RESAMPLES))
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES)]
    return Figure(value=sum(found) / n, low=low, high=high, of=n)


def build_at(k: int, outcomes: Sequence[Outcome]) -> Figure | None:
    """Return the chance that one of k answers builds, over items with as many."""
    return _at(k, outcomes, lambda item: item.built)


def right_at(k: int, outcomes: Sequence[Outcome]) -> Figure | None:
    """Return the chance that one of k answers passes the item's own test, over items that have one."""
    return _at(k, [one for one in outcomes if tested(one)], lambda item: bool(item.right))


def faster_at(k: int, times: float, outcomes: Sequence[Outcome]) -> Figure | None:
    """Return the chance that one of k answers is right and so many times as fast as its source."""
    timed = [one for one in outcomes if any(item.speedup is not None for item in one.answers)]
    return _at(k, timed, lambda item: item.judged and (item.speedup or 0.0) >= times)


def kept(outcomes: Sequence[Outcome]) -> Figure | None:
    """Return the share of items of which a translation is kept."""
    return share([one.kept for one in outcomes])


def precision(outcomes: Sequence[Outcome]) -> Figure | None:
    """Return the share of what is kept that passes the item's own test, where that says anything."""
    return share([one.kept_right for one in outcomes if one.kept and one.kept_right is not None])


def tested(one: Outcome) -> bool:
    """Tell whether the own test of an item says something of each answer that builds."""
    return not one.untested and all(item.right is not None or not item.built for item in one.answers)


def _at(k: int, outcomes: Sequence[Outcome], good: Callable[[Answer], bool]) -> Figure | None:
    drawn = [one.answers for one in outcomes if len(one.answers) >= k]
    return mean([pass_at(k, sum(map(good, answers)), len(answers)) for answers in drawn])
