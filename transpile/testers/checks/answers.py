"""Trials for what a candidate asks of arrays before it runs on several threads: in that order, and nearly so.

Chance makes few of them. Without the first it is not seen what threads do; a check that looks past an
element shows in the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from transpile.core import Asked, Contract, Inconclusive, Trial
from transpile.testers.checks.sanitize import subset
from transpile.testers.trials.fills import values
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.trials.layout import Numbers, leaves, numbers
from transpile.testers.trials.materialise import (
    Prepared,
    Slot,
    Unmakeable,
    environment,
    materialise,
    value_of,
)
from transpile.testers.trials.recipe import Recipe

LEAST = 3
"""Trials in which arrays are as asked that are owed."""
_TRIED = 32
_PAIRS = 9
"""Trials of each kind that are made of these, if as many can be."""
_LEVELS = (1, 2, 3, 2)
"""Of sizes: a check that is wrong anywhere is wrong in short arrays."""
_STEPS = 3
"""Places at which an array has to rise, so that threads could meet."""


def arranged(
    contract: Contract, plan: Plan, literals: tuple[float, ...], asks: Sequence[Asked]
) -> list[Trial]:
    """Return trials in which arrays are as a candidate asks, and as many in which one of them just is not."""
    asked = replace(plan, count=_TRIED, levels=_LEVELS, fills=("exact",), literals=literals)
    made: list[tuple[Trial, dict[str, Numbers]]] = []
    for trial in generate(contract, asked):
        try:
            prepared = materialise(contract, trial, literals)
        except Unmakeable:
            continue
        found = {item.array: _drawn(prepared, item) for item in asks}
        if all(_holds(found[item.array], item) for item in asks):
            made.append((trial, found))
    return [
        _with(trial, arrays)
        for number, (trial, found) in enumerate(subset(made, _PAIRS))
        for arrays in (found, _spoilt(found, asks[number % len(asks)], number))
    ]


def answers(prepared: Prepared, asks: Sequence[Asked]) -> bool:
    """Tell whether all arrays of a call are as a candidate asks, and long enough to show something."""
    return all((slot := _slot(prepared, item)) is not None and _holds(_elements(slot), item) for item in asks)


def unanswered(asks: Sequence[Asked]) -> Inconclusive:
    """Return that what a candidate runs in parallel was not tried."""
    wanted = " and ".join(f"`{item.array}` is {item.order}" for item in asks)
    reason = f"the translation runs iterations in parallel only where {wanted}, as in too few trials"
    return Inconclusive(reason=reason, code="TP411")


def _with(trial: Trial, found: dict[str, Numbers]) -> Trial:
    return replace(trial, written=tuple((name, tuple(map(int, data))) for name, data in found.items()))


def _drawn(prepared: Prepared, asked: Asked) -> Numbers:
    """Return elements that are in order, as far as their range allows; none where there is no such array."""
    slot, fact = _slot(prepared, asked), prepared.contract.array(asked.array)
    if slot is None or fact is None:
        return np.zeros(0, dtype=np.int64)
    known = environment(prepared.contract, prepared.trial.scalars, prepared.trial.launch)
    low, high = (
        (None, None)
        if fact.values is None
        else (value_of(fact.values.low, known), value_of(fact.values.high, known))
    )
    [leaf] = leaves(slot.element)
    recipe = Recipe(
        scalar=leaf.scalar,
        fill="exact",
        low=low,
        high=high,
        distinct=asked.order == "distinct",
        ascending=asked.order == "ascending",
    )
    return values(np.random.default_rng(prepared.trial.seed), recipe, len(_elements(slot)))


def _spoilt(found: dict[str, Numbers], asked: Asked, number: int) -> dict[str, Numbers]:
    """Return arrays of which one is not in order: one element far behind is what another one is far ahead.

    So threads meet that go by them: at the same place, or where a late row begins with the first ones.
    """
    result = found[asked.array].copy()
    last = len(result) - 1
    one, other = ((0, last), (0, last - 1), (1, last))[number % 3]
    if asked.order == "ascending":
        one, other = ((0, last - 1), (0, last - 2), (0, last // 2))[number % 3]
    result[other] = result[one]
    return {**found, asked.array: result}


def _holds(found: Numbers, asked: Asked) -> bool:
    rising = int(np.count_nonzero(found[1:] > found[:-1]))
    if asked.order == "distinct":
        return _STEPS < len(found) == len(np.unique(found))
    return rising >= _STEPS and bool(np.all(found[1:] >= found[:-1]))


def _slot(prepared: Prepared, asked: Asked) -> Slot | None:
    """Return what a call has of an array of integers that a candidate asks of."""
    slot = next((item for item in prepared.arguments if item.name == asked.array), None)
    return slot if slot is not None and slot.alias is None and len(slot.element.leaves) == 1 else None


def _elements(slot: Slot) -> Numbers:
    [leaf] = leaves(slot.element)
    return numbers(slot.data, slot.element, leaf)
