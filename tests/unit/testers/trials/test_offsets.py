"""Offsets keep to their interval and never decrease; rows of all lengths come up."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from transpile.testers.trials.offsets import offsets


@given(st.integers(-9, 9), st.integers(0, 500), st.integers(0, 60), st.integers(0, 2**32))
def test_they_ascend_within_their_interval(low: int, width: int, count: int, seed: int) -> None:
    found = offsets(np.random.default_rng(seed), low, low + width, count)
    assert len(found) == count
    assert (np.diff(found) >= 0).all()
    assert ((found >= low) & (found <= low + width)).all()


def test_some_reach_both_ends_and_some_do_not() -> None:
    made = [offsets(np.random.default_rng(seed), 0, 300, 101) for seed in range(40)]
    whole = [found[0] == 0 and found[-1] == 300 for found in made]
    assert 10 < sum(whole) < 40


def test_single_rows_are_often_longer_than_a_warp_and_at_times_nearly_all() -> None:
    longest = [np.diff(offsets(np.random.default_rng(seed), 0, 300, 101)).max() for seed in range(40)]
    assert sum(length > 32 for length in longest) >= 10
    assert any(length > 256 for length in longest)
