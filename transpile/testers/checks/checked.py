"""Builds of a candidate that watch what it does: what each needs, and why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.core import Inconclusive
from transpile.errors import ToolMissing
from transpile.testers.differential.differential_run import Differential
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import CandidateBench, Entry
from transpile.toolchains import compilers
from transpile.toolchains.build import BuildFailed, Flavour


@dataclass(frozen=True, slots=True)
class Check:
    """A check by a build of its own."""

    name: str
    flavour: Flavour
    means: str
    """What watches, in words."""
    tool: str = ""
    """What the machine has to have beside a compiler."""

    def entry(
        self, bench: CandidateBench, proposal: Proposal, differential: Differential
    ) -> Entry | Inconclusive:
        """Return the candidate as this check calls it, or why it cannot be made."""
        try:
            if self.tool:
                compilers.find().require(self.tool)
            entry = bench.entry(proposal, differential.pool[0].prepared.contract.signature, self.flavour)
        except ToolMissing as error:
            return missing(self.name, error)
        return _unbuilt(self.means, entry) if isinstance(entry, BuildFailed) else entry


def missing(check: str, error: ToolMissing) -> Inconclusive:
    """Return that a check cannot be made on this machine, and how to change that."""
    hint = f" ({error.hint})" if error.hint else ""
    return Inconclusive(reason=f"the {check} check cannot run: {error}{hint}", code="TP412")


def _unbuilt(means: str, failed: BuildFailed) -> Inconclusive:
    """Return that a checked build failed, though the plain one did not."""
    return Inconclusive(
        reason=f"the translation does not build with {means}: {failed.complaint}", code="TP412"
    )
