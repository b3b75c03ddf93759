"""The candidate's target regions on a device with memory of its own: on the host no map clause is wrong."""

from __future__ import annotations

import re
from dataclasses import replace

from transpile.core import Candidate, Falsified, Inconclusive, ProgrammingModel, Signature
from transpile.errors import ToolMissing
from transpile.testers.bench import CandidateBench, Entry
from transpile.testers.duel import MANNERS
from transpile.testers.proposal import Proposal
from transpile.testers.sanitize import missing, unbuilt
from transpile.toolchains import compilers
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Placement

_TARGET = re.compile(rb"\bomp(?:[^\n]|\\\r?\n)*\btarget\b")
GUARDED = tuple(
    replace(manner, whole_rows=True)
    for manner in MANNERS
    if manner.placement in (Placement.GUARD_HIGH, Placement.GUARD_LOW)
)
"""Arrays of the host are out of a device's reach where they lie on pages of their own."""


def is_offloaded(candidate: Candidate) -> bool:
    """Tell whether a check is owed, whatever the candidate says of itself."""
    named = candidate.dialect.model is ProgrammingModel.OPENMP_TARGET
    return named or any(_TARGET.search(item.text) for item in candidate.replacements)


def offloaded(bench: CandidateBench, proposal: Proposal, signature: Signature) -> Entry | Inconclusive:
    """Return the candidate built for such a device, or why it is not."""
    try:
        compilers.find().require("libomptarget")
        entry = bench.entry(proposal, signature, Flavour.OFFLOAD)
    except ToolMissing as error:
        return missing("offload", error)
    return unbuilt("offloading", entry) if isinstance(entry, BuildFailed) else entry


def on_device(verdict: Falsified) -> Falsified:
    """Return a refusal as one of this check."""
    return Falsified(counterexample=replace(verdict.counterexample, check="offload"))
