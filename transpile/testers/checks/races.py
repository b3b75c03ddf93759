"""Race-checked runs of the candidate on few and many threads: ThreadSanitizer, told of OpenMP by archer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from transpile.core import Candidate, Inconclusive
from transpile.testers.checks.attribution import accused
from transpile.testers.checks.checked import Check
from transpile.testers.checks.sanitize import subset
from transpile.testers.compare.compare import Difference
from transpile.testers.differential.differential_run import Differential, Failure, fallen
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run import sites
from transpile.testers.run.bench import CandidateBench, Outcome, RunConfiguration, call
from transpile.testers.run.teams import counts_threads, is_parallel
from transpile.testers.text.lanes import apart
from transpile.testers.trials.materialise import POISONS, Prepared
from transpile.testers.trials.recipe import ANY_BITS
from transpile.toolchains.build import Flavour
from transpile.toolchains.calls import Race, Trace
from transpile.toolchains.worker import Crashed, Placement

_TASKS = re.compile(rb"\bomp[ \t]+task(?:loop)?\b")
_ATOMIC = re.compile(rb"\bomp[ \t]+(?:atomic|critical)\b|\b__(?:atomic|sync)_|\batomic(?:_ref)?\b")
_THREADS = Check("race", Flavour.THREAD, "ThreadSanitizer", tool="libarcher")
_TRACE = Check("race", Flavour.TRACE, "tracing")
_MOST = 6
_SMALL = 4
_VALUES = ("exact", "tolerance", "untouched", "unwritten")
"""Checks of results."""
_ROUNDS = 3
"""Calls of what makes tasks, or takes rows as they come: which thread has one is chance.

A thread has no race with itself.
"""
_MEETINGS = 6
"""Calls of each trial of what is made of atomic operations: few lose anything that matters."""
THREADS = (2, 3)
MORE_THREADS = (4, 8)
_MANY_THREADS = (17, 65)
"""Of what asks which thread runs it: on few, each may have a place of its own."""


def race_check(
    bench: CandidateBench,
    proposal: Proposal,
    differential: Differential,
    threads: Sequence[int] = (),
    calls: Sequence[Reference] = (),
) -> Failure | Inconclusive | None:
    """Return the first data race on some trials, else on those of a run that may show one; None without.

    Args:
        bench: Where the candidate is built.
        proposal: The candidate.
        differential: How its results are compared.
        threads: Numbers of threads; by default the usual ones, and many where the text asks for the number.
        calls: The trials; by default those of the differential that may show a race.
    """
    if proposal.candidate.dialect.traits.emulated:
        return _emulated(bench, proposal, differential)
    entry = _THREADS.entry(bench, proposal, differential)
    if isinstance(entry, Inconclusive):
        return entry
    texts = [item.text for item in proposal.candidate.replacements]
    rounds = _ROUNDS if calls or any(_TASKS.search(text) for text in texts) else 1
    threads = threads or usual_threads(proposal.candidate)
    chosen = (list(calls) or telling(differential.pool, max(threads))) * rounds
    if not calls and any(_ATOMIC.search(text) for text in texts):
        # Who comes between two of them is chance, though it is helped (native/interleave.cpp).
        chosen = [*chosen, *differential.pool * _MEETINGS]
    for count in threads:
        configuration = RunConfiguration(placement=Placement.HEAP, poison=POISONS[0], threads=count)
        for found in differential.against(entry).run(chosen, configuration):
            if isinstance(found, Failure):
                return accused(bench.workshop, bench, proposal, entry.library, found)
    found = None if calls else _between_lanes(proposal, differential.against(entry))
    return found and accused(bench.workshop, bench, proposal, entry.library, found)


def _between_lanes(proposal: Proposal, differential: Differential) -> Failure | None:
    """Return a race between iterations that may run at once in lanes of a vector, on threads in their place.

    All else runs on one thread. Whatever goes wrong but for a race comes of so many threads.
    """
    texts = [item.text for item in proposal.candidate.replacements]
    if all(apart(text, proposal.unit.text) == text for text in texts):
        return None
    lanes = RunConfiguration(placement=Placement.HEAP, poison=POISONS[0], given=THREADS[0])
    for found in differential.run(telling(differential.pool), lanes):
        if isinstance(found, Failure):
            return found if found.difference.check == "race" else None
    return None


def race_behind(
    bench: CandidateBench, proposal: Proposal, differential: Differential, failure: Failure
) -> Failure | None:
    """Return the race that makes results differ, on the smallest trials that show one; None without.

    Whoever is told of wrong numbers alone looks for an error of arithmetic.
    """
    emulated = proposal.candidate.dialect.traits.emulated
    alone = failure.configuration.threads == 1 and not emulated
    if failure.difference.check not in _VALUES or alone or not is_parallel(proposal.candidate):
        return None
    small = sorted(telling(differential.pool), key=lambda item: _longest(item.prepared))
    found = race_check(bench, proposal, differential, calls=[*small[:_SMALL], failure.reference])
    return found if isinstance(found, Failure) and found.difference.check == "race" else None


def usual_threads(candidate: Candidate) -> tuple[int, ...]:
    """Return the numbers of threads on which races are looked for."""
    return (*THREADS, *_MANY_THREADS) if counts_threads(candidate) else THREADS


def telling(pool: Sequence[Reference], threads: int = THREADS[-1]) -> list[Reference]:
    """Return some of the larger half, some in which pointers share data, and some of the smallest.

    Other threads meet where pointers share data, and at the ends of blocks where these are small. Where some
    thread has no element, none meets another; clang's ``scan`` reads ahead of its own buffer there. Those
    come last in which the source itself may pass its types: nobody is accused by them.
    """
    sharing = [item for item in pool if any(slot.alias is not None for slot in item.prepared.arguments)]
    middle = len(pool) // 2
    small = [item for item in pool[:middle] if _longest(item.prepared) >= threads]
    chosen = [*subset(pool[middle:], _MOST), *subset(sharing, _MOST), *subset(small, _SMALL)]
    each = {item.trial: item for item in chosen}.values()
    return sorted(each, key=lambda item: item.trial.fill in ANY_BITS)


def _longest(prepared: Prepared) -> int:
    """Return the elements of the longest array."""
    return max(
        (len(slot.data) // max(slot.element.size, 1) for slot in prepared.arguments if slot.pointer),
        default=0,
    )


def _emulated(
    bench: CandidateBench, proposal: Proposal, differential: Differential
) -> Failure | Inconclusive | None:
    """Return the first data race of a candidate's kernels, by a trace of every access on the emulator."""
    entry = _TRACE.entry(bench, proposal, differential)
    if isinstance(entry, Inconclusive):
        return entry
    chosen = telling(differential.pool)
    configuration = RunConfiguration(placement=Placement.ARENA, poison=POISONS[0])
    outcomes = call(bench.workshop, entry, [item.prepared for item in chosen], configuration)
    slow = [isinstance(outcome, Crashed) and outcome.reason == "timeout" for outcome in outcomes]
    if all(slow):
        return Inconclusive(reason="traced calls of the translation take too long", code="TP404")
    for reference, outcome, late in zip(chosen, outcomes, slow, strict=True):
        if late:  # a trace takes a hundred times as long: that says nothing
            continue
        found = _fault(reference.prepared, outcome)
        if isinstance(found, Race):
            told = sites.lines(bench.workshop, entry.library, found.sites, bench.texts(proposal))
            found = _difference(reference.prepared, found, told)
        if found is not None:
            return Failure(reference=reference, difference=found, configuration=configuration)
    return None


def _fault(prepared: Prepared, outcome: Outcome | Crashed) -> Race | Difference | None:
    if isinstance(outcome, Crashed):
        return fallen(prepared, outcome)
    if outcome.trace is None:
        return None
    found = next((race for race in outcome.trace.races if not race.same_value), None)
    return found or _parted(outcome.trace)


def _parted(trace: Trace) -> Difference | None:
    """Return that threads of a block wait at different barriers.

    The result is undefined, though usual devices go on (CUDA C++ Programming Guide, 10.6 "Synchronization
    Functions"; `bar.sync` of the PTX ISA). Threads that have returned are not waited for.
    """
    if trace.parted is None:
        return None
    first, second = sorted(trace.parted)
    where = f"{second - first} lines below" if second > first else "in the same line"
    got = f"some threads of a block wait at one barrier, others at another, {where}"
    return Difference(where="__syncthreads", expected="one barrier for all threads", got=got, check="barrier")


def _difference(prepared: Prepared, race: Race, lines: Sequence[str]) -> Difference:
    where = "device memory" if race.argument is None else prepared.arguments[race.argument].name
    parties = (
        f"block {block} thread {thread}" + (f" in `{line}`" if line else "")
        for (block, thread), line in zip((race.first, race.second), lines, strict=True)
    )
    got = f"{race.kind} by {' and '.join(parties)}"
    return Difference(where=where, expected="no data race", got=got, check="race")
