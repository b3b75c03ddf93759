"""Parts of a program that shows one trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from transpile.core import Contract, Signature, Source
from transpile.testers.compare.compare import Difference
from transpile.testers.compare.tolerance import Allowance, Key
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import RunConfiguration
from transpile.testers.run.compilation import CandidateCompilation
from transpile.toolchains.recipes import Flavour
from transpile.toolchains.worker import Placement


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One trial, how it was called, and what came of it."""

    source: Source
    proposal: Proposal
    compilation: CandidateCompilation
    """The source's translation unit with the candidate in it."""
    reference: Reference
    configuration: RunConfiguration
    difference: Difference | None
    """None where both sides agree."""
    allowances: Mapping[Key, Allowance]
    """How far rounded results may be off; empty where they must be the same."""

    @property
    def contract(self) -> Contract:
        """Return what the call respects."""
        return self.reference.prepared.contract

    @property
    def signature(self) -> Signature:
        """Return what is called, of the source."""
        return self.contract.signature

    @property
    def check(self) -> str:
        """Return the check that found the failure; empty where there is none."""
        return self.difference.check if self.difference is not None else ""

    @property
    def flavour(self) -> Flavour:
        """Return the build that shows it best."""
        if self.check == "race":
            return Flavour.THREAD
        # Guard pages are ours; outside of us, ASan says more of a bad access than they would.
        if self.check in ("bounds", "crash") or self.configuration.placement is Placement.HEAP:
            return Flavour.ADDRESS
        return Flavour.PLAIN

    @property
    def source_runs(self) -> bool:
        """Tell whether the source is run beside the candidate: its fibers would confuse the race checker."""
        return self.flavour is not Flavour.THREAD
