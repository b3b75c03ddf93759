"""One candidate and one signature of its source, and what all checkers say of it."""

from __future__ import annotations

from transpile.core import Contract, Inconclusive, Rejected, Unit
from transpile.testers.checks.offload import is_offloaded, offload_check
from transpile.testers.checks.races import race_check
from transpile.testers.checks.sanitize import sanitize
from transpile.testers.differential.differential_run import Differential, Failure
from transpile.testers.oracle.workbench import Workbench
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import Entry
from transpile.testers.run.teams import is_parallel
from transpile.testers.text.lost_updates import lost_update
from transpile.toolchains.build import BuildFailed, Flavour


class Case:
    """One candidate and one signature of its source."""

    def __init__(self, bench: Workbench, proposal: Proposal, contract: Contract) -> None:
        """Keep what every check needs."""
        self.bench = bench
        self.proposal = proposal
        self.contract = contract
        self.baseline = bench.baseline(proposal.unit, contract)

    def entry(self) -> Entry | Rejected:
        """Return the candidate's function, or why it does not build."""
        entry = self.bench.candidates.entry(self.proposal, self.contract.signature, Flavour.PLAIN)
        return rejected(self.proposal.unit, entry) if isinstance(entry, BuildFailed) else entry

    def checked(self, differential: Differential) -> Failure | Inconclusive | None:
        """Return what sanitizers, the race checker and a device say."""
        bench = self.bench
        found = sanitize(bench.workshop, bench.candidates, bench.sources, self.proposal, differential)
        if found is None and is_parallel(self.proposal.candidate):
            found = race_check(bench.candidates, self.proposal, differential)
        return found or lost_update(self.proposal.candidate) or self.offloaded(differential)

    def offloaded(self, differential: Differential) -> Failure | Inconclusive | None:
        """Return what a device with memory of its own says, of target regions."""
        bench = self.bench
        if not is_offloaded(self.proposal.candidate):
            return None
        return offload_check(bench.workshop, bench.candidates, bench.sources, self.proposal, differential)


def rejected(unit: Unit, failed: BuildFailed) -> Rejected:
    """Return that the target compiler refuses a candidate."""
    return Rejected(
        stage="build",
        diagnostics=(
            unit.diagnostic(
                "TP301",
                f"the translation does not compile: {failed.complaint}",
                hint=failed.output[-1000:],
            ),
        ),
    )
