"""Fates of variants, with a played clock and verdicts that are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.cli import ports
from transpile.core import (
    Attempt,
    ByModel,
    Diagnostic,
    Evidence,
    Falsified,
    Level,
    Rejected,
    Replacement,
    Severity,
    Speedup,
    Transformation,
)
from transpile.errors import InternalError
from transpile.options import PortOptions
from transpile.stages import optimize
from transpile.stages.optimize import Contest
from transpile.stages.repair import Result
from transpile.store import Store
from transpile.testers import Judged, Proposal
from transpile.testers.speed.benchmark_inputs import NotTimed
from transpile.testers.verdict.performance import Astray

TILE = Transformation(name="tile", summary="Tile.", targets=("openmp",), text="Blocks.")
FUSE = replace(TILE, name="fuse")
FASTER, SLOWER = ports.SPEEDUP, replace(ports.SPEEDUP, ratio=0.5, low=0.4, high=0.6)
SILENT = Rejected(
    stage="model",
    diagnostics=(Diagnostic(code="TP521", severity=Severity.ERROR, path="a", line=1, message="no"),),
)
BEFORE = ports.evidence("k", ports.PASSED)
Found = Speedup | NotTimed | InternalError | str
"""``before`` or ``after``: whose results part from the source's."""


class Played:
    """A track on which is measured what the test says."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.courses_found: list[Any] = []
        self.compared: list[tuple[Proposal, Proposal]] = []

    def __call__(self, *known: object) -> Played:
        return self

    def close(self) -> None:
        pass

    def facts(self, proposal: Proposal, courses: object) -> tuple[str, ...]:
        return ()

    def courses(self, proposal: Proposal, pool: object) -> Any:
        return self.courses_found.pop(0) if self.courses_found else ()

    def compare(self, courses: object, before: Proposal, after: Proposal) -> Speedup | NotTimed | Astray:
        self.compared.append((before, after))
        found = self.found.pop(0)
        if isinstance(found, InternalError):
            raise found
        if isinstance(found, str):
            example = ports.FALSIFIED.counterexample
            failure = SimpleNamespace(
                reference=SimpleNamespace(
                    trial=example.trial, prepared=SimpleNamespace(arguments=(), globals=())
                ),
                difference=SimpleNamespace(
                    where="out[4096]", expected="1", got="2", check="exact", others=()
                ),
            )
            return Astray(failure=failure, by=before if found == "before" else after)  # type: ignore[arg-type]
        return found


@pytest.fixture
def track(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Played:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))
    played = Played()
    monkeypatch.setattr(optimize, "Track", played)
    return played


def begun() -> Contest:
    work = SimpleNamespace(workshop=None, source=None, given={})
    return Contest(work, BEFORE)  # type: ignore[arg-type]


def variant(text: str, transformation: Transformation = TILE) -> Attempt:
    assert BEFORE.candidate is not None
    candidate = replace(
        BEFORE.candidate,
        replacements=(Replacement(unit=BEFORE.unit.id, text=text.encode()),),
        origin=ByModel(transformation=transformation.name),
    )
    return Attempt(candidate=candidate, verdict=ports.PASSED)


def answered(*passed: Attempt, others: Sequence[Attempt] = (), contracts: tuple[Any, ...] = ()) -> Result:
    judged = Judged(verdict=ports.PASSED, pool=(ports.TRIAL,), contracts=contracts)
    return Result(attempts=(*others, *passed), passed=tuple((item, judged) for item in passed))


def outcomes(evidence: Evidence) -> list[str]:
    assert evidence.optimization is not None
    return [step.outcome for step in evidence.optimization.steps]


def test_what_is_faster_twice_is_applied(track: Played) -> None:
    contest, fast = begun(), variant("fast")
    again = replace(FASTER, ratio=1.9)
    track.found = [FASTER, again]
    contest.conclude(TILE, answered(fast))
    found = contest.concluded(1.0)
    assert outcomes(found) == ["applied"] and found.attempts[-1] == fast
    assert found.attempts[0] == BEFORE.attempts[0]
    # The second measurement counts: the first one chose.
    assert found.optimization is not None and found.optimization.speedup == again
    assert found.seconds == BEFORE.seconds + 1.0


def test_what_is_faster_once_stays_out(track: Played) -> None:
    contest = begun()
    track.found = [FASTER, SLOWER]
    contest.conclude(TILE, answered(variant("lucky")))
    found = contest.concluded(0.0)
    assert outcomes(found) == ["not faster"] and found.attempts[-1] == BEFORE.attempts[0]


def test_the_fastest_of_several_is_measured_again(track: Played) -> None:
    contest, best = begun(), variant("best")
    track.found = [FASTER, replace(FASTER, ratio=3.0), SLOWER, FASTER]
    contest.conclude(TILE, answered(variant("good"), best, variant("bad")))
    assert contest.concluded(0.0).attempts[-1] == best
    assert track.compared[-1][1].candidate == best.candidate


def test_each_step_begins_with_what_was_applied_before(track: Played) -> None:
    contest, first, second = begun(), variant("first"), variant("second", FUSE)
    track.found = [FASTER, FASTER, FASTER, FASTER, replace(FASTER, ratio=4.0)]
    contest.conclude(TILE, answered(first))
    assert contest.open(FUSE).change.base == first.candidate  # type: ignore[union-attr]
    contest.conclude(FUSE, answered(second))
    found = contest.concluded(0.0)
    assert outcomes(found) == ["applied", "applied"]
    assert track.compared[2][0].candidate == first.candidate
    # In the end, the last is measured beside the first.
    assert found.optimization is not None and found.optimization.speedup is not None
    assert found.optimization.speedup.ratio == 4.0
    assert track.compared[-1][0].candidate == BEFORE.candidate


@pytest.mark.parametrize("when", [0, 1], ids=["at first", "when it is measured again"])
def test_a_variant_that_is_wrong_in_long_calls_is_falsified(track: Played, when: int) -> None:
    contest = begun()
    track.found = ([FASTER] * when) + ["after"]
    contest.conclude(TILE, answered(variant("small only")))
    found = contest.concluded(0.0)
    assert outcomes(found) == ["refused"] and found.attempts[-1] == BEFORE.attempts[0]
    verdict = found.attempts[0].verdict
    assert isinstance(verdict, Falsified) and verdict.counterexample.where == "out[4096]"
    # The next one is told of it.
    assert "out[4096]" in contest.open(FUSE).change.variants[-1].fate  # type: ignore[union-attr]


def test_a_translation_that_is_wrong_in_long_calls_is_not_kept(track: Played) -> None:
    contest = begun()
    track.found = ["before"]
    contest.conclude(TILE, answered(variant("right")))
    assert not contest.goes_on
    found = contest.concluded(0.0)
    assert isinstance(found.verdict, Falsified) and found.candidate == BEFORE.candidate
    assert found.optimization is not None and found.optimization.applied == ()


def test_a_variant_that_turns_out_wrong_later_gives_way_to_the_first(track: Played) -> None:
    contest, fast = begun(), variant("fast")
    track.found = [FASTER, FASTER, "before"]
    contest.conclude(TILE, answered(fast))
    contest.conclude(FUSE, answered(variant("other", FUSE)))
    found = contest.concluded(0.0)
    assert found.attempts[-1] == BEFORE.attempts[0]
    assert outcomes(found) == ["undone", "not timed"]
    assert [item.verdict.kind for item in found.attempts] == ["falsified", "passed", "passed"]


def test_so_it_does_where_all_together_turns_out_wrong(track: Played) -> None:
    contest = begun()
    track.found = [*[FASTER] * 4, "after"]
    contest.conclude(TILE, answered(variant("first")))
    contest.conclude(FUSE, answered(variant("second", FUSE)))
    found = contest.concluded(0.0)
    assert found.attempts[-1] == BEFORE.attempts[0] and outcomes(found) == ["undone", "undone"]


def test_whatever_cannot_be_timed_changes_nothing(track: Played) -> None:
    contest = begun()
    track.found = [NotTimed(reason="too short"), InternalError("oops")]
    contest.conclude(TILE, answered(variant("a")))
    contest.conclude(FUSE, answered(variant("b", FUSE)))
    found = contest.concluded(0.0)
    assert outcomes(found) == ["not timed", "not timed"] and found.attempts[-1] == BEFORE.attempts[0]
    assert found.optimization is not None
    first, second = (step.reason for step in found.optimization.steps)
    assert first == "too short" and "(InternalError: oops)" in second
    assert [fault.reason for fault in found.faults] == [second]


def test_a_variant_may_not_ask_more_of_callers(track: Played) -> None:
    contest = begun()
    contest.conclude(TILE, answered(variant("reaches on"), contracts=("longer",)))
    assert outcomes(contest.concluded(0.0)) == ["not timed"] and not track.compared


def test_no_answer_is_told_from_a_refused_one(track: Played) -> None:
    contest = begun()
    silent = Attempt(candidate=None, verdict=SILENT, asked=ByModel(transformation="tile"))
    contest.conclude(TILE, answered(others=[silent]))
    contest.conclude(FUSE, answered(others=[silent, replace(variant("x", FUSE), verdict=ports.FALSIFIED)]))
    contest.conclude(FUSE, answered())
    found = contest.concluded(0.0)
    assert outcomes(found) == ["no answer", "refused", "refused"]
    assert found.optimization is not None
    assert found.optimization.steps[2].reason == "The model changed nothing."
    assert found.attempts[-1] == BEFORE.attempts[0] and len(found.attempts) == 4


def test_calls_that_became_short_are_chosen_anew(track: Played) -> None:
    track.courses_found = [(), NotTimed(reason="no call takes 1 ms")]
    contest = begun()
    fast = replace(FASTER, ratio=1000.0, after=2e-6)
    track.found = [fast, fast]
    contest.conclude(TILE, answered(variant("fast")))
    assert not contest.goes_on
    found = contest.concluded(0.0)
    assert outcomes(found) == ["applied"] and found.attempts[-1].optimises
    assert found.optimization is not None and found.optimization.reason == "no call takes 1 ms"


def test_a_unit_that_we_fail_on_stays_as_it_was_and_the_others_are_made_faster(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))
    good, bad = (ports.evidence(name, ports.PASSED) for name in ("good", "bad"))
    faster = replace(ports.OPTIMIZED, steps=())

    def tried(work: object, kept: Sequence[Evidence]) -> list[Evidence]:
        if any(item.unit.name == "bad" for item in kept):
            raise IndexError("list index out of range")
        return [replace(item, optimization=faster) for item in kept]

    monkeypatch.setattr(optimize, "faster", tried)
    options = PortOptions(cache=tmp_path)
    work: Any = SimpleNamespace(options=options, store=Store(tmp_path / "evidence"), known=lambda _: None)
    found = {item.evidence.unit.name: item.evidence for item in optimize.optimized(work, [good, bad])}
    assert found["good"].optimization == faster and not found["good"].faults
    assert found["bad"].kept(Level.TESTED) and found["bad"].optimization is None
    assert "IndexError" in found["bad"].faults[0].reason
