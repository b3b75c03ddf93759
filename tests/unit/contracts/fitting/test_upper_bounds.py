"""Extents that are the greatest of several expressions, fitted by what each access reached."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from transpile.contracts.fitting.upper_bounds import greatest
from transpile.expressions import evaluate

Row = Mapping[str, int]
ROWS: list[dict[str, int]] = [
    {name: random.Random(turn * 31 + place).randint(1, 12) for place, name in enumerate("nmk")}
    for turn in range(60)
]
LARGE = {"n": 40, "m": 3, "k": 50}


def reached(*accesses: str, when: Callable[[Row], bool] = lambda _: True) -> list[dict[int, int]]:
    """Return how far accesses go in all rows; the last one in some alone."""
    last = len(accesses) - 1
    return [
        {site: evaluate(text, row) for site, text in enumerate(accesses) if site != last or when(row)}
        for row in ROWS
    ]


@pytest.mark.parametrize(
    "accesses",
    [
        ("n", "m", "k"),
        ("n", "5 * m + 2"),
        ("65 * n + 5 * m + k", "845 * m - 900", "5 * k"),
        ("n * m", "k + 30"),
    ],
)
def test_every_access_has_its_expression(accesses: tuple[str, ...]) -> None:
    found = greatest(ROWS, reached(*accesses), ("n", "m", "k"))
    assert found is not None and found.exact and found.fit.held_out > 10
    for row in (*ROWS, LARGE):
        assert evaluate(found.fit.text, row) == max(0, *(evaluate(text, row) for text in accesses)), row


def test_what_nowhere_goes_furthest_may_do_so_in_larger_calls() -> None:
    found = greatest(ROWS, reached("n + 60", "5 * k"), ("n", "m", "k"))
    assert found is not None and found.exact
    assert evaluate(found.fit.text, LARGE) == 250


def test_what_another_access_always_goes_beyond_is_left_out() -> None:
    found = greatest(ROWS, reached("n + m", "n + m - 1", "n", "k"), ("n", "m", "k"))
    assert found is not None and found.fit.text.count(",") == 1


def test_an_access_that_some_rows_do_not_come_to_makes_a_bound() -> None:
    found = greatest(ROWS, reached("n", "20 * m", when=lambda row: row["k"] > 3), ("n", "m", "k"))
    assert found is not None and not found.exact
    assert evaluate(found.fit.text, LARGE) == 60


def test_an_access_that_follows_data_has_no_bound() -> None:
    reaches = reached("n", "m")
    for turn, reach in enumerate(reaches):
        reach[2] = turn * 7919 % 101 + 20
    assert greatest(ROWS, reaches, ("n", "m", "k")) is None


def test_accesses_that_no_expression_explains_count_by_what_others_cover() -> None:
    reaches = reached("n + 200", "m")
    for turn, reach in enumerate(reaches):
        reach[2] = turn * 7919 % 101 + 20
    found = greatest(ROWS, reaches, ("n", "m", "k"))
    assert found is not None and evaluate(found.fit.text, LARGE) == 240
