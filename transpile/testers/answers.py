"""Trials in which arrays are in the order that a candidate asks for: elsewhere one thread runs alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from transpile.core import Asked, Contract, Inconclusive, Trial
from transpile.testers.generate import Plan, generate
from transpile.testers.layout import Numbers, leaves, numbers
from transpile.testers.materialise import Prepared, Unmakeable, materialise

LEAST = 3
"""Trials with such arrays that are owed."""
_ROWS = 3
"""Rows that have elements, or indices, below which threads do not meet."""


def answers(prepared: Prepared, asks: Sequence[Asked]) -> bool:
    """Tell whether all arrays of a call are as a candidate asks, and long enough to show something."""
    return all(_is_in_order(prepared, asked) for asked in asks)


def _is_in_order(prepared: Prepared, asked: Asked) -> bool:
    slot = next((item for item in prepared.arguments if item.name == asked.array), None)
    if slot is None or len(slot.element.leaves) != 1:
        return False
    owner = slot if slot.alias is None else prepared.arguments[slot.alias]
    [leaf] = leaves(slot.element)
    found: Numbers = numbers(owner.data, slot.element, leaf)
    if asked.order == "distinct":
        return _ROWS <= len(found) == len(np.unique(found))
    rising = int(np.count_nonzero(found[1:] > found[:-1]))
    return rising >= _ROWS and bool(np.all(found[1:] >= found[:-1]))


def answering(
    contract: Contract, plan: Plan, literals: tuple[float, ...], asks: Sequence[Asked]
) -> Iterator[Trial]:
    """Yield trials of a plan in which arrays are as a candidate asks."""
    for trial in generate(contract, plan):
        try:
            if answers(materialise(contract, trial, literals), asks):
                yield trial
        except Unmakeable:
            continue


def unanswered(asks: Sequence[Asked]) -> Inconclusive:
    """Return that what a candidate runs at once was not tried."""
    wanted = " and ".join(f"`{item.array}` is {item.order}" for item in asks)
    reason = f"the translation runs iterations at once only where {wanted}, and too few trials have it so"
    return Inconclusive(reason=reason, code="TP411")
