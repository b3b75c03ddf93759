"""The rule of FINDINGS on sums: good variants are kept, lost elements and lower precision are not."""

import numpy as np
import pytest

from tests.unit.testers.making import DOUBLE, FLOAT, INT
from transpile.core import NumberRules, Tolerance
from transpile.testers.compare.compare import USUAL, Difference
from transpile.testers.compare.tolerance import (
    PERTURBATIONS,
    Pair,
    at_least,
    drawn_near,
    errors_of,
    first_beyond,
    first_excess,
    perturbed,
    pooled,
    scales,
)
from transpile.testers.trials.materialise import Slot

KEY = ("y", "")


def sequential(values: np.ndarray) -> np.ndarray:
    return np.cumsum(values, dtype=values.dtype)[-1:]


def result(value: np.ndarray) -> list[np.ndarray]:
    return [np.ascontiguousarray(value).view(np.uint8)]


def y(element=FLOAT, count=1) -> Slot:
    return Slot(name="y", element=element, data=np.zeros(count * element.size, dtype=np.uint8))


def pair(slot: Slot, source, candidate, written=None, rules=USUAL) -> Pair:
    masks = [np.ones(len(source[0]), dtype=np.bool_)] if written is None else written
    return Pair(slots=[slot], source=source, candidate=candidate, written=masks, rules=rules)


def excess(slot: Slot, source, candidate, measured, errors, written=None, rules=USUAL) -> Difference | None:
    return first_excess(pair(slot, source, candidate, written, rules), measured, errors)


class Sum:
    """A source that adds up its input in order, measured on some trials."""

    def __init__(self, count: int, element=FLOAT, kind=np.float32, seed: int = 0) -> None:
        self.slot, self.kind = y(element), kind
        self.inputs, self.measured = [], []
        for trial in range(12):
            rng = np.random.default_rng([seed, trial])
            data = (rng.standard_normal(count) * np.exp2(rng.integers(-3, 4, count))).astype(kind)
            held = Slot(name="x", element=element, data=data.view(np.uint8))
            moved = [perturbed(held.data, held, rng).view(kind) for _ in range(PERTURBATIONS)]
            wide = {KEY: np.sum(data.astype(np.longdouble), keepdims=True)}
            others = [result(sequential(item)) for item in moved]
            self.inputs.append(data)
            self.measured.append(scales([self.slot], result(sequential(data)), others, wide))
        self.errors = pooled(self.measured)

    def judge(self, variant) -> list[Difference | None]:
        return [
            excess(
                self.slot,
                result(sequential(data)),
                result(np.asarray(variant(data), dtype=self.kind).reshape(1)),
                measured,
                self.errors,
            )
            for data, measured in zip(self.inputs, self.measured, strict=True)
            if measured.steady
        ]


GOOD = {
    "pairwise": lambda x: np.sum(x, dtype=x.dtype),
    "backwards": lambda x: sequential(x[::-1])[0],
    "by blocks": lambda x: sequential(np.add.reduceat(x, np.arange(0, len(x), 32)))[0],
    "in double": lambda x: np.sum(x.astype(np.float64)),
}
BAD = {
    "tail dropped": lambda x: np.sum(x[:-1], dtype=x.dtype),
    "first twice": lambda x: np.sum(x, dtype=x.dtype) + x[0],
    "half precision": lambda x: np.sum(x.astype(np.float16).astype(x.dtype), dtype=x.dtype),
    "constant": lambda x: x.dtype.type(3),
}


@pytest.mark.parametrize("count", [2, 33, 257, 1000])
@pytest.mark.parametrize("name", GOOD)
def test_other_orders_are_kept(name, count) -> None:
    for seed in range(20):
        found = Sum(count, seed=seed).judge(GOOD[name])
        assert found and not any(found), (seed, found)


@pytest.mark.parametrize("count", [33, 257, 1000])
@pytest.mark.parametrize("name", BAD)
def test_wrong_sums_are_found(name, count) -> None:
    caught = [any(Sum(count, seed=seed).judge(BAD[name])) for seed in range(8)]
    assert all(caught)


def test_float_in_place_of_double_is_found() -> None:
    total = Sum(257, DOUBLE, np.float64)
    assert all(total.judge(lambda x: np.sum(x.astype(np.float32), dtype=np.float32)))
    assert not any(total.judge(GOOD["pairwise"]))


def test_perturbation_moves_every_number_by_one_unit_and_leaves_zeros() -> None:
    data = np.asarray([1.0, 0.0, -3.5], dtype=np.float32)
    moved = perturbed(data.view(np.uint8), y(count=3), np.random.default_rng(0)).view(np.float32)
    assert moved[1] == 0 and (moved[[0, 2]] != data[[0, 2]]).all()
    assert np.abs(moved - data).max() <= np.spacing(np.float32(3.5))


@pytest.mark.filterwarnings("error")
def test_perturbation_makes_nothing_infinite() -> None:
    most = np.finfo(np.float32).max
    data = np.asarray([most, -most, most], dtype=np.float32)
    for seed in range(8):
        moved = perturbed(data.view(np.uint8), y(count=3), np.random.default_rng(seed)).view(np.float32)
        assert np.isfinite(moved).all()


@pytest.mark.parametrize(
    ("one", "other"),
    [(1.0, 2.0), (1.0, np.nan), (np.nan, 1.0), (np.inf, 1.0), (np.nan, np.inf), (np.inf, -np.inf)],
)
def test_an_output_that_jumps_decides_nothing(one: float, other: float) -> None:
    source, jumped = (result(np.asarray([value], np.float32)) for value in (one, other))
    assert not scales([y()], source, [jumped], None).steady
    assert scales([y()], source, [source], None).steady


@pytest.mark.parametrize(("value", "decides"), [(1.0, True), (3.402823e38, False), (3.3e38, True)])
def test_a_result_that_another_order_may_make_infinite_decides_nothing(value: float, decides: bool) -> None:
    source = result(np.asarray([value, -1.0], np.float32))
    moved = result(np.nextafter(np.asarray([value, -1.0], np.float32), np.float32(0)))
    assert scales([y()], source, [moved], None).steady == decides


@pytest.mark.parametrize(
    ("value", "wide", "decides"),
    [
        (np.inf, 1e39, True),
        (np.inf, 1.0, False),
        (np.nan, 1e39, False),
        (np.nan, 1.0, False),
        (np.nan, np.nan, True),
    ],
)
def test_what_only_the_order_of_a_sum_makes_infinite_or_no_number_decides_nothing(
    value: float, wide: float, decides: bool
) -> None:
    """Partial sums beyond the type on both sides are NaN in one order, and infinite in another."""
    source = result(np.asarray([value], np.float32))
    measured = scales([y()], source, [source], {KEY: np.asarray([wide], np.longdouble)})
    assert measured.steady == decides


def test_whole_numbers_that_change_decide_nothing() -> None:
    source, changed = result(np.asarray([4], np.int32)), result(np.asarray([5], np.int32))
    assert not scales([y(INT)], source, [changed], None).steady
    assert scales([y(INT)], source, [source], None).steady


def test_a_wide_reference_of_something_else_is_not_believed() -> None:
    source = result(np.asarray([1.0], np.float32))
    measured = scales([y()], source, [source], {KEY: np.asarray([2.0], np.longdouble)})
    assert pooled([measured]) == {KEY: 0.0}
    near, far = (result(np.asarray([value], np.float32)) for value in (1.0000005, 1.5))
    assert excess(y(), source, near, measured, {KEY: 0.0}) is None
    assert excess(y(), source, far, measured, {KEY: 0.0}) is not None


def test_a_finite_number_never_stands_for_infinity() -> None:
    source = result(np.asarray([np.inf], np.float32))
    measured = scales([y()], source, [source], None)
    other = result(np.asarray([3e38], np.float32))
    assert excess(y(), source, other, measured, pooled([measured])) is not None


def test_what_the_source_left_alone_has_no_tolerance() -> None:
    left = np.asarray([1.0, 2.0], np.float32)
    slot = Slot(name="y", element=FLOAT, data=left.view(np.uint8))
    after, touched = result(np.asarray([1.0, 9.0], np.float32)), np.asarray([1.0, 9.0], np.float32)
    touched[0] = np.nextafter(touched[0], np.float32(2))
    measured = scales([slot], after, [after], None)
    found = excess(slot, after, result(touched), measured, pooled([measured]), [np.arange(8) >= 4])
    assert found is not None and found.check == "untouched"


def test_a_trial_without_a_wide_result_does_not_spoil_the_others() -> None:
    source = result(np.asarray([1.0], np.float32))
    infinite = scales([y()], source, [source], {KEY: np.asarray([np.inf])})
    wide = scales([y()], source, [source], {KEY: np.asarray([1.0000001])})
    assert pooled([infinite, wide]) == pooled([wide]) != {KEY: 0.0}
    assert pooled([infinite]) == {KEY: 0.0}


def test_below_the_smallest_normal_number_a_rounding_is_not_smaller() -> None:
    tiny = np.asarray([3 * 2.0**-149], np.float32)
    measured = scales([y()], result(tiny), [result(tiny)], {KEY: tiny.astype(np.float64) + 2.0**-150})
    assert measured.of[KEY].error == pytest.approx(1)


def test_the_users_tolerance_takes_the_place_of_ours() -> None:
    source, off = result(np.asarray([100.0], np.float32)), result(np.asarray([100.05], np.float32))
    assert first_beyond(pair(y(), source, off), Tolerance(relative=1e-3)) is None
    assert first_beyond(pair(y(), source, off), Tolerance(absolute=0.1)) is None
    found = first_beyond(pair(y(), source, off), Tolerance(relative=1e-4))
    assert found is not None and found.check == "tolerance"


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_no_tolerance_makes_a_number_of_what_is_none(value: float) -> None:
    source, other = (result(np.asarray([item], np.float32)) for item in (value, 3e38))
    assert first_beyond(pair(y(), source, other), Tolerance(absolute=1e38)) is not None
    assert first_beyond(pair(y(), other, source), Tolerance(absolute=1e38)) is not None


def test_distinct_zeros_are_not_within_a_tolerance() -> None:
    positive, negative = (result(np.asarray([item], np.float32)) for item in (0.0, -0.0))
    distinct = NumberRules(signed_zero="distinct")
    assert first_beyond(pair(y(), positive, negative), Tolerance(absolute=1)) is None
    assert first_beyond(pair(y(), positive, negative, rules=distinct), Tolerance(absolute=1)) is not None


def test_what_is_infinite_is_not_moved_to_the_largest_number() -> None:
    data = np.array([np.inf, -np.inf, np.nan], dtype=np.float32)
    moved = perturbed(data.view(np.uint8), y(count=3), np.random.default_rng(0)).view(np.float32)
    assert np.array_equal(moved, data, equal_nan=True)


def equal_terms(seed: int) -> np.ndarray:
    return np.repeat(np.random.default_rng(seed).uniform(-1, 1), 1025)


def halves(values: np.ndarray) -> np.ndarray:
    return sequential(np.concatenate([sequential(values[:513]), sequential(values[513:])]))


def test_a_lucky_source_is_measured_on_numbers_near() -> None:
    seed = next(seed for seed in range(1000) if lucky(equal_terms(seed)))
    data = equal_terms(seed)
    slot, measured = measured_sum(data)
    errors = pooled([measured])
    assert excess(slot, result(sequential(data)), result(halves(data)), measured, errors) is not None

    held = Slot(name="x", element=DOUBLE, data=data.view(np.uint8))
    near: dict[tuple[str, str], float] = {}
    for round_ in range(PERTURBATIONS):
        drawn = drawn_near(held.data, held, np.random.default_rng(round_)).view(np.float64)
        assert len(set(drawn)) == 1 and 0 < abs(drawn[0] / data[0] - 1) < 2.0**-25
        found = errors_of(measured, [slot], result(sequential(drawn)), {KEY: exact(drawn)})
        near = {KEY: max(near.get(KEY, 0.0), found.get(KEY, 0.0))}
    errors = at_least(errors, near)
    assert excess(slot, result(sequential(data)), result(halves(data)), measured, errors) is None
    assert excess(slot, result(sequential(data)), result(halves(data[1:])), measured, errors) is not None


def exact(values: np.ndarray) -> np.ndarray:
    return np.sum(values.astype(np.longdouble), keepdims=True)


def lucky(data: np.ndarray) -> bool:
    """Tell whether the sum in order is right, and the sum of two halves is not."""
    off = [
        abs(total(data) - exact(data))[0] / np.spacing(abs(exact(data)[0]), dtype=np.float64)
        for total in (sequential, halves)
    ]
    return bool(off[0] < 1 and off[1] > 20)


def measured_sum(data: np.ndarray):
    slot = y(DOUBLE)
    held = Slot(name="x", element=DOUBLE, data=data.view(np.uint8))
    moved = [
        perturbed(held.data, held, np.random.default_rng(at)).view(np.float64) for at in range(PERTURBATIONS)
    ]
    return slot, scales(
        [slot], result(sequential(data)), [result(sequential(item)) for item in moved], {KEY: exact(data)}
    )


def test_numbers_near_keep_zeros_infinities_and_what_is_no_number() -> None:
    special = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 3.0], dtype=np.float32)
    held = Slot(name="x", element=FLOAT, data=special.view(np.uint8))
    drawn = drawn_near(held.data, held, np.random.default_rng(1)).view(np.float32)
    assert drawn[:5].tobytes() == special[:5].tobytes()
    assert drawn[5] != 3 and abs(drawn[5] / 3 - 1) < 2.0**-11
