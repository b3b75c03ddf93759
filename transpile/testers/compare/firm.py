"""Firm results: those that stay the same whether all operations of the source round up or all round down.

Nothing was rounded on the way to them, as where a number halfway between two whole ones becomes one of them.
Such a result jumps when inputs move, and is no luck for that: whoever computes it exactly gets the same. One
that only moves as little as they do is a sum, say, that was exact in the order of its terms alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import frexp

import numpy as np

from transpile.core import Contract, Trial
from transpile.testers.compare.compare import Mask, same
from transpile.testers.trials.generate import facts_of
from transpile.testers.trials.layout import EPSILON, Bytes, leaves, numbers, view
from transpile.testers.trials.materialise import Slot

_Key = tuple[str, str]
_OF_POWERS = 0.5
"""Significand of powers of two."""


def may_be_firm(contract: Contract, trial: Trial) -> bool:
    """Tell whether data lie where rounding turns, and products with reciprocals are the same as quotients."""
    kinds = {fact.name: kind for fact, kind in facts_of(contract)}
    passed = [float(value) for name, value in trial.scalars if name in kinds and kinds[name].floating]
    return trial.fill == "grid" and all(abs(frexp(value)[0]) == _OF_POWERS for value in passed)


def firm(
    slots: Sequence[Slot], source: Sequence[Bytes], directed: Sequence[Sequence[Bytes]]
) -> dict[_Key, Mask]:
    """Return for each leaf which numbers are the same in all results.

    Args:
        slots: What is compared.
        source: What the source left there.
        directed: What it left there where operations round up, and where they round down.
    """
    found: dict[_Key, Mask] = {}
    for number, slot in enumerate(slots):
        for leaf in leaves(slot.element):
            mine = numbers(source[number], slot.element, leaf)
            others = [numbers(other[number], slot.element, leaf) for other in directed]
            found[(slot.name, leaf.name)] = np.all([same(mine, other) for other in others], axis=0)
    return found


def jumping(
    known: Mapping[_Key, Mask],
    slots: Sequence[Slot],
    source: Sequence[Bytes],
    moved: Sequence[Sequence[Bytes]],
) -> dict[_Key, Mask]:
    """Return firm numbers but for those that move with the inputs and never jump.

    Args:
        known: The firm ones.
        slots: What is compared.
        source: What the source left there.
        moved: What it left there for inputs a little away.
    """
    found = dict(known)
    for number, slot in enumerate(slots):
        for leaf in leaves(slot.element):
            if not leaf.scalar.floating:
                continue
            mine = numbers(source[number], slot.element, leaf)
            most = np.sqrt(EPSILON[leaf.scalar]) * np.max(np.abs(mine), initial=0, where=np.isfinite(mine))
            moves, jumps = np.zeros(len(mine), bool), np.zeros(len(mine), bool)
            for other in moved:
                theirs = numbers(other[number], slot.element, leaf)
                with np.errstate(all="ignore"):
                    near = np.abs(theirs - mine) <= most
                moves |= ~same(mine, theirs) & near
                jumps |= ~same(mine, theirs) & ~near
            key = (slot.name, leaf.name)
            found[key] = found[key] & (jumps | ~moves)
    return found


def steadied(
    slots: Sequence[Slot], source: Sequence[Bytes], moved: Sequence[Bytes], known: Mapping[_Key, Mask]
) -> list[Bytes]:
    """Return results of moved inputs, with the source's own where these are firm."""
    found = [data.copy() for data in moved]
    for slot, own, data in zip(slots, source, found, strict=True):
        for leaf in leaves(slot.element):
            mask = known[(slot.name, leaf.name)]
            view(data, slot.element, leaf)[mask] = view(own, slot.element, leaf)[mask]
    return found
