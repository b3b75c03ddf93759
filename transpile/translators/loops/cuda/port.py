"""Sequential C and C++ to CUDA: kernels of the parallel loops, and a function that launches them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transpile.core import (
    CUDA,
    CUDA_ON_DEVICE,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Interface,
    Rejected,
    Replacement,
    Source,
    Unit,
)
from transpile.translators.loops.choice import Choice, chosen
from transpile.translators.loops.cuda.device_memory import SUFFIX, OnDeviceMemory
from transpile.translators.loops.cuda.draft import Draft
from transpile.translators.loops.cuda.host_memory import OnHostMemory
from transpile.translators.loops.cuda.kernels import NoKernel
from transpile.translators.loops.outside import Outside, outside
from transpile.translators.loops.plan import Alone
from transpile.translators.loops.refusal import refusal
from transpile.translators.rules.syntax import Function


def propose(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device, or why none of them does."""
    work = _Work.of(source_, unit, contracts, interface)
    if not work.choice.parts or work.contract is None:
        return refusal(unit, work.choice.function, [])
    try:
        return work.candidate(work.draft(work.contract))
    except NoKernel as why:
        return refusal(unit, work.choice.function, [Alone(work.choice.parts[0].nest, str(why))])


def tile(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Candidate | None:
    """Return a function some of whose kernels have tiles of shared memory; None where none has a use."""
    work = _Work.of(source_, unit, contracts, interface)
    if work.contract is None:
        return None
    try:
        draft = work.draft(work.contract, tiles=True)
        return work.candidate(draft, "tiles") if any(item.tiled for item in draft.kernels) else None
    except NoKernel:
        return None


@dataclass(frozen=True, slots=True)
class _Work:
    unit: Unit
    contract: Contract | None
    around: Outside
    choice: Choice
    interface: Interface

    @classmethod
    def of(cls, source_: Source, unit: Unit, contracts: Sequence[Contract], interface: Interface) -> _Work:
        contract = contracts[0] if contracts else None
        around = outside(source_, unit)
        choice = chosen(unit.text.decode("latin-1"), contract, around, merging=False)
        return cls(unit, contract, around, choice, interface)

    def draft(self, contract: Contract, *, tiles: bool = False) -> Draft:
        kind = OnDeviceMemory if self.interface is Interface.DEVICE else OnHostMemory
        return kind(
            Function(self.unit.text.decode("latin-1")), self.choice, contract, self.around, tiles=tiles
        )

    def candidate(self, draft: Draft, *rules: str) -> Candidate:
        """Return a port as a candidate; raises NoKernel."""
        unit, on_device = self.unit, self.interface is Interface.DEVICE
        return Candidate(
            unit=unit.id,
            replacements=(Replacement(unit=unit.id, text=draft.text().encode("latin-1")),),
            binding=Binding(
                name=unit.name + SUFFIX if on_device else unit.name,
                arguments=draft.contract.signature.names,
                device=tuple(item.name for item in draft.arrays) if on_device else (),
            ),
            dialect=CUDA_ON_DEVICE if on_device else CUDA,
            headers=("<stdexcept>",),
            origin=ByRules(rules=("loops", "cuda", *rules, *self.choice.rules)),
        )
