"""The data that one leaf of an array is to hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transpile.core import Fill, Scalar
from transpile.testers.trials.layout import stored

ANY_BITS: tuple[Fill, ...] = ("special", "wide", "cancel", "akin", "linear")
"""Fills with whole numbers whose sums may leave their type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The kind of data that fills one leaf of an array."""

    scalar: Scalar
    fill: Fill
    low: int | None = None
    high: int | None = None
    """Closed interval that integers keep to; None: free."""
    distinct: bool = False
    ascending: bool = False
    literals: tuple[float, ...] = ()
    """Numbers of the source text: values that branches compare with."""
    marks: tuple[float, ...] = ()
    """Numbers that the trial names, else those that the call passes by value, with which branches compare."""
    passed: tuple[float, ...] = ()
    """Those that the call passes by value, whatever the trial names."""
    common: int = 0
    """Seed of what the arrays of a trial have in common."""
    turn: int = 0
    """Of the trial among those of its fill: what must not be left to chance goes by it."""


def interval(recipe: Recipe, reach: float) -> tuple[float, float]:
    """Return the closed interval of what may be drawn, no further from 0 than some reach where it is free."""
    if recipe.scalar is Scalar.BOOL:
        return 0, 1
    low, high = (-reach, reach) if recipe.low is None or recipe.high is None else (recipe.low, recipe.high)
    if recipe.scalar.floating:
        return low, high
    limits = np.iinfo(stored(recipe.scalar))
    return max(low, int(limits.min)), min(high, int(limits.max))
