"""Findings of whole programs."""

from __future__ import annotations

from pathlib import Path

from transpile.core import Counterexample, Falsified, Inconclusive, Launch, ProgramVerdict, Trial
from transpile.report.findings import alike, named, of_program

UNRUN = Inconclusive(reason="no run of the program is known", code="TP511")
WRONG = Falsified(
    counterexample=Counterexample(
        trial=Trial(seed=1, fill="exact", scalars=(), launch=Launch()),
        where="",
        expected="1",
        got="2",
        check="x",
    )
)


def program(command: str, verdict: Inconclusive | Falsified = UNRUN) -> ProgramVerdict:
    return ProgramVerdict(command=command, verdict=verdict)


def test_programs_of_which_nothing_was_shown_for_one_reason_are_told_together() -> None:
    other = Inconclusive(reason="two runs of the source differ", code="TP511")
    programs = [program("a"), program("b", WRONG), program("c"), program("d", other), program("e", WRONG)]
    groups = alike(programs)
    assert [[item.command for item in group] for group in groups] == [["a", "c"], ["b"], ["d"], ["e"]]
    [found] = of_program(groups[0][0], Path("x"), groups[0][1:])
    assert found.reason == "a, c: no run of the program is known"


def test_of_many_programs_the_first_ones_are_named() -> None:
    assert named([program(name) for name in "abcd"]) == "a, b, c, d"
    assert named([program(name) for name in "abcdefg"]) == "a, b, c, d and 3 more"
