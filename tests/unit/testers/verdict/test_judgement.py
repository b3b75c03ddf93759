"""Decisions on one candidate and one signature before any trial is made."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.unit.testers.making import MAP
from transpile.core import Inconclusive, Trial
from transpile.errors import ToolMissing
from transpile.testers.compare.compare import Difference
from transpile.testers.differential.differential_run import CONFIGURATIONS, Failure
from transpile.testers.trials.generate import Plan
from transpile.testers.verdict import judgement
from transpile.testers.verdict.judgement import Judgement


class Without:
    """A session, and its bench, on a machine that lacks a library."""

    candidates = property(lambda self: self)

    def baseline(self, *_: object) -> None:
        return None

    def entry(self, *_: object) -> None:
        raise ToolMissing("tbb is missing", hint="apt-get install libtbb-dev")


def test_nothing_is_shown_where_a_candidate_cannot_be_linked() -> None:
    proposal = cast(Any, type("Proposed", (), {"unit": None}))
    found = Judgement(cast(Any, Without()), proposal, MAP).decide(Plan(seed=0, count=1))
    assert isinstance(found, Inconclusive) and found.code == "TP412"
    assert "apt-get install libtbb-dev" in found.reason


def test_what_a_checker_finds_where_the_source_is_at_fault_accuses_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = "shift exponent 4294967295 is too large"
    monkeypatch.setattr(judgement, "fault_of_source", lambda *_: fault)
    bench = SimpleNamespace(workshop=None, sources=None, baseline=lambda *_: None)
    judged = Judgement(cast(Any, bench), cast(Any, SimpleNamespace(unit=None)), MAP)
    reference = SimpleNamespace(trial=Trial(seed=1, fill="exact", scalars=()))
    difference = Difference(where="y[0]", expected="0", got="2147483648", check="exact")
    failure = Failure(reference=cast(Any, reference), difference=difference, configuration=CONFIGURATIONS[0])
    found = judged._blamed(failure, cast(Any, None))
    assert isinstance(found, Inconclusive) and fault in found.reason
