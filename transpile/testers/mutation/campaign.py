"""Mutants against trials: which trials notice which fault, and which faults nobody notices.

A mutant is killed where a call of it would refuse a candidate: other results, a call that does not come back,
or, on the emulator, a race, an access beyond the arrays or a read of what nobody wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from transpile.core import Contract, Source, TranslationUnit, Trial, Unit
from transpile.testers.differential.differential_run import Differential, Undecided
from transpile.testers.mutation.instructions import alike
from transpile.testers.mutation.mutants import Mutant, as_proposal, control_of
from transpile.testers.mutation.operators import NARROWER
from transpile.testers.oracle.baseline import Baseline
from transpile.testers.oracle.validity import SCHEDULES, Reference, trace_flaw
from transpile.testers.run.bench import CandidateBench, Entry, Outcome, RunConfiguration, call_each
from transpile.testers.text.narrow_arithmetic import Arithmetic, narrower
from transpile.testers.trials.materialise import POISONS, Prepared
from transpile.toolchains.build import BuildFailed, Built, Flavour
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import Crashed, Placement, RestartPolicy
from transpile.toolchains.workshop import Workshop

_FORWARD = RunConfiguration(placement=Placement.GUARD_HIGH, poison=POISONS[0], seed=SCHEDULES[0])
_SHUFFLED = RunConfiguration(placement=Placement.GUARD_LOW, poison=POISONS[1], seed=SCHEDULES[1])
_TRACED = RunConfiguration(placement=Placement.ARENA, seed=SCHEDULES[0])
_LONGER = 20.0
"""Times the source's time on a trial after which a mutant is called once more."""
_FASTER = 16
"""Speed of untraced calls relative to traced ones."""
_PATIENCE = 4.0
"""Times that limit after which a mutant is said to hang."""
_LEAST = 0.05
"""Seconds that every call of a mutant has."""
_TRACES = 32
"""Trials on which a mutant's accesses are watched."""
_AT_ONCE = 128 << 20
"""Bytes of the data of calls whose outcomes are held together."""

_Call = tuple[int, Reference]
"""A mutant and a trial."""


class Unsound(Exception):
    """The unmodified unit falls among its mutants, or cannot be put there: no kill means anything."""


@dataclass(slots=True)
class Front:
    """One signature of the unit, with its trials."""

    baseline: Baseline
    references: list[Reference]

    @property
    def contract(self) -> Contract:
        """Return what calls must respect."""
        return self.baseline.contract


class Campaign:
    """All mutants of one unit, and who has killed which."""

    def __init__(
        self,
        workshop: Workshop,
        source: Source,
        unit: Unit,
        compiled: TranslationUnit,
        mutants: Sequence[Mutant],
        fronts: Sequence[Front],
    ) -> None:
        """Plant the faults; nothing is built before the first attack."""
        self._workshop = workshop
        self._source = source
        self._compiled = compiled
        contracts = [front.contract for front in fronts]
        self._proposals = [
            as_proposal(unit, contracts, mutant) for mutant in (*mutants, control_of(source, unit))
        ]
        self._control = len(mutants)
        self._function = unit.name.rpartition("::")[2]
        self.fronts = tuple(fronts)
        self.mutants = tuple(mutants)
        self.live = list(range(len(mutants)))
        """Mutants that nothing has killed."""
        self.invalid: list[int] = []
        """Mutants that do not compile."""
        self.kills: dict[int, Trial] = {}
        """The first trial that killed each mutant."""
        self.work = 0
        """Of all calls so far, as far as the source's work on the same trials tells."""
        self._bench: CandidateBench | None = None

    def attack(self, front: Front, references: Sequence[Reference]) -> None:
        """Run all live mutants on trials of one signature, until each has fallen or passed them all.

        Raises:
            Unsound: The source itself would fall.
        """
        for configuration in (_FORWARD, _SHUFFLED):
            for chunk in _chunks(spread(references)):
                entries = self._entries(self._opened(), front, Flavour.PLAIN, (self._control, *self.live))
                if self._control not in entries:
                    raise Unsound("the unit does not compile a second time beside itself")
                for number, reference in self._failures(front, entries, chunk, configuration):
                    self._kill(number, reference.trial)

    def watch(self, front: Front, references: Sequence[Reference]) -> None:
        """Kill the live mutants that race, or read or write where they must not, on a few trials."""
        chosen = spread(references)[:_TRACES]
        numbers = (self._control, *self.live)
        survivors = [self._proposals[number] for number in numbers]
        with closing(CandidateBench(self._workshop, self._source, self._compiled, survivors)) as bench:
            entries = self._entries(bench, front, Flavour.TRACE, numbers)
            racy: set[Trial] = set()
            for number, item, outcome in self._outcomes(entries, chosen, _TRACED):
                if number == self._control and _races(outcome):  # It comes first.
                    racy.add(item.trial)
                if trace_flaw(item.prepared, outcome) or (_races(outcome) and item.trial not in racy):
                    self._kill(number, item.trial)

    def killers(self, front: Front, references: Sequence[Reference]) -> dict[int, frozenset[Trial]]:
        """Return for each killed mutant which of the trials kill it in the plain forward run."""
        found: dict[int, set[Trial]] = {number: set() for number in self.kills}
        entries = self._entries(self._opened(), front, Flavour.PLAIN, found)
        for number, reference in self._failures(front, entries, references, _FORWARD):
            found[number].add(reference.trial)
        return {number: frozenset(trials) for number, trials in found.items()}

    def close(self) -> None:
        """Start no further build."""
        if self._bench is not None:
            self._bench.close()

    def equivalents(self) -> frozenset[int]:
        """Return the live mutants that the compiler turns into the source's own instructions."""
        numbers = (self._control, *self.live)
        texts = self._opened().assembly([self._proposals[number] for number in numbers], Flavour.SHIPPED)
        if isinstance(texts, BuildFailed):
            return frozenset()
        same = alike(texts, len(numbers), self._function)
        return frozenset(number for place, number in enumerate(numbers) if place and place in same)

    def told_by_text(self) -> frozenset[int]:
        """Return the live mutants whose arithmetic of sizes is refused: no trial is large enough for it."""
        narrow = [number for number in self.live if self.mutants[number].operator == NARROWER]
        if not narrow:
            return frozenset()
        own = self._arithmetic(self._control)
        return frozenset(number for number in narrow if narrower(own, self._arithmetic(number)))

    def _arithmetic(self, number: int) -> Arithmetic:
        return self._opened().arithmetic(self._proposals[number], self.fronts[0].contract.signature)

    def _opened(self) -> CandidateBench:
        if self._bench is None:
            self._bench = CandidateBench(self._workshop, self._source, self._compiled, self._proposals)
        return self._bench

    def _entries(
        self, bench: CandidateBench, front: Front, flavour: Flavour, numbers: Iterable[int]
    ) -> dict[int, Entry]:
        """Return the entries of those mutants that compile."""
        entries: dict[int, Entry] = {}
        for number in numbers:
            entry = bench.entry(self._proposals[number], front.contract.signature, flavour)
            if not isinstance(entry, BuildFailed):
                entries[number] = entry
            elif number in self.live and flavour is Flavour.PLAIN:
                self.live.remove(number)
                self.invalid.append(number)
        return entries

    def _failures(
        self,
        front: Front,
        entries: dict[int, Entry],
        references: Sequence[Reference],
        configuration: RunConfiguration,
    ) -> Iterator[tuple[int, Reference]]:
        """Yield every mutant with every trial on which it would be refused."""
        if not entries:
            return
        any_entry = next(iter(entries.values()))  # Outcomes are compared alike, whichever mutant they are of.
        differential = Differential(self._workshop, any_entry, front.baseline.calibration, front.references)
        for number, item, outcome in self._outcomes(entries, references, configuration):
            try:
                if differential.compare(item, outcome, configuration) is not None:
                    yield number, item
            except Undecided:
                continue

    def _outcomes(
        self, entries: dict[int, Entry], references: Sequence[Reference], configuration: RunConfiguration
    ) -> Iterator[tuple[int, Reference, Outcome | Crashed]]:
        traced = configuration is _TRACED
        slowest = max((item.work for item in references), default=0) / (_FASTER * WORK_A_SECOND)
        limit = self._workshop.timeout
        if not traced:  # Tracing is slower by far, and what loops forever has fallen before.
            limit = min(max(_LONGER * slowest, _LEAST), limit)
        for library, calls in _apart(self._calls(entries, references)):
            made = [(entries[number].index, item.prepared) for number, item in calls]
            self.work += sum(item.work for _, item in calls) // (1 if traced else _FASTER)
            outcomes = self._made(library, made, configuration, limit)
            late = [place for place, outcome in enumerate(outcomes) if _is_late(outcome) and not traced]
            again = self._made(library, [made[place] for place in late], configuration, _PATIENCE * limit)
            for place, outcome in zip(late, again, strict=True):
                outcomes[place] = outcome
            for (number, item), outcome in zip(calls, outcomes, strict=True):
                yield number, item, outcome

    def _made(
        self,
        library: Built,
        calls: Sequence[tuple[int, Prepared]],
        configuration: RunConfiguration,
        limit: float,
    ) -> list[Outcome | Crashed]:
        # Mutants are expected to die, so no number of deaths ends the batch.
        restarts = RestartPolicy(deaths=len(calls) + 1, timeouts=len(calls) + 1)
        return call_each(
            replace(self._workshop, timeout=limit), library, calls, configuration, restarts=restarts
        )

    def _calls(
        self, entries: dict[int, Entry], references: Sequence[Reference]
    ) -> Iterator[tuple[Built, list[_Call]]]:
        libraries: dict[str, tuple[Built, list[_Call]]] = {}
        for number, entry in entries.items():
            _, calls = libraries.setdefault(entry.library.digest, (entry.library, []))
            calls += [(number, reference) for reference in references]
        yield from libraries.values()

    def _kill(self, number: int, trial: Trial) -> None:
        if number == self._control:
            raise Unsound("the unit itself falls where its mutants should")
        if number in self.live:
            self.live.remove(number)
            self.kills[number] = trial


def _apart(libraries: Iterable[tuple[Built, list[_Call]]]) -> Iterator[tuple[Built, list[_Call]]]:
    """Yield calls as many at a time as memory bears: what each of them leaves is held."""
    for library, calls in libraries:
        part: list[_Call] = []
        held = 0
        for call in calls:
            size = call[1].prepared.size
            if part and held + size > _AT_ONCE:
                yield library, part
                part, held = [], 0
            part.append(call)
            held += size
        yield library, part


def _is_late(outcome: Outcome | Crashed) -> bool:
    return isinstance(outcome, Crashed) and outcome.reason == "timeout"


def _races(outcome: Outcome | Crashed) -> bool:
    """Tell whether threads met at all, be it with the same value."""
    return isinstance(outcome, Outcome) and outcome.trace is not None and bool(outcome.trace.races)


def spread(references: Sequence[Reference]) -> list[Reference]:
    """Return trials that are ordered by size so that every beginning of the list is spread over the sizes.

    The order of van der Corput's sequence; the middle comes first.
    """
    count = len(references)
    bits = max(count - 1, 1).bit_length()
    turned = [int(format(number, f"0{bits}b")[::-1], 2) for number in range(1 << bits)]
    order = [*turned[1:], turned[0]]
    return [references[number] for number in order if number < count]


def _chunks(references: Sequence[Reference]) -> Iterator[Sequence[Reference]]:
    """Yield one trial, then more and more: most mutants fall at the first."""
    start, size = 0, 1
    while start < len(references):
        yield references[start : start + size]
        start, size = start + size, 2 * size
