"""Certainty that one translation is faster than another."""

from __future__ import annotations

import random

import pytest

from transpile.testers.speed.speedup import (
    BRIEF,
    THOROUGH,
    Block,
    Effort,
    Pair,
    fastest,
    interval,
    ratio_of,
    settled,
)

BLOCKS = THOROUGH.blocks


def blocks(ratio: float, noise: random.Random, count: int = BLOCKS) -> list[Block]:
    """Return blocks of two calls, each slowed down at random on both sides, sometimes by far."""

    def slowed(seconds: float) -> float:
        return seconds * (1 + noise.expovariate(8)) * (20 if noise.random() < 0.05 else 1)

    return [[Pair((slowed(ratio), slowed(3 * ratio)), (slowed(1.0), slowed(3.0)))] for _ in range(count)]


def test_the_interval_holds_the_ratio_however_noisy() -> None:
    noise = random.Random(1)
    found = [interval(blocks(1.5, noise)) for _ in range(400)]
    assert sum(low <= 1.5 <= high for low, high in found) >= 398
    assert sum(low > 1 for low, _ in found) > 300


@pytest.mark.parametrize(("effort", "most"), [(THOROUGH, 4), (BRIEF, 20)])
def test_what_is_not_faster_does_not_look_so(effort: Effort, most: int) -> None:
    noise = random.Random(2)
    found = [interval(blocks(1.0, noise, effort.blocks), effort) for _ in range(2000)]
    assert sum(low > 1 for low, _ in found) <= most


def test_the_shortest_times_count_over_all_blocks() -> None:
    shortest = fastest(blocks(2.0, random.Random(3), 200))
    assert ratio_of(shortest) == pytest.approx(2.0, rel=0.02)


def test_the_form_that_gains_least_counts() -> None:
    assert ratio_of([Pair((4.0,), (1.0,)), Pair((1.0,), (2.0,))]) == 0.5


def test_long_calls_count_as_much_as_short_ones() -> None:
    assert Pair((1.0, 400.0), (2.0, 100.0)).ratio == pytest.approx(2**0.5)


def test_measuring_ends_as_soon_as_more_is_of_no_use() -> None:
    faster, slower = [Pair((2.0,), (1.0,))], [Pair((1.0,), (2.0,))]
    assert not settled([])
    assert not settled([slower])
    assert not settled([slower, faster, slower, slower])
    assert settled([slower, faster, slower, slower, slower])
    assert not settled([faster] * (BLOCKS - 1))
    assert settled([faster] * BLOCKS)
    assert settled([faster] * BRIEF.blocks, BRIEF) and settled([slower] * 2, BRIEF)
    # Of what ends early, nothing is called faster.
    assert interval([slower, faster, slower])[0] < 1
    assert interval([*[slower] * 3, *[faster] * (BLOCKS - 3)])[0] > 1
    assert interval([*[slower] * 4, *[faster] * (BLOCKS - 4)])[0] < 1
