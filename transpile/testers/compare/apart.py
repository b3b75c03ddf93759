"""Whole numbers that no rounding explains: others than the source makes of all inputs some way around.

A trial in which one whole number turns on the last place of an input decides nothing about that number. Those
that stay the same however far inputs move, each to both sides, are decided all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from transpile.core import Scalar
from transpile.testers.compare.compare import Difference, Mask, columns, describe, same
from transpile.testers.compare.tolerance import Key, Pair
from transpile.testers.trials.layout import EPSILON, Bytes, leaves, numbers, view
from transpile.testers.trials.materialise import Slot

ROUNDS = 24
"""Runs of the source: two that move all inputs alike, to opposite sides."""
_REACH = (2.0**3, 2.0**6, 2.0**10)
"""Units in the last place by which inputs move, in turn."""
_MOVED = 2 / 3
_TOGETHER = 4
"""Of so many pairs of runs one moves all inputs alike: rounding moves long sums further than the others."""


def nudged(data: Bytes, slot: Slot, rng: np.random.Generator, round_: int) -> Bytes:
    """Return a slot's data with most floating numbers moved, in odd rounds to the other side.

    Zeros stay, and what is infinite or would be.
    """
    moved = data.copy()
    reach = _REACH[round_ // 2 % len(_REACH)] * (-1.0 if round_ % 2 else 1.0)
    for leaf in leaves(slot.element):
        if not leaf.scalar.floating:
            continue
        values = view(moved, slot.element, leaf)
        ways = rng.choice(np.asarray([-1.0, 1.0]), len(values)) * (rng.random(len(values)) < _MOVED)
        if round_ // 2 % _TOGETHER == 0:
            ways = np.ones(len(values))
        sizes = 1.0 + rng.random(len(values))
        if leaf.scalar is Scalar.BFLOAT16:
            moving = (values & 0x7FFF != 0) & (values & 0x7F00 != 0x7F00)
            values[:] = np.where(moving, values + (ways * np.sign(reach)).astype(np.int64), values)
            continue
        with np.errstate(all="ignore"):
            placed = (values * (1.0 + reach * EPSILON[leaf.scalar] * ways * sizes)).astype(values.dtype)
        values[:] = np.where(np.isfinite(placed), placed, values)
    return moved


def settled(
    slots: Sequence[Slot], source: Sequence[Bytes], others: Sequence[Sequence[Bytes]]
) -> dict[Key, Mask]:
    """Return for each leaf of whole numbers which of them are the same in all the other results."""
    found: dict[Key, Mask] = {}
    for number, slot in enumerate(slots):
        for leaf in leaves(slot.element):
            if not leaf.scalar.floating:
                mine = numbers(source[number], slot.element, leaf)
                theirs = [numbers(other[number], slot.element, leaf) for other in others]
                found[(slot.name, leaf.name)] = np.all([same(mine, other) for other in theirs], axis=0)
    return found


def apart(pair: Pair, known: Mapping[Key, Mask]) -> Difference | None:
    """Return where a candidate parts from whole numbers that are settled; None where nowhere."""
    for column in columns(pair.slots, pair.source, pair.candidate):
        if (firm := known.get((column.slot.name, column.leaf.name))) is not None:
            wrong = firm & ~same(column.source, column.candidate, pair.rules)
            if wrong.any():
                return describe(column, wrong, "exact", pair.poison)
    return None
