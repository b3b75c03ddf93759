"""Numbers at which roundings and comparisons turn: of what elements are, or of what is computed of them."""

from __future__ import annotations

from math import isqrt

import numpy as np

from transpile.core import Scalar
from transpile.testers.trials.layout import Numbers, encode, stored
from transpile.testers.trials.recipe import Recipe, interval

_LARGE = 2.0**20
_EXACT = 2.0**53
_SHORT = 2.0**15
"""The greatest numbers of 16 bits."""
_MARKED = 0.25
"""Share of elements that are beside a mark."""
_NARROWER = {Scalar.FLOAT32: (7, 10), Scalar.FLOAT64: (7, 10, 23)}
"""Bits behind the leading one that narrower types keep."""
_HALF = 0.5
_ROOTS = 0.2
"""Share of numbers whose square, and not they themselves, an expression takes to a mark."""
_SOME = 0.1


def grid(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return numbers at which rounding turns: multiples of a step and neighbours, or powers and squares."""
    low, high = interval(recipe, np.inf)
    if not recipe.scalar.floating:
        return _turning(rng, recipe, int(low), int(high), count)
    factors = [mark for mark in recipe.marks if 0 < abs(mark) < _LARGE] or [1.0]
    factor = factors[int(rng.integers(len(factors)))]
    # Products with what is passed by value lie halfway between whole numbers, or quotients do or are whole.
    steps = (0.5 / factor, factor, 0.5 * factor, (0.1, 0.5, 1.0)[int(rng.integers(3))])
    step = steps[recipe.turn % len(steps)]
    drawn = encode(np.clip(rng.integers(-40, 200, count) * step, low, high), recipe.scalar)
    if recipe.scalar in _NARROWER and recipe.low is None and recipe.turn % len(steps) == len(steps) - 1:
        # Halfway between two numbers of a narrower type, where a conversion by hand turns.
        narrow = rng.choice(np.asarray(_NARROWER[recipe.scalar]), count)
        odd = 2 * rng.integers(0, np.exp2(narrow).astype(np.int64)) + 1
        halfway = np.exp2(rng.integers(-20, 17, count)) * (1 + odd * np.exp2(-narrow - 1.0))
        halfway *= rng.choice([-1.0, 1.0], count)
        drawn = np.where(rng.random(count) < _SOME, halfway.astype(drawn.dtype), drawn)
    if recipe.scalar in (Scalar.FLOAT32, Scalar.FLOAT64) and recipe.turn % 2:
        beside = np.nextafter(drawn, rng.choice(np.asarray([-np.inf, np.inf]), count).astype(drawn.dtype))
        drawn = np.where(rng.random(count) < _MARKED, beside, drawn)
    return drawn


def linear(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return numbers that sums, products and squares with the text's numbers take to marks, or between two.

    ``x * scale + 0.5 > 254.5`` differs from ``> 255`` there alone.
    """
    low, high = interval(recipe, np.inf)
    marks = np.asarray(recipe.marks or (0.0, 1.0))
    ends = np.unique([*marks, *recipe.literals])
    at = np.searchsorted(ends, rng.choice(marks, count))
    next_to = np.clip(at + rng.choice([-1, 1], count), 0, len(ends) - 1)
    targets = np.where(rng.random(count) < _HALF, ends[at], ends[at] / 2 + ends[next_to] / 2)
    texts, passed = (
        [value for value in some if 0 < abs(value) < _LARGE] for some in (recipe.literals, recipe.passed)
    )
    terms = rng.choice([0.0] * max(len(texts), 1) + texts, count) * rng.choice([-1.0, 1.0], count)
    factors = rng.choice([1.0, rng.choice([1.0, *texts]), rng.choice(passed or [1.0])], count)
    turned = np.where(rng.random(count) < 2 * _SOME, 1 / factors, factors)
    with np.errstate(over="ignore"):
        placed = (targets - terms) / turned
    placed = np.where(rng.random(count) < _ROOTS, np.sqrt(np.abs(placed)), placed)
    placed *= np.where(rng.random(count) < _SOME, -1.0, 1.0)
    if not recipe.scalar.floating:
        placed = np.rint(placed) + rng.integers(-1, 1, count, endpoint=True)
    plain = rng.integers(-6, 18, count) / (2 if recipe.scalar.floating else 1)
    kept = (
        (rng.random(count) < _HALF)
        & (low <= placed)
        & (placed <= high)
        & (np.abs(placed) < (_SHORT if recipe.scalar is Scalar.FLOAT16 else _EXACT))
    )
    return encode(np.where(kept, placed, np.clip(plain, low, high)), recipe.scalar)


def _turning(rng: np.random.Generator, recipe: Recipe, low: int, high: int, count: int) -> Numbers:
    """Return whole numbers at which digits, roots and logarithms turn, and some from anywhere."""
    greatest = max(abs(low), abs(high))
    roots = [int(rng.integers(1, max(isqrt(greatest), 2))) for _ in range(8)] + [isqrt(greatest)]
    sizes = [10**k for k in range(20)] + [1 << k for k in range(65)] + [root * root for root in roots]
    near = [sign * size + step for size in sizes for step in (-1, 0, 1) for sign in (1, -1)]
    admitted = [number for number in (*near, low, high) if low <= number <= high]
    chosen = np.asarray(admitted, dtype=object)[rng.integers(0, len(admitted), count)]
    return chosen.astype(stored(recipe.scalar))
