"""Candidates against trials as one matrix, and the judgement of every candidate on the same baseline.

The matrix says who parts from the source where. Only the judgement says who is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum

from transpile.core import Inconclusive, Level, Passed, Source, Trial
from transpile.errors import InternalError
from transpile.testers.differential.differential_run import CONFIGURATIONS, Differential, Failure
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import Outcome, RunConfiguration, call
from transpile.testers.run.policy import barred
from transpile.testers.trials.generate import Plan, unforeseen
from transpile.testers.verdict.session import TRIALS, Judged, JudgingSession, settled
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed
from transpile.toolchains.workshop import Workshop


class Cell(StrEnum):
    """What a candidate does on a trial."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CRASHES = "crashes"
    UNDECIDED = "undecided"
    """Rounding hides the answer, the source is at fault itself, or too many calls had died before."""
    UNBUILT = "unbuilt"

    @property
    def falls(self) -> bool:
        """Tell whether the trial tells the candidate from its source."""
        return self in (Cell.DIFFERS, Cell.CRASHES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A candidate in the matrix, with what an earlier judgement said of it."""

    proposal: Proposal
    known: Judged | None = None
    """It stands, unless it was a pass and a trial of the matrix speaks against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one candidate."""

    judged: Judged
    cells: tuple[tuple[Trial, Cell], ...]
    """By trial, the same ones for all candidates of a unit; none where no trial could be run."""


def confront(
    workshop: Workshop,
    source: Source,
    contenders: Sequence[Contender],
    *,
    seed: int = 0,
    level: Level = Level.TESTED,
    prove: float = 0.0,
) -> list[Row]:
    """Return a row for every candidate, in order; those of one unit must come with the same tests.

    Args:
        workshop: Where to build and run.
        source: What the candidates were made from.
        contenders: Of one translation unit.
        seed: Of the trials.
        level: What is to be shown.
        prove: Seconds to spend on proofs of each candidate that passed.
    """
    if not contenders:
        return []
    plan = unforeseen(seed, TRIALS)
    refusals = [barred(source, item.proposal) for item in contenders]
    able = [item.proposal for item, why in zip(contenders, refusals, strict=True) if why is None]
    path = contenders[0].proposal.unit.translation_unit
    with closing(JudgingSession.of(workshop, source, path, able)) as session:
        session.begin(able)
        return [
            _row(session, item, plan, level, prove)
            if why is None
            else Row(judged=Judged(verdict=why), cells=())
            for item, why in zip(contenders, refusals, strict=True)
        ]


def unrefuted(
    workshop: Workshop, source: Source, proposals: Sequence[Proposal], *, seed: int = 0
) -> list[bool]:
    """Tell of each candidate whether it was built, and whether no trial of the matrix speaks against it.

    All are of one translation unit. Nothing is judged, and so nothing kept, by this.
    """
    found = [barred(source, item) is None for item in proposals]
    able = [item for item, fit in zip(proposals, found, strict=True) if fit]
    if not able:
        return found
    plan = unforeseen(seed, TRIALS)
    with closing(JudgingSession.of(workshop, source, able[0].unit.translation_unit, able)) as session:
        session.begin(able)
        return [fit and _stands(session, item, plan) for item, fit in zip(proposals, found, strict=True)]


def _stands(session: JudgingSession, proposal: Proposal, plan: Plan) -> bool:
    cells = _run(session, proposal, plan)
    return bool(cells) and not any(cell.falls or cell is Cell.UNBUILT for _, cell in cells)


def _row(session: JudgingSession, contender: Contender, plan: Plan, level: Level, prove: float) -> Row:
    proposal = contender.proposal
    cells = _run(session, proposal, plan)
    judged = contender.known
    fallen = not cells or any(cell.falls for _, cell in cells)
    if judged is None or (isinstance(judged.verdict, Passed) and fallen):
        judged = settled(session, session.source, proposal, plan, level, prove)
    if isinstance(judged.verdict, Passed):
        # Those trials were excused: the source itself is at fault there, or callers provide what is read.
        cells = tuple((trial, Cell.UNDECIDED if cell.falls else cell) for trial, cell in cells)
    return Row(judged=judged, cells=cells)


def _run(session: JudgingSession, proposal: Proposal, plan: Plan) -> tuple[tuple[Trial, Cell], ...]:
    try:
        return tuple(_cells(session, proposal, plan))
    except InternalError:  # Our own bug: the judgement says so, too.
        return ()


def _cells(session: JudgingSession, proposal: Proposal, plan: Plan) -> Iterator[tuple[Trial, Cell]]:
    for contract in proposal.contracts:
        baseline = session.baseline(proposal.unit, contract)
        entry = session.candidates.entry(proposal, contract.signature, Flavour.PLAIN)
        pool = baseline.pool(replace(plan, given=proposal.given_for(contract)))
        if isinstance(pool, Inconclusive):
            continue
        if isinstance(entry, BuildFailed):
            yield from ((trial, Cell.UNBUILT) for trial in pool.trials)
            continue
        differential = Differential(session.workshop, entry, baseline.calibration, pool.references)
        found = dict.fromkeys(pool.trials, Cell.AGREES)
        for configuration in CONFIGURATIONS:
            left = [item for item in pool.references if found[item.trial] is Cell.AGREES]
            outcomes = call(session.workshop, entry, [item.prepared for item in left], configuration)
            for reference, outcome in zip(left, outcomes, strict=True):
                found[reference.trial] = _cell(differential, reference, outcome, configuration)
        yield from found.items()


def _cell(
    differential: Differential,
    reference: Reference,
    outcome: Outcome | Crashed,
    configuration: RunConfiguration,
) -> Cell:
    if isinstance(outcome, Crashed):
        return Cell.CRASHES if outcome.called else Cell.UNDECIDED
    [weighed] = differential.compare_all([reference], [outcome], configuration)
    match weighed:
        case None:
            return Cell.AGREES
        case Failure():
            return Cell.DIFFERS
        case _:
            return Cell.UNDECIDED
