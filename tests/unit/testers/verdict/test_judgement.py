"""Decisions on one candidate and one signature before any trial is made."""

from __future__ import annotations

from typing import Any, cast

from tests.unit.testers.making import MAP
from transpile.core import Inconclusive
from transpile.errors import ToolMissing
from transpile.testers.trials.generate import Plan
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
