from __future__ import annotations

import json

import pytest

from tests.unit.cli import ports
from tests.unit.evolution.making import written
from transpile.core import Inconclusive, Strength
from transpile.evolution.testing import answer_of, weighed
from transpile.testers import Judged

PASSED = Judged(verdict=ports.PASSED)


@pytest.mark.parametrize(
    ("mutants", "killed", "equivalent", "kept"),
    [(20, 19, 0, True), (20, 18, 0, False), (20, 18, 1, False), (20, 18, 2, True), (0, 0, 0, True)],
)
def test_a_pass_counts_where_trials_notice_faults(
    mutants: int, killed: int, equivalent: int, kept: bool
) -> None:
    found = weighed(PASSED, Strength(mutants=mutants, killed=killed, equivalent=equivalent))
    if kept:
        assert found == PASSED
    else:
        assert isinstance(found.verdict, Inconclusive) and found.verdict.code == "TP417"
        assert f"{killed} of {mutants - equivalent} planted faults" in found.verdict.reason


def test_what_was_not_measured_changes_nothing() -> None:
    assert weighed(PASSED, None) == PASSED


def test_weak_trials_refute_all_the_same() -> None:
    refuted = Judged(verdict=ports.FALSIFIED)
    assert weighed(refuted, Strength(mutants=9, killed=1, equivalent=0)) == refuted


def test_tests_are_taught_in_the_form_that_is_asked_for() -> None:
    found = json.loads(answer_of(written("admitted", "admitted").written))
    assert found == {"tests": [{"scalars": {"n": 0}}, {"scalars": {"n": 1}}]}
