"""Calls of the source's own runs as trials, for units whose branches the others do not all take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.core import UNTAKEN, Evidence, Inconclusive, Passed, Unit
from transpile.options import PortOptions
from transpile.stages.rules import by_rules
from transpile.stages.work import Decided, Work
from transpile.testers.oracle.gather import COVERED
from transpile.testers.programs.carve import carve


def is_open(evidence: Evidence, options: PortOptions) -> bool:
    """Tell whether calls of the source's own program may take what no trial took."""
    if options.carve:
        return False
    verdict = evidence.verdict
    if isinstance(verdict, Passed):
        covered = verdict.guarantee.coverage
        return covered is not None and covered < COVERED
    return isinstance(verdict, Inconclusive) and verdict.code == UNTAKEN


def with_own_calls(work: Work, left: Sequence[Evidence]) -> Iterator[Decided]:
    """Judge units again on what the known runs of the source call them with; those without as they were."""
    runs = work.options.runs or work.source.runs
    calls = carve(work.workshop, work.source, runs).trials
    again: list[Unit] = []
    for evidence in left:
        if calls.get(evidence.unit.id):
            again.append(evidence.unit)
        else:
            yield Decided(evidence=evidence)
    options = replace(work.options, carve=runs)
    given = {unit.id: (*work.given.get(unit.id, ()), *calls[unit.id]) for unit in again}
    # Rules come last: what models made before is kept beside what they make now.
    earlier = {item.unit.id: item for item in left} if options.models.use else {}
    yield from by_rules(replace(work, options=options, given=given), again, earlier)
