"""Sequential C and C++ to CUDA: kernels of the parallel loops, and a function that launches them."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.core import (
    CUDA,
    CUDA_ON_DEVICE,
    Binding,
    Candidate,
    Contract,
    Interface,
    Rejected,
    Source,
    Unit,
)
from transpile.translators.loops.cuda.device_memory import SUFFIX, OnDeviceMemory
from transpile.translators.loops.cuda.draft import Draft
from transpile.translators.loops.cuda.host_memory import OnHostMemory
from transpile.translators.loops.cuda.kernels import NoKernel
from transpile.translators.loops.plan import Alone
from transpile.translators.loops.work import Work, work


def propose(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device, or why none of them does."""
    own = work(source_, unit, contracts, merging=False)
    if not own.choice.parts or own.contract is None:
        return own.refused([])
    try:
        return _candidate(own, _draft(own, own.contract, interface))
    except NoKernel as why:
        return own.refused([Alone(own.choice.parts[0].nest, str(why))])


def tile(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Candidate | None:
    """Return a function some of whose kernels have tiles of shared memory; None where none has a use."""
    own = work(source_, unit, contracts, merging=False)
    if not own.choice.parts or own.contract is None:
        return None
    try:
        draft = _draft(own, own.contract, interface, tiles=True)
        return _candidate(own, draft, "tiles") if any(item.tiled for item in draft.kernels) else None
    except NoKernel:
        return None


def _draft(own: Work, contract: Contract, interface: Interface, *, tiles: bool = False) -> Draft:
    kind = OnDeviceMemory if interface is Interface.DEVICE else OnHostMemory
    return kind(own.written, own.choice, contract, own.around, tiles=tiles)


def _candidate(own: Work, draft: Draft, *rules: str) -> Candidate:
    """Return a port as a candidate; raises NoKernel."""
    on_device = isinstance(draft, OnDeviceMemory)
    binding = Binding(
        name=own.unit.name + SUFFIX if on_device else own.unit.name,
        arguments=draft.contract.signature.names,
        device=tuple(item.name for item in draft.arrays) if on_device else (),
    )
    dialect = CUDA_ON_DEVICE if on_device else CUDA
    return own.candidate(draft.text(), dialect, "cuda", *rules, headers=("<stdexcept>",), binding=binding)
