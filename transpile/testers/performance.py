"""Which of two translations is faster? Calls long enough to be timed, of both in turn, compared once more.

Each translation has a library and processes of its own, so that nothing it leaves behind slows the other one.
No process sees the same data twice: a result that is kept from an earlier call is of no use.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.core import Contract, Rejected, Source, Speedup, Trial
from transpile.testers.bench import EMULATED, CandidateBench, Entry, Manner, Outcome, call
from transpile.testers.case import rejected
from transpile.testers.court import Court, translation_unit
from transpile.testers.duel import Duel, Failure
from transpile.testers.generate import Plan, sized
from transpile.testers.materialise import POISONS, Prepared, Unmakeable, materialise
from transpile.testers.proposal import Proposal
from transpile.testers.sanitize import fault_of_source
from transpile.testers.speedup import Block, Pair, fastest, interval, ratio_of, settled
from transpile.testers.validity import Invalid, Reference
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed, Placement
from transpile.toolchains.workshop import Workshop

LONG = 1e-3
"""Seconds from which on a call is long enough to be timed."""
_LIMIT = 20.0
"""Seconds for one call: the source runs on the emulator there, traced."""
_GROWTH = 24
"""Times that sizes are doubled."""
_CALLS = 4
"""Calls that are timed in one process, each with other data, behind one that only warms up."""
_RUNS = 3
"""Processes for each side in a block."""
_FEWEST = 2
_PLAN = Plan(seed=0, count=1, elements=1 << 22, threads=1 << 22, fills=("exact",))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTimed:
    """Nothing can be said of the speed."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Astray:
    """A translation that passed its trials and parts from the source on one that takes long."""

    failure: Failure
    by: Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Calls of one form that take long enough; the first of them warms up."""

    contract: Contract
    references: tuple[Reference, ...]
    elapsed: float
    """Of a call of the translation that was there first."""
    seconds: float
    """Of processors, the same."""

    @property
    def sizes(self) -> str:
        """Return what makes these calls large."""
        known = dict(self.references[0].trial.scalars)
        names = [fact.name for fact in self.contract.scalars if fact.size]
        form = self.contract.signature.form
        return ", ".join([*([f"<{form}>"] if form else []), *(f"{name} = {known[name]}" for name in names)])


class Track:
    """Where the translations of one unit are timed."""

    def __init__(self, workshop: Workshop, source: Source, first: Proposal, pool: Sequence[Trial]) -> None:
        """Keep what every measurement needs.

        Args:
            workshop: Where to build and run.
            source: What the unit is of.
            first: The translation that was kept before any was optimised.
            pool: Trials that it passed.
        """
        self._workshop = replace(workshop, timeout=_LIMIT)
        self._source = source
        self._unit = translation_unit(source, first.unit.translation_unit)
        self._court = Court(self._workshop, source, self._unit, [first])
        self._first = first
        self._pool = pool
        self._benches: dict[int, CandidateBench] = {}
        self._agreed: set[tuple[int, Trial, int, bytes]] = set()
        self._threads = len(os.sched_getaffinity(0))
        self._random = random.Random(0)
        self._courses: tuple[Course, ...] | NotTimed | None = None

    def close(self) -> None:
        """Start no further build."""
        self._court.close()
        for bench in self._benches.values():
            bench.close()

    @property
    def courses(self) -> tuple[Course, ...] | NotTimed:
        """Return the calls that are timed, one course a form; NotTimed where none takes long enough."""
        if self._courses is None:
            self._courses = self._laid_out()
        return self._courses

    def compare(self, before: Proposal, after: Proposal) -> Speedup | NotTimed | Astray:
        """Return how many times as fast the second translation is."""
        courses = self.courses
        if isinstance(courses, NotTimed):
            return courses
        load = os.getloadavg()[0]
        blocks: list[Block] = []
        while not settled(blocks):
            block: list[Pair] = []
            for course in courses:
                pair = self._pair(course, before, after, POISONS[len(blocks) % 2])
                if not isinstance(pair, Pair):
                    return pair
                block.append(pair)
            blocks.append(block)
        shortest = fastest(blocks)
        low, high = interval(blocks)
        ratio = ratio_of(shortest)
        return Speedup(
            ratio=ratio,
            low=min(low, ratio),
            high=max(high, ratio),
            before=sum(sum(pair.before) / len(pair.before) for pair in shortest),
            after=sum(sum(pair.after) / len(pair.after) for pair in shortest),
            blocks=len(blocks),
            inputs=tuple(course.sizes for course in courses),
            threads=self._threads,
            load=round(load, 2),
        )

    def _laid_out(self) -> tuple[Course, ...] | NotTimed:
        if self._first.candidate.dialect.model in EMULATED:
            return NotTimed(reason="the times of an emulator say nothing of a device")
        found: list[Course] = []
        for contract in self._first.contracts:
            course = self._course(contract)
            if isinstance(course, NotTimed):
                return course
            found.append(course)
        return tuple(found) or NotTimed(reason="there is no contract to call it by")

    def _course(self, contract: Contract) -> Course | NotTimed:
        entry = self._entry(self._first, contract)
        if isinstance(entry, Rejected):
            return NotTimed(reason="it does not build as it would be shipped")
        grown = self._grown(contract, entry)
        if isinstance(grown, NotTimed):
            return grown
        trial, took = grown
        ground = self._court.ground(self._first.unit, contract)
        examined = ground.examiner.examine([replace(trial, seed=trial.seed ^ n) for n in range(_CALLS + 1)])
        if isinstance(examined, BuildFailed):
            return NotTimed(reason="the source does not build on the emulator")
        references = tuple(item for item in examined if isinstance(item, Reference))
        if len(references) <= _FEWEST:
            flaw = next(item for item in examined if isinstance(item, Invalid))
            return NotTimed(reason=f"of calls that take long, the source {flaw.flaw.value} ({flaw.detail})")
        return Course(contract=contract, references=references, elapsed=took.elapsed, seconds=took.seconds)

    def _grown(self, contract: Contract, entry: Entry) -> tuple[Trial, Outcome] | NotTimed:
        """Return a call that takes long enough, found by doubling the sizes of the largest trial."""
        own = [item for item in self._pool if item.template_arguments == contract.signature.form]
        names = [fact.name for fact in contract.scalars if fact.size]
        sizes = max(([int(dict(t.scalars)[name]) for name in names] for t in own), key=_volume, default=[])
        known: Mapping[str, int] = dict(zip(names, sizes, strict=True)) if sizes else {}
        longest = 0.0
        found = self._tried(contract, entry, known)
        for _ in range(_GROWTH):
            if found is not None and found[1].elapsed >= LONG:
                return found
            longest = max(longest, found[1].elapsed if found is not None else 0.0)
            for larger in _doubled(known):
                tried = self._tried(contract, entry, larger)
                if tried is not None and (found is None or tried[0].scalars != found[0].scalars):
                    known, found = larger, tried
                    break
            else:
                break
        return NotTimed(
            reason=f"no call takes {1e3 * LONG:g} ms: the longest one took {1e3 * longest:.2g} ms"
        )

    def _tried(
        self, contract: Contract, entry: Entry, sizes: Mapping[str, int]
    ) -> tuple[Trial, Outcome] | None:
        """Return a call of these sizes with the shortest of its times but the first; None where it fails."""
        literals = self._court.ground(self._first.unit, contract).literals
        trial = sized(contract, replace(_PLAN, literals=literals), sizes)
        if trial is None:
            return None
        try:
            prepared = materialise(contract, trial, literals)
        except Unmakeable:
            return None
        outcomes = self._call(entry, [prepared] * (_CALLS + 1), POISONS[0])
        made = [item for item in outcomes[1:] if isinstance(item, Outcome)]
        return (trial, min(made, key=lambda item: item.elapsed)) if len(made) == _CALLS else None

    def _pair(
        self, course: Course, before: Proposal, after: Proposal, poison: int
    ) -> Pair | NotTimed | Astray:
        """Return the shortest time of each call in some processes of either side, in random order."""
        times: dict[int, list[tuple[float, ...]]] = {id(before): [], id(after): []}
        order = [before, after] * _RUNS
        self._random.shuffle(order)
        for proposal in order:
            taken = self._run(course, proposal, poison)
            if not isinstance(taken, tuple):
                return taken
            times[id(proposal)].append(taken)
        first, second = (tuple(map(min, zip(*times[id(item)], strict=True))) for item in (before, after))
        return Pair(first, second)

    def _run(self, course: Course, proposal: Proposal, poison: int) -> tuple[float, ...] | NotTimed | Astray:
        """Return the seconds of each call in one process, all but the first; what it computed is compared."""
        entry = self._entry(proposal, course.contract)
        if isinstance(entry, Rejected):
            return NotTimed(reason="it does not build as it would be shipped")
        outcomes = self._call(entry, [item.prepared for item in course.references], poison)
        manner = self._manner(poison)
        for reference, outcome in zip(course.references, outcomes, strict=True):
            mark = _mark(proposal, reference, poison, outcome)
            if mark in self._agreed:
                continue
            duel = Duel(
                self._workshop,
                entry,
                self._court.ground(proposal.unit, course.contract).calibration,
                course.references,
            )
            [found] = duel.weigh([reference], [outcome], manner)
            if isinstance(found, Failure):
                return self._blamed(found, proposal)
            if found is not None:
                return NotTimed(reason="rounding hides errors in calls that take long")
            self._agreed.add(mark)
        return tuple(item.elapsed for item in outcomes[1:] if isinstance(item, Outcome))

    def _blamed(self, failure: Failure, proposal: Proposal) -> NotTimed | Astray:
        """Return whose fault a difference is: what is undefined in the source is none of a translation's."""
        fault = fault_of_source(self._workshop, self._court.sources, failure.reference)
        if fault:
            return NotTimed(reason=f"calls that take long have undefined behaviour in the source: {fault}")
        return Astray(failure=failure, by=proposal)

    def _call(self, entry: Entry, calls: Sequence[Prepared], poison: int) -> list[Outcome | Crashed]:
        return call(self._workshop, entry, calls, self._manner(poison))

    def _manner(self, poison: int) -> Manner:
        return Manner(placement=Placement.HEAP, poison=poison, threads=self._threads)

    def _entry(self, proposal: Proposal, contract: Contract) -> Entry | Rejected:
        """Return a translation built as it would be shipped, in a library of its own."""
        bench = self._benches.get(id(proposal))
        if bench is None:
            bench = CandidateBench(self._workshop, self._source, self._unit, [proposal])
            self._benches[id(proposal)] = bench
        entry = bench.entry(proposal, contract.signature, Flavour.SHIPPED)
        return rejected(proposal.unit, entry) if isinstance(entry, BuildFailed) else entry


def _volume(sizes: Sequence[int]) -> int:
    """Return the product of sizes, as far as they are any."""
    product = 1
    for size in sizes:
        product *= max(size, 1)
    return product


def _doubled(sizes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Yield the sizes with all of them doubled, then each one alone."""
    if not sizes:
        return
    yield {name: max(2 * size, 2) for name, size in sizes.items()}
    if len(sizes) > 1:
        yield from ({**sizes, name: max(2 * size, 2)} for name, size in sizes.items())


def _mark(
    proposal: Proposal, reference: Reference, poison: int, outcome: Outcome | Crashed
) -> tuple[int, Trial, int, bytes]:
    """Return what a result that was compared before is known by."""
    made = hashlib.blake2b()
    for data in outcome.results if isinstance(outcome, Outcome) else ():
        made.update(data.tobytes())
    return id(proposal), reference.trial, poison, made.digest()
