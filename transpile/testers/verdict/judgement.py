"""One candidate and one signature of its source: the checks in order of cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from transpile.contracts.text.callers import calls_of
from transpile.core import (
    UNTAKEN,
    ByRules,
    Contract,
    Falsified,
    Inconclusive,
    Rejected,
    Trial,
    Verdict,
)
from transpile.errors import ToolMissing
from transpile.parsers.lowering.excerpts import supposed
from transpile.testers.checks.again import falsified, reproduced
from transpile.testers.checks.answers import LEAST, answers, arranged, unanswered
from transpile.testers.checks.candidate_coverage import configurations_of, large_trials, untried
from transpile.testers.checks.case import Case
from transpile.testers.checks.checked import missing
from transpile.testers.checks.float_counts import counted_in_floats
from transpile.testers.checks.offload import is_offloaded
from transpile.testers.checks.overreach import CHECKS, met, need, unsettled
from transpile.testers.checks.parallel_form import ParallelForm, on_one_thread, parallel_form, untested
from transpile.testers.checks.races import MORE_THREADS, race_behind, race_check
from transpile.testers.checks.sanitize import fault_of_source, undefined
from transpile.testers.differential.differential_run import (
    BIT_FOR_BIT,
    CONFIGURATIONS,
    TEAMS,
    Differential,
    Failure,
)
from transpile.testers.differential.shrink import shrink
from transpile.testers.oracle.cover import Coverage
from transpile.testers.oracle.gather import COVERED, FEWEST, Pool
from transpile.testers.oracle.validity import Reference
from transpile.testers.run.bench import Entry
from transpile.testers.run.teams import is_parallel
from transpile.testers.run.thread_products import thread_products
from transpile.testers.text.cut_numbers import cut_off, may_cut
from transpile.testers.text.narrow_arithmetic import Arithmetic, below_sign, has_no_sign, narrower
from transpile.testers.text.short_constants import shortened
from transpile.testers.text.widths import may_be_wide, narrowed
from transpile.testers.trials.boundary_values import unreached
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.verdict.unobserved import unobserved
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.calls import Site

LARGER = Plan(seed=0, count=16, levels=(6, 4, 5, 3), elements=1 << 17)
"""Trials beyond those that a candidate is tested on."""
GENTLE = (2, 1, 2, 2, 0, 2, 1, 2)
"""Levels of sizes at which sums are short."""
_DECIDED = 0.5
"""Share of the trials that must decide; on the others, rounding hides errors."""
_WIDER_VIEW = re.compile(
    rb"\b(?:u?(?:char|short|int|long|longlong)|float|double|half)[24]\b|\b__m\d|vector_size|reinterpret_cast"
    rb"|\(\s*(?:const\s+)?\w+(?:\s+const)?\s*\*+\s*\)|__nv_bfloat162|alignas|__align__"
)
"""Names of vectors, and casts of pointers."""
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


class Judgement(Case):
    """What is decided of a candidate and a signature: the checks in order of cost."""

    def decide(self, plan: Plan) -> Shown | Verdict:
        """Return what was shown for this signature, or the verdict that ends the matter."""
        try:
            entry = self.entry()
        except ToolMissing as error:
            return missing("trials", error)
        if isinstance(entry, Rejected):
            return entry
        pool = self.baseline.pool(plan)
        if isinstance(pool, Inconclusive):
            return pool
        outcome = self.compare(entry, pool, plan)
        hosted = self.contract.law is None  # What a kernel's launches provide, no text tells.
        if hosted and isinstance(outcome, Falsified) and outcome.counterexample.check in CHECKS:
            return self._reaching(pool, plan) or outcome
        return outcome

    def _reaching(self, pool: Pool, plan: Plan) -> Shown | Inconclusive | None:
        """Return what was shown of a candidate that only needs longer arrays; None where that is not all."""
        bench, signature = self.bench, self.contract.signature
        traced = bench.candidates.entry(self.proposal, signature, Flavour.TRACE)
        if isinstance(traced, BuildFailed):
            return None
        wanted = need(bench.workshop, traced, pool.references, self.contract)
        if wanted is None:
            return None
        provided = met(wanted, calls_of(bench.source, self.proposal.unit, signature))
        if wanted.written and not provided:
            return None
        longer = Judgement(bench, self.proposal, wanted.contract)
        entry, again = longer.entry(), longer.baseline.pool(plan)
        if isinstance(entry, Rejected) or isinstance(again, Inconclusive):
            return None
        shown = longer.compare(entry, again, plan)
        if not isinstance(shown, Shown):
            return None
        return replace(shown, requires=(*shown.requires, *wanted.told())) if provided else unsettled(wanted)

    def compare(self, entry: Entry, pool: Pool, plan: Plan) -> Shown | Verdict:
        """Run the candidate on the pool, then under the checkers."""
        differential = Differential(self.bench.workshop, entry, self.baseline.calibration, pool.references)
        refused = self._settled(differential, lambda: self._fight(differential, pool.coverage), FEWEST)
        if refused is not None:
            return refused
        asked: dict[Trial, tuple[Site, ...]] = {}
        refused = self._asked(entry, plan, asked)
        if refused is not None:
            return refused
        beyond = large_trials(self, differential, plan)
        refused = self._settled(
            beyond, lambda: beyond.run_all(configurations_of(self), likely=self.bench.agreed), 0
        )
        if refused is not None:
            return refused
        asked.update(_ran(beyond))
        form = parallel_form(self.proposal.candidate, _ran(differential) | asked)
        refused = untested(form, _ran(differential) | asked) if form is not None else None
        if refused is not None:
            return refused
        measured, pool = pool.coverage, self._reachable(pool)
        if pool.coverage.share < COVERED:
            assumed = unobserved(self.proposal, self.contract, self.baseline.parts, pool.coverage)
            if not assumed:
                return uncovered(pool.coverage)
            pool = replace(pool, requires=(*pool.requires, *assumed))
        checked = self.checked(differential) or untried(self, differential, plan, measured)
        refused = self._blamed(checked, differential) or self._narrowed() or self._aligned(differential)
        if refused is not None:
            return refused
        enough = max(_DECIDED * len(differential.pool), FEWEST)
        if len(decided(differential)) < enough:
            refused = self._add_gentle(differential, plan)
            if refused is not None:
                return refused
        if len(decided(differential)) < enough or any(
            trial.fill == BIT_FOR_BIT for trial in differential.undecided
        ):
            return hidden(differential)
        form = parallel_form(
            self.proposal.candidate, _ran(differential) | asked
        )  # without what was dropped since
        if form is not None and form.sequential and not self.proposal.sequential:
            return on_one_thread(form)
        references = tuple(differential.pool)
        return Shown(
            pool=replace(pool, references=references),
            decided=len(decided(differential)),
            tolerance=differential.told(),
            contract=self.contract,
            requires=(*pool.requires, *self._supposed(pool)),
            form=form,
        )

    def _supposed(self, pool: Pool) -> Iterator[str]:
        """Yield what is taken for granted of missing headers, of an extracted loop, of sizes and of arrays.

        Rules compare arrays themselves, or say that they do not.
        """
        source, unit = self.bench.source, self.proposal.unit
        origin = self.proposal.candidate.origin
        if not (isinstance(origin, ByRules) and origin.rules):
            yield from (f"`{one}` and `{other}` do not overlap" for one, other in pool.apart)
        yield from supposed(source, unit)
        if not self.proposal.candidate.binding.kernel and has_no_sign(self.contract.signature):
            yield from below_sign(*self._arithmetic())
        if unit.id in source.extracted:
            yield from source.extracted[unit.id].supposed

    def _reachable(self, pool: Pool) -> Pool:
        """Return the pool without the branches that no thread takes, where too many were never taken."""
        if pool.coverage.share >= COVERED:
            return pool
        from transpile.testers.prove import attempt_untaken  # z3 takes longer to load than most commands run

        found = attempt_untaken(self.bench.source, self.proposal, self.contract)
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
        pool = self.baseline.examiner.references(arranged(self.contract, plan, self.baseline.literals, asks))
        if sum(answers(item.prepared, asks) for item in pool) < LEAST:
            return unanswered(asks)
        differential = Differential(self.bench.workshop, entry, self.baseline.calibration, pool)
        refused = self._settled(differential, differential.run_all, LEAST)
        if refused is not None:
            return refused
        ran.update(differential.ran)
        found = race_check(self.bench.candidates, self.proposal, differential, calls=differential.pool)
        return self._blamed(found, differential)

    def _add_gentle(self, differential: Differential, plan: Plan) -> Falsified | Inconclusive | None:
        """Add trials of small whole numbers and few steps; return how the candidate fails on them."""
        asked = replace(
            plan, seed=plan.seed + 1, literals=self.baseline.literals, levels=GENTLE, fills=("exact",)
        )
        fresh = self.baseline.examiner.references(generate(self.contract, asked))
        known = {item.trial for item in differential.pool}
        differential.pool += [item for item in fresh if item.trial not in known]
        return self._settled(differential, differential.run_all, FEWEST)

    def _narrowed(self) -> Inconclusive | None:
        """Return that the candidate's subscripts are too narrow for arrays that no trial is as large as."""
        text = b"\n".join(part.text for part in self.baseline.parts)
        signature = self.contract.signature
        found = counted_in_floats(self.proposal.candidate, text, signature) or self._cut()
        found = found or unreached(self.proposal.candidate, text)
        found = found or shortened(self.proposal.candidate, text, self.baseline.literals)
        found = found or thread_products(self.proposal.candidate) or self._narrower()
        if found is not None:
            return found
        if self.proposal.candidate.binding.kernel or not may_be_wide(text, signature):
            return None
        source = self.bench.sources.index_widths(signature)
        return narrowed(self.contract, source, self.bench.candidates.index_widths(self.proposal))

    def _cut(self) -> Inconclusive | None:
        """Return that the candidate cuts off numbers that its source does not, which no trial may show."""
        if not may_cut(self.proposal.candidate):
            return None
        found = self.bench.candidates.cuts(self.proposal)
        names = frozenset(part.name.rpartition("::")[2] for part in self.baseline.parts)
        return cut_off(self.bench.sources.cuts(names), found) if found else None

    def _aligned(self, differential: Differential) -> Inconclusive | None:
        """Return that the candidate needs arrays that are more aligned than its source's, or None."""
        text = b"\n".join(part.text for part in self.baseline.parts)
        ours = any(item.alignment > 1 for item in differential.pool) or _WIDER_VIEW.search(text) is not None
        if ours or not differential.realigned:
            return None
        reason = (
            "the translation takes its arrays for aligned to 16 bytes, as a view of them as vectors does, "
            "and its source does not: a caller may pass `x + 1`"
        )
        return Inconclusive(reason=reason, code="TP410")

    def _narrower(self) -> Inconclusive | None:
        """Return that the candidate's arithmetic of sizes is narrower than the source's, or None."""
        return None if self.proposal.candidate.binding.kernel else narrower(*self._arithmetic())

    def _arithmetic(self) -> tuple[Arithmetic, Arithmetic]:
        """Return what the source and the candidate do to sizes."""
        signature = self.contract.signature
        names = frozenset(part.name.rpartition("::")[2] for part in self.baseline.parts)
        theirs = self.bench.candidates.arithmetic(self.proposal, signature)
        return self.bench.sources.arithmetic(signature, names), theirs

    def _settled(
        self, differential: Differential, fight: Callable[[], Failure | None], fewest: int
    ) -> Falsified | Inconclusive | None:
        """Return how a differential ends, without the trials on which the source is at fault as well.

        Others that failed beside such a trial are looked at too, since each further try runs all of them.
        """
        fault = ""
        for _ in range(_SUSPECTS):
            failure = fight()
            if failure is None:
                return None
            fault = self._fault_of_source(failure)
            if not fault:
                return self._told_of(failure, differential)
            for suspect in differential.failed[:_SUSPECTS]:
                if suspect is failure or self._fault_of_source(suspect):
                    differential.drop_undefined(suspect.reference)
            if len(differential.pool) < fewest:
                break
        return undefined(fault)

    def _told_of(self, failure: Failure, differential: Differential) -> Falsified | Inconclusive:
        """Return the verdict on a failure: as a race, where that is what is behind it."""
        racing = race_behind(self.bench.candidates, self.proposal, differential, failure)
        shown = self.falsified(racing, differential) if racing is not None else None
        if isinstance(shown, Falsified):
            return shown
        return self.falsified(failure, differential, smaller=True)

    def stress(self, pool: Pool, added: Sequence[Reference], plan: Plan) -> Verdict | None:
        """Return what refuses the candidate on stronger and larger trials, and on more threads."""
        entry = self.entry()
        if isinstance(entry, Rejected):
            return entry
        larger = replace(LARGER, seed=plan.seed + 1, nonce=plan.nonce, literals=self.baseline.literals)
        references = [*added, *self.baseline.examiner.references(generate(self.contract, larger))]
        differential = Differential(self.bench.workshop, entry, self.baseline.calibration, references)
        refused = self._settled(differential, lambda: differential.run_all((*CONFIGURATIONS, *TEAMS)), 0)
        if refused is not None:
            return refused
        everything = Differential(
            self.bench.workshop, entry, self.baseline.calibration, [*pool.references, *differential.pool]
        )
        refused = self._settled(everything, lambda: everything.run_all(TEAMS), 0)
        if refused is not None:
            return refused
        found: Failure | Inconclusive | None = None
        if is_parallel(self.proposal.candidate):
            found = race_check(self.bench.candidates, self.proposal, everything, threads=MORE_THREADS)
        found = found or self.offloaded(everything)
        return self._blamed(found, everything)

    def _fight(self, differential: Differential, coverage: Coverage) -> Failure | None:
        """Run all trials; once they have passed a first time, start the builds of the checkers."""
        failure = differential.run_all(CONFIGURATIONS[:1], likely=self.bench.agreed)
        if failure is not None:
            return failure
        candidate = self.proposal.candidate
        racing = Flavour.TRACE if candidate.dialect.traits.emulated else Flavour.THREAD
        flavours = [Flavour.ADDRESS, Flavour.COVER, *([racing] if is_parallel(candidate) else [])]
        flavours += [Flavour.OFFLOAD] if is_offloaded(candidate) else []
        if coverage.share >= COVERED:
            self.bench.candidates.begin(self.proposal, *flavours)
        failure = differential.run_all(CONFIGURATIONS[1:])
        return failure or differential.crowd(candidate)

    def _fault_of_source(self, failure: Failure) -> str:
        return fault_of_source(self.bench.workshop, self.bench.sources, failure.reference)

    def _blamed(
        self, found: Failure | Inconclusive | None, differential: Differential
    ) -> Falsified | Inconclusive | None:
        """Return what a finding says of the candidate: nothing where the source is at fault on its trial."""
        if not isinstance(found, Failure):
            return found
        fault = self._fault_of_source(found)
        return undefined(fault) if fault else self.falsified(found, differential)

    def falsified(
        self, failure: Failure, differential: Differential, *, smaller: bool = False
    ) -> Falsified | Inconclusive:
        """Return the verdict on a failure that shows again, its trial shrunk where a plain run shows it."""
        trial, found = failure.reference.trial, failure
        if smaller and failure.difference.check != "timeout":
            trial, found = shrink(
                self.contract, trial, failure, partial(self._failures, differential, failure)
            )
        example = falsified(found, trial).counterexample
        return reproduced(self, example, failure, differential.pool)

    def _failures(
        self, differential: Differential, failure: Failure, trials: Sequence[Trial]
    ) -> list[Failure | None]:
        """Return for each trial how the candidate fails on it, in the configuration of the first failure."""
        examined = self.baseline.examiner.examine(trials)
        if isinstance(examined, BuildFailed):
            return [None] * len(trials)
        valid = [item for item in examined if isinstance(item, Reference)]
        results = dict(
            zip([item.trial for item in valid], differential.run(valid, failure.configuration), strict=True)
        )
        found = [results.get(trial) for trial in trials]
        check = failure.difference.check
        return [item if isinstance(item, Failure) and _kin(item, check) else None for item in found]


def _kin(failure: Failure, check: str) -> bool:
    """Tell whether a failure is of the same kind: whether a trial is exact may change as it shrinks."""
    values = ("exact", "tolerance")
    return failure.difference.check == check or (check in values and failure.difference.check in values)


def uncovered(coverage: Coverage) -> Inconclusive:
    """Return that trials leave parts of the source untried."""
    places = ", ".join(coverage.missing[:8])
    reason = f"trials take {coverage.taken} of {coverage.total} branches of the source; never taken: {places}"
    return Inconclusive(reason=reason, code=UNTAKEN)


def decided(differential: Differential) -> list[Reference]:
    """Return the trials that tell whether the candidate is right."""
    return [item for item in differential.pool if item.trial not in differential.undecided]


def _ran(differential: Differential) -> dict[Trial, tuple[Site, ...]]:
    """Return what the trials that count ran of the candidate."""
    return {item.trial: differential.ran.get(item.trial, ()) for item in differential.pool}


def hidden(differential: Differential) -> Inconclusive:
    """Return that rounding hides errors on most trials, and what makes it so."""
    able = f"only {len(decided(differential))} of {len(differential.pool)} trials can show one"
    reason = f"rounding hides errors: {able}"
    if differential.doubt:
        reason += f"; {differential.doubt}"
    return Inconclusive(reason=reason, code="TP413")
