"""Laws that the comparison of numbers keeps to, whatever the numbers."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.testers.making import FLOAT
from transpile.core import NumberRules, Tolerance
from transpile.testers.compare.compare import USUAL, first_difference
from transpile.testers.compare.tolerance import (
    PERTURBATIONS,
    Pair,
    first_beyond,
    first_excess,
    perturbed,
    pooled,
    scales,
)
from transpile.testers.trials.layout import Bytes
from transpile.testers.trials.materialise import Slot

NUMBERS = st.floats(width=32)
FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-(2.0**100), max_value=2.0**100)
KEY = ("y", "")


def held(*values: float) -> Bytes:
    return np.asarray(values, dtype=np.float32).view(np.uint8)


def slot(count: int = 1) -> Slot:
    return Slot(name="y", element=FLOAT, data=np.zeros(4 * count, dtype=np.uint8))


def pair(source: float, candidate: float, rules: NumberRules = USUAL) -> Pair:
    return Pair(
        slots=[slot()],
        source=[held(source)],
        candidate=[held(candidate)],
        written=[np.ones(4, dtype=np.bool_)],
        rules=rules,
    )


@given(st.lists(FINITE, min_size=1, max_size=20), st.integers(0, 2**32))
def test_a_perturbation_is_one_unit_or_none_and_leaves_zeros(values: list[float], seed: int) -> None:
    data = held(*values)
    moved = perturbed(data, slot(len(values)), np.random.default_rng(seed)).view(np.float32)
    before = data.view(np.float32)
    up, down = (np.nextafter(before, np.float32(aim)) for aim in (np.inf, -np.inf))
    assert ((moved == up) | (moved == down) | (moved == before)).all()
    assert (moved[before == 0] == 0).all()


def test_perturbations_show_what_two_numbers_that_cancel_may_be_off_by() -> None:
    data = held(5.0, -5.0)
    for seed in range(500):
        rounds = [np.random.default_rng([seed, number]) for number in range(PERTURBATIONS)]
        assert any(perturbed(data, slot(2), rng).view(np.float32).sum() != 0 for rng in rounds)


@given(st.lists(st.integers(-(2**12), 2**12), min_size=1, max_size=200), st.randoms())
def test_no_order_of_an_exact_sum_is_refused(values: list[int], random) -> None:
    other = list(values)
    random.shuffle(other)
    sums = [np.cumsum(np.asarray(item, dtype=np.float32))[-1] for item in (values, other)]
    assert first_difference([slot()], [held(sums[0])], [held(sums[1])], None) is None


@given(NUMBERS, NUMBERS)
def test_exactly_equal_numbers_and_pairs_of_nan_agree(one: float, other: float) -> None:
    agree = first_difference([slot()], [held(one)], [held(other)], None) is None
    assert agree == (one == other or (math.isnan(one) and math.isnan(other)))


@given(NUMBERS, NUMBERS)
def test_stricter_rules_refuse_more(one: float, other: float) -> None:
    strict = NumberRules(nan="bits", signed_zero="distinct")
    if first_difference([slot()], [held(one)], [held(other)], None, strict) is None:
        assert first_difference([slot()], [held(one)], [held(other)], None) is None
    assert first_difference([slot()], [held(one)], [held(one)], None, strict) is None


@given(NUMBERS, NUMBERS)
def test_no_tolerance_reaches_across_classes(one: float, other: float) -> None:
    if math.isfinite(one) and math.isfinite(other):
        return
    near = first_beyond(pair(one, other), Tolerance(relative=0.5, absolute=1e30)) is None
    assert near == (one == other or (math.isnan(one) and math.isnan(other)))


@given(FINITE, FINITE, FINITE, st.floats(-4, 4))
def test_what_is_nearer_to_the_reference_is_not_refused_before_what_is_farther(
    source: float, one: float, other: float, off: float
) -> None:
    reference = np.asarray([source * (1 + off * 2.0**-24)], dtype=np.float64)
    measured = scales([slot()], [held(source)], [[held(source)]], {KEY: reference})
    errors = pooled([measured])
    centre = reference[0] if errors[KEY] else float(np.float32(source))
    near, far = sorted((one, other), key=lambda value: abs(value - centre))
    if first_excess(pair(source, far), measured, errors) is None:
        assert first_excess(pair(source, near), measured, errors) is None


@given(FINITE.filter(lambda value: abs(value) > 1e-30), st.integers(-2, 2))
def test_few_roundings_pass_and_many_do_not(source: float, few: int) -> None:
    measured = scales([slot()], [held(source)], [[held(source)]], {KEY: np.asarray([source])})
    errors = pooled([measured])

    def passes(steps: int) -> bool:
        value = np.float32(source)
        for _ in range(abs(steps)):
            value = np.nextafter(value, np.float32(math.copysign(math.inf, steps)))
        return first_excess(pair(source, float(value)), measured, errors) is None

    assert passes(few)
    assert not passes(12)
