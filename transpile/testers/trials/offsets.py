"""Integers that do not decrease, as offsets of rows do not: what varies is how long the rows are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def offsets(rng: np.random.Generator, low: int, high: int, count: int) -> Integers:
    """Return ascending integers of the interval, in one of the forms that offsets have.

    Callers of a sparse kernel begin at the first element and end behind the last; now and then rows are all
    alike, and often a few hold nearly everything, so that a row is longer than a warp or a block.
    """
    style = rng.random()
    if style < 0.25 or count < 2:
        return np.sort(rng.integers(low, high, count, endpoint=True))
    if style < 0.4:
        return np.linspace(low, high, count).astype(np.int64)
    found = np.sort(
        rng.integers(low, high, count, endpoint=True) if style < 0.6 else _few(rng, low, high, count)
    )
    found[0], found[-1] = low, high
    return found


def _few(rng: np.random.Generator, low: int, high: int, count: int) -> Integers:
    """Return integers near a few of the interval, so that most of it lies between two neighbours."""
    places = rng.integers(low, high, rng.integers(1, 4), endpoint=True)
    near = places[rng.integers(0, len(places), count)] + rng.integers(0, 3, count)
    return np.asarray(np.clip(near, low, high), dtype=np.int64)
