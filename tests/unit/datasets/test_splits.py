"""Splits: groups stay together, whatever else there is."""

from __future__ import annotations

from collections import Counter

from transpile.datasets.splits import Shares, splits_of

TEXTS = [f"text {number}" for number in range(2000)]
ALONE = list(range(2000))


def test_shares_are_kept_to() -> None:
    found = Counter(splits_of(TEXTS, ALONE, Shares(validation=0.1, test=0.2)))
    assert 300 < found["test"] < 500 and 130 < found["validation"] < 270


def test_a_group_is_in_one_split() -> None:
    groups = [number // 10 for number in ALONE]
    found = splits_of(TEXTS, groups, Shares(validation=0.3, test=0.3))
    for first in range(0, 2000, 10):
        assert len(set(found[first : first + 10])) == 1


def test_more_rows_move_none() -> None:
    few = splits_of(TEXTS[:100], ALONE[:100], Shares())
    assert splits_of(TEXTS, ALONE, Shares())[:100] == few
    assert splits_of(TEXTS, ALONE, Shares(seed=1)) != splits_of(TEXTS, ALONE, Shares())
