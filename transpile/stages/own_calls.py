"""Calls of the source's own runs as trials, for units whose branches the others do not all take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from transpile.core import UNTAKEN, Evidence, Inconclusive, Passed, Trial
from transpile.stages.work import Work
from transpile.testers.oracle.gather import COVERED


def is_open(evidence: Evidence) -> bool:
    """Tell whether trials left more branches of a unit untaken than is usual, whatever that came to."""
    verdict = evidence.verdict
    if isinstance(verdict, Passed):
        covered = verdict.guarantee.coverage
        return covered is not None and covered < COVERED
    return isinstance(verdict, Inconclusive) and verdict.code == UNTAKEN


def with_calls(work: Work, runs: Sequence[tuple[str, ...]], calls: Mapping[str, tuple[Trial, ...]]) -> Work:
    """Return the work with what runs of the source call its units with, by unit id, as trials."""
    given = {name: (*work.given.get(name, ()), *trials) for name, trials in calls.items()}
    return replace(work, given={**work.given, **given}, options=replace(work.options, carve=tuple(runs)))
