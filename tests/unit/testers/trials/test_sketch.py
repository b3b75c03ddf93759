"""Tests as they are written, made into trials that respect the contract, or refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.testers.making import FLOAT, MAP, contract, pointer, reads, size, value, writes
from transpile.core import Contract, Covers, Launch, Range, ScalarFact, WrittenTest
from transpile.testers.trials.launches import admissible
from transpile.testers.trials.materialise import Unmakeable, materialise
from transpile.testers.trials.sketch import trial_of

CLAMP = contract(
    (pointer("x", const=True), pointer("y"), value("n"), value("limit", FLOAT), value("step")),
    (reads("x"), writes("y")),
    (
        size("n", high="2147483647"),
        ScalarFact(name="limit", values=Range(low="-100", high="100")),
        ScalarFact(name="step", values=Range(low="1", high="8"), multiple_of="2"),
    ),
)


def test_what_is_written_is_what_is_called() -> None:
    test = WrittenTest(
        scalars=(("n", 5), ("limit", 0.5)),
        arrays=(("x", (7, 8.5)),),
        grid=(3, 1, 1),
        block=(2, 1, 1),
    )
    trial = trial_of(CLAMP, test)
    assert dict(trial.scalars) | {"step": 0} == {"n": 5, "limit": 0.5, "step": 0}
    assert trial.launch == Launch(grid=(3, 1, 1), block=(2, 1, 1)) and not trial.generated
    slot = materialise(CLAMP, trial).arguments[0]
    assert slot.data.view(np.float32).tolist() == [7, 8.5, 7, 8.5, 7]
    assert trial_of(CLAMP, test) == trial
    # A shorter call of it, as shrinking makes them, has the beginning of the same elements.
    shorter = replace(trial, scalars=(("n", 2), ("limit", 0.5), ("step", 2)))
    assert materialise(CLAMP, shorter).arguments[0].data.view(np.float32).tolist() == [7, 8.5]


@pytest.mark.parametrize(
    ("test", "why"),
    [
        (WrittenTest(scalars=(("m", 1),)), "no scalar `m`, only limit, n, step"),
        (WrittenTest(arrays=(("z", (1,)),)), "no array `z`, only x, y"),
        (WrittenTest(scalars=(("n", -1),)), "`n` cannot be -1: the contract allows from 0"),
        (WrittenTest(scalars=(("step", 3),)), "`step` cannot be 3: the contract allows multiples of 2"),
        (WrittenTest(scalars=(("n", 1.5),)), "`n` cannot be 1.5"),
        (WrittenTest(scalars=(("n", 10**9),)), "too long"),
        (WrittenTest(scalars=(("n", 9),), grid=(1, 1, 1), block=(8, 1, 1)), "no launch"),
        (WrittenTest(scalars=(("n", 0),), block=(2048, 1, 1)), "no launch"),
        (WrittenTest(scalars=(("n", 1),), arrays=(("x", (1e39,)),)), "not finite"),
        (
            WrittenTest(scalars=(("limit", 1000.0),)),
            "`limit` cannot be 1000.0: the contract allows from -1",
        ),
    ],
)
def test_what_breaks_the_contract_is_refused_in_words(test: WrittenTest, why: str) -> None:
    with pytest.raises(Unmakeable, match=why):
        trial_of(CLAMP, test)


def test_relations_of_functions_are_kept() -> None:
    known = contract(
        (pointer("x"), value("n"), value("ld")),
        (writes("x", "n * ld"),),
        (size("n", "0", "64"), size("ld", "0", "64")),
        relations=("ld >= n",),
    )
    function = replace(known, law=None)
    assert dict(trial_of(function, WrittenTest(scalars=(("n", 3), ("ld", 4)))).scalars) == {"n": 3, "ld": 4}
    with pytest.raises(Unmakeable, match="ld >= n"):
        trial_of(function, WrittenTest(scalars=(("n", 4), ("ld", 3))))


NUMBERS = st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False)
AXES = st.none() | st.tuples(*[st.integers(1, 64)] * 3)


@given(
    st.dictionaries(st.sampled_from(["n", "limit", "step", "m"]), NUMBERS),
    st.dictionaries(st.sampled_from(["x", "y", "z"]), st.lists(NUMBERS, max_size=5).map(tuple)),
    AXES,
    AXES,
)
@pytest.mark.parametrize("known", [CLAMP, MAP], ids=["clamp", "map"])
def test_no_trial_breaks_the_contract(
    known: Contract,
    scalars: dict[str, float],
    arrays: dict[str, tuple[float, ...]],
    grid: tuple[int, int, int] | None,
    block: tuple[int, int, int] | None,
) -> None:
    test = WrittenTest(scalars=tuple(scalars.items()), arrays=tuple(arrays.items()), grid=grid, block=block)
    try:
        trial = trial_of(known, test)
    except Unmakeable:
        return
    assert isinstance(known.law, Covers)
    assert admissible(known, trial.scalars, trial.launch)
    made = dict(trial.scalars)
    assert all(made[name] == number for name, number in scalars.items())
    for fact in known.scalars:
        assert int(fact.values.low) <= made[fact.name] <= int(fact.values.high)
        assert made[fact.name] % int(fact.multiple_of) == 0 or fact.multiple_of == "1"
