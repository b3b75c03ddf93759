"""Whole numbers that pass checks, fail one, or lead to a part of a routine."""

from __future__ import annotations

import numpy as np

from transpile.expressions import evaluate
from transpile.testers.fortran.meeting import aiming, meeting

CHECKS = ("n >= 0", "k >= 0", "k <= n", "lda >= max(1, n)", "lwork >= 3 * n")
DRAWN = {"n": 9, "k": 12, "lda": 4, "lwork": 5}


def failed(values: dict[str, int]) -> int:
    return sum(not evaluate(text, values) for text in CHECKS)


def test_most_numbers_pass_all_checks_and_some_fail_each() -> None:
    random = np.random.default_rng(1)
    found = [meeting(CHECKS, DRAWN, ["lda"], random) for _ in range(400)]
    assert 0.5 < sum(not failed(item) for item in found) / len(found) < 0.8
    for text in CHECKS:
        assert any(not evaluate(text, item) for item in found)
    assert max(item["lda"] for item in found) < 20
    assert {item["lwork"] for item in found} >= {27, 28} and max(item["lwork"] for item in found) > 250


def test_what_is_only_to_be_positive_stays_small() -> None:
    negative = {**DRAWN, "n": -3, "k": -2}
    found = [meeting(CHECKS, negative, ["lda"], np.random.default_rng(seed)) for seed in range(200)]
    assert max(item["n"] for item in found) < 10
    assert max(item["lwork"] for item in found) > 250


def test_what_meets_checks_already_stays() -> None:
    good = {"n": 4, "k": 2, "lda": 7, "lwork": 12}
    found = [meeting(CHECKS, good, ["lda"], np.random.default_rng(seed)) for seed in range(40)]
    assert good in found and all(failed(item) <= 2 for item in found)


def test_aims_are_met_with_the_checks_where_both_can_be() -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        found = aiming(["n >= 30"], CHECKS, DRAWN, ["lda"], random)
        assert found["n"] >= 30 and not failed(found)
        assert aiming(["n < 0"], CHECKS, DRAWN, ["lda"], random)["n"] < 0


def test_numbers_too_large_and_names_that_are_not_drawn_change_nothing() -> None:
    random = np.random.default_rng(3)
    assert aiming(["n >= 5000", "m >= 3", "m > n / 0"], (), DRAWN, (), random, most=200) == DRAWN
