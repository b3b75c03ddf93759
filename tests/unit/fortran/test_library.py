"""Verdicts on the routines of a Fortran library, put together."""

from __future__ import annotations

from transpile.core import (
    Counterexample,
    Falsified,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Rejected,
    Trial,
    Verdict,
)
from transpile.fortran.library import RoutineResult, callees_first, reason, with_callees
from transpile.parsers.fortran.interfaces import Interface

PASSED = Passed(guarantee=Guarantee(level=Level.TESTED, trials=9, checks=()))


def routine(name: str, *callees: str) -> Interface:
    return Interface(
        name=name, file="f.f", line=1, symbol=f"{name}_", target=name, dummies=(), result=None, numbers=(),
        one_way=(), unreachable=(), callees=callees,
    )  # fmt: skip


def result(name: str, verdict: Verdict) -> RoutineResult:
    return RoutineResult(name=name, file="f.f", line=1, verdict=verdict)


def test_a_routine_is_kept_only_with_all_that_it_calls() -> None:
    done = {"a": result("a", PASSED), "b": result("b", Inconclusive(reason="no trial is valid"))}
    assert with_callees(PASSED, routine("c", "a"), done) is PASSED
    found = with_callees(PASSED, routine("c", "a", "b"), done)
    assert isinstance(found, Inconclusive) and found.code == "TP605" and "`b`" in found.reason
    wrong = Inconclusive(reason="its own")
    assert with_callees(wrong, routine("c", "b"), done) is wrong


def test_callees_come_first_and_only_what_is_asked_for_comes() -> None:
    routines = [
        routine("top", "middle"),
        routine("middle", "low", "middle"),
        routine("low"),
        routine("other"),
    ]
    assert [item.name for item in callees_first(routines, ())] == ["low", "middle", "top", "other"]
    assert [item.name for item in callees_first(routines, ["MIDDLE"])] == ["low", "middle"]


def test_reasons_name_the_place_and_the_arguments() -> None:
    example = Counterexample(
        trial=Trial(seed=5, fill="real", scalars=(("n", 3),), template_arguments="n=3"),
        where="y[1]", expected="2.0", got="1.0", check="exact",
    )  # fmt: skip
    code, words = reason(Falsified(counterexample=example))
    assert code == "TP601" and "y[1] is 1.0 instead of 2.0, for n=3 (seed 5)" in words
    assert reason(Inconclusive(reason="why", code="TP604")) == ("TP604", "inconclusive: why")
    assert not result("a", Rejected(stage="translation", diagnostics=())).kept
