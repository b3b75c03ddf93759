"""Differential run of source and candidate: valid trials, both guards and poisons, 1 to 3 threads.

Behind guards every call has fresh addresses, in arenas every call has the same: a result kept from an earlier
call shows in one or the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.core import Candidate, Fill, NumberRules, Trial
from transpile.testers.compare.compare import Difference, first_difference
from transpile.testers.compare.tolerance import (
    CREDIBLE,
    FAR,
    Key,
    Pair,
    Scales,
    at_least,
    distances,
    first_beyond,
    first_excess,
    lost,
)
from transpile.testers.compare.wording import told_by_user
from transpile.testers.oracle.calibrate import Calibration
from transpile.testers.oracle.validity import SCHEDULES, Reference
from transpile.testers.run.bench import Entry, Outcome, RunConfiguration, call
from transpile.testers.run.teams import has_teams, own_teams
from transpile.testers.trials.materialise import POISONS, Prepared
from transpile.toolchains.calls import Altered, Site
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import Crashed, Placement
from transpile.toolchains.workshop import Workshop

CONFIGURATIONS = (
    RunConfiguration(placement=Placement.GUARD_HIGH, poison=POISONS[0], threads=1),
    RunConfiguration(
        placement=Placement.GUARD_LOW, poison=POISONS[1], threads=2, seed=SCHEDULES[1], lanes=32, fixed=True
    ),
    RunConfiguration(placement=Placement.ARENA, poison=POISONS[0], threads=3, seed=0xACE),
)
TEAMS = tuple(
    RunConfiguration(placement=placement, poison=poison, threads=threads)
    for threads, placement, poison in (
        (4, Placement.GUARD_HIGH, POISONS[1]),
        (5, Placement.GUARD_LOW, POISONS[0]),
        (8, Placement.ARENA, POISONS[1]),
        (17, Placement.GUARD_HIGH, POISONS[0]),
        (65, Placement.GUARD_LOW, POISONS[1]),
    )
)
"""More threads than processors as a rule, so that they are interrupted anywhere: a power of two, beside one,
more than most arrays that have an element for each thread, more than a word has bits."""
FEWER = RunConfiguration(placement=Placement.GUARD_HIGH, poison=POISONS[1], threads=6, given=2)
"""Fewer threads than a text was told that there are, as where a caller is in a parallel region itself."""
BIT_FOR_BIT: Fill = "tiny"
"""Data on which a tolerance would excuse anything, made for branches that no other data take."""
_SHARE = 2
"""Of so many trials that follow each other, each team runs one."""
_FRACTIONS = ("real", "wide", "ramp")
"""Fills whose sums are exact by luck, and rounded in another order."""
_FIRST, _GROWTH = 3, 4
"""Trials of the first batch, and times as many in each that follows.

A candidate that never returns costs a time limit for each trial of a batch.
"""
_PATIENCE = 4.0
"""Times the usual limit that a call gets before it is said to hang."""
_LITTLE = WORK_A_SECOND // 4
"""Work of the source for which that is patience enough; for more, calls get as many times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A trial on which the candidate parts from the source."""

    reference: Reference
    difference: Difference
    configuration: RunConfiguration


_CHECKS = {
    "timeout": "timeout",
    "segmentation fault": "bounds",
    "write beside an array": "bounds",
    "write to an array that the source only reads": "input",
    "memory of the host reached by a kernel": "bounds",
    "memory of the device reached by the host": "bounds",
}
"""That refuse a call which ended for such a reason."""


_ALTERATIONS = {
    Altered.ARITHMETIC: "numbers are rounded in another way from then on",
    Altered.OPENMP: "settings of OpenMP are others from then on",
    Altered.SIGNALS: "signals are handled in another way from then on",
    Altered.DESCRIPTORS: "other files are open",
    Altered.PRINTED: "something is printed",
    Altered.PROCESS: "the locale, the directory or a limit is another from then on",
}


class Undecided(Exception):
    """Results differ by rounding on a trial that cannot tell rounding from error."""


class Differential:
    """One candidate function against its source."""

    def __init__(
        self,
        workshop: Workshop,
        entry: Entry,
        calibration: Calibration,
        pool: Sequence[Reference],
    ) -> None:
        """Keep both sides."""
        self._workshop = workshop
        self._entry = entry
        self._calibration = calibration
        self.pool = list(pool)
        self.undecided: set[Trial] = set()
        """Trials that decide nothing about this candidate."""
        self.doubt = ""
        """Why the first of them decides nothing."""
        self.realigned = False
        """Some call took arrays only as aligned as an allocation is, so that their guards stood off."""
        self.rounded = False
        """Some result differs from the source's within the tolerance."""
        self.ran: dict[Trial, tuple[Site, ...]] = {}
        """Kernels and parallel regions that agreeing trials ran."""
        self.failed: tuple[Failure, ...] = ()
        """Calls beside the one that failed last, and that one: all that were made together."""
        self.distances: dict[Key, float] = {}
        """The largest distance of each output from its reference, in roundings, where it was measured."""

    def against(self, entry: Entry) -> Differential:
        """Return the same differential against another build of the candidate."""
        return Differential(self._workshop, entry, self._calibration, self.pool)

    def on(self, pool: Sequence[Reference]) -> Differential:
        """Return the same differential on other trials."""
        return Differential(self._workshop, self._entry, self._calibration, pool)

    def told(self) -> str:
        """Return by what rule results were compared, in words."""
        rules = self.pool[0].prepared.contract.numbers if self.pool else NumberRules()
        if not self.rounded:
            found = "exact"
        elif rules.tolerance is not None:
            found = told_by_user(rules.tolerance)
        else:
            found = self._calibration.told(self.distances)
        return found if replace(rules, tolerance=None) == NumberRules() else f"{found}; {rules}"

    def drop_undefined(self, reference: Reference) -> None:
        """Drop a trial on which the source's own behaviour turns out to be undefined."""
        self.pool.remove(reference)

    def run_all(
        self, configurations: Sequence[RunConfiguration] = CONFIGURATIONS, *, likely: bool = False
    ) -> Failure | None:
        """Run the pool in every configuration; return the first failure.

        Where failures are not likely, no few trials go ahead of the others.
        """
        if likely:
            return self._first((configuration, self.pool) for configuration in configurations)
        return self._first(self._batches(configurations))

    def crowd(self, candidate: Candidate) -> Failure | None:
        """Run each trial on some larger teams of threads; return the first failure."""
        teams = enumerate(teams_of(candidate))
        return self._first((team, self.pool[turn % _SHARE :: _SHARE]) for turn, team in teams)

    def _first(self, batches: Iterable[tuple[RunConfiguration, Sequence[Reference]]]) -> Failure | None:
        for configuration, references in batches:
            results = self.run(references, configuration)
            for reference, found in zip(references, results, strict=True):
                if isinstance(found, Undecided):
                    self.undecided.add(reference.trial)
                elif found is not None:
                    self.failed = tuple(item for item in results if isinstance(item, Failure))
                    return found
        return None

    def _batches(
        self, configurations: Sequence[RunConfiguration]
    ) -> Iterator[tuple[RunConfiguration, Sequence[Reference]]]:
        """Yield what runs together: few trials at first, then more, then all in the other configurations."""
        start, size = 0, _FIRST
        while start < len(self.pool):
            yield configurations[0], self.pool[start : start + size]
            start, size = start + size, _GROWTH * size
        for configuration in configurations[1:]:
            yield configuration, self.pool

    def once(
        self,
        reference: Reference,
        before: Sequence[Reference] = (),
        configurations: Sequence[RunConfiguration] = CONFIGURATIONS,
    ) -> Iterator[Failure | Undecided | None]:
        """Yield what is wrong with one trial in each configuration, after other calls in the same process."""
        for configuration in configurations:
            yield self.run([*before, reference], configuration)[-1]

    def _patiently(self, reference: Reference, configuration: RunConfiguration) -> Outcome | Crashed:
        """Make a call once more that took too long, alone and with far more time: a machine may be busy."""
        times = _PATIENCE * max(reference.work / _LITTLE, 1.0)
        patient = replace(self._workshop, timeout=times * self._workshop.timeout)
        [outcome] = call(patient, self._entry, [reference.prepared], configuration)
        return outcome

    def run(
        self, references: Sequence[Reference], configuration: RunConfiguration
    ) -> list[Failure | Undecided | None]:
        """Return for each trial what is wrong in this configuration."""
        outcomes = call(self._workshop, self._entry, [item.prepared for item in references], configuration)
        return self.compare_all(references, outcomes, configuration)

    def compare_all(
        self,
        references: Sequence[Reference],
        outcomes: Sequence[Outcome | Crashed],
        configuration: RunConfiguration,
    ) -> list[Failure | Undecided | None]:
        """Return for each call that was made in this configuration what is wrong with it.

        A call that took too long is made again; after one that hangs, others are taken for hanging as well.
        """
        found: list[Failure | Undecided | None] = []
        hangs = False
        for reference, outcome in zip(references, outcomes, strict=True):
            late = isinstance(outcome, Crashed) and outcome.reason == "timeout"
            if late and not hangs:
                outcome = self._patiently(reference, configuration)
                hangs = isinstance(outcome, Crashed)
            try:
                difference = self.compare(reference, outcome, configuration)
                if difference is None and isinstance(outcome, Outcome):
                    self.ran[reference.trial] = (*self.ran.get(reference.trial, ()), *outcome.sites)
            except Undecided as doubt:
                found.append(doubt)
            else:
                failed = (
                    Failure(reference=reference, difference=difference, configuration=configuration)
                    if difference
                    else None
                )
                found.append(failed)
        return found

    def compare(
        self, reference: Reference, outcome: Outcome | Crashed, configuration: RunConfiguration
    ) -> Difference | None:
        """Return where a call parts from the source's; Undecided where the trial cannot tell."""
        if isinstance(outcome, Crashed):
            return fallen(reference.prepared, outcome)
        if left := outcome.altered & ~reference.altered:
            return alteration(left)
        self.realigned |= outcome.alignment > 1
        slots = reference.prepared.slots
        source = reference.results[POISONS.index(configuration.poison)]
        rules = reference.prepared.contract.numbers
        difference = first_difference(slots, source, outcome.results, configuration.poison, rules)
        exact = reference.exact and rules.tolerance is None
        by_luck = bool(reference.trial.carved) or reference.trial.fill in _FRACTIONS
        if difference is None or (exact and not by_luck):
            return difference
        if reference.trial.fill == BIT_FOR_BIT:
            self.doubt = self.doubt or "where limits of rounding are met, results have to be the same"
            raise Undecided
        pair = Pair(
            slots=slots,
            source=source,
            candidate=outcome.results,
            written=reference.written,
            poison=configuration.poison,
            rules=rules,
        )
        if rules.tolerance is not None:
            excess = first_beyond(pair, rules.tolerance)
        else:
            excess = self._excess(reference, pair)
        self.rounded |= excess is None
        return difference if excess and exact else excess

    def _excess(self, reference: Reference, pair: Pair) -> Difference | None:
        """Return where a rounded result is further off than the source's own error allows."""
        measured = excess = None
        rough = self._calibration.is_rough(reference)
        for measured in self._calibration.looks(reference, self.pool):
            errors = self._calibration.errors_at(reference)
            if not measured.steady and (found := self._calibration.apart(reference, pair)):
                return found
            self._believe(measured, errors)
            excess = first_excess(pair, measured, errors)
            if excess is not None and self._may_be_luck(pair, measured, errors):
                errors = at_least(errors, self._calibration.errors_near(reference))
                excess = first_excess(pair, measured, errors)
            if excess is None:
                self._note(distances(pair, measured, errors))
            far = not rough and first_excess(pair, measured, errors, FAR) is not None
            if excess is None or far:
                break
            rough = False
        if measured is None:
            raise Undecided
        return excess

    def _may_be_luck(self, pair: Pair, measured: Scales, errors: Mapping[Key, float]) -> bool:
        """Tell whether a source that errs as much as any may would leave nothing to refuse."""
        return first_excess(pair, measured, at_least(errors, dict.fromkeys(errors, CREDIBLE))) is None

    def _note(self, made: Mapping[Key, float]) -> None:
        """Keep the largest distance of each output."""
        for key, distance in made.items():
            self.distances[key] = max(self.distances.get(key, 0.0), distance)

    def _believe(self, measured: Scales, errors: Mapping[Key, float]) -> None:
        """Raise Undecided where a trial cannot tell rounding from error."""
        if not measured.steady:
            self.doubt = self.doubt or measured.doubt
            raise Undecided
        if name := lost(measured, errors):
            self.doubt = self.doubt or f"the source's own rounding leaves too little of `{name}`"
            raise Undecided


def teams_of(candidate: Candidate) -> tuple[RunConfiguration, ...]:
    """Return how a candidate is called on more threads; not at all where it has none of the processor's."""
    tried = {configuration.threads for configuration in (*CONFIGURATIONS, *TEAMS)}
    own = [number for number in own_teams(candidate) if number not in tried]
    more = (replace(TEAMS[0], threads=number) for number in own)
    return (*TEAMS, FEWER, *more) if has_teams(candidate) else ()


def fallen(prepared: Prepared, outcome: Crashed) -> Difference:
    """Return a call of the candidate that did not come back, as a difference."""
    where = "call"
    if outcome.argument is not None and outcome.offset is not None:
        slot = prepared.arguments[outcome.argument]
        where = f"{slot.name}[{outcome.offset // slot.element.size}]"
    got, report = outcome.reason, ""
    check = _CHECKS.get(outcome.reason, "crash")
    if check == "bounds" and where == "call":
        check = "crash"
    if outcome.reason == "sanitizer":
        got, report = last_line(outcome.detail), outcome.detail
        check = "race" if "ThreadSanitizer: data race" in outcome.detail else "address"
    return Difference(where=where, expected="returns", got=got, check=check, report=report)


def alteration(left: Altered) -> Difference:
    """Return what a call left changed beside its data, which the source leaves alone, as a difference."""
    got = " and ".join(text for kind, text in _ALTERATIONS.items() if kind in left)
    return Difference(where="call", expected="nothing else changed", got=got, check="surroundings")


def last_line(detail: str) -> str:
    """Return the line of a sanitizer's report that says what it found."""
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    telling = [line for line in lines if "runtime error" in line or "Sanitizer: " in line]
    return (telling or lines or [""])[0][:300]
