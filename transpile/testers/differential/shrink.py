"""Counterexamples made small: fewer elements and threads, plainer numbers, as long as both sides part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import TypeVar

import numpy as np

from transpile.core import Contract, Launch, Trial
from transpile.testers.trials.generate import facts_of
from transpile.testers.trials.launches import admissible
from transpile.testers.trials.materialise import Unmakeable, environment, extent_of, value_of

ROUNDS = 8
BREADTH = 16
"""Trials of one round; they run as one batch."""

_FILLS = (
    "exact", "few", "level", "ramp", "first", "last", "part", "edge", "grid", "cancel", "real", "special",
    "wide", "tiny", "marked", "linear", "akin"
)  # fmt: skip

Found = TypeVar("Found")
Failing = Callable[[Sequence[Trial]], Sequence[Found | None]]
"""Runs trials and returns for each what is wrong, or None."""


def shrink(contract: Contract, trial: Trial, found: Found, failing: Failing[Found]) -> tuple[Trial, Found]:
    """Return the smallest failing trial that a few rounds lead to, and what is wrong there."""
    if trial.carved:  # Its data is what it is: no part of it can be made smaller on its own.
        return trial, found
    for _ in range(ROUNDS):
        tries = spread(sorted(set(simpler(contract, trial)), key=lambda item: cost(contract, item)))
        better = next(
            ((item, wrong) for item, wrong in zip(tries, failing(tries), strict=True) if wrong is not None),
            None,
        )
        if better is None:
            break
        trial, found = better
    return trial, found


def spread(trials: Sequence[Trial]) -> list[Trial]:
    """Return some of the trials in their order: for each choice of numbers the first, then as many as fit."""
    first = list({trial.scalars: trial for trial in reversed(trials)}.values())[::-1]
    others = [trial for trial in trials if trial not in first]
    if len(first) > BREADTH:
        return [first[round(step * (len(first) - 1) / (BREADTH - 1))] for step in range(BREADTH)]
    chosen = {*first, *others[: BREADTH - len(first)]}
    return [trial for trial in trials if trial in chosen]


def cost(contract: Contract, trial: Trial) -> tuple[float, ...]:
    """Return what makes a trial hard to read: elements, threads, fill, digits."""
    known = environment(contract, trial.scalars, trial.launch)
    elements = sum(sum(extent_of(fact, known)) for fact in contract.arrays)
    threads = float(np.prod([*trial.launch.grid, *trial.launch.block], dtype=np.float64))
    digits = sum(len(repr(value)) + (value < 0) for _, value in trial.scalars)
    return (
        elements,
        threads,
        _FILLS.index(trial.fill),
        digits,
        sum(abs(value) for _, value in trial.scalars),
    )


def simpler(contract: Contract, trial: Trial) -> Iterator[Trial]:
    """Yield admissible trials that cost less."""
    here = cost(contract, trial)
    for item in _variants(contract, trial):
        try:
            if (
                admissible(contract, item.scalars, item.launch)
                and _within(contract, item)
                and cost(contract, item) < here
            ):
                yield item
        except Unmakeable:
            continue


def _variants(contract: Contract, trial: Trial) -> Iterator[Trial]:
    if trial.fill != "exact":
        yield replace(trial, fill="exact")
    for launch in _launches(trial.launch):
        yield replace(trial, launch=launch)
    values = dict(trial.scalars)
    sizes = [fact.name for fact, _ in facts_of(contract) if fact.size]
    for fact, kind in facts_of(contract):
        value = values[fact.name]
        for smaller in _smaller(value, whole=not kind.floating):
            yield from _with(contract, trial, {fact.name: smaller})
    for divisor in (8, 2):
        if len(sizes) > 1:
            yield from _with(contract, trial, {name: int(values[name]) // divisor for name in sizes})


def _smaller(value: int | float, *, whole: bool) -> Iterator[int | float]:
    """Yield simpler numbers, the simplest first."""
    if not whole:
        plainer = (1.0, 0.0, float(round(value))) if isfinite(value) else (1.0, 0.0)
        yield from (item for item in plainer if item != value)
        return
    number = int(value)
    yield from (
        item
        for item in (0, 1, 2, 3, number // 8, number // 2, number - number // 8, number - 1)
        if item != value
    )


def _with(contract: Contract, trial: Trial, changed: dict[str, int | float]) -> Iterator[Trial]:
    """Yield the trial with other scalars, under the same launch and under ones with fewer blocks."""
    scalars = tuple((name, changed.get(name, value)) for name, value in trial.scalars)
    yield replace(trial, scalars=scalars)
    for launch in _launches(trial.launch):
        yield replace(trial, scalars=scalars, launch=launch)


def _launches(launch: Launch) -> Iterator[Launch]:
    """Yield launches with fewer blocks, then with smaller blocks."""
    x, y, z = launch.grid
    for grid in (
        (1, 1, 1),
        (2, 1, 1),
        (max(x // 2, 1), max(y // 2, 1), max(z // 2, 1)),
        (max(x - 1, 1), y, z),
    ):
        if grid != launch.grid:
            yield replace(launch, grid=grid)
    for block in ((1, 1, 1), (2, 1, 1), (32, 1, 1)):
        if block != launch.block:
            yield replace(launch, block=block)


def _within(contract: Contract, trial: Trial) -> bool:
    """Tell whether every scalar keeps to its interval and multiple."""
    values = dict(trial.scalars)
    known = environment(contract, trial.scalars, trial.launch)
    for fact, kind in facts_of(contract):
        value = values[fact.name]
        if not value_of(fact.values.low, known) <= value <= value_of(fact.values.high, known):
            return False
        if not kind.floating and int(value) % max(value_of(fact.multiple_of, known), 1):
            return False
    return True
