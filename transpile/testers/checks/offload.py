"""The candidate's target regions on a device with memory of its own: on the host no map clause is wrong."""

from __future__ import annotations

import re
from dataclasses import replace

from transpile.core import Candidate, Inconclusive
from transpile.testers.checks.checked import Check
from transpile.testers.checks.sanitize import fault_of_source, undefined
from transpile.testers.differential.differential_run import CONFIGURATIONS, Differential, Failure
from transpile.testers.oracle.gather import FEWEST
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import CandidateBench
from transpile.testers.run.source_bench import SourceBench
from transpile.toolchains.build import Flavour
from transpile.toolchains.worker import Placement
from transpile.toolchains.workshop import Workshop

_TARGET = re.compile(rb"\bomp(?:[^\n]|\\\r?\n)*\btarget\b")
_OFFLOAD = Check("offload", Flavour.OFFLOAD, "offloading", tool="libomptarget")
GUARDED = tuple(
    replace(configuration, whole_rows=True)
    for configuration in CONFIGURATIONS
    if configuration.placement in (Placement.GUARD_HIGH, Placement.GUARD_LOW)
)
"""Arrays of the host are out of a device's reach where they lie on pages of their own."""


def is_offloaded(candidate: Candidate) -> bool:
    """Tell whether a check is owed, whatever the candidate says of itself."""
    return candidate.dialect.traits.offloads or any(
        _TARGET.search(item.text) for item in candidate.replacements
    )


def offload_check(
    workshop: Workshop,
    bench: CandidateBench,
    source: SourceBench,
    proposal: Proposal,
    differential: Differential,
) -> Failure | Inconclusive | None:
    """Return the first trial on which a device leaves other results; None where there is none.

    A trial on which the source itself is at fault does not count.
    """
    entry = _OFFLOAD.entry(bench, proposal, differential)
    if isinstance(entry, Inconclusive):
        return entry
    there = differential.against(entry)
    while (found := there.run_all(GUARDED)) is not None:
        fault = fault_of_source(workshop, source, found.reference)
        if not fault:
            return replace(found, difference=replace(found.difference, check="offload"))
        differential.drop_undefined(found.reference)
        there.drop_undefined(found.reference)
        if len(differential.pool) < FEWEST:
            return undefined(fault)
    return None
