"""Which of two translations is faster? Both make the same long calls in turn; what they compute is compared.

Each translation has a library and processes of its own, so that nothing it leaves behind slows the other one.
No process sees the same data twice: a result that is kept from an earlier call is of no use.
"""

from __future__ import annotations

import hashlib
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from transpile.core import Contract, Source, Speedup, Trial
from transpile.testers.checks.profile import counted, loops
from transpile.testers.checks.sanitize import fault_of_source
from transpile.testers.differential.differential_run import Differential, Failure
from transpile.testers.oracle.baseline import Baseline
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import CandidateBench, Entry, Outcome
from transpile.testers.speed.benchmark_inputs import Course, NotTimed, configuration, course, threads, timed
from transpile.testers.speed.speedup import (
    THOROUGH,
    Block,
    Effort,
    Pair,
    fastest,
    interval,
    ratio_of,
    settled,
)
from transpile.testers.trials.materialise import POISONS
from transpile.testers.verdict.session import JudgingSession, translation_unit
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Astray:
    """A translation that passed its trials and parts from the source in a call that takes long."""

    failure: Failure
    by: Proposal


class Track:
    """Where translations of one unit are timed. It holds the data of their calls, so it is not to be kept."""

    def __init__(
        self, workshop: Workshop, source: Source, first: Proposal, effort: Effort = THOROUGH
    ) -> None:
        """Keep what every measurement needs; ``first`` is the translation that all others began with."""
        self._effort = effort
        self._workshop = replace(workshop, timeout=effort.limit)
        self._source = source
        self._unit = translation_unit(source, first.unit.translation_unit)
        self._session = JudgingSession(self._workshop, source, self._unit, [first])
        self._first = first
        self._benches: dict[int, CandidateBench] = {}
        """By identity of a proposal, which lives as long as its bench."""
        self._references: dict[Course, tuple[Reference, ...]] = {}
        self._agreed: set[tuple[int, Trial, int, bytes]] = set()
        """Results that were compared."""
        self._checked: set[tuple[int, Contract]] = set()
        """Translations that were compared at smaller sizes."""
        self._random = random.Random(0)

    def close(self) -> None:
        """Start no further build."""
        self._session.close()
        for bench in self._benches.values():
            bench.close()

    def courses(self, proposal: Proposal, pool: Sequence[Trial]) -> tuple[Course, ...] | NotTimed:
        """Return calls that take a translation long enough, a course a form, beginning with its trials."""
        if proposal.candidate.dialect.traits.emulated:
            return NotTimed(reason="the times of an emulator say nothing of a device")
        found: list[Course] = []
        for contract in proposal.contracts:
            entry = self._entry(proposal, contract)
            if isinstance(entry, NotTimed):
                return entry
            laid = course(self._workshop, self._baseline(contract), entry, pool, self._effort.calls)
            if isinstance(laid, NotTimed):
                return laid
            one, references = laid
            self._references[one] = references
            found.append(one)
        return tuple(found)

    def facts(self, proposal: Proposal, courses: Sequence[Course]) -> tuple[str, ...]:
        """Return what else can be said of why a translation takes the time that it takes."""
        found: list[str] = []
        for item in courses:
            entry, references = self._entry(proposal, item.contract), self._valid(item)
            if isinstance(entry, Entry) and isinstance(references, tuple):
                found += counted(self._workshop, entry, [one.prepared for one in references])
        return (*found, *loops(self._benches[id(proposal)], proposal))

    def compare(
        self, courses: Sequence[Course], before: Proposal, after: Proposal
    ) -> Speedup | NotTimed | Astray:
        """Return how many times as fast the second translation is."""
        for item in courses:
            astray = self._on_the_way(item, after)
            if astray is not None:
                return astray
        load, begun, patience = os.getloadavg()[0], time.monotonic(), self._effort.patience
        blocks: list[Block] = []
        while not settled(blocks, self._effort):
            if time.monotonic() - begun > patience:
                return NotTimed(reason=f"{patience:.0f} s were not enough to measure it")
            block: list[Pair] = []
            for item in courses:
                pair = self._pair(item, before, after, POISONS[len(blocks) % 2])
                if not isinstance(pair, Pair):
                    return pair
                block.append(pair)
            blocks.append(block)
        shortest = fastest(blocks)
        ratio, (low, high) = ratio_of(shortest), interval(blocks, self._effort)
        return Speedup(
            ratio=ratio,
            low=min(low, ratio),
            high=max(high, ratio),
            before=sum(sum(pair.before) / len(pair.before) for pair in shortest),
            after=sum(sum(pair.after) / len(pair.after) for pair in shortest),
            blocks=len(blocks),
            inputs=tuple(item.sizes for item in courses),
            threads=threads(),
            load=round(load, 2),
        )

    def _on_the_way(self, item: Course, proposal: Proposal) -> Astray | None:
        """Return how a translation parts from the source at sizes below those that it is timed at."""
        if (id(proposal), item.contract) in self._checked:
            return None
        self._checked.add((id(proposal), item.contract))
        entry = self._entry(proposal, item.contract)
        examined = self._baseline(item.contract).examiner.examine(item.smaller)
        if isinstance(entry, NotTimed) or isinstance(examined, BuildFailed):
            return None
        references = [one for one in examined if isinstance(one, Reference)]
        outcomes = timed(self._workshop, entry, [one.prepared for one in references], POISONS[1])
        differential = Differential(
            self._workshop, entry, self._baseline(item.contract).calibration, references
        )
        for found in differential.compare_all(references, outcomes, configuration(POISONS[1])):
            blamed = self._blamed(found, proposal) if isinstance(found, Failure) else None
            if isinstance(blamed, Astray):
                return blamed
        return None

    def _pair(self, item: Course, before: Proposal, after: Proposal, poison: int) -> Pair | NotTimed | Astray:
        """Return the shortest time of each call in some processes of either side, in random order."""
        times: dict[int, list[tuple[float, ...]]] = {id(before): [], id(after): []}
        order = [before, after] * self._effort.runs
        self._random.shuffle(order)
        for proposal in order:
            taken = self._run(item, proposal, poison)
            if not isinstance(taken, tuple):
                return taken
            times[id(proposal)].append(taken)
        first, second = (tuple(map(min, zip(*times[id(side)], strict=True))) for side in (before, after))
        return Pair(first, second)

    def _run(self, item: Course, proposal: Proposal, poison: int) -> tuple[float, ...] | NotTimed | Astray:
        """Return the seconds of each call in one process, all but the first; what it computed is compared."""
        entry, references = self._entry(proposal, item.contract), self._valid(item)
        if isinstance(entry, NotTimed):
            return entry
        if not isinstance(references, tuple):
            return references
        outcomes = timed(self._workshop, entry, [one.prepared for one in references], poison)
        calibration = self._baseline(item.contract).calibration
        differential = Differential(self._workshop, entry, calibration, references)
        for reference, outcome in zip(references, outcomes, strict=True):
            mark = _mark(proposal, reference, poison, outcome)
            if mark in self._agreed:
                continue
            [found] = differential.compare_all([reference], [outcome], configuration(poison))
            if isinstance(found, Failure):
                return self._blamed(found, proposal)
            if found is not None:
                return NotTimed(reason="rounding hides errors in calls that take long")
            self._agreed.add(mark)
        return tuple(one.elapsed for one in outcomes[1:] if isinstance(one, Outcome))

    def _blamed(self, failure: Failure, proposal: Proposal) -> NotTimed | Astray:
        """Return whose fault a difference is: what is undefined in the source is none of a translation's."""
        if failure.difference.check == "timeout":  # No clock decides whether a translation is right.
            return NotTimed(reason="calls that take long do not end in time")
        fault = fault_of_source(self._workshop, self._session.sources, failure.reference)
        if fault:
            return NotTimed(reason=f"calls that take long have undefined behaviour in the source: {fault}")
        return Astray(failure=failure, by=proposal)

    def _valid(self, item: Course) -> tuple[Reference, ...] | NotTimed:
        """Return what the source makes of the calls of a course."""
        if item not in self._references:
            references = tuple(self._baseline(item.contract).examiner.references(item.trials))
            if len(references) < len(item.trials):
                return NotTimed(reason="calls that take long do not count every time")
            self._references[item] = references
        return self._references[item]

    def _baseline(self, contract: Contract) -> Baseline:
        return self._session.baseline(self._first.unit, contract)

    def _entry(self, proposal: Proposal, contract: Contract) -> Entry | NotTimed:
        """Return a translation built as it would be shipped, in a library of its own."""
        bench = self._benches.get(id(proposal))
        if bench is None:
            bench = CandidateBench(self._workshop, self._source, self._unit, [proposal])
            self._benches[id(proposal)] = bench
        entry = bench.entry(proposal, contract.signature, Flavour.SHIPPED)
        return NotTimed(reason="it does not build as shipped") if isinstance(entry, BuildFailed) else entry


def _mark(
    proposal: Proposal, reference: Reference, poison: int, outcome: Outcome | Crashed
) -> tuple[int, Trial, int, bytes]:
    """Return what a result that was compared before is known by."""
    made = hashlib.blake2b()
    for data in outcome.results if isinstance(outcome, Outcome) else ():
        made.update(data.tobytes())
    return id(proposal), reference.trial, poison, made.digest()
