"""One run of the candidate with checked accesses and arithmetic: ASan and UBSan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from transpile.core import Inconclusive, Trial
from transpile.testers.checks.attribution import accused
from transpile.testers.checks.checked import Check
from transpile.testers.checks.leaks import leak, suspects
from transpile.testers.differential.differential_run import Differential, Failure, last_line
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import CandidateBench, Entry, Outcome, RunConfiguration, call
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.run.teams import has_teams
from transpile.testers.trials.materialise import POISONS
from transpile.testers.trials.recipe import ANY_BITS
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed, Placement
from transpile.toolchains.workshop import Workshop

CONFIGURATION = RunConfiguration(placement=Placement.HEAP, poison=POISONS[0], threads=2)
_TEAM = replace(CONFIGURATION, threads=65)
"""Of candidates with threads: what has an element for each of them is reached as far as it ever is."""
_ADDRESS = Check("address", Flavour.ADDRESS, "ASan and UBSan")
_MOST = 10
_ROUNDS = 20
"""Times that trials are chosen anew, after those on which the source itself is at fault were dropped.

Three pitches in bytes out of four are no multiple of an element, and a pool holds a hundred trials.
"""
_FEWEST = 6
"""Trials without fault below which nothing is concluded."""

_SUM = re.compile(r"signed integer overflow: -?\d+ [+-] ")

Item = TypeVar("Item")


def subset(pool: Sequence[Item], most: int) -> list[Item]:
    """Return some items of a pool that is ordered by size: evenly spread, the ends included."""
    if len(pool) <= most:
        return list(pool)
    return [pool[round(step * (len(pool) - 1) / (most - 1))] for step in range(most)]


def sanitize(
    workshop: Workshop,
    bench: CandidateBench,
    source: SourceBench,
    proposal: Proposal,
    differential: Differential,
) -> Failure | Inconclusive | None:
    """Return what the sanitizers say of a candidate on some of its trials; None where they say nothing.

    Its variables hold a pattern before they are set, so results are compared as well. What the sanitizers say
    of the source just as well is not the candidate's doing: such a trial does not count, and others take its
    place. All trials run where guards stood off the ends of arrays.
    """
    entry = _ADDRESS.entry(bench, proposal, differential)
    if isinstance(entry, Inconclusive):
        return entry
    configuration = _TEAM if has_teams(proposal.candidate) else CONFIGURATION
    blamed = ""
    regrouped: set[Trial] = set()
    for _ in range(_ROUNDS):
        if blamed and len(differential.pool) < _FEWEST:
            break
        # The largest first: what is kept for later calls is taken then.
        usable = [item for item in differential.pool if item.trial not in regrouped]
        chosen = subset(usable, len(usable) if differential.realigned else _MOST)[::-1]
        outcomes = call(workshop, entry, [item.prepared for item in chosen], configuration)
        weighed = differential.against(entry).compare_all(chosen, outcomes, configuration)
        failures = [found for found in weighed if isinstance(found, Failure)]
        if not failures:
            return _leak(workshop, entry, source, chosen, outcomes)
        overflowing = {item.reference.trial for item in failures if _is_regrouped(item)}
        if overflowing:
            regrouped |= overflowing
            continue
        for found in reversed(failures):
            blamed = fault_of_source(workshop, source, found.reference)
            if not blamed:
                return accused(workshop, bench, proposal, entry.library, found)
            differential.drop_undefined(found.reference)
    return undefined(blamed)


def _is_regrouped(failure: Failure) -> bool:
    """Tell whether a sum of whole numbers of any size passed its type on the way to the same result.

    In another order of summation partial sums are others; all processors count modulo a power of two.
    """
    return (
        failure.reference.trial.fill in ANY_BITS
        and failure.difference.check == "address"
        and _SUM.search(failure.difference.got) is not None
    )


def _leak(
    workshop: Workshop,
    entry: Entry,
    source: SourceBench,
    references: Sequence[Reference],
    outcomes: Sequence[Outcome | Crashed],
) -> Failure | None:
    """Return the smallest trial on which memory is lost that the source does not lose."""
    if not suspects(references, [item for item in outcomes if isinstance(item, Outcome)]):
        return None
    # What only several threads hold is the runtime's, which starts threads anew for target regions. What
    # the same calls no longer hold when they are made again are its buffers, which have grown by then.
    alone = replace(CONFIGURATION, threads=1)
    again = call(workshop, entry, [item.prepared for item in references] * 2, alone)[len(references) :]
    returned = [item for item in again if isinstance(item, Outcome)]
    held = suspects(references, returned) if len(returned) == len(references) else []
    own = source.entry(held[0][0].prepared.contract.signature, Flavour.ADDRESS) if held else None
    return leak(workshop, own, held, alone) if isinstance(own, Entry) else None


def undefined(fault: str) -> Inconclusive:
    """Return that the source's behaviour is undefined, with what the sanitizers say of it."""
    return Inconclusive(reason=f"the source itself has undefined behaviour: {fault}", code="TP413")


def fault_of_source(workshop: Workshop, source: SourceBench, reference: Reference) -> str:
    """Return what the sanitizers object to in what the source does on a trial; empty where to nothing."""
    entry = source.entry(reference.prepared.contract.signature, Flavour.ADDRESS)
    if isinstance(entry, BuildFailed):
        return ""
    configuration = RunConfiguration(placement=Placement.HEAP, poison=POISONS[0])
    [outcome] = call(workshop, entry, [reference.prepared], configuration)
    return (last_line(outcome.detail) or outcome.reason) if isinstance(outcome, Crashed) else ""
