"""Proposals to the testers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from transpile.core import Candidate, Contract, Trial, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A candidate to judge, and what calls of its source must respect."""

    unit: Unit
    contracts: tuple[Contract, ...]
    """One for each signature; all must pass."""
    candidate: Candidate
    given: tuple[Trial, ...] = ()
    """Trials beside those that are generated: calls of the source's own program, and what testers wrote."""

    sequential: bool = False
    """One thread alone of a device is as good as many."""

    @property
    def readings(self) -> tuple[Proposal, ...]:
        """Return the proposal, and the same text as the compilers of its other model read it, if any do."""
        _, *others = self.candidate.dialect.readings
        return (
            self,
            *(replace(self, candidate=replace(self.candidate, dialect=dialect)) for dialect in others),
        )

    def given_for(self, contract: Contract) -> tuple[Trial, ...]:
        """Return those of the form that a contract is for."""
        form = contract.signature.form
        return tuple(trial for trial in self.given if trial.template_arguments == form)
