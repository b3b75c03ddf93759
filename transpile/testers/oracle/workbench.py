"""The source and the candidates of one translation unit, built as they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Self

from transpile.contracts.probing import callability
from transpile.contracts.text.named_numbers import mentioned_by
from transpile.core import Contract, Signature, Source, TranslationUnit, Unit, UnitKind
from transpile.testers.oracle.baseline import Baseline
from transpile.testers.oracle.closed import closed_switches
from transpile.testers.oracle.known import Known
from transpile.testers.oracle.settled import settled_conditions
from transpile.testers.oracle.validity import KEPT, Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import CandidateBench
from transpile.testers.run.source_bench import SourceBench
from transpile.toolchains.build import Flavour
from transpile.toolchains.workshop import Workshop

_SMALL = 32
"""Kernels of a file whose entries are all built, whether they have a candidate or not."""


class Workbench:
    """Everything that judging the candidates of one translation unit shares."""

    def __init__(
        self, workshop: Workshop, source: Source, unit: TranslationUnit, proposals: Sequence[Proposal]
    ) -> None:
        """Prepare both benches; nothing is built before it is needed."""
        self.workshop = workshop
        self.source = source
        own = dict.fromkeys(contract.signature for item in proposals for contract in item.contracts)
        self.sources = SourceBench(workshop, source, unit, [*_all_kernels(source, unit, own), tuple(own)])
        self._unit = unit
        self.agreed = False
        """All candidates are known to agree with the source on all trials on one thread."""
        self._take(proposals)
        self._baselines: dict[tuple[str, Contract], Baseline] = {}
        self._references = Known[Reference](KEPT)

    def _take(self, proposals: Sequence[Proposal]) -> None:
        """Take these candidates in place of any others."""
        self._readings = {id(item): item.readings for item in proposals}
        everything = [reading for item in proposals for reading in self.readings(item)]
        self.candidates = CandidateBench(self.workshop, self.source, self._unit, everything)

    def of_others(self, proposals: Sequence[Proposal]) -> Self:
        """Return a bench for other candidates, which shares all that is known of the source."""
        other = copy(self)
        other._take(proposals)
        return other

    def of_survivors(self, proposals: Sequence[Proposal]) -> Self:
        """Return a bench for those candidates that agreed on all trials: no others are built for it."""
        other = copy(self)
        kept = {id(item): self.readings(item) for item in proposals}
        everything = [reading for readings in kept.values() for reading in readings]
        other._readings, other.agreed = kept, True
        other.candidates = CandidateBench(self.workshop, self.source, self._unit, everything, self.candidates)
        return other

    def begin(self, proposals: Sequence[Proposal]) -> None:
        """Start the builds that every judgement needs."""
        self.sources.begin(Flavour.TRACE)
        for proposal in proposals:
            for reading in self.readings(proposal):
                self.candidates.begin(reading, Flavour.PLAIN)
        self.sources.begin(Flavour.PLAIN)

    def readings(self, proposal: Proposal) -> tuple[Proposal, ...]:
        """Return the proposal in each model that its text is to be read in."""
        return self._readings[id(proposal)]

    def baseline(self, unit: Unit, contract: Contract) -> Baseline:
        """Return what all candidates for one signature share."""
        key = (unit.id, contract)
        if key not in self._baselines:
            parts = (unit, *self.source.closure(unit))
            closed = Counter(closed_switches(self.source.files, parts, contract))
            closed.update(settled_conditions(self.source, unit))
            mentioned = mentioned_by(self.source, unit)
            self._baselines[key] = Baseline(
                self.workshop, self.sources, parts, contract, closed, self._references, mentioned
            )
        return self._baselines[key]

    def close(self) -> None:
        """Start no further build."""
        self.sources.close()
        self.candidates.close()


def _all_kernels(
    source: Source, unit: TranslationUnit, own: Iterable[Signature]
) -> list[tuple[Signature, ...]]:
    """Return the signatures of all kernels of a small file: the library that contracts were learnt from."""
    kernels = [
        item.id
        for item in source.units
        if item.kind in (UnitKind.KERNEL, UnitKind.FUNCTION)
        and item.translation_unit == unit.path
        and callability.refusal(source, item) is None
    ]
    found = tuple(signature for kernel in kernels for signature in source.signatures.get(kernel, ()))
    return [found] if len(kernels) <= _SMALL and set(own) <= set(found) else []
