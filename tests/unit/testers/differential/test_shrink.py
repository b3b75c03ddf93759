from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest

from tests.unit.testers.making import MAP, contract, pointer, size, value, writes
from transpile.core import Fill, Launch, Range, ScalarFact, Trial, Unbounded
from transpile.testers.differential.shrink import BREADTH, ROUNDS, shrink, simpler
from transpile.testers.trials.launches import admissible

BIG = Trial(seed=1, fill="real", scalars=(("n", 1025),), launch=Launch(grid=(35, 1, 1), block=(32, 1, 1)))


def failing_if(wrong):
    asked: list[Sequence[Trial]] = []

    def failing(trials: Sequence[Trial]) -> list[str | None]:
        asked.append(trials)
        return ["wrong" if wrong(trial) else None for trial in trials]

    return failing, asked


def n_of(trial: Trial) -> int:
    return int(dict(trial.scalars)["n"])


@pytest.mark.parametrize("fill", get_args(Fill))
def test_every_fill_becomes_the_simplest(fill: Fill) -> None:
    failing, _ = failing_if(lambda trial: True)
    assert shrink(MAP, replace(BIG, fill=fill), "wrong", failing)[0].fill == "exact"


def test_what_always_fails_shrinks_to_nothing() -> None:
    failing, _ = failing_if(lambda trial: True)
    trial, _ = shrink(MAP, BIG, "wrong", failing)
    assert n_of(trial) == 0 and trial.launch.grid == (1, 1, 1) and trial.fill == "exact"


def test_the_size_that_matters_stays() -> None:
    failing, _ = failing_if(lambda trial: n_of(trial) >= 257)
    trial, _ = shrink(MAP, BIG, "wrong", failing)
    assert 257 <= n_of(trial) < 400


def test_what_fails_in_no_smaller_form_stays_as_it_is() -> None:
    failing, asked = failing_if(lambda trial: trial == BIG)
    assert shrink(MAP, BIG, "first", failing) == (BIG, "first")
    assert len(asked) == 1


def test_runs_are_bounded() -> None:
    failing, asked = failing_if(lambda trial: True)
    shrink(MAP, BIG, "wrong", failing)
    assert len(asked) <= ROUNDS and all(len(trials) <= BREADTH for trials in asked)


def test_every_proposal_respects_the_contract() -> None:
    strided = contract(
        (pointer("a"), value("n"), value("ld")),
        (writes("a", "n * ld"),),
        (size("n", "2"), size("ld", "n", "4 * n", multiple_of="4")),
        relations=("ld >= 8",),
    )
    trial = replace(BIG, scalars=(("n", 100), ("ld", 128)))
    found = list(simpler(strided, trial))
    assert found
    for item in found:
        values = dict(item.scalars)
        assert values["n"] >= 2 and values["ld"] % 4 == 0 and values["n"] <= values["ld"] <= 4 * values["n"]
        assert admissible(strided, item.scalars, item.launch)


def test_numbers_become_plain_too() -> None:
    moded = contract(
        (pointer("a"), value("n"), value("k")),
        (writes("a"),),
        (size("n"), ScalarFact(name="k", values=Range(low="-50", high="50"))),
        Unbounded(),
    )
    failing, _ = failing_if(lambda trial: n_of(trial) > 2)
    trial, _ = shrink(moded, replace(BIG, scalars=(("n", 100), ("k", -37))), "wrong", failing)
    assert dict(trial.scalars) == {"n": 3, "k": 0}
