"""Sizes and values beside the numbers that a candidate's text mentions, and large sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.testers.making import contract, plain, pointer, reads, size, value, writes
from transpile.core import (
    OPENMP,
    Binding,
    Candidate,
    Contract,
    Covers,
    Range,
    Replacement,
    Scalar,
    ScalarFact,
)
from transpile.testers.trials.boundary_values import (
    below_zero,
    beside,
    counted,
    full,
    huge,
    large,
    own_numbers,
    patterns,
    together,
    unreached,
    usual_numbers,
)
from transpile.testers.trials.generate import Plan
from transpile.testers.trials.materialise import TURNS, materialise


def candidate(text: str) -> Candidate:
    return Candidate(
        unit="a.c::f()",
        dialect=OPENMP,
        replacements=(Replacement(unit="a.c::f()", text=text.encode()),),
        binding=Binding(name="f", arguments=()),
    )


def known() -> Contract:
    size = ScalarFact(name="n", values=Range(low="0", high="2147483647"), size=True)
    parameters = (pointer("x"), pointer("y"), value("n"))
    made = contract(parameters, arrays=(reads("x"), writes("y")), scalars=(size,))
    return replace(made, law=None)


def test_numbers_of_the_source_and_usual_sizes_are_none_of_its_own() -> None:
    text = "if (n > 40000) g(7000); // 123456\n for (i = 0; i < 256; i++) h(31, 5000);"
    found = own_numbers(candidate(text), (5000.0,))
    assert {40000.0, 7000.0, 65536.0, 7936.0, 961.0, 7000.0 * 256} <= {*found}
    assert found[:2] == (40000.0, 7000.0) and not {5000.0, 123456.0} & {*found}


def test_sizes_lie_on_both_sides_of_a_number() -> None:
    trials = beside(known(), Plan(seed=1, count=48), (40000.0,), lambda elements: True)
    sizes = {dict(trial.scalars)["n"] for trial in trials}
    assert {39999, 40000, 40001, 80000} <= sizes


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 9])
def test_beside_a_number_data_matter_everywhere(count: int) -> None:
    numbers = tuple(400.0 + 10 * step for step in range(count))
    trials = beside(known(), Plan(seed=1, count=48), numbers, lambda elements: True)
    fills = {(dict(item.scalars)["n"], item.fill) for item in trials}
    assert {(number + step, "exact") for number in numbers for step in (-1, 0, 1)} <= fills
    assert (400, "last") in fills


def test_products_do_not_displace_both_sides_of_the_numbers_of_a_text() -> None:
    arrays = (reads("x", "n * k"), reads("y", "k * m"), writes("z", "n * m"))
    parameters = (pointer("x"), pointer("y"), pointer("z"), value("n"), value("m"), value("k"))
    product = replace(contract(parameters, arrays, (size("n"), size("m"), size("k"))), law=None)
    text = "int m = given > (16 * 256) && given < 512 * 8 + 9 ? 0 : given;"
    trials = beside(product, Plan(seed=1, count=48), own_numbers(candidate(text), ()), lambda elements: True)
    sizes = [dict(item.scalars) for item in trials]
    for name in ("n", "m", "k"):
        assert {4095, 4096, 4097, 4104, 4105, 4106} <= {item[name] for item in sizes}
    assert all(min(item.values()) > 1 for item in sizes)


def test_a_kernel_gets_sizes_below_zero_that_its_launch_is_not_made_of() -> None:
    parameters = (pointer("x"), pointer("y"), value("n"), value("m"))
    made = contract(parameters, (reads("x", "n * m"), writes("y")), (size("n"), size("m")), law=Covers(x="n"))
    trials = [dict(item.scalars) for item in below_zero(made, Plan(seed=1, count=48))]
    assert {(item["n"], item["m"]) for item in trials} == {(3, -1), (3, -7)}


@pytest.mark.parametrize(
    ("fill", "ways", "least"), [("level", 16, 63), ("grid", 4, 255), ("ramp", 4, 511), ("wide", 16, 63)]
)
def test_every_way_of_a_pattern_meets_long_data(fill: str, ways: int, least: int) -> None:
    trials = patterns(known(), Plan(seed=1, count=48))
    long = [item for item in trials if item.fill == fill and dict(item.scalars)["n"] >= least]
    assert {item.seed % TURNS % ways for item in long} == {*range(ways)}


def test_long_trials_are_full_of_the_ends_of_their_types() -> None:
    numbers = plain(Scalar.UINT16)
    parameters = (pointer("x", numbers), pointer("y", numbers), value("n"))
    whole = replace(contract(parameters, (reads("x"), reads("y")), (size("n"),)), law=None)
    trials = full(whole, Plan(seed=1, count=48), lambda elements: True)
    ends = set()
    for trial in trials:
        x, y = (slot.data.view(np.uint16) for slot in materialise(whole, trial).arguments[:2])
        assert len(x) >= 65_536 and len({*x}) == len({*y}) == 1
        ends.add((int(x[0]), int(y[0])))
    assert ends == {(65_535, 65_535), (0, 0), (65_535, 0), (0, 65_535)}
    assert full(known(), Plan(seed=1, count=48), lambda elements: True) == [], "floats have no such ends"


def test_more_elements_than_a_number_equal_what_the_call_names() -> None:
    arrays, bound = (reads("x"), writes("y")), ScalarFact(name="key", values=Range(low="0", high="50"))
    parameters = (pointer("x", plain(Scalar.INT32)), pointer("y"), value("n"), value("key"))
    open_ended = ScalarFact(name="n", values=Range(low="0", high="2147483647"), size=True)
    made = replace(contract(parameters, arrays, (open_ended, bound)), law=None)
    trials = counted(made, Plan(seed=1, count=48), (200_000.0, 70_000.0, 9.0), lambda elements: True)
    met = set()
    for trial in trials:
        x = materialise(made, trial).arguments[0].data.view(np.int32)
        met.add((len(x), len({*x}), x[0] == dict(trial.scalars)["key"]))
    assert {(400_001, 1, True), (140_001, 1, True)} <= met and len(trials) == 6


def test_two_sizes_lie_beyond_a_usual_one_together() -> None:
    text = candidate("float tile[1024]; int part[256]; for (k = 0; k < 8; k++) tile[k] = 0;")
    numbers = usual_numbers(text, (256.0,))
    assert numbers == (1024, 8)
    bound = ScalarFact(name="taps", values=Range(low="0", high="100000"))
    parameters = (pointer("x"), pointer("y"), value("n"), value("taps"))
    bounded = replace(contract(parameters, (reads("x"), writes("y")), (size("n"), bound)), law=None)
    trials = together(bounded, Plan(seed=1, count=48), numbers)
    pairs = [dict(trial.scalars) for trial in trials]
    assert [pair["n"] for pair in pairs] == [pair["taps"] for pair in pairs] == [1025, 2048] * 2
    assert [trial.fill for trial in trials] == ["exact"] * 2 + ["real"] * 2
    assert together(known(), Plan(seed=1, count=48), numbers) == []


def test_few_sizes_take_the_most_room() -> None:
    numbers = (1.5e6, 1.4e6, 1.3e6, 9e6)
    trials = beside(known(), Plan(seed=1, count=48), numbers, lambda elements: True)
    sizes = [size for trial in trials if (size := dict(trial.scalars)["n"]) > 1 << 20]
    assert {1_300_000, 1_400_000, 1_500_000} < {*sizes} and len(sizes) == 6
    trials = beside(known(), Plan(seed=1, count=48), numbers, lambda elements: elements <= 1 << 20)
    assert all(dict(trial.scalars)["n"] < 1 << 20 for trial in trials)


def test_one_trial_has_twice_a_number_that_is_too_large_for_the_others() -> None:
    def sizes(*numbers: float, most: int = 1 << 30) -> list[float]:
        trials = huge(known(), Plan(seed=1, count=48), numbers, lambda elements: elements <= most)
        return [dict(trial.scalars)["n"] for trial in trials]

    assert sizes(9e9, 3e6, 2.5e6) == [3.75e6]
    assert sizes(4.19e6) == [4_190_001]
    assert sizes(2e6) == sizes(9e9) == sizes(3e6, most=1 << 22) == []


def test_large_trials_are_as_large_as_can_be_borne() -> None:
    def largest(most: int) -> float:
        trials = large(known(), Plan(seed=1, count=48), lambda elements: elements <= most)
        return max((dict(trial.scalars)["n"] for trial in trials), default=0)

    assert largest(10**9) > 2_000_000
    assert 65_535 < largest(1 << 20) < 1 << 20
    assert largest(10) == 0


@pytest.mark.parametrize(
    ("text", "source", "reached"),
    [
        ("int m = min(n, 67000000);", "", False),
        ("int m = n - (n >> 26);", "", False),
        ("int m = n < 1 << 26 ? n : 1 << 26;", "", False),
        ("int m = min(n, 67000000);", "int m = n % 67000000;", True),
        ("int m = min(n, 1 << 26);", "int m = n % 67108864;", True),
        ("int m = min(n, 1000000);", "", True),
        ("int least = 2147483647;", "", True),
        ("double most = 1e30;", "", True),
        ("int bits = ((n & 0x0F0F0F0Fu) * 0x01010101u) >> 24;", "", True),
        ("int most = min(n, 0x0F0F0F0F);", "", False),
        ("int bits = n & 0x0F0F0F0F; int most = min(n, 0x0F0F0F0F);", "", False),
        ("int bits = ((n & 0x0F0F0F0Fu) * 0x01010101u) >> 24; int m = n >> 24;", "", False),
        (
            "const int most = 24; int bits = ((n & 0x0F0F0F0Fu) * 0x01010101u) >> 24; int m = n >> most;",
            "",
            False,
        ),
        ("int third = (n * 43690667) >> 27;", "", False),
        ("int low = n & 0x3FFFFFF;", "", False),
    ],
)
def test_numbers_beyond_all_sizes_of_trials_are_the_sources(text: str, source: str, *, reached: bool) -> None:
    found = unreached(candidate(f"void f(int n) {{ {text} }}"), f"void f(int n) {{ {source} }}".encode())
    assert (found is None) is reached
