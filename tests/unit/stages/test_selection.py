"""Which of several translations is kept: the clock is played, the testers have spoken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.cli import ports
from transpile.core import (
    CUDA,
    OPENMP,
    Attempt,
    ByModel,
    ByRules,
    Evidence,
    Falsified,
    Level,
    Replacement,
    Speedup,
    UnitKind,
    Verdict,
)
from transpile.errors import InternalError
from transpile.stages import selection
from transpile.stages.selection import fastest, rivals
from transpile.testers import Proposal
from transpile.testers.speed.benchmark_inputs import NotTimed
from transpile.testers.verdict.performance import Astray

SOURCE = "source"
OPTIONS = SimpleNamespace(required=Level.TESTED, target=OPENMP)


@dataclass
class Played:
    """A track on which each text takes so many seconds; what takes none cannot be timed."""

    seconds: dict[str, float] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()
    courses_found: object = ()
    courses_found_later: object = ()
    laid: int = 0
    breaks_at: str = ""
    compared: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, *known: object) -> Played:
        return self

    def close(self) -> None:
        pass

    def courses(self, proposal: Proposal, pool: object) -> Any:
        self.laid += 1
        return self.courses_found if self.laid == 1 else self.courses_found_later

    def compare(self, courses: object, before: Proposal, after: Proposal) -> Speedup | NotTimed | Astray:
        names = [item.candidate.replacements[0].shown for item in (before, after)]
        self.compared.append((names[0], names[1]))
        if self.breaks_at in names:
            raise InternalError("oops")
        for name, by in zip(names, (before, after), strict=True):
            if name in self.wrong:
                difference = SimpleNamespace(
                    where="out[4096]", expected="1", got="2", check="exact", others=()
                )
                prepared = SimpleNamespace(arguments=(), globals=())
                reference = SimpleNamespace(trial=ports.TRIAL, prepared=prepared)
                return Astray(failure=SimpleNamespace(reference=reference, difference=difference), by=by)  # type: ignore[arg-type]
        if not all(name in self.seconds for name in names):
            return NotTimed(reason="it does not build")
        ratio = self.seconds[names[0]] / self.seconds[names[1]]
        after = self.seconds[names[1]]
        return replace(ports.SPEEDUP, ratio=ratio, low=ratio / 1.1, high=ratio * 1.1, after=after)


@pytest.fixture
def track(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Played:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))
    played = Played()
    monkeypatch.setattr(selection, "Track", played)
    return played


def attempt(text: str, verdict: Verdict = ports.PASSED, **changed: Any) -> Attempt:
    candidate = ports.evidence("k", ports.PASSED).candidate
    assert candidate is not None
    own = (Replacement(unit=candidate.unit, text=text.encode()),)
    return Attempt(candidate=replace(candidate, replacements=own, **changed), verdict=verdict)


def evidence(*attempts: Attempt) -> Evidence:
    known = ports.evidence("k", ports.PASSED)
    unit = replace(known.unit, kind=UnitKind.FUNCTION, text=SOURCE.encode())
    return replace(known, unit=unit, attempts=attempts)


def chosen(*attempts: Attempt) -> Evidence:
    work = SimpleNamespace(workshop=None, source=None, given={}, options=OPTIONS)
    return fastest(work, evidence(*attempts))  # type: ignore[arg-type]


def texts(found: Sequence[Attempt]) -> list[str]:
    return [item.candidate.replacements[0].shown for item in found if item.candidate is not None]


def outcomes(found: Evidence) -> list[str]:
    assert found.selection is not None
    return [item.outcome for item in found.selection.rivals]


def test_the_fastest_for_certain_is_kept(track: Played) -> None:
    track.seconds = {"preferred": 3.0, "slow": 4.0, "fast": 2.0, "faster": 1.0, SOURCE: 5.0}
    found = chosen(*map(attempt, ("faster", "fast", "slow", "preferred")))
    assert texts(found.attempts) == ["fast", "slow", "preferred", "faster"]
    assert outcomes(found) == ["not faster", "taken", "taken"]
    # Each one is timed beside the best before it, and the source beside the last of these.
    assert track.compared[1:] == [("preferred", "fast"), ("fast", "faster"), ("faster", SOURCE)]
    assert found.selection is not None and found.selection.source is not None
    assert not found.selection.source.faster


def test_where_nothing_is_certain_the_preference_holds(track: Played) -> None:
    track.seconds = {"preferred": 1.05, "other": 1.0, SOURCE: 0.5}
    found = chosen(attempt("other"), attempt("preferred"))
    assert texts(found.attempts) == ["other", "preferred"] and outcomes(found) == ["not faster"]
    assert found.selection is not None and found.selection.source is not None
    assert found.selection.source.faster


def test_what_cannot_be_timed_changes_nothing(track: Played) -> None:
    track.seconds = {"preferred": 1.0}
    found = chosen(attempt("other"), attempt("preferred"))
    assert texts(found.attempts) == ["other", "preferred"] and outcomes(found) == ["not timed"]
    track.courses_found, track.laid = NotTimed(reason="no call takes 1 ms"), 0
    found = chosen(attempt("other"), attempt("preferred"))
    assert texts(found.attempts) == ["other", "preferred"]
    assert found.selection is not None and found.selection.reason == "no call takes 1 ms"


def test_calls_that_became_short_are_chosen_anew(track: Played) -> None:
    track.seconds = {"preferred": 1e-2, "fast": 1e-5, SOURCE: 1e-6}
    track.courses_found_later = NotTimed(reason="no call takes 1 ms")
    found = chosen(attempt("left"), attempt("fast"), attempt("preferred"))
    assert track.laid == 2 and outcomes(found) == ["taken"] and texts(found.attempts)[-1] == "fast"
    assert found.selection is not None and found.selection.reason == "no call takes 1 ms"
    assert found.selection.source is None


def test_a_rival_that_is_wrong_in_long_calls_is_refuted(track: Played) -> None:
    track.seconds, track.wrong = {"preferred": 3.0, SOURCE: 5.0}, ("wrong",)
    found = chosen(attempt("wrong"), attempt("preferred"))
    assert outcomes(found) == ["refused"] and found.kept(Level.TESTED)
    assert texts(found.attempts) == ["wrong", "preferred"]
    assert isinstance(found.attempts[0].verdict, Falsified)


def test_what_is_preferred_gives_way_where_it_is_wrong_in_long_calls(track: Played) -> None:
    track.seconds, track.wrong = {"right": 3.0, SOURCE: 1.0}, ("preferred",)
    found = chosen(attempt("right"), attempt("preferred"))
    assert texts(found.attempts) == ["preferred", "right"] and found.kept(Level.TESTED)
    assert isinstance(found.attempts[0].verdict, Falsified)


def test_nothing_is_kept_where_all_are_wrong_in_long_calls(track: Played) -> None:
    track.wrong = ("one", "other", "preferred")
    found = chosen(attempt("one"), attempt("other"), attempt("preferred"))
    assert not found.kept(Level.TESTED)
    assert all(isinstance(item.verdict, Falsified) for item in found.attempts)


def test_our_own_fault_takes_nothing_away_and_brings_nothing_back(track: Played) -> None:
    track.wrong, track.breaks_at = ("wrong",), "other"
    found = chosen(attempt("other"), attempt("wrong"), attempt("preferred"))
    assert texts(found.attempts)[-1] == "preferred" and found.kept(Level.TESTED)
    fault, _, wrong, _ = found.attempts
    assert isinstance(wrong.verdict, Falsified)
    assert found.faults == (fault.verdict,) and "(InternalError: oops)" in found.faults[0].reason
    assert found.selection is not None and found.selection.reason == found.faults[0].reason


def test_only_what_is_as_good_may_be_kept_instead() -> None:
    more = replace(ports.PASSED, guarantee=replace(ports.PASSED.guarantee, requires=("x has 2 elements",)))
    others = (
        attempt("wrong", ports.FALSIFIED),
        attempt("asks more", more),
        attempt("one thread", parallel=False),
        attempt("by a model", origin=ByModel(model="m")),
    )
    found = evidence(*others, attempt("rival"), attempt("kept", origin=ByRules(rules=("loops",))))
    assert texts(rivals(found, OPTIONS)) == ["rival"]  # type: ignore[arg-type]
    on_emulator = SimpleNamespace(required=Level.TESTED, target=CUDA)
    assert not rivals(found, on_emulator)  # type: ignore[arg-type]
    assert not rivals(evidence(attempt("rival"), others[0]), OPTIONS)  # type: ignore[arg-type]
