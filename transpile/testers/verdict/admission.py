"""Which written tests count: those that the source bears, and that show something no other trial shows.

What a test expects is nobody's word: the source's own run says what is right, so that a test can be useless,
and never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from transpile.core import Inconclusive, Trial, Unit, WrittenTest
from transpile.testers.differential.differential_run import CONFIGURATIONS, Differential, Failure
from transpile.testers.mutation.campaign import Campaign, Front, Unsound
from transpile.testers.mutation.strengthen import BUDGET
from transpile.testers.oracle.cover import Coverage, joined
from transpile.testers.oracle.validity import Invalid, Reference
from transpile.testers.proposal import Proposal
from transpile.testers.trials.generate import Plan
from transpile.testers.trials.materialise import Unmakeable
from transpile.testers.trials.sketch import trial_of
from transpile.testers.verdict.session import JudgingSession, Measure, translation_unit
from transpile.toolchains.build import BuildFailed, Flavour

_SHOWN = 3
"""Merits of one kind that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """A test that counts from now on."""

    test: WrittenTest
    trial: Trial
    merits: tuple[str, ...]
    """What it shows that no other trial shows, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """A test that does not count."""

    test: WrittenTest
    reason: str
    accepted: bool = False
    """The source bears it: it only shows nothing new."""


class Bar:
    """What the trials of one unit leave open, and which tests close some of it."""

    def __init__(
        self,
        session: JudgingSession,
        unit: Unit,
        measure: Measure,
        standing: Sequence[Proposal],
    ) -> None:
        """Keep what is known; made by `raised`."""
        self._session = session
        self._unit = unit
        self._fronts = [
            Front(baseline=baseline, references=[*pool.references, *added])
            for (baseline, pool), added in zip(measure.pools, measure.found.added, strict=True)
        ]
        self._standing = list(standing)
        self._coverages = [pool.coverage for _, pool in measure.pools]
        self.strength = measure.found.strength
        self.survivors = measure.found.survivors

    @classmethod
    def raised(
        cls,
        session: JudgingSession,
        proposal: Proposal,
        plan: Plan,
        standing: Sequence[Proposal] = (),
        budget: float = BUDGET,
    ) -> Bar | Inconclusive:
        """Return the bar that the trials of a unit set, or why its trials say nothing.

        Args:
            session: Where the unit and those that stand are judged.
            proposal: Any translation of it, such as its own text, with the trials that are given.
            plan: How trials are generated.
            standing: Translations that no trial has refuted so far.
            budget: Seconds for generated trials to notice more faults.
        """
        measure = session.measured(proposal, plan, budget)
        if isinstance(measure, Inconclusive):
            return measure
        return cls(session, proposal.unit, measure, standing)

    @property
    def coverage(self) -> Coverage:
        """Return which branches trials take by now."""
        return joined(self._coverages)

    @property
    def open(self) -> bool:
        """Tell whether there is anything that a new test could show."""
        return bool(self.survivors or self._standing) or self.coverage.taken < self.coverage.total

    def admit(self, tests: Sequence[WrittenTest]) -> list[Admitted | Declined]:
        """Return for each test what it shows, or why it does not count; what counts does so at once."""
        made = [(test, front, self._trial(front, test)) for test in tests for front in self._fronts]
        found: dict[WrittenTest, Admitted | Declined] = {}
        for front in self._fronts:
            own = [(test, trial) for test, where, trial in made if where is front]
            for test, outcome in self._examined(front, own):
                # Where there are several signatures, one of them is enough.
                if test not in found or isinstance(outcome, Admitted):
                    found[test] = outcome
        return [found[test] for test in tests]

    def _trial(self, front: Front, test: WrittenTest) -> Trial | str:
        try:
            return trial_of(front.contract, test)
        except Unmakeable as error:
            return str(error)

    def _examined(
        self, front: Front, tests: Sequence[tuple[WrittenTest, Trial | str]]
    ) -> Iterator[tuple[WrittenTest, Admitted | Declined]]:
        known = {item.trial for item in front.references}
        by_trial: dict[Trial, WrittenTest] = {}
        for test, trial in tests:
            if isinstance(trial, str):
                yield test, Declined(test=test, reason=trial)
            elif trial in known or trial in by_trial:
                yield test, Declined(test=test, reason="there is such a trial already", accepted=True)
            else:
                by_trial[trial] = test
        examined = front.baseline.examiner.examine(list(by_trial)) if by_trial else []
        if isinstance(examined, BuildFailed):
            examined = []
        references = [item for item in examined if isinstance(item, Reference)]
        for item in examined:
            if isinstance(item, Invalid):
                detail = f": {item.detail}" if item.detail else ""
                reason = f"the source {item.flaw.value}{detail}"
                yield by_trial[item.trial], Declined(test=by_trial[item.trial], reason=reason)
        yield from self._weighed(front, references, by_trial)

    def _weighed(
        self, front: Front, references: Sequence[Reference], by_trial: dict[Trial, WrittenTest]
    ) -> Iterator[tuple[WrittenTest, Admitted | Declined]]:
        """Yield what trials that the source bears are worth."""
        branches = self._branches(front, references)
        kills = self._kills(front, references)
        refuted = self._refuted(front, references)
        for item in references:
            merits = (
                *_told("takes a new branch at", branches.get(item.trial, ())),
                *_told("notices", kills.get(item.trial, ())),
                *_told("refutes", refuted.get(item.trial, ())),
            )
            test = by_trial[item.trial]
            if merits:
                front.references.append(item)
                yield test, Admitted(test=test, trial=item.trial, merits=merits)
            else:
                yield test, Declined(test=test, reason="it shows nothing that no other does", accepted=True)

    def _branches(self, front: Front, references: Sequence[Reference]) -> dict[Trial, tuple[str, ...]]:
        """Return the places of branches that no trial took before, by the first trial that does."""
        number = self._fronts.index(front)
        if not references or self._coverages[number].taken == self._coverages[number].total:
            return {}
        meter = front.baseline.meter()
        front.baseline.examiner.examine([item.trial for item in front.references], meter)
        found: dict[Trial, tuple[str, ...]] = {}
        before = meter.read()
        for item in references:
            front.baseline.examiner.examine([item.trial], meter)
            after = meter.read()
            if after.taken > before.taken:
                gone = tuple(place for place in before.missing if place not in after.missing)
                found[item.trial] = gone or ("a line of which the other way was taken",)
            before = after
        self._coverages[number] = before
        return found

    def _kills(self, front: Front, references: Sequence[Reference]) -> dict[Trial, tuple[str, ...]]:
        """Return the faults that no trial noticed before, by the first trial that does."""
        if not references or not self.survivors:
            return {}
        session, unit = self._session, self._unit
        compiled = translation_unit(session.source, unit.translation_unit)
        # Tolerances are measured on all trials.
        fronts = [Front(baseline=front.baseline, references=[*front.references, *references])]
        with closing(
            Campaign(session.workshop, session.source, unit, compiled, self.survivors, fronts)
        ) as campaign:
            try:
                campaign.attack(fronts[0], references)
                campaign.watch(fronts[0], references)
            except Unsound:
                return {}
            fallen = {self.survivors[number]: trial for number, trial in campaign.kills.items()}
        self.survivors = tuple(mutant for mutant in self.survivors if mutant not in fallen)
        self.strength = replace(
            self.strength,
            killed=self.strength.killed + len(fallen),
            survivors=tuple(map(str, self.survivors)),
        )
        found: dict[Trial, tuple[str, ...]] = {}
        for mutant, trial in fallen.items():
            found[trial] = (*found.get(trial, ()), f"`{mutant.before}` as `{mutant.after}`")
        return found

    def _refuted(self, front: Front, references: Sequence[Reference]) -> dict[Trial, tuple[str, ...]]:
        """Return the translations that no trial refuted before, by the first trial that does."""
        found: dict[Trial, tuple[str, ...]] = {}
        for proposal in list(self._standing) if references else ():
            entry = self._session.candidates.entry(proposal, front.contract.signature, Flavour.PLAIN)
            if isinstance(entry, BuildFailed):
                continue
            pool = [*front.references, *references]
            differential = Differential(self._session.workshop, entry, front.baseline.calibration, pool)
            failures = (
                item for item in differential.run(references, CONFIGURATIONS[0]) if isinstance(item, Failure)
            )
            if (first := next(failures, None)) is not None:
                trial = first.reference.trial
                where = f"a translation that stood until now, at {first.difference.where}"
                found[trial] = (*found.get(trial, ()), where)
                self._standing.remove(proposal)
        return found


def _told(what: str, found: Sequence[str]) -> Iterator[str]:
    """Yield in words what a trial shows, the first of it by name."""
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        yield f"{what} {', '.join(found[:_SHOWN])}{more}"
