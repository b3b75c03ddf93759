"""One run of the candidate with checked accesses and arithmetic: ASan and UBSan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from transpile.core import Inconclusive
from transpile.errors import ToolMissing
from transpile.testers.bench import CandidateBench, Manner, SourceBench, call
from transpile.testers.compare import Difference
from transpile.testers.duel import Failure
from transpile.testers.materialise import POISONS
from transpile.testers.proposal import Proposal
from transpile.testers.validity import Reference
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed, Placement
from transpile.toolchains.workshop import Workshop

MANNER = Manner(placement=Placement.HEAP, poison=POISONS[0], threads=2)
_MOST = 10

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
    pool: Sequence[Reference],
) -> Failure | Inconclusive | None:
    """Return what the sanitizers say of a candidate on some of its trials; None where they say nothing.

    What they say of the source just as well is not the candidate's doing, and decides nothing.
    """
    signature = pool[0].prepared.contract.signature
    try:
        entry = bench.entry(proposal, signature, Flavour.ADDRESS)
    except ToolMissing as error:
        return missing("address", error)
    if isinstance(entry, BuildFailed):
        return unbuilt("ASan and UBSan", entry)
    chosen = subset(pool, _MOST)
    blamed = ""
    outcomes = call(workshop, entry, [item.prepared for item in chosen], MANNER)
    for reference, outcome in zip(chosen, outcomes, strict=True):
        if not isinstance(outcome, Crashed):
            continue
        found = fault_of_source(workshop, source, reference)
        if not found:
            return Failure(reference=reference, difference=flagged(outcome, "address"), manner=MANNER)
        blamed = found
    return undefined(blamed) if blamed else None


def undefined(fault: str) -> Inconclusive:
    """Return that the source's behaviour is undefined, with what the sanitizers say of it."""
    return Inconclusive(reason=f"the source itself has undefined behaviour: {fault}", code="TP413")


def fault_of_source(workshop: Workshop, source: SourceBench, reference: Reference) -> str:
    """Return what the sanitizers object to in what the source does on a trial; empty where to nothing."""
    entry = source.entry(reference.prepared.contract.signature, Flavour.ADDRESS)
    if isinstance(entry, BuildFailed):
        return ""
    manner = Manner(placement=Placement.HEAP, poison=POISONS[0])
    [outcome] = call(workshop, entry, [reference.prepared], manner)
    return (last_line(outcome.detail) or outcome.reason) if isinstance(outcome, Crashed) else ""


def flagged(outcome: Crashed, check: str) -> Difference:
    """Return a sanitizer's finding as a difference."""
    if outcome.reason == "timeout":
        return Difference(where="call", expected="returns", got="timeout", check="timeout")
    return Difference(
        where="call", expected="no finding", got=last_line(outcome.detail) or outcome.reason, check=check
    )


def last_line(detail: str) -> str:
    """Return the line of a sanitizer's report that says what it found."""
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    telling = [line for line in lines if "runtime error" in line or "Sanitizer: " in line]
    return (telling or lines or [""])[0][:300]


def missing(check: str, error: ToolMissing) -> Inconclusive:
    """Return that a check cannot be made on this machine, and how to change that."""
    hint = f" ({error.hint})" if error.hint else ""
    return Inconclusive(reason=f"the {check} check cannot run: {error}{hint}", code="TP412")


def unbuilt(what: str, failed: BuildFailed) -> Inconclusive:
    """Return that a checked build failed, though the plain one did not."""
    return Inconclusive(reason=f"does not build with {what}: {failed.output.strip()[:300]}", code="TP412")
