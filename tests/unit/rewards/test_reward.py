"""Steps of a reward: what is refused is worth less than what passes, and says why."""

from __future__ import annotations

import pytest

from transpile.core import (
    OUR_FAULT,
    Counterexample,
    Diagnostic,
    Falsified,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Rejected,
    Severity,
    Trial,
    Verdict,
)
from transpile.errors import UsageError
from transpile.rewards.reward import Scale, Stage, graded
from transpile.testers.verdict.panel import Tally

TRIAL = Trial(seed=1, fill="exact", scalars=(("n", 3),))


def _rejected(stage: str) -> Rejected:
    found = Diagnostic(code="TP301", severity=Severity.ERROR, path="a.cu", line=1, message="no")
    return Rejected(stage=stage, diagnostics=(found,))


def _falsified(check: str) -> Falsified:
    example = Counterexample(trial=TRIAL, where="y[0]", expected="1", got="2", check=check)
    return Falsified(counterexample=example)


def _passed(level: Level = Level.TESTED) -> Passed:
    return Passed(guarantee=Guarantee(level=level, trials=50, checks=("trials",)))


LADDER: list[tuple[Stage, Verdict, int]] = [
    (Stage.FORMAT, _rejected("answer"), 0),
    (Stage.POLICY, _rejected("policy"), 0),
    (Stage.POLICY, _falsified("surroundings"), 10),
    (Stage.BUILD, _rejected("build"), 0),
    (Stage.TRIALS, _falsified("exact"), 0),
    (Stage.TRIALS, _falsified("exact"), 9),
    (Stage.CHECKS, _falsified("race"), 10),
    (Stage.PASSED, _passed(), 10),
]


def test_each_step_is_worth_at_least_as_much_as_the_one_before() -> None:
    found = [graded(Tally(verdict=v, agreed=agreed, telling=10), Level.TESTED) for _, v, agreed in LADDER]
    values = [item.value for item in found]
    assert [item.stage for item in found] == [stage for stage, _, _ in LADDER]
    assert values == [0.0, 0.0, 0.0, 0.05, 0.1, pytest.approx(0.37), pytest.approx(0.4), 1.0]
    assert all(item.reason for item in found)


def test_a_pass_below_what_is_required_is_none() -> None:
    tally = Tally(verdict=_passed(), agreed=10, telling=10)
    assert graded(tally, Level.HARDENED).stage is Stage.CHECKS


@pytest.mark.parametrize(
    "tally",
    [
        Tally(verdict=Inconclusive(reason="no trial is valid"), source_alone=True),
        Tally(verdict=Inconclusive(reason="transpile itself failed", code=OUR_FAULT), agreed=3, telling=9),
    ],
)
def test_where_nothing_can_be_said_there_is_no_value(tally: Tally) -> None:
    found = graded(tally, Level.TESTED)
    assert found.value is None and found.stage is Stage.SOURCE and found.code


def test_what_a_checker_cannot_clear_is_not_worth_a_pass() -> None:
    tally = Tally(verdict=Inconclusive(reason="rounding hides errors"), agreed=10, telling=10)
    found = graded(tally, Level.TESTED)
    assert found.stage is Stage.CHECKS and found.value == pytest.approx(0.4)


@pytest.mark.parametrize(("ratio", "value"), [(None, 1.0), (0.5, 1.0), (2.0, 1.1), (8.0, 1.3), (1e9, 1.3)])
def test_speed_counts_on_top_of_a_pass_and_up_to_a_bound(ratio: float | None, value: float) -> None:
    tally = Tally(verdict=_passed(), agreed=10, telling=10)
    found = graded(tally, Level.TESTED, Scale(speed=0.3), ratio)
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize(
    "wrong", [{"trials": 0.95}, {"form": 0.2}, {"speed": -1.0}, {"passed": float("nan")}]
)
def test_a_scale_on_which_wrong_is_as_good_as_right_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Scale(**wrong)
