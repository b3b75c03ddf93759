"""Verdicts: checks in order of cost, the first refusal wins, and a pass says what was shown.

A candidate is built inside its source's whole translation unit, and all candidates of a unit in one library.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from transpile.core import (
    Contract,
    Counterexample,
    Diagnostic,
    Falsified,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Rejected,
    Severity,
    Signature,
    Source,
    TranslationUnit,
    Trial,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.errors import InternalError
from transpile.testers.bench import CandidateBench, Entry, SourceBench
from transpile.testers.calibrate import Calibration
from transpile.testers.cover import Coverage, Meter
from transpile.testers.duel import MANNERS, Duel, Failure
from transpile.testers.fills import literals_of
from transpile.testers.gather import COVERED, FEWEST, Pool, gather
from transpile.testers.generate import Plan
from transpile.testers.policy import refusal
from transpile.testers.proposal import Proposal
from transpile.testers.races import is_parallel, race_check
from transpile.testers.sanitize import fault_of_source, sanitize, undefined
from transpile.testers.shrink import shrink
from transpile.testers.tolerance import summary
from transpile.testers.validity import Examiner, Reference
from transpile.toolchains import compilers
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.workshop import Workshop

TRIALS = 48
CALL_SECONDS = 2.0
"""Time limit of one call: sizes are small, and a candidate that hangs does so on many trials."""
_DECIDED = 0.5
"""Share of the trials that must decide; on the others, rounding hides errors."""
_SMALL = 32
"""Kernels of a file whose entries are all built, whether they have a candidate or not."""
_SUSPECTS = 12
"""Failing trials that are dropped because the source has undefined behaviour there, before giving up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict and what it rests on."""

    verdict: Verdict
    pool: tuple[Trial, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What was shown for one signature."""

    pool: Pool
    decided: int
    tolerance: str


def judge(
    workshop: Workshop, source: Source, proposals: Sequence[Proposal], *, seed: int = 0, trials: int = TRIALS
) -> list[Judged]:
    """Return the verdict on every proposal, in order.

    Args:
        workshop: Where to build and run.
        source: What the candidates were made from.
        proposals: Candidates, of one or several translation units.
        seed: Of the trials; every second one mixes in a number that no candidate can know.
        trials: How many to begin with, for each signature.
    """
    workshop = replace(workshop, timeout=min(workshop.timeout, CALL_SECONDS))
    plan = Plan(seed=seed, count=trials, nonce=secrets.randbits(32))
    groups: dict[str, list[int]] = {}
    found: dict[int, Judged] = {}
    for number, proposal in enumerate(proposals):
        refused = refusal(proposal.unit, proposal.candidate)
        if refused is not None:
            found[number] = Judged(verdict=refused)
        else:
            groups.setdefault(proposal.unit.translation_unit, []).append(number)
    for path, numbers in groups.items():
        chosen = [proposals[number] for number in numbers]
        with closing(Court(workshop, source, translation_unit(source, path), chosen)) as court:
            court.begin(chosen)
            for number in numbers:
                begun = time.monotonic()
                try:
                    verdict, pool = court.decide(proposals[number], plan)
                except InternalError as error:  # Our own bug: the other units are decided all the same.
                    verdict, pool = Inconclusive(reason=f"the testers failed: {error}", code="TP414"), ()
                found[number] = Judged(verdict=verdict, pool=pool, seconds=time.monotonic() - begun)
    return [found[number] for number in range(len(proposals))]


def translation_unit(source: Source, path: str) -> TranslationUnit:
    """Return the translation unit of that path."""
    return next(item for item in source.translation_units if item.path == path)


def _all_kernels(
    source: Source, unit: TranslationUnit, own: Iterable[Signature]
) -> list[tuple[Signature, ...]]:
    """Return the signatures of all kernels of a small file: the library that contracts were learnt from."""
    kernels = [
        item.id
        for item in source.units
        if item.kind is UnitKind.KERNEL and item.translation_unit == unit.path
    ]
    found = tuple(signature for kernel in kernels for signature in source.signatures.get(kernel, ()))
    return [found] if len(kernels) <= _SMALL and set(own) <= set(found) else []


class Court:
    """Everything that judging the candidates of one translation unit shares."""

    def __init__(
        self, workshop: Workshop, source: Source, unit: TranslationUnit, proposals: Sequence[Proposal]
    ) -> None:
        """Prepare both benches; nothing is built before it is needed."""
        self.workshop = workshop
        self.source = source
        own = dict.fromkeys(contract.signature for item in proposals for contract in item.contracts)
        self.sources = SourceBench(workshop, source, unit, [*_all_kernels(source, unit, own), tuple(own)])
        self.candidates = CandidateBench(workshop, source, unit, proposals)

    def begin(self, proposals: Sequence[Proposal]) -> None:
        """Start the builds that every judgement needs."""
        self.sources.begin(Flavour.TRACE)
        for proposal in proposals:
            self.candidates.begin(proposal, Flavour.PLAIN)
        self.sources.begin(Flavour.PLAIN)

    def close(self) -> None:
        """Start no further build."""
        self.sources.close()
        self.candidates.close()

    def decide(self, proposal: Proposal, plan: Plan) -> tuple[Verdict, tuple[Trial, ...]]:
        """Return the verdict on one proposal, and the trials it rests on."""
        shown: list[Shown] = []
        for contract in proposal.contracts:
            outcome = self.case(proposal, contract).decide(plan)
            if not isinstance(outcome, Shown):
                return outcome, ()
            shown.append(outcome)
        if not shown:
            return Inconclusive(reason="there is no contract to judge by"), ()
        pool = tuple(trial for item in shown for trial in item.pool.trials)
        return Passed(guarantee=guarantee(proposal, shown)), pool

    def case(self, proposal: Proposal, contract: Contract) -> Case:
        """Return what it takes to decide about one signature."""
        return Case(self, proposal, contract)


class Case:
    """One candidate and one signature of its source."""

    def __init__(self, court: Court, proposal: Proposal, contract: Contract) -> None:
        """Keep what every check needs."""
        self.court = court
        self.proposal = proposal
        self.contract = contract
        self.parts = (proposal.unit, *court.source.closure(proposal.unit))
        literals = literals_of(b"\n".join(part.text for part in self.parts))
        self.literals = literals
        self.examiner = Examiner(court.workshop, court.sources, contract, literals)
        self.calibration = Calibration(court.workshop, court.sources)

    def entry(self) -> Entry | Rejected:
        """Return the candidate's function, or why it does not build."""
        entry = self.court.candidates.entry(self.proposal, self.contract.signature, Flavour.PLAIN)
        return rejected(self.proposal.unit, entry) if isinstance(entry, BuildFailed) else entry

    def decide(self, plan: Plan) -> Shown | Verdict:
        """Return what was shown for this signature, or the verdict that ends the matter."""
        entry = self.entry()
        if isinstance(entry, Rejected):
            return entry
        meter = Meter(self.court.workshop, self.parts)
        pool = gather(self.examiner, meter, replace(plan, literals=self.literals))
        if isinstance(pool, Inconclusive):
            return pool
        return self.compare(entry, pool)

    def compare(self, entry: Entry, pool: Pool) -> Shown | Verdict:
        """Run the candidate on the pool, then under the checkers."""
        duel = Duel(self.court.workshop, entry, self.calibration, pool.references)
        fault = ""
        for _ in range(_SUSPECTS):
            failure = self._fight(duel, pool.coverage)
            fault = self._fault_of_source(failure) if failure is not None else ""
            if failure is None or not fault:
                break
            duel.excuse(failure.reference)
            if len(duel.pool) < FEWEST:
                return undefined(fault)
        else:
            return undefined(fault)
        if failure is not None:
            return self.falsified(failure, duel)
        if pool.coverage.share < COVERED:
            return uncovered(pool.coverage)
        checked = self.checked(duel)
        if isinstance(checked, Failure):
            return self.falsified(checked, None)
        if isinstance(checked, Inconclusive):
            return checked
        decided = sum(item.trial not in duel.undecided for item in duel.pool)
        if decided < _DECIDED * len(duel.pool):
            reason = f"rounding hides errors: only {decided} of {len(duel.pool)} trials decide"
            return Inconclusive(reason=reason, code="TP413")
        tolerance = summary(self.calibration.errors) if duel.rounded else "exact"
        return Shown(pool=replace(pool, references=tuple(duel.pool)), decided=decided, tolerance=tolerance)

    def _fight(self, duel: Duel, coverage: Coverage) -> Failure | None:
        """Run all trials; once they have passed a first time, start the builds of the checkers."""
        failure = duel.fight(MANNERS[:1])
        if failure is not None:
            return failure
        flavours = [Flavour.ADDRESS, *([Flavour.THREAD] if is_parallel(self.proposal.candidate) else [])]
        if coverage.share >= COVERED:
            self.court.candidates.begin(self.proposal, *flavours)
        return duel.fight(MANNERS[1:])

    def checked(self, duel: Duel) -> Failure | Inconclusive | None:
        """Return what sanitizers and the race checker say."""
        court = self.court
        found = sanitize(court.workshop, court.candidates, court.sources, self.proposal, duel)
        if found is None and is_parallel(self.proposal.candidate):
            found = race_check(court.candidates, self.proposal, duel)
        return found

    def _fault_of_source(self, failure: Failure) -> str:
        return fault_of_source(self.court.workshop, self.court.sources, failure.reference)

    def falsified(self, failure: Failure, duel: Duel | None) -> Falsified:
        """Return the verdict on a failure, with its trial shrunk where a plain run shows it."""
        trial, found = failure.reference.trial, failure
        if duel is not None and failure.difference.check != "timeout":
            trial, found = shrink(self.contract, trial, failure, partial(self._failures, duel, failure))
        return Falsified(
            counterexample=Counterexample(
                trial=trial,
                where=found.difference.where,
                expected=found.difference.expected,
                got=found.difference.got,
                check=found.difference.check,
            )
        )

    def _failures(self, duel: Duel, failure: Failure, trials: Sequence[Trial]) -> list[Failure | None]:
        """Return for each trial how the candidate fails on it, in the manner of the first failure."""
        examined = self.examiner.examine(trials)
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


def guarantee(proposal: Proposal, shown: Sequence[Shown]) -> Guarantee:
    """Return what was shown of a candidate over all its signatures."""
    taken = sum(item.pool.coverage.taken for item in shown)
    total = sum(item.pool.coverage.total for item in shown)
    exact = sum(item.exact for one in shown for item in one.pool.references)
    checks = ["guard pages", "poison", "threads 1-3", "address and undefined behaviour"]
    checks += [f"exact ({exact})"] if exact else []
    checks += ["race"] if is_parallel(proposal.candidate) else []
    tools = compilers.find()
    return Guarantee(
        level=Level.TESTED,
        trials=sum(item.decided for item in shown),
        checks=tuple(checks),
        coverage=taken / total if total else None,
        unreachable=sum(item.pool.coverage.unreachable for item in shown),
        tolerance="; ".join(dict.fromkeys(item.tolerance for item in shown)),
        built_by=f"g++ {tools.get('g++').version}",
    )
