"""Strength of a unit's trials, whatever its translation: its source against faults planted in it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from types import MappingProxyType

from transpile import faults
from transpile.core import Contract, Inconclusive, Source, Strength, Trial, Unit
from transpile.testers.mutation.mutants import Mutant, as_proposal, control_of
from transpile.testers.mutation.strengthen import BUDGET, ENOUGH
from transpile.testers.oracle.cover import Coverage, joined
from transpile.testers.oracle.gather import COVERED
from transpile.testers.proposal import Proposal
from transpile.testers.trials.generate import Plan, unforeseen
from transpile.testers.verdict.session import TRIALS, JudgingSession
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What the trials of one unit can tell apart."""

    trials: int
    exact: int
    """Those on which no operation of the source rounds: a candidate must agree to the last bit."""
    added: int
    """Those that were made because a fault had survived the others."""
    essential: int
    """Few of them that are as strong as all."""
    coverage: Coverage
    strength: Strength
    survivors: tuple[Mutant, ...]
    seconds: float = 0.0

    @property
    def enough(self) -> bool:
        """Tell whether the trials take the branches and notice the faults that level hardened asks for."""
        score = self.strength.score
        return self.coverage.share >= COVERED and score is not None and score >= ENOUGH


def measure(
    workshop: Workshop,
    source: Source,
    subjects: Sequence[tuple[Unit, tuple[Contract, ...]]],
    *,
    seed: int = 0,
    budget: float = BUDGET,
    given: Mapping[str, tuple[Trial, ...]] = MappingProxyType({}),
) -> Iterator[tuple[Unit, Measured | Inconclusive]]:
    """Yield for each unit what its trials are worth, or why that cannot be said.

    Args:
        workshop: Where to build and run.
        source: What the units are of.
        subjects: Units with their contracts.
        seed: Of the trials.
        budget: Seconds for each unit after which no further round of new trials begins.
        given: Trials beside those that are generated, by unit id.
    """
    plan = unforeseen(seed, TRIALS)
    groups: dict[str, list[tuple[Unit, Proposal]]] = {}
    for unit, contracts in subjects:
        proposal = as_proposal(unit, contracts, control_of(source, unit))
        proposal = replace(proposal, given=given.get(unit.id, ()))
        groups.setdefault(unit.translation_unit, []).append((unit, proposal))
    for path, group in groups.items():
        proposals = [proposal for _, proposal in group]
        with closing(JudgingSession.of(workshop, source, path, proposals)) as session:
            for unit, proposal in group:
                begun = time.monotonic()
                try:
                    found = _measured(session, proposal, plan, budget)
                except Exception as error:  # Our own bug: the other units are measured all the same.
                    found = faults.own(error, f"measuring the trials of {unit.id}")
                if isinstance(found, Measured):
                    found = replace(found, seconds=time.monotonic() - begun)
                yield unit, found


def _measured(
    session: JudgingSession, proposal: Proposal, plan: Plan, budget: float
) -> Measured | Inconclusive:
    measure = session.measured(proposal, plan, budget)
    if isinstance(measure, Inconclusive):
        return measure
    pools, found = measure.pools, measure.found
    old = [item for _, pool in pools for item in pool.references]
    references = [*old, *(item for group in found.added for item in group)]
    return Measured(
        trials=len(references),
        exact=sum(item.exact for item in references),
        added=len(references) - len(old),
        essential=len(found.essential),
        coverage=joined([pool.coverage for _, pool in pools]),
        strength=found.strength,
        survivors=found.survivors,
    )
