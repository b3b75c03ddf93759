"""One candidate and one signature of its source: the checks in order of cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from transpile.contracts.text.callers import calls_of
from transpile.core import (
    Contract,
    Diagnostic,
    Falsified,
    Inconclusive,
    Rejected,
    Severity,
    Trial,
    Unit,
    Verdict,
)
from transpile.errors import ToolMissing
from transpile.testers.checks.again import falsified, reproduced
from transpile.testers.checks.answers import LEAST, answers, arranged, unanswered
from transpile.testers.checks.beyond import CHECKS, met, need, unsettled
from transpile.testers.checks.candidate_coverage import large_trials, manners_of, untried
from transpile.testers.checks.checked import missing
from transpile.testers.checks.float_counts import counted_in_floats
from transpile.testers.checks.offload import is_offloaded, offload_check
from transpile.testers.checks.parallel_form import ParallelForm, on_one_thread, parallel_form, untested
from transpile.testers.checks.races import MORE_THREADS, race_check
from transpile.testers.checks.sanitize import fault_of_source, sanitize, undefined
from transpile.testers.differential.duel import MANNERS, TEAMS, Duel, Failure
from transpile.testers.differential.shrink import shrink
from transpile.testers.oracle.cover import Coverage
from transpile.testers.oracle.gather import COVERED, FEWEST, Pool
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import EMULATED, Entry
from transpile.testers.run.teams import is_parallel
from transpile.testers.run.thread_products import thread_products
from transpile.testers.text.cut_numbers import cut_off, may_cut
from transpile.testers.text.lost_updates import lost_update
from transpile.testers.text.widths import may_be_wide, narrowed
from transpile.testers.trials.generate import Plan, generate
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.calls import Site

if TYPE_CHECKING:
    from transpile.testers.verdict.court import Court

LARGER = Plan(seed=0, count=16, levels=(6, 4, 5, 3), elements=1 << 17)
"""Trials beyond those that a candidate is tested on."""
GENTLE = (2, 1, 2, 2, 0, 2, 1, 2)
"""Levels of sizes at which sums are short."""
_DECIDED = 0.5
"""Share of the trials that must decide; on the others, rounding hides errors."""
_SUSPECTS = 12
"""Failing trials that are dropped because the source has undefined behaviour there, before giving up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What was shown for one signature."""

    pool: Pool
    decided: int
    tolerance: str
    contract: Contract
    requires: tuple[str, ...] = ()
    """What callers have to provide beyond what the source touches."""
    form: ParallelForm | None = None
    """Coverage of the candidate's parallel form by trials; None where no parallel form is found."""


class Case:
    """One candidate and one signature of its source."""

    def __init__(self, court: Court, proposal: Proposal, contract: Contract) -> None:
        """Keep what every check needs."""
        self.court = court
        self.proposal = proposal
        self.contract = contract
        self.ground = court.ground(proposal.unit, contract)

    def entry(self) -> Entry | Rejected:
        """Return the candidate's function, or why it does not build."""
        entry = self.court.candidates.entry(self.proposal, self.contract.signature, Flavour.PLAIN)
        return rejected(self.proposal.unit, entry) if isinstance(entry, BuildFailed) else entry

    def decide(self, plan: Plan) -> Shown | Verdict:
        """Return what was shown for this signature, or the verdict that ends the matter."""
        try:
            entry = self.entry()
        except ToolMissing as error:
            return missing("trials", error)
        if isinstance(entry, Rejected):
            return entry
        pool = self.ground.pool(plan)
        if isinstance(pool, Inconclusive):
            return pool
        outcome = self.compare(entry, pool, plan)
        hosted = self.contract.law is None  # What a kernel's launches provide, no text tells.
        if hosted and isinstance(outcome, Falsified) and outcome.counterexample.check in CHECKS:
            return self._reaching(pool, plan) or outcome
        return outcome

    def _reaching(self, pool: Pool, plan: Plan) -> Shown | Inconclusive | None:
        """Return what was shown of a candidate that only needs longer arrays; None where that is not all."""
        court, signature = self.court, self.contract.signature
        traced = court.candidates.entry(self.proposal, signature, Flavour.TRACE)
        if isinstance(traced, BuildFailed):
            return None
        wanted = need(court.workshop, traced, pool.references, self.contract)
        if wanted is None:
            return None
        provided = met(wanted, calls_of(court.source, self.proposal.unit, signature))
        if wanted.written and not provided:
            return None
        longer = Case(court, self.proposal, wanted.contract)
        entry, again = longer.entry(), longer.ground.pool(plan)
        if isinstance(entry, Rejected) or isinstance(again, Inconclusive):
            return None
        shown = longer.compare(entry, again, plan)
        if not isinstance(shown, Shown):
            return None
        return replace(shown, requires=(*shown.requires, *wanted.told())) if provided else unsettled(wanted)

    def compare(self, entry: Entry, pool: Pool, plan: Plan) -> Shown | Verdict:
        """Run the candidate on the pool, then under the checkers."""
        duel = Duel(self.court.workshop, entry, self.ground.calibration, pool.references)
        refused = self._settled(duel, lambda: self._fight(duel, pool.coverage), FEWEST)
        if refused is not None:
            return refused
        asked: dict[Trial, tuple[Site, ...]] = {}
        refused = self._asked(entry, plan, asked)
        if refused is not None:
            return refused
        beyond = large_trials(self, duel, plan)
        refused = self._settled(beyond, lambda: beyond.fight(manners_of(self)), 0)
        if refused is not None:
            return refused
        asked.update(_ran(beyond))
        form = parallel_form(self.proposal.candidate, _ran(duel) | asked)
        refused = untested(form, _ran(duel) | asked) if form is not None else None
        if refused is not None:
            return refused
        measured, pool = pool.coverage, self._reachable(pool)
        if pool.coverage.share < COVERED:
            return uncovered(pool.coverage)
        checked = self.checked(duel) or untried(self, duel, plan, measured)
        if isinstance(checked, Failure):
            return self.falsified(checked, duel)
        if isinstance(checked, Inconclusive):
            return checked
        refused = self._narrowed()
        if refused is not None:
            return refused
        enough = max(_DECIDED * len(duel.pool), FEWEST)
        if len(decided(duel)) < enough:
            refused = self._add_gentle(duel, plan)
            if refused is not None:
                return refused
        if len(decided(duel)) < enough:
            return hidden(duel)
        form = parallel_form(self.proposal.candidate, _ran(duel) | asked)  # without what was dropped since
        if form is not None and form.sequential and not self.proposal.sequential:
            return on_one_thread(form)
        references = tuple(duel.pool)
        return Shown(
            pool=replace(pool, references=references),
            decided=len(decided(duel)),
            tolerance=duel.told(),
            contract=self.contract,
            requires=pool.requires,
            form=form,
        )

    def _reachable(self, pool: Pool) -> Pool:
        """Return the pool without the branches that no thread takes, where too many were never taken."""
        if pool.coverage.share >= COVERED:
            return pool
        from transpile.testers.prove import attempt_untaken  # z3 takes longer to load than most commands run

        found = attempt_untaken(self.court.source, self.proposal, self.contract)
        if found is None:
            return pool
        unit = self.proposal.unit
        last = unit.line + unit.text.count(b"\n")
        untaken = {f"{unit.path}:{last + line}": ways for line, ways in found.lines.items()}
        coverage = pool.coverage.without(untaken)
        if coverage == pool.coverage:
            return pool
        return replace(pool, coverage=coverage, requires=(*pool.requires, *found.assumed))

    def _asked(
        self, entry: Entry, plan: Plan, ran: dict[Trial, tuple[Site, ...]]
    ) -> Falsified | Inconclusive | None:
        """Return how a candidate fails where arrays are as it asks, or nearly so, or that none can be.

        What such trials run of it is added to ``ran``.
        """
        asks = self.proposal.candidate.asks
        if not asks:
            return None
        pool = self.ground.examiner.references(arranged(self.contract, plan, self.ground.literals, asks))
        if sum(answers(item.prepared, asks) for item in pool) < LEAST:
            return unanswered(asks)
        duel = Duel(self.court.workshop, entry, self.ground.calibration, pool)
        refused = self._settled(duel, duel.fight, LEAST)
        if refused is not None:
            return refused
        ran.update(duel.ran)
        found = race_check(self.court.candidates, self.proposal, duel, calls=duel.pool)
        return self.falsified(found, duel) if isinstance(found, Failure) else found

    def _add_gentle(self, duel: Duel, plan: Plan) -> Falsified | Inconclusive | None:
        """Add trials of small whole numbers and few steps; return how the candidate fails on them."""
        asked = replace(
            plan, seed=plan.seed + 1, literals=self.ground.literals, levels=GENTLE, fills=("exact",)
        )
        fresh = self.ground.examiner.references(generate(self.contract, asked))
        known = {item.trial for item in duel.pool}
        duel.pool += [item for item in fresh if item.trial not in known]
        return self._settled(duel, duel.fight, FEWEST)

    def _narrowed(self) -> Inconclusive | None:
        """Return that the candidate's subscripts are too narrow for arrays that no trial is as large as."""
        text = b"\n".join(part.text for part in self.ground.parts)
        signature = self.contract.signature
        found = counted_in_floats(self.proposal.candidate, text, signature) or self._cut()
        found = found or thread_products(self.proposal.candidate)
        if found is not None:
            return found
        if self.proposal.candidate.binding.kernel or not may_be_wide(text, signature):
            return None
        source = self.court.sources.index_widths(signature)
        return narrowed(self.contract, source, self.court.candidates.index_widths(self.proposal))

    def _cut(self) -> Inconclusive | None:
        """Return that the candidate cuts off numbers that its source does not, which no trial may show."""
        if not may_cut(self.proposal.candidate):
            return None
        found = self.court.candidates.cuts(self.proposal)
        names = frozenset(part.name.rpartition("::")[2] for part in self.ground.parts)
        return cut_off(self.court.sources.cuts(names), found) if found else None

    def _settled(
        self, duel: Duel, fight: Callable[[], Failure | None], fewest: int
    ) -> Falsified | Inconclusive | None:
        """Return how a duel ends, without the trials on which the source is at fault as well."""
        fault = ""
        for _ in range(_SUSPECTS):
            failure = fight()
            if failure is None:
                return None
            fault = self._fault_of_source(failure)
            if not fault:
                return self.falsified(failure, duel, smaller=True)
            duel.excuse(failure.reference)
            if len(duel.pool) < fewest:
                break
        return undefined(fault)

    def endure(self, pool: Pool, added: Sequence[Reference], plan: Plan) -> Verdict | None:
        """Return what refuses the candidate on stronger and larger trials, and on more threads."""
        entry = self.entry()
        if isinstance(entry, Rejected):
            return entry
        larger = replace(LARGER, seed=plan.seed + 1, nonce=plan.nonce, literals=self.ground.literals)
        references = [*added, *self.ground.examiner.references(generate(self.contract, larger))]
        duel = Duel(self.court.workshop, entry, self.ground.calibration, references)
        refused = self._settled(duel, lambda: duel.fight((*MANNERS, *TEAMS)), 0)
        if refused is not None:
            return refused
        everything = Duel(self.court.workshop, entry, self.ground.calibration, [*pool.references, *duel.pool])
        refused = self._settled(everything, lambda: everything.fight(TEAMS), 0)
        if refused is not None:
            return refused
        found: Failure | Inconclusive | None = None
        if is_parallel(self.proposal.candidate):
            found = race_check(self.court.candidates, self.proposal, everything, threads=MORE_THREADS)
        found = found or self._offloaded(everything)
        return self.falsified(found, everything) if isinstance(found, Failure) else found

    def _fight(self, duel: Duel, coverage: Coverage) -> Failure | None:
        """Run all trials; once they have passed a first time, start the builds of the checkers."""
        failure = duel.fight(MANNERS[:1])
        if failure is not None:
            return failure
        candidate = self.proposal.candidate
        racing = Flavour.TRACE if candidate.dialect.model in EMULATED else Flavour.THREAD
        flavours = [Flavour.ADDRESS, Flavour.COVER, *([racing] if is_parallel(candidate) else [])]
        flavours += [Flavour.OFFLOAD] if is_offloaded(candidate) else []
        if coverage.share >= COVERED:
            self.court.candidates.begin(self.proposal, *flavours)
        failure = duel.fight(MANNERS[1:])
        return failure or duel.crowd(candidate)

    def checked(self, duel: Duel) -> Failure | Inconclusive | None:
        """Return what sanitizers, the race checker and a device say."""
        court = self.court
        found = sanitize(court.workshop, court.candidates, court.sources, self.proposal, duel)
        if found is None and is_parallel(self.proposal.candidate):
            found = race_check(court.candidates, self.proposal, duel)
        return found or lost_update(self.proposal.candidate) or self._offloaded(duel)

    def _offloaded(self, duel: Duel) -> Failure | Inconclusive | None:
        """Return what a device with memory of its own says, of target regions."""
        court = self.court
        if not is_offloaded(self.proposal.candidate):
            return None
        return offload_check(court.workshop, court.candidates, court.sources, self.proposal, duel)

    def _fault_of_source(self, failure: Failure) -> str:
        return fault_of_source(self.court.workshop, self.court.sources, failure.reference)

    def falsified(self, failure: Failure, duel: Duel, *, smaller: bool = False) -> Falsified | Inconclusive:
        """Return the verdict on a failure that shows again, its trial shrunk where a plain run shows it."""
        trial, found = failure.reference.trial, failure
        if smaller and failure.difference.check != "timeout":
            trial, found = shrink(self.contract, trial, failure, partial(self._failures, duel, failure))
        example = falsified(found, trial).counterexample
        return reproduced(self, example, failure, duel.pool)

    def _failures(self, duel: Duel, failure: Failure, trials: Sequence[Trial]) -> list[Failure | None]:
        """Return for each trial how the candidate fails on it, in the manner of the first failure."""
        examined = self.ground.examiner.examine(trials)
        if isinstance(examined, BuildFailed):
            return [None] * len(trials)
        valid = [item for item in examined if isinstance(item, Reference)]
        results = dict(zip([item.trial for item in valid], duel.run(valid, failure.manner), strict=True))
        found = [results.get(trial) for trial in trials]
        check = failure.difference.check
        return [item if isinstance(item, Failure) and _kin(item, check) else None for item in found]


def _kin(failure: Failure, check: str) -> bool:
    """Tell whether a failure is of the same kind: whether a trial is exact may change as it shrinks."""
    values = ("exact", "tolerance")
    return failure.difference.check == check or (check in values and failure.difference.check in values)


def rejected(unit: Unit, failed: BuildFailed) -> Rejected:
    """Return that the target compiler refuses a candidate."""
    lines = [line for line in failed.output.splitlines() if "error" in line] or failed.output.splitlines()
    return Rejected(
        stage="build",
        diagnostics=(
            Diagnostic(
                code="TP301",
                severity=Severity.ERROR,
                path=unit.path,
                line=unit.line,
                message="the translation does not compile: " + (lines[0].strip() if lines else "no output"),
                hint=failed.output[-1000:],
            ),
        ),
    )


def uncovered(coverage: Coverage) -> Inconclusive:
    """Return that trials leave parts of the source untried."""
    places = ", ".join(coverage.missing[:8])
    reason = f"trials take {coverage.taken} of {coverage.total} branches of the source; never: {places}"
    return Inconclusive(reason=reason, code="TP411")


def decided(duel: Duel) -> list[Reference]:
    """Return the trials that tell whether the candidate is right."""
    return [item for item in duel.pool if item.trial not in duel.undecided]


def _ran(duel: Duel) -> dict[Trial, tuple[Site, ...]]:
    """Return what the trials that count ran of the candidate."""
    return {item.trial: duel.ran.get(item.trial, ()) for item in duel.pool}


def hidden(duel: Duel) -> Inconclusive:
    """Return that rounding hides errors on most trials, and what makes it so."""
    reason = f"rounding hides errors: only {len(decided(duel))} of {len(duel.pool)} trials decide"
    if duel.doubt:
        reason += f"; {duel.doubt}"
    return Inconclusive(reason=reason, code="TP413")
