"""Portions of so many bytes: nothing is lost, and none is larger than asked for unless it is one item."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as some

from transpile.sizes import portions


@given(some.lists(some.integers(0, 20)), some.integers(0, 30))
def test_portions_hold_all_in_order_and_no_more_than_asked_for(items: list[int], most: int) -> None:
    found = list(portions(items, int, most))
    assert [item for portion in found for item in portion] == items
    assert all(portion and (sum(portion) <= most or len(portion) == 1) for portion in found)
    assert all(sum(one) + other[0] > most for one, other in pairwise(found))
