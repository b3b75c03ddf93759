"""Plain runs of a candidate on all trials: on how many it agrees, and the first on which it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from transpile.core import Contract, Falsified, Inconclusive, Rejected, Trial
from transpile.testers.checks.again import falsified
from transpile.testers.checks.case import rejected
from transpile.testers.differential.differential_run import CONFIGURATIONS, Differential, Failure, fallen
from transpile.testers.oracle.baseline import Baseline
from transpile.testers.oracle.validity import Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import Entry, RunConfiguration, call, call_each
from transpile.testers.trials.generate import Plan
from transpile.testers.trials.materialise import POISONS
from transpile.testers.verdict.session import JudgingSession
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed, Placement, RestartPolicy

_HOPELESS = RestartPolicy(deaths=4, timeouts=0)
"""A candidate that hangs once is not asked again; of one that dies, the share of trials says how often."""
_CHECKED = RunConfiguration(placement=Placement.HEAP, poison=POISONS[0])
"""How the source is called under the sanitizers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """How far a candidate came on a plain build."""

    refused: Falsified | Rejected | Inconclusive | None = None
    """None where nothing speaks against it yet: then the checkers are next."""
    agreed: int = 0
    telling: int = 0
    """Trials on which the source changes something, and those of them on which the candidate agrees."""
    source_alone: bool = False
    """No candidate can be judged: it is the source that gives no trials."""

    def __add__(self, other: Screened) -> Screened:
        """Return what two signatures of one candidate came to: the first refusal counts."""
        return Screened(
            refused=self.refused or other.refused,
            agreed=self.agreed + other.agreed,
            telling=self.telling + other.telling,
            source_alone=self.source_alone or other.source_alone,
        )


class Screen:
    """Runs candidates on the trials of a session, and remembers on which of them the source is at fault."""

    def __init__(self, plan: Plan) -> None:
        """Begin with trials of which nothing is known."""
        self.plan = plan
        self._faults: dict[Trial, bool] = {}

    def screened(self, session: JudgingSession, proposal: Proposal) -> Screened:
        """Return how far a candidate comes, over all signatures of its unit."""
        found = Screened()
        for reading in session.readings(proposal):
            for contract in reading.contracts:
                found += self._signature(session, reading, contract)
        return found

    def _signature(self, session: JudgingSession, proposal: Proposal, contract: Contract) -> Screened:
        entry = session.candidates.entry(proposal, contract.signature, Flavour.PLAIN)
        if isinstance(entry, BuildFailed):
            return Screened(refused=rejected(proposal.unit, entry))
        baseline = session.baseline(proposal.unit, contract)
        pool = baseline.pool(replace(self.plan, given=proposal.given_for(contract)))
        if isinstance(pool, Inconclusive):
            return Screened(refused=pool, source_alone=True)
        fair = [item for item in pool.references if not self._faults.get(item.trial)]
        failures = dict(self._failures(session, entry, baseline, fair))
        self._learn(session, contract, [item.reference for item in failures.values()])
        failures = {trial: item for trial, item in failures.items() if not self._faults[trial]}
        telling = [item for item in fair if item.effective and not self._faults.get(item.trial)]
        agreed = sum(item.trial not in failures for item in telling)
        worst = next(iter(failures.values()), None)
        refused = falsified(worst) if worst is not None else None
        return Screened(refused=refused, agreed=agreed, telling=len(telling))

    def _failures(
        self, session: JudgingSession, entry: Entry, baseline: Baseline, fair: Sequence[Reference]
    ) -> Iterator[tuple[Trial, Failure]]:
        """Yield the trials on which a candidate parts from its source; those not called count as such."""
        configuration = CONFIGURATIONS[0]
        outcomes = call_each(
            session.workshop,
            entry.library,
            [(entry.index, item.prepared) for item in fair],
            configuration,
            restarts=_HOPELESS,
        )
        differential = Differential(session.workshop, entry, baseline.calibration, fair)
        back = [pair for pair in zip(fair, outcomes, strict=True) if not isinstance(pair[1], Crashed)]
        weighed = differential.compare_all(
            [item for item, _ in back], [out for _, out in back], configuration
        )
        found = {item.trial: one for (item, _), one in zip(back, weighed, strict=True)}
        for item, outcome in zip(fair, outcomes, strict=True):
            if isinstance(outcome, Crashed):
                difference = fallen(item.prepared, outcome)
                yield item.trial, Failure(reference=item, difference=difference, configuration=configuration)
            elif isinstance(failure := found[item.trial], Failure):
                yield item.trial, failure

    def _learn(self, session: JudgingSession, contract: Contract, failing: Sequence[Reference]) -> None:
        """Find out on which trials the source itself has undefined behaviour: these say nothing."""
        fresh = [item for item in failing if item.trial not in self._faults]
        self._faults |= dict.fromkeys((item.trial for item in fresh), False)
        own = session.sources.entry(contract.signature, Flavour.ADDRESS) if fresh else None
        if isinstance(own, Entry):
            outcomes = call(session.workshop, own, [item.prepared for item in fresh], _CHECKED)
            for item, outcome in zip(fresh, outcomes, strict=True):
                self._faults[item.trial] = isinstance(outcome, Crashed) and outcome.called
