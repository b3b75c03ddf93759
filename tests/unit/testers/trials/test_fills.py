from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from transpile.core import Fill, Scalar
from transpile.testers.trials.fills import values
from transpile.testers.trials.generate import FILLS
from transpile.testers.trials.layout import stored
from transpile.testers.trials.recipe import Recipe

ENDS = {"first": 0, "last": -1}
End = Literal["first", "last"]


@example(fill="first", count=2, mark=2, seed=2_687_516_941)
@given(st.sampled_from(["first", "last"]), st.integers(2, 60), st.integers(-9, 9), st.integers(0, 2**32))
def test_one_end_alone_holds_what_the_call_passes(fill: End, count: int, mark: int, seed: int) -> None:
    recipe = Recipe(scalar=Scalar.INT32, fill=fill, marks=(float(mark),))
    found = values(np.random.default_rng(seed), recipe, count)
    assert found[ENDS[fill]] == mark
    assert list(found).count(mark) == 1


@given(st.sampled_from(["first", "last"]), st.integers(1, 60), st.integers(0, 9), st.integers(0, 2**32))
def test_indices_keep_to_their_range_all_the_same(fill: End, count: int, high: int, seed: int) -> None:
    recipe = Recipe(scalar=Scalar.INT32, fill=fill, low=0, high=high, marks=(3.0, 70.0))
    found = values(np.random.default_rng(seed), recipe, count)
    assert len(found) == count
    assert ((found >= 0) & (found <= high)).all()


@pytest.mark.parametrize(
    "scalar", [Scalar.FLOAT16, Scalar.BFLOAT16, Scalar.FLOAT32, Scalar.UINT8, Scalar.BOOL]
)
@pytest.mark.parametrize("marks", [(), (0.5,), (300.0,), (float("nan"),)])
def test_every_type_has_its_ends(scalar: Scalar, marks: tuple[float, ...]) -> None:
    recipe = Recipe(scalar=scalar, fill="last", marks=marks)
    assert len(values(np.random.default_rng(1), recipe, 9)) == 9
    assert len(values(np.random.default_rng(1), recipe, 0)) == 0


@given(st.sampled_from(FILLS), st.sampled_from([Scalar.INT32, Scalar.UINT8, Scalar.FLOAT32, Scalar.FLOAT64]))
def test_what_has_to_ascend_does_so_without_an_interval_too(fill: Fill, scalar: Scalar) -> None:
    for seed in range(5):
        recipe = Recipe(scalar=scalar, fill=fill, ascending=True, literals=(3.0, 0.5), marks=(4.0,))
        found = values(np.random.default_rng(seed), recipe, 40)
        assert (found[:-1] <= found[1:]).all()


@given(st.sampled_from(FILLS))
def test_what_has_to_differ_does_so_without_an_interval_too(fill: Fill) -> None:
    recipe = Recipe(scalar=Scalar.INT32, fill=fill, distinct=True, marks=(4.0,))
    assert len(set(values(np.random.default_rng(1), recipe, 200))) == 200


def test_distinct_and_ascending_elements_stay_so() -> None:
    rng = np.random.default_rng(1)
    distinct = Recipe(scalar=Scalar.INT32, fill="first", low=0, high=99, distinct=True, marks=(5.0,))
    assert len(set(values(rng, distinct, 50))) == 50
    ascending = Recipe(scalar=Scalar.INT32, fill="first", low=0, high=99, ascending=True, marks=(5.0,))
    assert (np.diff(values(rng, ascending, 50)) >= 0).all()


def test_special_integers_use_all_their_bits() -> None:
    for scalar in (Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.UINT64):
        found = values(np.random.default_rng(1), Recipe(scalar=scalar, fill="special"), 40)
        upper = (found.view(f"u{found.itemsize}") >> (8 * found.itemsize - 8)).astype(np.uint8)
        assert np.bitwise_or.reduce(upper) == 0xFF and np.bitwise_and.reduce(upper) == 0


@given(st.integers(2, 60), st.integers(0, 2**32))
def test_special_numbers_are_few_and_only_floating(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = values(rng, Recipe(scalar=Scalar.FLOAT32, fill="special"), count)
    assert 1 <= np.count_nonzero(~np.isfinite(found)) <= 3
    whole = values(rng, Recipe(scalar=Scalar.INT32, fill="special", low=2, high=5), count)
    assert ((whole >= 2) & (whole <= 5)).all()
    bounded = values(rng, Recipe(scalar=Scalar.FLOAT32, fill="special", low=2, high=5), count)
    assert ((bounded >= 2) & (bounded <= 5)).all()


def test_numbers_that_are_none_come_in_turn() -> None:
    first, second, third, last = (
        values(np.random.default_rng(5), Recipe(scalar=Scalar.FLOAT64, fill="special", turn=turn), 9)
        for turn in range(4)
    )
    assert np.isnan(first).any() and not np.isinf(first).any()
    assert np.isinf(second).any() and not np.isnan(second).any()
    assert not np.isfinite(third).all()
    assert np.isnan(last[0])


@pytest.mark.parametrize("count", [1, 5, 16, 257, 4096])
def test_extreme_singles_add_up_alike_in_whatever_order(count: int) -> None:
    recipe = Recipe(scalar=Scalar.FLOAT32, fill="edge")
    for seed in range(60):
        drawn = values(np.random.default_rng(seed), recipe, count).astype(np.float32)
        forward, backward = np.add.accumulate(drawn), np.add.accumulate(drawn[::-1])
        assert forward[-1] == backward[-1] == drawn.astype(np.float64).sum()


@pytest.mark.parametrize("scalar", [Scalar.UINT8, Scalar.UINT64, Scalar.INT8, Scalar.FLOAT32])
@pytest.mark.parametrize("mark", [0.0, 127.0, 255.0])
def test_marks_at_the_ends_of_a_type_have_others_beside_them(scalar: Scalar, mark: float) -> None:
    for seed in range(40):
        recipe = Recipe(scalar=scalar, fill="first", marks=(mark,))
        assert len(values(np.random.default_rng(seed), recipe, 2)) == 2


def test_reals_stand_on_both_sides_of_thresholds_and_of_their_negatives() -> None:
    recipe = Recipe(scalar=Scalar.FLOAT64, fill="real", marks=(0.3, 500.0))
    rng = np.random.default_rng(1)
    drawn = np.concatenate([values(rng, recipe, 64) for _ in range(40)])
    for sign in (-1, 1):
        beside = sign * drawn / 0.3
        assert np.sum((beside > 1.01) & (beside < 1.13)) > 20
        assert np.sum((beside > 0.87) & (beside < 0.99)) > 20
    assert np.max(np.abs(drawn)) <= 512


def test_edges_stand_between_whole_numbers_too() -> None:
    rng = np.random.default_rng(1)
    floats = Recipe(scalar=Scalar.FLOAT32, fill="edge", literals=(0.0, 4.0))
    drawn = np.concatenate([values(rng, floats, 16) for _ in range(60)])
    assert {-0.5, 0.5, 3.5, 4.5} <= set(drawn.tolist())
    whole = replace(floats, scalar=Scalar.INT32)
    assert {-1, 1, 3, 5} <= set(np.concatenate([values(rng, whole, 16) for _ in range(60)]).tolist())


@given(st.integers(0, 2**32 - 1), st.integers(3, 60))
def test_what_stands_between_two_that_cancel_is_odd(seed: int, count: int) -> None:
    drawn = values(np.random.default_rng(seed), Recipe(scalar=Scalar.FLOAT16, fill="cancel"), count)
    drawn = np.frombuffer(drawn.tobytes(), dtype=np.float16).astype(np.float64)
    for place in np.flatnonzero(drawn[:-2] > 1000):
        assert drawn[place + 2] == -drawn[place] and drawn[place + 1] % 2 == 1


@pytest.mark.parametrize("scalar", [Scalar.INT32, Scalar.UINT8, Scalar.FLOAT64, Scalar.BOOL])
def test_few_numbers_are_those_of_the_text_and_beside(scalar: Scalar) -> None:
    rng = np.random.default_rng(5)
    recipe = Recipe(scalar=scalar, fill="few", literals=(7.0,))
    drawn = [set(values(rng, recipe, 64).tolist()) for _ in range(60)]
    assert all(1 <= len(one) <= 4 for one in drawn)
    assert set().union(*drawn) == ({0, 1} if scalar is Scalar.BOOL else {0, 1, 6, 7, 8})


def test_few_numbers_are_those_that_a_call_passes_and_the_text_together() -> None:
    rng = np.random.default_rng(5)
    recipe = Recipe(scalar=Scalar.INT32, fill="few", literals=(-1.0,), marks=(450.0,))
    drawn = [set(values(rng, recipe, 64).tolist()) for _ in range(60)]
    assert {-1, 450} in drawn


def test_few_numbers_keep_to_a_range() -> None:
    rng = np.random.default_rng(5)
    for seed in range(20):
        ranged = Recipe(scalar=Scalar.INT32, fill="few", low=3, high=5, literals=(4.0, 90.0))
        assert set(values(rng, ranged, 40 + seed).tolist()) <= {3, 4, 5}


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("scalar", [Scalar.FLOAT32, Scalar.INT32, Scalar.UINT8])
@given(st.integers(2, 60), st.integers(0, 2**32))
def test_comparisons_go_one_way_but_in_a_part(scalar: Scalar, turn: int, count: int, seed: int) -> None:
    recipe = Recipe(scalar=scalar, fill="part", literals=(0.5, 3.0), marks=(7.0,), turn=turn)
    found = values(np.random.default_rng(seed), recipe, count).astype(float)
    part, rest = np.split(found, [count // 2]) if turn < 2 else np.split(found, [-(count // 2)])[::-1]
    for number in (0.5, 3.0, 7.0):
        others = rest < number if turn % 2 == 0 else rest > number
        assert others.all()
        assert ((part > number) if turn % 2 == 0 else (part < number)).any()


@pytest.mark.parametrize("scalar", [Scalar.BOOL, Scalar.FLOAT16, Scalar.INT64])
def test_parts_of_little_arrays_and_of_ranges(scalar: Scalar) -> None:
    for count in range(4):
        recipe = Recipe(scalar=scalar, fill="part", low=0, high=1, literals=(9.0,))
        found = values(np.random.default_rng(count), recipe, count)
        assert len(found) == count and ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("scalar", [Scalar.FLOAT64, Scalar.FLOAT32, Scalar.INT32, Scalar.UINT8])
def test_levels_are_equal_and_reach_both_ends(scalar: Scalar) -> None:
    found = {
        turn: {
            float(one)
            for seed in range(20)
            for one in values(np.random.default_rng(seed), Recipe(scalar=scalar, fill="level", turn=turn), 7)
        }
        for turn in range(8)
    }
    ends = (
        (-np.inf, np.inf) if scalar.floating else (np.iinfo(stored(scalar)).min, np.iinfo(stored(scalar)).max)
    )
    assert found[0] == found[6] - {*filter(np.isnan, found[6])} == {0.0}
    assert any(map(np.isnan, found[6])) == scalar.floating
    assert set(ends) <= found[2] | found[3]
    for seed in range(20):
        recipe = Recipe(scalar=scalar, fill="level", turn=seed)
        assert (scalar.floating and seed == 6) or len(
            set(values(np.random.default_rng(seed), recipe, 9).tolist())
        ) == 1


def test_grids_have_numbers_at_which_rounding_turns() -> None:
    drawn = [
        set(values(np.random.default_rng(seed), Recipe(scalar=scalar, fill="grid", turn=seed), 9000).tolist())
        for seed in range(8)
        for scalar in (Scalar.FLOAT64, Scalar.INT64, Scalar.UINT64)
    ]
    together = set.union(*drawn)
    assert {0.5, 2.5, float(np.nextafter(1, 0)), 999_999_999_999, 2**64 - 1, 2**53 + 1} <= together
    limited = Recipe(scalar=Scalar.INT32, fill="grid", low=3, high=9)
    assert set(values(np.random.default_rng(1), limited, 99).tolist()) <= set(range(3, 10))


def test_large_numbers_of_the_text_are_among_whole_ones() -> None:
    recipe = Recipe(scalar=Scalar.INT64, fill="edge", literals=(998_244_353.0,))
    assert any(998_244_353 in values(np.random.default_rng(seed), recipe, 99) for seed in range(60))


@pytest.mark.parametrize("scalar", [Scalar.INT32, Scalar.UINT64, Scalar.INT8, Scalar.FLOAT32, Scalar.BOOL])
def test_ramps_lead_from_one_end_to_the_other(scalar: Scalar) -> None:
    rng = np.random.default_rng(1)
    ramps = [values(rng, Recipe(scalar=scalar, fill="ramp", turn=turn), 100) for turn in range(4)]
    assert ramps[3].tolist() == [1] + 99 * [0]
    if scalar is not Scalar.BOOL:
        assert ramps[0][1:].tolist() == [*range(99)] and ramps[1].tolist() == [*range(1, 101)]
        assert {*ramps[2].tolist()} == {2**64 - 1 if scalar is Scalar.UINT64 else -1}
    bounded = Recipe(scalar=scalar, fill="ramp", low=0, high=1, turn=1)
    assert {*values(rng, bounded, 100).tolist()} == {1}


def test_a_sole_number_is_special_in_one_turn_of_four() -> None:
    rng = np.random.default_rng(1)
    recipes = [Recipe(scalar=Scalar.FLOAT64, fill="special", turn=turn) for turn in range(4)]
    found = [all(np.isfinite(values(rng, recipe, 1)).all() for _ in range(20)) for recipe in recipes]
    assert found == [True, True, True, False]


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scalar", [Scalar.INT64, Scalar.UINT64, Scalar.INT32, Scalar.UINT8])
def test_marks_beyond_a_type_are_left_out(scalar: Scalar) -> None:
    for turn in range(16):
        recipe = Recipe(scalar=scalar, fill="marked", marks=(0.0, 2.0**63, 2.0**64, 2.0**31), turn=turn)
        assert len(values(np.random.default_rng(turn), recipe, 64)) == 64


def test_marked_data_hold_two_close_numbers_alone_in_some_turns() -> None:
    marks = (0.0, 1e-5, 0.999995, 1.000005, 4096.0)
    recipes = [Recipe(scalar=Scalar.FLOAT64, fill="marked", marks=marks, turn=turn) for turn in range(16)]
    found = [set(values(np.random.default_rng(1), recipe, 200).tolist()) for recipe in recipes]
    assert {0.999995, 1.000005} in found
    assert sum(len(item) > 4 for item in found) >= 10


@pytest.mark.parametrize("scalar", [Scalar.FLOAT32, Scalar.FLOAT64])
def test_tiny_numbers_leave_limits_that_are_there_for_rounding(scalar: Scalar) -> None:
    drawn = values(np.random.default_rng(1), Recipe(scalar=scalar, fill="tiny"), 400)
    x, y = drawn[:200], drawn[200:]
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        cosine = x / np.sqrt(x * x + y * y)
    finite = cosine[np.isfinite(cosine)]
    assert (finite > 1).sum() > 5 and (finite < -1).sum() > 5 and (np.abs(finite) < 1).sum() > 5
    assert (drawn == 0).any() and {*np.sign(drawn)} == {-1.0, 0.0, 1.0}


def test_tiny_whole_numbers_are_small() -> None:
    drawn = values(np.random.default_rng(1), Recipe(scalar=Scalar.INT32, fill="tiny"), 100)
    assert (np.abs(drawn) <= 9).all()


@pytest.mark.parametrize("passed", [(1.0,), (6.0, float("nan")), (0.75, float("inf"))])
@pytest.mark.parametrize("scalar", [Scalar.FLOAT32, Scalar.FLOAT64])
def test_products_and_sums_reach_marks_and_lie_between_two(scalar: Scalar, passed: tuple[float, ...]) -> None:
    def drawn(mark: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        recipe = Recipe(scalar=scalar, fill="linear", literals=(0.5, 255.0), marks=(0.0, mark), passed=passed)
        found = [values(np.random.default_rng(seed), recipe, 700) for seed in range(12)]
        return np.concatenate(found) * passed[0] + 0.5

    between, at = drawn(254.5), drawn(256.0)
    assert ((between > 254.5) & (between < 255)).any()
    assert (at == 256).any()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scalar", [Scalar.FLOAT16, Scalar.FLOAT64, Scalar.UINT64, Scalar.INT8, Scalar.BOOL])
def test_products_and_sums_keep_to_a_type_and_a_range(scalar: Scalar) -> None:
    marks = (0.0, 1e308, 1.7e308, 2.0**64)
    recipe = Recipe(scalar=scalar, fill="linear", literals=(0.5, 255.0), marks=marks, passed=(1e-3,))
    assert np.isfinite(values(np.random.default_rng(1), recipe, 700)).all()
    limited = values(np.random.default_rng(1), replace(recipe, low=0, high=1), 700)
    assert ((limited >= 0) & (limited <= 1)).all()
    assert len(values(np.random.default_rng(1), replace(recipe, marks=()), 0)) == 0


@pytest.mark.parametrize("scalar", [Scalar.INT8, Scalar.UINT8, Scalar.INT32])
def test_akin_arrays_differ_late_and_in_one_bit(scalar: Scalar) -> None:
    found = {"same": 0, "late": 0, "one bit": 0}
    for seed in range(160):
        recipe = Recipe(scalar=scalar, fill="akin", common=seed, turn=seed % 16)
        one, other = (values(np.random.default_rng([seed, index]), recipe, 40).tolist() for index in (1, 2))
        places = [place for place in range(40) if one[place] != other[place]]
        found["same"] += not places
        found["late"] += bool(places) and min(places) > 8
        found["one bit"] += len(places) == 1 and (one[places[0]] ^ other[places[0]]).bit_count() == 1
    assert min(found.values()) > 8, found


@pytest.mark.parametrize("scalar", [Scalar.BOOL, Scalar.UINT64, Scalar.FLOAT16, Scalar.FLOAT64])
def test_akin_numbers_keep_to_a_range(scalar: Scalar) -> None:
    for turn in range(16):
        recipe = Recipe(scalar=scalar, fill="akin", low=0, high=1, turn=turn)
        assert {*values(np.random.default_rng(turn), recipe, 40).tolist()} <= {0, 1}
        assert len(values(np.random.default_rng(turn), recipe, 0)) == 0
