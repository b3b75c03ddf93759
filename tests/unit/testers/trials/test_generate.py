from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.testers.making import MAP, contract, pointer, reads, size, value, writes
from transpile.core import (
    Contract,
    Covers,
    Invariant,
    Launch,
    Range,
    ScalarFact,
    ShapeDependent,
    Unbounded,
)
from transpile.testers.trials.generate import Plan, as_launched, generate
from transpile.testers.trials.launches import THREADS, admissible
from transpile.testers.trials.materialise import TURNS, environment, extent_of

PLAN = Plan(seed=1, count=40)


def sizes(trials, name="n"):
    return {dict(trial.scalars)[name] for trial in trials}


def threads(launch: Launch) -> int:
    product = 1
    for number in (*launch.grid, *launch.block):
        product *= number
    return product


def test_sizes_reach_from_zero_and_one_across_block_boundaries() -> None:
    found = sizes(generate(MAP, PLAN))
    assert {0, 1} <= found
    assert found & {31, 33} and found & {255, 256, 257} and max(found) > 511


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("count", [4, 12, 48])
def test_ends_of_ranges_are_tried_all_at_once(seed: int, count: int) -> None:
    table = contract(
        (value("n"), value("m")),
        (),
        (
            ScalarFact(name="n", values=Range(low="-10000", high="16")),
            ScalarFact(name="m", values=Range(low="-100", high="24")),
        ),
    )
    trials = generate(replace(table, law=None), Plan(seed=seed, count=count, nonce=seed))
    assert {"n": 16, "m": 24} in [dict(trial.scalars) for trial in trials]
    assert len(trials) == count


@pytest.mark.parametrize("seed", range(20))
def test_ranges_that_begin_below_zero_are_tried_above(seed: int) -> None:
    table = contract((value("m"),), (), (ScalarFact(name="m", values=Range(low="-900", high="24")),))
    trials = generate(replace(table, law=None), Plan(seed=seed, count=40))
    tried = [dict(trial.scalars)["m"] for trial in trials]
    assert sum(value > 0 for value in tried) >= 8 and min(tried) < -300


def test_levels_say_how_large_trials_are() -> None:
    assert min(sizes(generate(MAP, replace(PLAN, count=4, levels=(6, 5))))) > 2048
    assert max(sizes(generate(MAP, replace(PLAN, levels=(0, 1, 2))))) < 130


def test_of_two_sizes_one_is_large_and_the_elements_stay_bounded() -> None:
    square = contract(
        (pointer("a"), value("n"), value("m")),
        (writes("a", "n * m"),),
        (size("n"), size("m")),
        Covers(x="n * m"),
    )
    trials = generate(square, Plan(seed=1, count=8, levels=(5,), elements=1 << 17))
    assert any(max(dict(trial.scalars).values()) > 2048 for trial in trials)
    assert all(dict(trial.scalars)["n"] * dict(trial.scalars)["m"] <= 1 << 17 for trial in trials)


def test_every_launch_covers() -> None:
    for trial in generate(MAP, PLAN):
        assert threads(trial.launch) >= dict(trial.scalars)["n"]


def test_launch_shapes_include_single_threads_many_blocks_and_spare_blocks() -> None:
    trials = generate(MAP, PLAN)
    assert any(trial.launch.block == (1, 1, 1) for trial in trials)
    assert any(trial.launch.grid[0] > 2 and trial.launch.block[0] > 1 for trial in trials)
    assert any(threads(trial.launch) - dict(trial.scalars)["n"] >= trial.launch.block[0] for trial in trials)


def test_the_same_plan_gives_the_same_trials_and_another_nonce_others() -> None:
    assert generate(MAP, PLAN) == generate(MAP, PLAN)
    assert set(generate(MAP, PLAN)) != set(generate(MAP, replace(PLAN, nonce=7)))


def test_some_calls_come_twice_with_other_data() -> None:
    trials = generate(MAP, PLAN)
    calls = [(trial.scalars, trial.launch) for trial in trials]
    assert len(set(calls)) < len(calls)
    assert len(set(trials)) == len(trials)


def test_total_elements_are_bounded() -> None:
    square = contract(
        (pointer("a"), pointer("b"), value("n"), value("m")),
        (reads("a", "n * m"), writes("b", "n * m")),
        (size("n"), size("m")),
        Covers(x="n * m"),
    )
    trials = generate(square, PLAN)
    assert len(trials) == PLAN.count
    for trial in trials:
        known = environment(square, trial.scalars, trial.launch)
        assert sum(sum(extent_of(fact, known)) for fact in square.arrays) <= PLAN.elements
    assert any(dict(trial.scalars)["n"] != dict(trial.scalars)["m"] for trial in trials)


def test_scalars_keep_to_ranges_multiples_and_relations() -> None:
    strided = contract(
        (pointer("a"), value("n"), value("ld"), value("k")),
        (writes("a", "n * ld"),),
        (
            size("n", "1"),
            size("ld", "n", "4 * n", multiple_of="4"),
            ScalarFact(name="k", values=Range(low="2", high="5")),
        ),
        relations=("k <= ld",),
    )
    trials = generate(strided, PLAN)
    assert trials
    for trial in trials:
        values = dict(trial.scalars)
        assert values["n"] <= values["ld"] <= 4 * values["n"] and values["ld"] % 4 == 0
        assert 2 <= values["k"] <= min(5, values["ld"])


def test_numbers_of_the_text_are_tried() -> None:
    moded = contract(
        (pointer("a"), value("n"), value("mode")),
        (writes("a"),),
        (size("n"), ScalarFact(name="mode", values=Range(low="-100000", high="100000"))),
    )
    assert 4711 in sizes(generate(moded, replace(PLAN, literals=(4711.0,))), "mode")


@pytest.mark.parametrize(
    "law", [Invariant(), Unbounded(), ShapeDependent(launches=(("4", "1", "1", "64", "1", "1", "0"),))]
)
def test_every_law_has_launches(law) -> None:
    trials = generate(replace(MAP, law=law), PLAN)
    assert len(trials) >= 20
    assert any(trial.launch.grid[0] > 1 for trial in trials)


def test_relations_hold_for_shape_dependent_launches() -> None:
    law = ShapeDependent(relations=("blockDim.x == 32",))
    trials = generate(replace(MAP, law=law), PLAN)
    assert trials and all(trial.launch.block[0] == 32 for trial in trials)


def test_axes_that_the_text_does_not_mention_stay_one() -> None:
    for trial in generate(replace(MAP, law=Unbounded(), used_axes="y"), PLAN):
        assert trial.launch.grid[0] == trial.launch.block[0] == trial.launch.grid[2] == 1


def test_a_joint_cover_counts_all_axes() -> None:
    joint = replace(MAP, law=Covers(x="n", joint=True), used_axes="xy")
    for trial in generate(joint, PLAN):
        assert threads(trial.launch) >= dict(trial.scalars)["n"]


def test_preferred_launches_are_used() -> None:
    family = ("(n + 95) / 96", "1", "1", "96", "1", "1", "0")
    trials = generate(replace(MAP, launches=(family,)), PLAN)
    assert any(trial.launch.block[0] == 96 for trial in trials)


def test_a_launch_that_does_not_cover_is_not_admissible() -> None:
    scalars = (("n", 100),)
    assert admissible(MAP, scalars, Launch(grid=(4, 1, 1), block=(32, 1, 1)))
    assert not admissible(MAP, scalars, Launch(grid=(3, 1, 1), block=(32, 1, 1)))
    assert not admissible(MAP, scalars, Launch(grid=(0, 1, 1), block=(32, 1, 1)))
    assert not admissible(MAP, scalars, Launch(grid=(THREADS, 1, 1), block=(2, 1, 1)))


def test_a_contract_that_admits_nothing_gives_no_trial() -> None:
    assert generate(replace(MAP, relations=("n < 0",)), PLAN) == ()


def test_scalars_of_functions_are_made_to_keep_relations() -> None:
    related = contract(
        (pointer("a"), value("n"), value("m"), value("k")),
        (writes("a", "n * m"),),
        (size("n"), size("m"), ScalarFact(name="k", values=Range(low="-100", high="5000"))),
        relations=("k == n", "m >= k + 2"),
    )
    trials = generate(replace(related, law=None), PLAN)
    assert len(trials) == PLAN.count
    for trial in trials:
        scalars = dict(trial.scalars)
        assert scalars["k"] == scalars["n"] <= scalars["m"] - 2
    assert len(sizes(trials)) > 8 and len({dict(trial.scalars)["m"] for trial in trials}) > 8


def test_a_relation_that_no_range_admits_leaves_no_trial() -> None:
    related = contract(
        (pointer("a"), value("n"), value("k")),
        (writes("a", "n"),),
        (size("n", "10"), ScalarFact(name="k", values=Range(low="0", high="5"))),
        relations=("k == n",),
    )
    assert generate(replace(related, law=None), PLAN) == ()


def test_the_only_launch_has_room_however_large_it_is() -> None:
    law = ShapeDependent(launches=(("400", "1", "1", "512", "1", "1", "0"),))
    large = contract((pointer("a"),), (writes("a", "204800"),), (), law)
    trials = generate(large, PLAN)
    assert trials
    assert {threads(trial.launch) for trial in trials} == {204800}
    beyond = contract((pointer("a"),), (writes("a", "9000000"),), (), law)
    assert not generate(beyond, PLAN)


@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_trials_of_a_fill_take_turns(seed: int, nonce: int) -> None:
    known = contract((pointer("a"), value("n")), (writes("a", "n"),), (size("n"),))
    plan = replace(PLAN, seed=seed, nonce=nonce, count=48)
    trials = generate(replace(known, law=None), plan)
    for fill in ("special", "part"):
        turns = {trial.seed % TURNS for trial in trials if trial.fill == fill}
        assert {turn % 4 for turn in turns} == set(range(4)), fill


def test_arrays_of_one_length_have_room_however_long_they_are() -> None:
    """The smallest call is larger than calls usually are, and there is no size to make it smaller."""
    arrays = (pointer("a"), pointer("b"))
    fixed = contract(arrays, (reads("a", "32768"), writes("b", "32768")), (), Invariant())
    trials = generate(fixed, PLAN)
    assert len(trials) >= 20
    assert any(trial.launch.grid[0] > 1 for trial in trials)
    beyond = contract(arrays, (reads("a", "32768"), writes("b", "9000000")), (), Invariant())
    assert not generate(beyond, PLAN)


def test_arrays_of_one_length_leave_sizes_their_room() -> None:
    both = (pointer("a"), pointer("b"), value("n"))
    plain = contract(both, (reads("a", "n"), writes("b", "1")), (size("n"),), Covers(x="n"))
    beside = replace(plain, arrays=(reads("a", "n"), writes("b", "150000")))
    assert max(sizes(generate(beside, PLAN))) >= max(sizes(generate(plain, PLAN))) > 1000
    assert not generate(replace(plain, arrays=(reads("a", "n"), writes("b", "9000000"))), PLAN)


def test_a_law_of_one_size_has_threads_for_it() -> None:
    law = Covers(x="300000")
    trials = generate(contract((pointer("a"),), (writes("a", "300000"),), (), law), PLAN)
    assert trials and min(threads(trial.launch) for trial in trials) >= 300000


LAUNCHED = contract((pointer("a"),), (writes("a", "gridDim.x * blockDim.x"),), (), Unbounded())
FAMILY = ("4096", "1", "1", "256", "1", "1", "0")


def test_launches_of_the_source_are_tried_as_they_are_and_with_a_spare_block() -> None:
    trials = as_launched(replace(LAUNCHED, launches=(FAMILY,)), PLAN)
    assert {trial.launch.grid[0] for trial in trials} == {4096, 4097}
    assert {trial.launch.block[0] for trial in trials} == {256}
    assert {trial.fill for trial in trials} == {"exact", "real"}


@pytest.mark.parametrize(
    "known",
    [
        LAUNCHED,
        replace(LAUNCHED, launches=(("40960", *FAMILY[1:]),)),
        replace(MAP, launches=(FAMILY,)),
        replace(LAUNCHED, law=None, launches=(FAMILY,)),
    ],
    ids=["no site", "too large", "sizes to choose", "no kernel"],
)
def test_other_launches_of_sources_are_not(known: Contract) -> None:
    assert not as_launched(known, PLAN)


@pytest.mark.parametrize(("relation", "spare"), [("gridDim.x >= n", True), ("gridDim.x == n", False)])
def test_launches_of_sites_have_spare_blocks_where_the_law_has_room_for_them(
    relation: str, spare: bool
) -> None:
    law = ShapeDependent(relations=(relation,), launches=(("n", "1", "1", "32", "1", "1", "0"),))
    trials = generate(replace(MAP, law=law), PLAN)
    grids = [(trial.launch.grid[0], int(dict(trial.scalars)["n"])) for trial in trials]
    assert any(blocks == n for blocks, n in grids)
    assert any(blocks > n for blocks, n in grids) == spare


def test_no_launch_has_too_many_threads_to_be_counted() -> None:
    free = contract((pointer("x"), value("n")), (writes("x"),), (size("n"),), Unbounded())
    assert admissible(free, (("n", 1),), Launch(grid=(2, 1, 1)))
    assert not admissible(free, (("n", 1),), Launch(grid=(2**40, 2**24, 1)))
    assert not admissible(free, (("n", 1),), Launch(grid=(2**40, 2**40, 1)))


def test_sizes_that_may_be_negative_are_of_either_sign() -> None:
    step = ScalarFact(name="s", values=Range(low="-2147483647", high="2147483647"), size=True)
    table = contract(
        (pointer("x"), value("n"), value("s")),
        (reads("x", "(n - 1) * max(s, 0 - s) + 1"),),
        (size("n"), step),
    )
    found = sizes(generate(replace(table, law=None), PLAN), "s")
    assert min(found) < -1 and max(found) > 1
