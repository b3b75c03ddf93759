"""Feedback to a model: what matters, and nothing of this machine."""

from __future__ import annotations

from transpile.core import (
    Counterexample,
    Diagnostic,
    Falsified,
    Guarantee,
    Inconclusive,
    Launch,
    Level,
    Passed,
    Rejected,
    Severity,
    Trial,
)
from transpile.translators.llm.feedback import feedback


def rejected(stage: str, message: str, hint: str = "") -> Rejected:
    diagnostic = Diagnostic(
        code="TP301", severity=Severity.ERROR, path="k.cu", line=1, message=message, hint=hint
    )
    return Rejected(stage=stage, diagnostics=(diagnostic,))


def test_compiler_errors_come_without_paths() -> None:
    message = "/tmp/x-1/y/k.cu:3:5: error: 'j' was not declared"
    found = feedback(rejected("build", message, "\n/home/me/a.h:1: note"))
    assert found is not None
    what, lines = found
    assert what == "It does not compile."
    assert lines == ["k.cu:3:5: error: 'j' was not declared", "a.h:1: note"]


def test_many_lines_are_cut() -> None:
    found = feedback(rejected("build", "\n".join(f"error {number}" for number in range(100))))
    assert found is not None
    assert 0 < len(found[1]) < 20


def test_a_counterexample_is_told_whole() -> None:
    trial = Trial(seed=1, fill="exact", scalars=(("n", 33),), launch=Launch(grid=(2, 1, 1), block=(32, 1, 1)))
    example = Counterexample(trial=trial, where="out[32]", expected="4", got="0", check="exact")
    found = feedback(Falsified(counterexample=example, trials=7))
    assert found is not None
    text = "\n".join((found[0], *found[1]))
    for part in ("after 7 trials", "out[32]: expected 4, got 0", "n = 33", "dim3(32, 1, 1)"):
        assert part in text


def test_what_no_repair_helps_is_not_told() -> None:
    assert feedback(Inconclusive(reason="the source races")) is None
    assert feedback(Passed(guarantee=Guarantee(level=Level.TESTED, trials=1, checks=()))) is None


def test_inputs_and_more_places_are_told() -> None:
    trial = Trial(seed=1, fill="exact", scalars=(("n", 3),))
    example = Counterexample(
        trial=trial,
        where="out[1]",
        expected="4",
        got="0",
        check="exact",
        others=("out[2]: expected 6, got 0",),
        inputs=("in: 3 elements = {1, 2, 3}",),
    )
    found = feedback(Falsified(counterexample=example))
    assert found is not None
    assert "out[2]: expected 6, got 0" in found[1] and "in: 3 elements = {1, 2, 3}" in found[1]


def test_two_functions_of_one_name_are_explained() -> None:
    found = feedback(rejected("build", "error: call of overloaded 'add(float2&)' is ambiguous"))
    assert found is not None
    assert "Call yours by another name" in found[1][-1]
