"""Which trials count: those on which the source behaved, with what it computed there.

A trial is dropped where the source races, reads or writes outside of what the contract grants, reads what
nobody wrote, depends on the order of its threads, or does not come back. What is dropped says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np

from transpile.core import Contract, Origin, Trial
from transpile.sizes import portions
from transpile.testers.compare.compare import Mask, first_difference
from transpile.testers.compare.tolerance import scales
from transpile.testers.oracle.carved import CARVED, Carving, departure, load, replant
from transpile.testers.oracle.known import Known
from transpile.testers.run import sites
from transpile.testers.run.bench import Entry, Outcome, RunConfiguration, call
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.trials.layout import Bytes
from transpile.testers.trials.materialise import POISONS, Prepared, Slot, Unmakeable, materialise
from transpile.toolchains.build import BuildFailed, Built, Flavour
from transpile.toolchains.calls import UNALTERED, Altered
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import Crashed, Placement, Trace
from transpile.toolchains.workshop import Workshop

_MEASURED = 2
"""Times that a call is made with arrays as long as it was seen to reach: their data may lead further."""
_LONGEST = 1 << 20
"""Elements beyond which an array is not made longer for a call."""
_AT_ONCE = 64 << 20
"""Bytes of the data of trials that are examined together: traces of each access take many times that."""
KEPT = 256 << 20
"""Bytes of the references that a session keeps: candidates of a unit share most of their large trials."""
SCHEDULES = (0, 0x5EED)
"""Orders of the emulator's threads: forward, and shuffled."""


class Flaw(StrEnum):
    """Why a trial does not count; the value completes "the source …"."""

    UNMAKEABLE = "cannot be called as its contract says"
    CRASH = "crashes"
    SLOW = "takes too long"
    RACE = "has a data race"
    BOUNDS = "accesses arrays beyond the extents of its contract"
    UNINITIALISED = "reads shared memory that no thread wrote"
    ORDER = "gives results that depend on the order of its threads, or on what its outputs held before"
    UNDEFINED = "gives results that depend on the optimisation level, or on uninitialised memory"
    ELSEWHERE = "gives other results in its own program than in a call by itself"
    LOSSY = "loses in rounding what its inputs should show"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A trial that counts, and what the source made of it."""

    prepared: Prepared
    results: tuple[tuple[Bytes, ...], tuple[Bytes, ...]]
    """What the slots hold afterwards, for each poison."""
    exact: bool
    """No operation had to round: a candidate must agree to the last bit."""
    written: tuple[Mask, ...]
    """For each slot, the bytes that the source wrote."""
    work: int = 0
    """Accesses and branches of the source: the same however busy the machine is."""
    altered: Altered = UNALTERED
    """Changes of the source beside its data."""
    alignment: int = 1
    """Of its arrays: more than 1 where it views them as something wider, and dies of others."""

    @property
    def trial(self) -> Trial:
        """Return the trial."""
        return self.prepared.trial

    @property
    def effective(self) -> bool:
        """Tell whether the source changed anything at all."""
        return any(bool(mask.any()) for mask in self.written)

    @property
    def held(self) -> int:
        """Return the bytes that it holds: of its data, of both results, and of the mask."""
        return 4 * self.prepared.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """A trial that does not count."""

    trial: Trial
    flaw: Flaw
    detail: str = ""
    sites: tuple[int, ...] = ()
    """Where what it is stands in the traced library of the source."""


class Counts(Protocol):
    """Where branches are counted, a batch at a time."""

    def begin(self) -> Path:
        """Return a directory with the counts so far, for a batch that may turn out not to count."""

    def keep(self, library: Built) -> None:
        """Count the last batch."""


class Examiner:
    """Runs one kernel of the source on trials and tells which of them count."""

    def __init__(
        self,
        workshop: Workshop,
        bench: SourceBench,
        contract: Contract,
        literals: tuple[float, ...] = (),
        known: Known[Reference] | None = None,
    ) -> None:
        """Keep what every examination needs, and references, together with whoever else keeps them there."""
        self._known = Known[Reference](KEPT) if known is None else known
        self._workshop = workshop
        self._bench = bench
        self.contract = contract
        self._literals = literals
        self._lines: dict[int, str] = {}
        self.work = 0
        """Of all traced calls so far."""

    def examine(
        self, trials: Sequence[Trial], counts: Counts | None = None
    ) -> list[Reference | Invalid] | BuildFailed:
        """Return for each trial what the source made of it, or why it does not count.

        Args:
            trials: What to try.
            counts: Where branches are counted that trials take which count.
        """
        traced = self._bench.entry(self.contract.signature, Flavour.TRACE)
        plain = self._bench.entry(self.contract.signature, Flavour.PLAIN)
        if isinstance(traced, BuildFailed):
            return traced
        if isinstance(plain, BuildFailed):
            return plain
        found: list[Reference | Invalid] = []
        for batch in self._batches(trials):
            found += self._examined(batch, traced, plain, counts)
        return found

    def _batches(self, trials: Sequence[Trial]) -> Iterator[list[Prepared | Invalid]]:
        """Yield trials with their data, as many at a time as memory bears: what is watched takes most."""
        made = map(self._tried, trials)
        return portions(made, lambda item: item.size if isinstance(item, Prepared) else 0, _AT_ONCE)

    def _tried(self, trial: Trial) -> Prepared | Invalid:
        try:
            return self._made(trial)
        except Unmakeable as error:
            return Invalid(trial=trial, flaw=Flaw.UNMAKEABLE, detail=str(error))

    def _examined(
        self, batch: Sequence[Prepared | Invalid], traced: Entry, plain: Entry, counts: Counts | None
    ) -> list[Reference | Invalid]:
        """Return for each trial of a batch what the source made of it, or why it does not count."""
        result: dict[int, Reference | Invalid] = {
            number: item for number, item in enumerate(batch) if isinstance(item, Invalid)
        }
        made = {number: item for number, item in enumerate(batch) if isinstance(item, Prepared)}
        tracing = RunConfiguration(placement=Placement.ARENA, seed=SCHEDULES[0])
        tried = counts.begin() if counts is not None else None
        traces = _by_number(made, call(self._workshop, traced, list(made.values()), tracing, coverage=tried))
        self.work += self._work_of(traces.values())
        again = self._reading_first(made, traces)
        made |= again
        traces |= _by_number(again, call(self._workshop, traced, list(again.values()), tracing))
        for _ in range(_MEASURED):
            longer = self._measured(made, traces)
            made |= longer
            again |= longer
            traces |= _by_number(longer, call(self._workshop, traced, list(longer.values()), tracing))
        for number in list(made):
            flaw = trace_flaw(made[number], traces[number])
            if flaw is not None:
                result[number] = self._located(flaw, traced.library)
                del made[number]
        kept = list(made.values())
        high = RunConfiguration(placement=Placement.GUARD_HIGH, poison=POISONS[0], seed=SCHEDULES[0])
        low = RunConfiguration(placement=Placement.GUARD_LOW, poison=POISONS[1], seed=SCHEDULES[1])
        first = _by_number(made, call(self._workshop, plain, kept, high))
        second = _by_number(made, call(self._workshop, plain, kept, low))
        for number, prepared in made.items():
            result[number] = self._reproducing(
                judged(prepared, traces[number], first[number], second[number])
            )
        if counts is not None:
            valid = [item.prepared for item in result.values() if isinstance(item, Reference)]
            if valid and (again or len(valid) < len(batch)):
                call(self._workshop, traced, valid, tracing, coverage=counts.begin())
            if valid:
                counts.keep(traced.library)
        return [result[number] for number in range(len(batch))]

    def references(self, trials: Sequence[Trial]) -> list[Reference]:
        """Return what the source makes of the trials that count; nothing where it does not build.

        What is still known of a trial that counted is not found out again.
        """
        # By their texts: a zero equals the negative one, on which the source may do something else.
        keys = [(self, repr(trial)) for trial in trials]
        known = {key: self._known.get(key) for key in keys}
        asked = {key: trial for key, trial in zip(keys, trials, strict=True) if known[key] is None}
        examined = self.examine(list(asked.values())) if asked else []
        if isinstance(examined, BuildFailed):
            return []
        for key, item in zip(asked, examined, strict=True):
            if isinstance(item, Reference):
                known[key] = item
                self._known.add(key, item, item.held)
        return [kept for key in keys if (kept := known[key]) is not None]

    def _work_of(self, outcomes: Iterable[Outcome | Crashed]) -> int:
        """Return the work of traced calls; of one that was ended for it, all that it was allowed."""
        most = int(self._workshop.timeout * WORK_A_SECOND)
        return sum(
            item.work if isinstance(item, Outcome) else most if item.reason == "timeout" else 0
            for item in outcomes
        )

    def _located(self, flaw: Invalid, library: Built) -> Invalid:
        """Return a flaw with the lines that it speaks of, each line looked up once."""
        unknown = [site for site in flaw.sites if site >= 0 and site not in self._lines]
        if unknown:
            found = sites.lines(self._workshop, library, unknown, self._bench.texts)
            self._lines.update(zip(unknown, found, strict=True))
        lines = dict.fromkeys(line for site in flaw.sites if (line := self._lines.get(site)))
        if not lines:
            return flaw
        return replace(flaw, detail=f"{flaw.detail}: {' and '.join(f'`{line}`' for line in lines)}")

    def _made(self, trial: Trial, initialised: frozenset[str] = frozenset()) -> Prepared:
        """Return the data of a trial: made again, or what was carved."""
        if trial.carved:
            return replant(self.contract, trial, self._carved(trial), initialised)
        return materialise(self.contract, trial, self._literals, initialised)

    def _carved(self, trial: Trial) -> Carving:
        return load(self._workshop.cache / CARVED, trial.carved)

    def _reproducing(self, found: Reference | Invalid) -> Reference | Invalid:
        """Return what was found, or that a call that was carved does not do here what the program did."""
        if isinstance(found, Invalid) or not found.trial.carved:
            return found
        where = departure(found.prepared, found.results[0], found.written, self._carved(found.trial))
        return Invalid(trial=found.trial, flaw=Flaw.ELSEWHERE, detail=where) if where else found

    def _reading_first(
        self, made: dict[int, Prepared], traces: dict[int, Outcome | Crashed]
    ) -> dict[int, Prepared]:
        """Return the trials whose outputs the source reads before it writes them, with data in those."""
        again = {}
        for number, prepared in made.items():
            outcome = traces[number]
            names = frozenset() if isinstance(outcome, Crashed) else read_first(prepared, outcome.trace)
            if names:
                again[number] = self._made(prepared.trial, names)
        return again

    def _measured(
        self, made: dict[int, Prepared], traces: dict[int, Outcome | Crashed]
    ) -> dict[int, Prepared]:
        """Return the trials whose arrays are not as long as the source reaches, which no expression says."""
        open_ended = {fact.name for fact in self.contract.arrays if fact.origin is Origin.BOUND}
        again = {}
        for number, prepared in made.items():
            outcome, trial = traces[number], prepared.trial
            if not open_ended or trial.carved or trial.aliases or trial.null or isinstance(outcome, Crashed):
                continue
            lengths = reached(prepared, outcome.trace, open_ended)
            if lengths != trial.lengths and all(count <= _LONGEST for _, count in lengths):
                names = frozenset(slot.name for slot in prepared.arguments if not slot.output)
                again[number] = self._made(replace(trial, lengths=lengths), names)
        return again


def _by_number(made: dict[int, Prepared], results: list[Outcome | Crashed]) -> dict[int, Outcome | Crashed]:
    return dict(zip(made, results, strict=True))


def reached(prepared: Prepared, trace: Trace | None, names: Collection[str]) -> tuple[tuple[str, int], ...]:
    """Return how many elements of some arrays a traced call reached."""
    if trace is None:
        return ()
    return tuple(
        (slot.name, max(-(-seen.high // slot.element.size), 0) if seen is not None else 0)
        for slot, seen in zip(prepared.arguments, trace.arrays, strict=True)
        if slot.pointer and slot.name in names and slot.element.size
    )


def read_first(prepared: Prepared, trace: Trace | None) -> frozenset[str]:
    """Return the names of the outputs that the source read before it wrote them."""
    if trace is None:
        return frozenset()
    return frozenset(
        slot.name
        for slot, seen in zip(prepared.arguments, trace.arrays, strict=True)
        if slot.output and seen is not None and bool(np.any(seen.read_first))
    )


def trace_flaw(prepared: Prepared, outcome: Outcome | Crashed) -> Invalid | None:
    """Return why a traced call does not count, or None."""
    trial = prepared.trial
    if isinstance(outcome, Crashed):
        return crashed(trial, outcome)
    trace = outcome.trace
    if trace is None:
        return Invalid(trial=trial, flaw=Flaw.CRASH, detail="no trace")
    for slot, seen in zip(prepared.arguments, trace.arrays, strict=True):
        if seen is not None and seen.high > seen.low:
            above = len(slot.data) - slot.before
            if seen.low < -slot.before or seen.high > above:
                place = (seen.low if seen.low < -slot.before else seen.high - 1) // slot.element.size
                return Invalid(trial=trial, flaw=Flaw.BOUNDS, detail=f"{slot.name}[{place}]")
    for race in trace.races:
        # Of two pointers to one array: that equal values met there is luck of the data.
        if not race.same_value or trial.aliases:
            where = "shared memory" if race.argument is None else prepared.arguments[race.argument].name
            return Invalid(trial=trial, flaw=Flaw.RACE, detail=f"{race.kind} in {where}", sites=race.sites)
    if trace.poisoned:
        return Invalid(trial=trial, flaw=Flaw.UNINITIALISED)
    return None


def crashed(trial: Trial, outcome: Crashed) -> Invalid:
    """Return a call of the source that did not come back as the flaw that it is."""
    slow = outcome.reason == "timeout"
    return Invalid(trial=trial, flaw=Flaw.SLOW if slow else Flaw.CRASH, detail=outcome.reason)


def judged(
    prepared: Prepared, traced: Outcome | Crashed, first: Outcome | Crashed, second: Outcome | Crashed
) -> Reference | Invalid:
    """Return the reference where traced and plain, both poisons, both schedules and both guards agree."""
    trial = prepared.trial
    if isinstance(traced, Crashed):
        return crashed(trial, traced)
    for outcome in (first, second):
        if isinstance(outcome, Crashed):
            # Far from all arrays, where the trace had not been: an index is not the same.
            astray = outcome.reason == "segmentation fault" and outcome.argument is None
            return _undefined(trial, outcome.reason) if astray else crashed(trial, outcome)
    assert isinstance(traced, Outcome) and isinstance(first, Outcome) and isinstance(second, Outcome)
    slots = prepared.slots
    written = written_bytes(prepared, traced)
    other = overlaid(slots, first.results, second.results, written)
    exact = not (first.inexact or second.inexact)
    rules = prepared.contract.numbers
    if not exact:
        for results, flaw in ((other, Flaw.ORDER), (traced.results, Flaw.UNDEFINED)):
            if not scales(slots, first.results, [results], None).steady:
                return Invalid(trial=trial, flaw=Flaw.LOSSY if trial.fill == "cancel" else flaw)
    elif (found := first_difference(slots, first.results, other, None, rules)) is not None:
        return Invalid(trial=trial, flaw=Flaw.ORDER, detail=found.where)
    elif (found := first_difference(slots, first.results, traced.results, None, rules)) is not None:
        return _undefined(trial, found.where)
    return Reference(
        prepared=prepared,
        results=(first.results, second.results),
        exact=exact,
        written=written,
        work=traced.work,
        altered=first.altered | second.altered,
        alignment=max(first.alignment, second.alignment),
    )


def _undefined(trial: Trial, detail: str) -> Invalid:
    return Invalid(trial=trial, flaw=Flaw.UNDEFINED, detail=detail)


def overlaid(
    slots: Sequence[Slot], first: Sequence[Bytes], second: Sequence[Bytes], written: Sequence[Mask]
) -> list[Bytes]:
    """Return the second result with the first one's bytes where the source wrote nothing in either."""
    merged = []
    for slot, one, two, mask in zip(slots, first, second, written, strict=True):
        left = ~mask & (one == slot.poisoned(POISONS[0])) & (two == slot.poisoned(POISONS[1]))
        merged.append(np.where(left, one, two).astype(np.uint8))
    return merged


def written_bytes(prepared: Prepared, traced: Outcome) -> tuple[Mask, ...]:
    """Return which bytes of every slot the source wrote; of globals, those that changed."""
    masks: list[Mask] = []
    assert traced.trace is not None
    for slot, seen in zip(prepared.arguments, traced.trace.arrays, strict=True):
        if not slot.pointer:
            continue
        mask = np.zeros(len(slot.data), dtype=np.bool_)
        if seen is not None and seen.high > seen.low:
            start = slot.before + seen.low
            mask[start : start + len(seen.written)] = seen.written
        masks.append(mask)
    changed = traced.results[len(masks) :]
    masks += [slot.data != after for slot, after in zip(prepared.globals, changed, strict=False)]
    masks += [np.ones(len(slot.data), dtype=np.bool_) for slot in prepared.returned]
    return tuple(masks)
