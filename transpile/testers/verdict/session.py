"""Verdicts: checks in order of cost, the first refusal wins, and a pass says what was shown.

A candidate is built inside its source's whole translation unit, and all candidates of a unit in one library.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from transpile import faults, machine
from transpile.core import (
    ByRules,
    Contract,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Source,
    TranslationUnit,
    Trial,
    Unit,
    Verdict,
)
from transpile.testers.mutation.campaign import Front
from transpile.testers.mutation.strengthen import BUDGET, Strengthened, strengthen
from transpile.testers.oracle.baseline import Baseline
from transpile.testers.oracle.gather import Pool
from transpile.testers.oracle.workbench import Workbench
from transpile.testers.proposal import Proposal
from transpile.testers.run.policy import barred
from transpile.testers.trials.generate import Plan, unforeseen
from transpile.testers.verdict.guarantee import guarantee, hardened, supported, supposed
from transpile.testers.verdict.judgement import Judgement, Shown
from transpile.toolchains.workshop import Workshop

TRIALS = 48
CALL_SECONDS = 2.0
"""Time limit of one call: sizes are small, and a candidate that hangs does so on many trials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The trials that count for each signature of a unit, and how strong they are and can be made."""

    pools: tuple[tuple[Baseline, Pool], ...]
    found: Strengthened


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict and what it rests on."""

    verdict: Verdict
    pool: tuple[Trial, ...] = ()
    contracts: tuple[Contract, ...] = ()
    """What the trials respect: the proposal's, or with longer arrays where callers provide them."""
    seconds: float = 0.0


def judge(
    workshop: Workshop,
    source: Source,
    proposals: Sequence[Proposal],
    *,
    seed: int = 0,
    trials: int = TRIALS,
    level: Level = Level.TESTED,
    prove: float = 0.0,
) -> list[Judged]:
    """Return the verdict on every proposal, in order.

    Args:
        workshop: Where to build and run.
        source: What the candidates were made from.
        proposals: Candidates, of one or several translation units.
        seed: Of the trials; every second one mixes in a number that no candidate can know.
        trials: How many to begin with, for each signature.
        level: What is to be shown; what falls short of it says why.
        prove: Seconds to spend on proofs of each candidate that passed; a proof never changes a verdict.
    """
    found = dict(judged_each(workshop, source, proposals, seed=seed, trials=trials, level=level, prove=prove))
    return [found[number] for number in range(len(proposals))]


def judged_each(
    workshop: Workshop,
    source: Source,
    proposals: Sequence[Proposal],
    *,
    seed: int = 0,
    trials: int = TRIALS,
    level: Level = Level.TESTED,
    prove: float = 0.0,
) -> Iterator[tuple[int, Judged]]:
    """Yield the number of each proposal and the verdict on it as soon as it is there; see ``judge``."""
    plan = unforeseen(seed, trials)

    def together(some: Sequence[Proposal]) -> Iterator[tuple[int, Judged]]:
        return _judged(workshop, source, some, plan, level, prove)

    return faults.streamed(proposals, together, lambda _, why: Judged(verdict=why), "judging")


def _judged(
    workshop: Workshop, source: Source, proposals: Sequence[Proposal], plan: Plan, level: Level, prove: float
) -> Iterator[tuple[int, Judged]]:
    """Yield the verdicts on proposals that share what the files of each have in common."""
    groups: dict[str, list[int]] = {}
    for number, proposal in enumerate(proposals):
        refused = barred(source, proposal)
        if refused is not None:
            yield number, Judged(verdict=refused)
        else:
            groups.setdefault(proposal.unit.translation_unit, []).append(number)
    for path, numbers in groups.items():
        chosen = [proposals[number] for number in numbers]
        with closing(JudgingSession.of(workshop, source, path, chosen)) as session:
            session.begin(chosen)
            for number in numbers:
                yield number, settled(session, source, proposals[number], plan, level, prove)
        del session
        machine.release_memory()


def settled(
    session: JudgingSession, source: Source, proposal: Proposal, plan: Plan, level: Level, prove: float
) -> Judged:
    """Return the verdict on one proposal with what is proved of it; Inconclusive where we fail ourselves."""
    begun = time.monotonic()
    try:
        judged = session.decide(proposal, plan, level)
        if isinstance(judged.verdict, Passed):
            judged = replace(judged, verdict=proved(judged.verdict, source, proposal, prove))
    except Exception as error:  # Our own bug: the other units are decided all the same.
        judged = Judged(verdict=faults.own(error, f"judging {proposal.unit.id}"))
    return replace(judged, seconds=time.monotonic() - begun)


def proved(verdict: Passed, source: Source, proposal: Proposal, seconds: float) -> Passed:
    """Return a pass with what is proved of its text in some seconds, or else of the step that made it."""
    origin = proposal.candidate.origin
    found = origin.proof if isinstance(origin, ByRules) else None
    if seconds > 0:
        from transpile.testers.prove import attempt  # z3 takes longer to load than most commands run

        found = attempt(source, proposal, seconds) or found
    return replace(verdict, guarantee=replace(verdict.guarantee, proof=found))


def translation_unit(source: Source, path: str) -> TranslationUnit:
    """Return the translation unit of that path."""
    return next(item for item in source.translation_units if item.path == path)


class JudgingSession(Workbench):
    """Verdicts on the candidates of one translation unit."""

    @classmethod
    def of(
        cls, workshop: Workshop, source: Source, path: str, proposals: Sequence[Proposal]
    ) -> JudgingSession:
        """Return the session of the file of that path, whose calls have little time: sizes are small."""
        quick = replace(workshop, timeout=min(workshop.timeout, CALL_SECONDS))
        return cls(quick, source, translation_unit(source, path), proposals)

    def decide(self, proposal: Proposal, plan: Plan, level: Level = Level.TESTED) -> Judged:
        """Return the verdict on one proposal, and what it rests on."""
        shown: list[Shown] = []
        # What is told is of the last, the proposal itself.
        for reading in reversed(self.readings(proposal)):
            shown = []
            for contract in reading.contracts:
                given = replace(plan, given=reading.given_for(contract))
                outcome = self.judgement(reading, contract).decide(given)
                if not isinstance(outcome, Shown):
                    return Judged(verdict=outcome)
                shown.append(outcome)
        if not shown:
            return Judged(verdict=Inconclusive(reason="no contract was inferred"))
        contracts = tuple(item.contract for item in shown)
        tested = guarantee(proposal, shown)
        doubtful = any(map(supposed, contracts))
        if level is Level.HARDENED or doubtful:
            verdict, pool = self._harden(proposal, contracts, shown, plan, tested)
            verdict = supported(verdict, contracts) if doubtful else verdict
        else:
            pool = tuple(trial for item in shown for trial in item.pool.trials)
            verdict = Passed(guarantee=tested)
        return Judged(verdict=verdict, pool=pool, contracts=contracts)

    def _harden(
        self,
        proposal: Proposal,
        contracts: Sequence[Contract],
        shown: Sequence[Shown],
        plan: Plan,
        tested: Guarantee,
    ) -> tuple[Verdict, tuple[Trial, ...]]:
        """Return the verdict after stronger trials, and few that are as strong as all."""
        baselines = [self.baseline(proposal.unit, contract) for contract in contracts]
        pools = [(baseline, item.pool) for baseline, item in zip(baselines, shown, strict=True)]
        found = self.strengthen(proposal.unit, pools, plan)
        if isinstance(found, str):
            pool = tuple(trial for item in shown for trial in item.pool.trials)
            return Passed(guarantee=replace(tested, shortfall=f"no mutant could be tried: {found}")), pool
        for reading in self.readings(proposal):
            for contract, item, added in zip(contracts, shown, found.added, strict=True):
                outcome = self.judgement(reading, contract).stress(item.pool, added, plan)
                if outcome is not None:
                    return outcome, ()
        return Passed(guarantee=hardened(tested, found.strength)), found.essential

    def measured(self, proposal: Proposal, plan: Plan, budget: float = BUDGET) -> Measure | Inconclusive:
        """Return what the trials of a unit are worth, whatever its translation, or why they say nothing."""
        pools: list[tuple[Baseline, Pool]] = []
        for contract in proposal.contracts:
            baseline = self.baseline(proposal.unit, contract)
            pool = baseline.pool(replace(plan, given=proposal.given_for(contract)))
            if isinstance(pool, Inconclusive):
                return pool
            pools.append((baseline, pool))
        found = self.strengthen(proposal.unit, pools, plan, budget)
        if isinstance(found, str):
            return Inconclusive(reason=f"no mutant could be tried: {found}", code="TP409")
        return Measure(pools=tuple(pools), found=found)

    def strengthen(
        self, unit: Unit, pools: Iterable[tuple[Baseline, Pool]], plan: Plan, budget: float = BUDGET
    ) -> Strengthened | str:
        """Return what the trials of a unit notice and which make them stronger; else why that is not seen."""
        fronts = [Front(baseline=baseline, references=list(pool.references)) for baseline, pool in pools]
        compiled = translation_unit(self.source, unit.translation_unit)
        return strengthen(self.workshop, self.source, unit, compiled, fronts, plan, budget)

    def judgement(self, proposal: Proposal, contract: Contract) -> Judgement:
        """Return what it takes to decide about one signature."""
        return Judgement(self, proposal, contract)
