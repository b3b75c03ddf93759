"""A failure is a counterexample where it shows again: alone, or after the calls that went ahead of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from transpile.core import Binding, Candidate, Counterexample, Falsified, Inconclusive, Trial
from transpile.testers.checks import again
from transpile.testers.compare.compare import Difference
from transpile.testers.differential.differential_run import CONFIGURATIONS, Failure, Undecided
from transpile.testers.oracle.validity import Reference

SMALL, FIRST, EARLIER = (Trial(seed=10 * seed, fill="exact", scalars=(("n", seed),)) for seed in (1, 2, 3))


@dataclass
class Referred:
    trial: Trial

    @property
    def prepared(self) -> Any:
        return SimpleNamespace(arguments=(), globals=())


def failed(trial: Trial, check: str = "exact", got: str = "2") -> Failure:
    difference = Difference(where="y[0]", expected="1", got=got, check=check)
    return Failure(
        reference=cast(Reference, Referred(trial)), difference=difference, configuration=CONFIGURATIONS[0]
    )


@dataclass
class Played:
    """Fails on the calls that are named; counts from the first of them the times that it agrees before."""

    fails: set[tuple[Trial, int]]
    """Trials, and how many calls are ahead of them."""
    lucky: int = 0
    seen: list[tuple[Trial, int]] = field(default_factory=list)

    def __call__(self, case: object, trial: Trial, before: Sequence[Trial] = (), *, crowded: bool) -> object:
        assert crowded
        self.seen.append((trial, len(before)))
        shows = (trial, len(before)) in self.fails and len(self.seen) > self.lucky
        found = failed(trial, got="3") if shows else None
        return again.Again(
            differential=cast(Any, None), reference=cast(Reference, Referred(trial)), found=found
        )


def reproduced(
    monkeypatch: pytest.MonkeyPatch, played: Played, check: str = "exact"
) -> Falsified | Inconclusive:
    monkeypatch.setattr(again, "again", played)
    example = Counterexample(trial=SMALL, where="y[0]", expected="1", got="2", check=check)
    pool = [cast(Reference, Referred(trial)) for trial in (EARLIER, FIRST, SMALL)]
    return again.reproduced(cast(Any, None), example, failed(FIRST, check), pool)


def test_what_shows_alone_stays_as_it_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(fails={(SMALL, 0)})
    found = reproduced(monkeypatch, played)
    assert isinstance(found, Falsified)
    assert (found.counterexample.got, found.counterexample.before) == ("2", ())
    assert played.seen == [(SMALL, 0)]


@pytest.mark.parametrize(
    ("trial", "calls", "before"),
    [
        (SMALL, 2, (Trial(seed=11, fill="exact", scalars=SMALL.scalars),)),
        (FIRST, 0, ()),
        (FIRST, 1, (EARLIER,)),
    ],
)
def test_what_shows_after_other_calls_names_them(
    monkeypatch: pytest.MonkeyPatch, trial: Trial, calls: int, before: tuple[Trial, ...]
) -> None:
    found = reproduced(monkeypatch, Played(fails={(trial, calls)}))
    assert isinstance(found, Falsified)
    assert found.counterexample.trial == trial
    assert found.counterexample.before[:1] == before[:1]
    assert len(found.counterexample.before) == calls
    assert found.counterexample.got == "3"


def test_what_never_shows_again_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reproduced(monkeypatch, Played(fails=set()))
    assert isinstance(found, Inconclusive) and found.code == "TP419"
    assert "y[0]: expected 1, got 2 (exact)" in found.reason


@pytest.mark.parametrize(("check", "kept"), [("race", ()), ("exact", None)])
def test_races_have_several_chances(
    monkeypatch: pytest.MonkeyPatch, check: str, kept: tuple[Trial, ...] | None
) -> None:
    found = reproduced(monkeypatch, Played(fails={(SMALL, 0)}, lucky=2), check)
    assert (found.counterexample.before if isinstance(found, Falsified) else None) == kept


class Rounding:
    """A differential that rounding hides the end of."""

    def __init__(self, *_: object) -> None:
        pass

    def once(self, *_: object) -> list[Undecided]:
        return [Undecided()]


@pytest.mark.parametrize("checked", [failed(SMALL, "race"), None])
def test_what_rounding_hides_is_checked_all_the_same(
    monkeypatch: pytest.MonkeyPatch, checked: Failure | None
) -> None:
    reference = Reference(prepared=cast(Any, Referred(SMALL)), results=((), ()), exact=True, written=())
    candidate = Candidate(unit="u", replacements=(), binding=Binding(name="f", arguments=()))
    case = SimpleNamespace(
        entry=lambda: None,
        baseline=SimpleNamespace(
            examiner=SimpleNamespace(examine=lambda _: [reference]),
            calibration=SimpleNamespace(anew=lambda: None),
        ),
        bench=SimpleNamespace(workshop=None),
        proposal=SimpleNamespace(candidate=candidate),
        checked=lambda _: checked,
    )
    monkeypatch.setattr(again, "Differential", Rounding)
    found = again.again(cast(Any, case), SMALL)
    if checked is None:
        assert isinstance(found, Inconclusive) and found.code == "TP413"
    else:
        assert isinstance(found, again.Again) and found.found is checked
