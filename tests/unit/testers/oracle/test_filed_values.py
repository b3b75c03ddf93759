"""Whole numbers in variables at file scope: which are tried, and how far from zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.unit.testers.making import INT, MAP, plain
from tests.unit.testers.oracle.test_far_values import Behaved
from transpile.core import Contract, GlobalVariable, Scalar, Trial
from transpile.testers.oracle.filed_values import at_zero, filed
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.trials.materialise import materialise

PLAN = Plan(seed=5, count=16)
VARIABLES = (
    GlobalVariable(name="radius", element=INT, count=1, constant=True),
    GlobalVariable(name="key", element=plain(Scalar.UINT64), count=4),
    GlobalVariable(name="weight", element=plain(Scalar.FLOAT32), count=1),
)
KNOWN = replace(MAP, signature=replace(MAP.signature, globals=VARIABLES))


@dataclass
class Source:
    """An examiner of a source whose work depends on the radius."""

    contract: Contract

    def references(self, trials: Sequence[Trial]) -> list[Behaved]:
        radii = [dict((name, high) for name, _, high in trial.variables).get("radius", 8) for trial in trials]
        return [Behaved(work=1000 + 10 * radius) for radius in radii]


def ranges(name: str) -> set[tuple[int, int]]:
    trials = filed(Source(KNOWN), PLAN)  # type: ignore[arg-type]
    return {(low, high) for trial in trials for part, low, high in trial.variables if part == name}


def test_what_says_how_much_there_is_to_do_stays_near_zero() -> None:
    assert {(0, 0), (-8, 8), (17, 32), (33, 100)} <= ranges("radius")
    assert all(low > -100 and high <= 100 for low, high in ranges("radius"))


def test_other_numbers_have_every_length_and_none_that_their_type_lacks() -> None:
    lengths = {high.bit_length() for _, high in ranges("key")}
    assert {1, 4, 9, 16, 24, 31, 33, 63} <= lengths
    assert all(low >= 0 for low, _ in ranges("key")) and not ranges("weight")


def test_what_a_contract_speaks_of_is_left_to_it() -> None:
    told = replace(KNOWN, arrays=(*KNOWN.arrays, replace(KNOWN.arrays[0], name="key")))
    trials = filed(Source(told), PLAN)  # type: ignore[arg-type]
    assert not any(name == "key" for trial in trials for name, _, _ in trial.variables)


def test_the_numbers_of_a_trial_are_where_it_says() -> None:
    [trial] = [item for item in filed(Source(KNOWN), PLAN) if item.variables == (("key", 17, 32),)]  # type: ignore[arg-type]
    held = {slot.name: slot.data for slot in materialise(KNOWN, trial).globals}
    assert all(17 <= number <= 32 for number in held["key"].view("u8"))
    assert 1 <= held["radius"].view("i4")[0] <= 8


def test_variables_are_zero_together_and_each_alone() -> None:
    trials = at_zero(KNOWN, generate(KNOWN, PLAN))
    zero = [{name for name, low, high in item.variables if low == high == 0} for item in trials[:4]]
    assert zero == [{"radius", "key"}, {"radius"}, {"key"}, {"radius", "key"}]
    held = {slot.name: slot.data for slot in materialise(KNOWN, trials[2]).globals}
    assert held["radius"].any() and not held["key"].any()
    assert not at_zero(MAP, generate(MAP, PLAN))
