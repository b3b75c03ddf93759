"""Answers of models counted: what they mean, as often as they mean it, and not what failed to come."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.cli import ports
from tests.unit.report.test_makers import SILENCE
from transpile.core import Attempt, ByModel, Counterexample, Evidence, Falsified, Rejected, Trial, Verdict
from transpile.report.passing import Drawn, answers_of, first_answers_of, mean_pass_at

WRONG = Falsified(
    counterexample=Counterexample(
        trial=Trial(seed=0, fill="exact", scalars=()), where="x[0]", expected="1", got="2", check="exact"
    )
)


def evidence(*given: tuple[ByModel, Verdict]) -> Evidence:
    [found] = ports.port(ports.PASSED).evidence
    assert found.candidate is not None
    made = [
        Attempt(candidate=replace(found.candidate, origin=origin), verdict=verdict)
        if not isinstance(verdict, Rejected)
        else Attempt(candidate=None, verdict=verdict, asked=origin)
        for origin, verdict in given
    ]
    return replace(found, attempts=tuple(made))


def test_answers_count_as_often_as_they_came() -> None:
    model = ByModel(model="m")
    found = evidence(
        (replace(model, alike=3), WRONG),
        (replace(model, sample=3), ports.PASSED),
        (replace(model, sample=3, draft=1), ports.PASSED),
        (replace(model, sample=4), SILENCE),
        (replace(model, round=1), ports.PASSED),
        (ByModel(model="other"), ports.PASSED),
        (replace(model, transformation="tile"), ports.PASSED),
    )
    assert answers_of(found, "m") == Drawn(right=2, drawn=5)
    assert first_answers_of(found, "m") == Drawn(right=1, drawn=4)
    assert answers_of(found) == Drawn(right=3, drawn=6)


def test_the_mean_is_over_units_with_as_many_answers() -> None:
    found = [Drawn(right=1, drawn=4), Drawn(right=0, drawn=1)]
    assert mean_pass_at(1, found) == 0.125
    assert mean_pass_at(4, found) == 1.0
    assert mean_pass_at(5, found) is None
