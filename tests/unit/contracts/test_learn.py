"""Contracts of model kernels: laws, extents, roles and index arrays, learnt from their behaviour alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.contracts.fake import Kernel, Thread, contract_of
from transpile.contracts.text.sites import Site
from transpile.core import (
    Contract,
    Covers,
    Inconclusive,
    Invariant,
    LaunchLaw,
    Origin,
    Range,
    Role,
    ShapeDependent,
    Unbounded,
)
from transpile.expressions import evaluate

X = "blockIdx.x * blockDim.x + threadIdx.x"
XY = X + " blockIdx.y * blockDim.y + threadIdx.y"
Call = Mapping[str, Any]


def saxpy(t: Thread, a: Call) -> None:
    if t.at() < a["n"]:
        a["y"][t.at()] = a["y"][t.at()] + a["s"] * a["x"][t.at()]


def stride(t: Thread, a: Call) -> None:
    for i in range(t.at(), a["n"], t.total()):
        a["y"][i] = a["x"][2 * i + 1]


def unguarded(t: Thread, a: Call) -> None:
    a["y"][t.at()] = a["x"][t.at()]


def padded(t: Thread, a: Call) -> None:
    if t.at() < a["w"] and t.at(1) < a["h"]:
        a["y"][t.at(1) * a["ld"] + t.at()] = a["x"][t.at() * a["h"] + t.at(1)]


def joint(t: Thread, a: Call) -> None:
    i = (t.block[0] + t.block[1] * t.grid_dim[0]) * t.block_dim[0] + t.thread[0]
    if i < a["n"]:
        a["y"][i * a["inc"]] = 1


def gather(t: Thread, a: Call) -> None:
    if t.at() < a["n"]:
        a["y"][t.at()] = a["x"][a["idx"][t.at()]]


def scatter(t: Thread, a: Call) -> None:
    if t.at() < a["n"]:
        i = a["idx"][t.at()]
        a["y"][i] = a["y"][i] + a["x"][t.at()]


def histogram(t: Thread, a: Call) -> None:
    if t.at() < a["n"]:
        a["y"].add(a["idx"][t.at()], 1)


def block_only(t: Thread, a: Call) -> None:
    if t.block[0] < a["n"]:
        a["y"][t.block[0]] = a["y"][t.block[0]] + 1


Arrays = dict[str, tuple[Role, str]]
CASES: list[tuple[str, Kernel, str, str, LaunchLaw, Arrays]] = [
    (
        "saxpy",
        saxpy,
        "int n, float s, float *x, float *y",
        X,
        Covers(x="n"),
        {"x": (Role.IN, "n"), "y": (Role.INOUT, "n")},
    ),
    (
        "stride",
        stride,
        "int n, float *x, float *y",
        X + " gridDim.x",
        Invariant(),
        {"x": (Role.IN, "2 * n"), "y": (Role.OUT, "n")},
    ),
    (
        "unguarded",
        unguarded,
        "float *x, float *y",
        X,
        Unbounded(),
        {"y": (Role.OUT, "gridDim.x * blockDim.x")},
    ),
    (
        "padded",
        padded,
        "int w, int h, int ld, float *x, float *y",
        XY,
        Covers(x="w", y="h"),
        {"x": (Role.IN, "w * h"), "y": (Role.OUT, "(h - 1) * ld + w")},
    ),
    (
        "joint",
        joint,
        "int n, int inc, float *y",
        X + " blockIdx.y gridDim.x",
        Covers(x="n", joint=True),
        {"y": (Role.OUT, "(n - 1) * inc + 1")},
    ),
    (
        "gather",
        gather,
        "int n, int *idx, float *x, float *y",
        X,
        Covers(x="n"),
        {"idx": (Role.IN, "n"), "x": (Role.IN, "max(idx) + 1"), "y": (Role.OUT, "n")},
    ),
    (
        "histogram",
        histogram,
        "int n, int *idx, int *y",
        X,
        Covers(x="n"),
        {"idx": (Role.IN, "n"), "y": (Role.INOUT, "max(idx) + 1")},
    ),
    ("block only", block_only, "int n, float *y", "blockIdx.x", Covers(x="n"), {"y": (Role.INOUT, "n")}),
]


def learnt(declaration: str, text: str, kernel: Kernel) -> Contract:
    found = contract_of(declaration, text, kernel)
    assert not isinstance(found, Inconclusive), found.reason
    return found


@pytest.mark.parametrize(
    ("name", "kernel", "declaration", "text", "law", "arrays"), CASES, ids=[c[0] for c in CASES]
)
def test_learns(
    name: str,
    kernel: Kernel,
    declaration: str,
    text: str,
    law: LaunchLaw,
    arrays: dict[str, tuple[Role, str]],
) -> None:
    contract = learnt(declaration, text, kernel)
    assert contract.law == law
    found = {fact.name: (fact.role, fact.extent) for fact in contract.arrays if fact.name in arrays}
    assert found == arrays
    assert contract.held_out >= 3


def test_extents_follow_from_the_greatest_index_whatever_sizes_are() -> None:
    contract = learnt("int n, int *idx, float *x, float *y", X, gather)
    facts = {fact.name: fact for fact in contract.arrays}
    assert facts["idx"].free and facts["idx"].values == Range(low="0", high="max(idx)")
    assert facts["x"].values is None and not facts["idx"].distinct
    greatest = contract.scalar("max(idx)")
    assert greatest is not None and greatest.values == Range(low="0", high=str(2**31 - 1))


def test_elements_that_choose_a_column_may_lead_behind_it() -> None:
    def picked(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            chosen = a["x"][t.at() * a["m"] + a["label"][t.at()]]
            a["y"][t.at()] = sum(a["x"][t.at() * a["m"] + i] > chosen for i in range(a["m"]))

    contract = learnt("int n, int m, int *label, float *x, int *y", X, picked)
    facts = {fact.name: fact for fact in contract.arrays}
    assert facts["label"].free
    sizes = {"n": 5, "m": 7, "label": 20}
    assert evaluate(facts["x"].extent, sizes) >= 4 * 7 + 21


def test_sizes_that_few_rows_reach_refute_a_fit() -> None:
    def packed(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = a["words"][t.at() >> 5]

    contract = learnt("int n, const int *words, int *y", X, packed)
    words = contract.array("words")
    assert words is not None and words.extent == "(n + 31) / 32"
    size = contract.scalar("n")
    assert size is not None and int(size.values.high) > 100


def test_what_is_reached_where_data_equal_a_number_of_the_text_has_an_extent() -> None:
    def filled_in(t: Thread, a: Call) -> None:
        if t.at() < a["n"] and a["x"][t.at()] == -2.5:
            a["y"][t.at()] = a["z"][t.at() + 3]

    text = f"{{ int i = {X}; if (i < n && x[i] == -2.5f) y[i] = z[i + 3]; }}"
    contract = learnt("int n, float *x, float *z, float *y", text, filled_in)
    assert {fact.name: fact.extent for fact in contract.arrays} == {"x": "n", "z": "n + 3", "y": "n"}


@pytest.mark.parametrize("number", [0, 20, 511, 70000, -1])
def test_an_array_that_is_touched_where_integers_equal_a_number_has_an_extent(number: int) -> None:
    def marked(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = 7
            if a["x"][t.at()] == number:
                a["z"][2 * t.at() + 1] = 1

    text = f"{{ int i = {X}; if (i < n) {{ y[i] = 7; if (x[i] == {number}) z[2 * i + 1] = 1; }} }}"
    contract = learnt("int n, const int *x, int *y, int *z", text, marked)
    assert {fact.name: fact.extent for fact in contract.arrays} == {"x": "n", "y": "n", "z": "2 * n"}


def test_a_source_that_fails_where_integers_equal_a_number_is_learnt_from_others() -> None:
    def refusing(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = 60 // (int(a["x"][t.at()]) - 511)

    text = f"{{ int i = {X}; if (i < n) {{ if (x[i] == 511) abort(); y[i] = 60 / (x[i] - 511); }} }}"
    contract = learnt("int n, const int *x, int *y", text, refusing)
    assert {fact.name: fact.extent for fact in contract.arrays} == {"x": "n", "y": "n"}


def test_what_a_flag_ends_early_is_learnt_where_that_is_zero() -> None:
    def stopped(t: Thread, a: Call) -> None:
        if t.at() < a["n"] and a["stop"][0] == 0:
            a["y"][2 * t.at()] = a["x"][t.at()]

    text = f"{{ int i = {X}; if (i >= n || *stop) return; y[2 * i] = x[i]; }}"
    contract = learnt("int n, const int *stop, const int *x, int *y", text, stopped)
    assert contract.law == Covers(x="n")
    extents = {fact.name: fact.extent for fact in contract.arrays}
    assert extents == {"stop": "1", "x": "n", "y": "2 * n - 1"}


def test_bytes_are_not_told_to_be_distinct() -> None:
    def last(t: Thread, a: Call) -> None:
        if t.at() < a["n"] and a["state"][t.at()] == 1:
            a["y"][0] = t.at() + 2

    words, bytes_ = (
        next(
            fact for fact in learnt(f"int n, {kind} *state, float *y", X, last).arrays if fact.name == "state"
        )
        for kind in ("int", "unsigned char")
    )
    assert words.distinct and not bytes_.distinct and not bytes_.ascending


def test_colliding_indices_must_be_distinct() -> None:
    contract = learnt("int n, int *idx, float *x, float *y", X, scatter)
    facts = {fact.name: fact for fact in contract.arrays}
    assert facts["idx"].distinct and facts["idx"].free and facts["y"].extent == "max(idx) + 1"
    greatest = contract.scalar("max(idx)")
    assert greatest is not None and greatest.values.low == "max(n - 1, 0)"


def test_elements_steer_that_lead_anywhere_only_where_they_follow_each_other() -> None:
    def runs(t: Thread, a: Call) -> None:
        i = t.at()
        if i + 1 < a["n"] and a["idx"][i] + 1 == a["idx"][i + 1]:
            a["y"][a["idx"][i]] = i

    contract = learnt("int n, int *idx, int *y", X, runs)
    facts = {fact.name: fact for fact in contract.arrays}
    assert facts["idx"].values is not None
    assert facts["y"].role is Role.OUT


def test_an_array_ends_where_the_furthest_of_several_loops_does() -> None:
    def in_turn(t: Thread, a: Call) -> None:
        if t.at() == 0:
            for i in range(a["n"]):
                a["y"][i] = 1
            for i in range(a["m"]):
                a["y"][i] = 2
            for i in range(a["k"]):
                a["y"][4 * i + 2] = 3

    fact = learnt("int n, int m, int k, float *y", X, in_turn).array("y")
    assert fact is not None and fact.origin is Origin.TRACE
    for sizes in ({"n": 50, "m": 3, "k": 2}, {"n": 5, "m": 30, "k": 4}, {"n": 9, "m": 8, "k": 7}):
        assert evaluate(fact.extent, sizes) == max(sizes["n"], sizes["m"], 4 * sizes["k"] - 1)


def planes(t: Thread, a: Call) -> None:
    for i in range(t.at(), a["n"], t.total()):
        plane = a["h"] * a["w"]
        a["y"][i // plane * plane * a["k"] + i % plane + plane * (a["k"] - 1)] = 1


def test_an_array_of_planes_is_bounded_where_the_elements_of_several_are_counted() -> None:
    fact = learnt("int n, int h, int w, int k, int *y", X + " % (h * w)", planes).array("y")
    assert fact is not None and fact.origin is Origin.BOUND
    assert evaluate(fact.extent, {"n": 1000, "h": 3, "w": 4, "k": 2}) == 84 * 12 * 2


def test_a_thread_that_does_several_elements_is_no_launch_of_one() -> None:
    def by_fours(t: Thread, a: Call) -> None:
        if 4 * t.at() < a["n"]:
            for i in range(4 * t.at(), 4 * t.at() + 4):
                a["y"][i] = a["x"][i]

    found = learnt("int n, const float *x, float *y", X, by_fours)
    assert isinstance(found.law, Covers)
    assert [evaluate(found.law.x, {"n": n}) for n in (1, 4, 5, 33)] == [1, 1, 2, 9]
    assert all(evaluate(fact.extent, {"n": 33}) == 36 for fact in found.arrays)


def test_calls_that_reach_below_a_pointer_are_none_where_most_do_not() -> None:
    def from_the_end(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = a["x"][65 * (a["n"] - 4) + 5 * a["m"] + a["k"]]

    fact = learnt("int n, int m, int k, float *x, float *y", X, from_the_end).array("x")
    assert fact is not None and fact.before == "0"
    assert evaluate(fact.extent, {"n": 10, "m": 2, "k": 3}) == 404


def test_an_array_guarded_by_another_ends_where_that_does() -> None:
    def guarded(t: Thread, a: Call) -> None:
        for i in range(t.at(), 60 * a["n"], t.total()):
            if a["flag"][i] > 0:
                a["y"][i] = 1

    contract = learnt("int n, int *flag, float *y", X + " gridDim.x", guarded)
    assert {fact.extent for fact in contract.arrays} == {"60 * n"}
    assert [fact.origin for fact in contract.arrays] == [Origin.TRACE, Origin.BOUND]


def test_atomics_need_no_distinct_indices() -> None:
    contract = learnt("int n, int *idx, int *y", X, histogram)
    facts = {fact.name: fact for fact in contract.arrays}
    assert facts["y"].atomic and not facts["idx"].distinct


def test_a_grid_axis_without_threads_asks_for_blocks_of_one() -> None:
    assert "blockDim.x == 1" in learnt("int n, float *y", "blockIdx.x", block_only).relations


def test_what_has_no_guard_has_as_many_threads_as_a_row_has_elements() -> None:
    def rows(t: Thread, a: Call) -> None:
        place = t.at(1) * a["n"] + t.at()
        a["y"][place] = a["x"][place] + t.at()

    found = learnt("int n, const float *x, float *y", XY, rows)
    assert isinstance(found.law, ShapeDependent)
    assert found.law.relations == ("gridDim.x * blockDim.x == n", "gridDim.y * blockDim.y == n")
    assert all(evaluate(fact.extent, {"n": 7}) == 49 for fact in found.arrays)


def test_a_race_is_no_contract() -> None:
    def racy(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = a["y"][t.at()] - a["y"][0]

    found = contract_of("int n, float *y", X, racy)
    assert isinstance(found, Inconclusive) and "race" in found.reason


def test_an_unknown_layout_is_named() -> None:
    from tests.unit.contracts.fake import subject

    with pytest.raises(AssertionError, match="`p`"):
        subject("int n, Opaque *p", X)


def test_a_divisor_cannot_be_zero() -> None:
    def wrapped(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = a["x"][t.at() % a["m"]]

    contract = learnt("int n, int m, float *x, float *y", X, wrapped)
    scalar = contract.scalar("m")
    assert scalar is not None and scalar.values.low == "1"
    array = contract.array("x")
    assert array is not None and array.extent == "min(n, m)"


@pytest.mark.thorough
def test_a_block_a_row_asks_for_rows_of_blocks() -> None:
    def rows(t: Thread, a: Call) -> None:
        if t.block[0] < a["n"]:
            for i in range(t.thread[0], a["c"], t.block_dim[0]):
                a["y"][t.block[0] * a["c"] + i] = 2 * a["x"][t.block[0] * a["c"] + i]

    contract = learnt("int n, int c, float *x, float *y", X, rows)
    assert isinstance(contract.law, ShapeDependent)
    assert contract.law.relations == ("gridDim.x >= n",)
    assert {fact.extent for fact in contract.arrays} == {"n * c"}


def test_an_output_a_block_depends_on_the_number_of_blocks() -> None:
    def firsts(t: Thread, a: Call) -> None:
        if t.thread[0] == 0:
            a["y"][t.block[0]] = a["x"][t.at()]

    contract = learnt("float *x, float *y", X, firsts)
    assert isinstance(contract.law, Unbounded)
    extents = {fact.name: fact.extent for fact in contract.arrays}
    assert extents["y"] == "gridDim.x"
    assert extents["x"] == "(gridDim.x - 1) * blockDim.x + 1"


def test_what_data_guard_behind_all_that_is_supplied_is_learnt_from_smaller_sizes() -> None:
    def guarded(t: Thread, a: Call) -> None:
        if t.at() == 0:
            for i in range(5 * a["n"] * a["m"]):
                if a["count"][i] > 1:
                    a["y"][i] = 1

    contract = learnt("int n, int m, int *count, float *y", X, guarded)
    assert {fact.name: fact.extent for fact in contract.arrays} == {"count": "5 * n * m", "y": "5 * n * m"}


def test_rows_that_overlap_ask_for_a_relation() -> None:
    contract = learnt("int w, int h, int ld, float *x, float *y", XY, padded)
    assert contract.relations == ("ld >= w",)


def test_a_size_that_has_to_be_even_is_found_to_be() -> None:
    def paired(t: Thread, a: Call) -> None:
        if a["n"] % 2:
            raise ZeroDivisionError("an assertion fails")
        if t.at() < a["n"]:
            a["y"][t.at()] = a["x"][t.at()]

    assert learnt("int n, float *x, float *y", X, paired).relations == ("n % 2 == 0",)


def test_a_stencil_too_wide_for_small_sizes_still_has_a_guard() -> None:
    def wide(t: Thread, a: Call) -> None:
        if 2 <= t.at() < a["n"] - 2:
            a["y"][t.at()] = a["x"][t.at() - 2] + a["x"][t.at() + 2]

    contract = learnt("int n, float *x, float *y", X, wide)
    assert contract.law == Covers(x="n - 2")


def test_a_plane_whose_halo_is_wider_than_small_sizes_has_guards_and_extents() -> None:
    def wide(t: Thread, a: Call) -> None:
        if 8 <= t.at() < a["w"] - 8 and 8 <= t.at(1) < a["h"] - 8:
            place = t.at(1) * a["w"] + t.at()
            a["u"][place] = a["p"][place - 8 * a["w"]] + a["p"][place + 8 * a["w"]]

    contract = learnt("int w, int h, float *p, float *u", XY, wide)
    assert contract.law == Covers(x="w - 8", y="h - 8")
    assert {fact.name: fact.extent for fact in contract.arrays} == {
        "p": "w * h - 8",
        "u": "w * h - 8 * w - 8",
    }


def test_a_tile_that_is_read_before_the_interior_is_asked_for_hides_no_halo() -> None:
    def wide(t: Thread, a: Call) -> None:
        if t.at() < a["w"] and t.at(1) < a["h"]:
            place = t.at(1) * a["w"] + t.at()
            own = a["p"][place]
            if 6 <= t.at() < a["w"] - 6 and 6 <= t.at(1) < a["h"] - 6:
                a["u"][place] = own + a["p"][place - 6] + a["p"][place + 6 * a["w"]]

    contract = learnt("int w, int h, float *p, float *u", XY, wide)
    extents = {fact.name: fact.extent for fact in contract.arrays}
    assert extents == {"p": "w * h", "u": "w * h - 6 * w - 6"}


def test_a_halo_that_leaves_nothing_of_small_fields_is_kept_small() -> None:
    def inner(t: Thread, a: Call) -> None:
        for j in range(a["halo"] + t.at(), a["y"] - a["halo"], t.total()):
            for i in range(a["halo"], a["x"] - a["halo"]):
                a["u"][j * a["x"] + i] = 2 * a["p"][j * a["x"] + i]

    contract = learnt("int x, int y, int halo, float *p, float *u", X + " gridDim.x", inner)
    assert {fact.extent for fact in contract.arrays} == {"x * y - x * halo - halo"}


def row_of(t: Thread, a: Call) -> range:
    found = range(int(a["row"][t.at()]), int(a["row"][t.at() + 1]))
    if len(found) > 200:
        raise ZeroDivisionError("as good as endless, in Python")
    return found


def spmv(t: Thread, a: Call) -> None:
    if t.at() < a["n"]:
        total = a["y"].data.dtype.type(0)
        for k in row_of(t, a):
            total += a["val"][k] * a["x"][a["col"][k]]
        a["y"][t.at()] = total


def test_rows_of_a_sparse_matrix_are_offsets_and_its_columns_indices() -> None:
    contract = learnt("int n, int *row, int *col, float *val, float *x, float *y", X, spmv)
    extents = {fact.name: fact.extent for fact in contract.arrays}
    assert extents == {"row": "n + 1", "col": "max(row)", "val": "max(row)", "x": "max(col) + 1", "y": "n"}
    row, col = contract.array("row"), contract.array("col")
    assert row is not None and row.free and col is not None and col.free
    assert not row.ascending, "no row needs another one, so the source does not misbehave"


def test_what_the_text_has_no_use_for_says_nothing() -> None:
    parameters = "int n, int m, int nnz, int *row, int *col, float *val, float *x, float *y"
    contract = learnt(parameters, f"{{ n {X} }}", spmv)
    extents = {fact.name: fact.extent for fact in contract.arrays}
    assert extents == {"row": "n + 1", "col": "max(row)", "val": "max(row)", "x": "max(col) + 1", "y": "n"}


def test_offsets_have_to_ascend_where_rows_are_changed() -> None:
    def scaled(t: Thread, a: Call) -> None:
        if t.at() < a["n"]:
            for k in row_of(t, a):
                a["val"][k] = 2 * a["val"][k]

    contract = learnt("int n, int *row, float *val", X, scaled)
    row, val = contract.array("row"), contract.array("val")
    assert row is not None and row.ascending
    assert val is not None and val.extent == "max(row)"


def test_more_numbers_by_value_than_can_be_learnt_are_named() -> None:
    from tests.unit.contracts.fake import subject

    with pytest.raises(AssertionError, match="100 scalars are passed by value"):
        subject(", ".join(f"int n{index}" for index in range(100)), X)


def launches(*families: tuple[str, ...]) -> ShapeDependent:
    return ShapeDependent(launches=tuple((grid, "1", "1", block, "1", "1", "0") for grid, block in families))


def test_launches_that_are_stated_are_the_law() -> None:
    found = contract_of("float *x, float *y", X, unguarded, launches(("3", "5")))
    assert isinstance(found, Contract)
    assert [fact.extent for fact in found.arrays] == ["15", "15"]
    assert isinstance(found.law, ShapeDependent)
    assert {"gridDim.x == 3", "blockDim.x == 5"} <= set(found.law.relations)


def test_of_several_launches_that_are_stated_any_is_admitted() -> None:
    found = contract_of("int n, float *x, float *y", X, unguarded, launches(("n", "4"), ("2 * n", "2")))
    assert isinstance(found, Contract)
    assert [fact.extent for fact in found.arrays] == ["4 * n", "4 * n"]
    assert isinstance(found.law, ShapeDependent)
    [relation] = found.law.relations
    assert " || " in relation and "gridDim.x == 2 * n" in relation


def test_a_race_under_the_launch_that_is_stated_is_no_contract() -> None:
    def racing(t: Thread, a: Call) -> None:
        a["x"][0] = t.at()

    found = contract_of("float *x", X, racing, launches(("2", "4")))
    assert isinstance(found, Inconclusive)
    assert "race" in found.reason


def test_a_launch_that_cannot_be_made_is_no_contract() -> None:
    found = contract_of("float *x, float *y", X, unguarded, launches(("3", "2048")))
    assert isinstance(found, Inconclusive)
    assert "stated" in found.reason


def rows(t: Thread, a: Call) -> None:
    for i in range(4 * t.block[0] + t.thread[0], a["n"], 32):
        a["y"][i] = t.block[0] + i % (a["width"] - 2)


def test_a_size_exceeds_what_the_kernel_takes_from_it_before_it_divides() -> None:
    text = "__global__ void k(int n, int width, int *y) { y[blockIdx.x + threadIdx.x] = n % (width - 2); }"
    site = Site(grid=("8", "1", "1"), block=("4", "1", "1"), shared="0")
    found = contract_of("int n, int width, int *y", text, rows, sites=(site,))
    assert isinstance(found, Contract), found
    assert found.relations == ("width >= 3",)
    assert isinstance(found.law, ShapeDependent)
    assert {fact.name: fact.multiple_of for fact in found.scalars} == {"n": "1", "width": "1"}


def labelled(t: Thread, a: Call) -> None:
    if t.at() < a["rows"]:
        place = t.at() * a["classes"] + a["labels"][t.at()]
        a["y"][place] = a["y"][place] - 1


def test_labels_of_classes_stay_within_their_row() -> None:
    text = f"__global__ void k() {{ int i = {X}; if (i < rows) y[i * classes + labels[i]] -= 1; }}"
    found = contract_of("int rows, int classes, const int *labels, float *y", text, labelled)
    assert isinstance(found, Contract), found
    facts = {fact.name: fact for fact in found.arrays}
    assert (facts["y"].extent, facts["labels"].extent) == ("rows * classes", "rows")
    assert facts["labels"].values == Range(low="0", high="classes - 1")
    assert not any(fact.ascending or fact.distinct for fact in found.arrays)
    assert found.relations == () and found.law == Covers(x="rows")
