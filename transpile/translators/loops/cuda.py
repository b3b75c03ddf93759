"""Sequential C and C++ to CUDA: kernels of the parallel loops, and a function that launches them."""

from __future__ import annotations

from collections.abc import Sequence

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
from transpile.translators.loops.choice import chosen
from transpile.translators.loops.device_memory import SUFFIX, OnDeviceMemory
from transpile.translators.loops.host_memory import OnHostMemory
from transpile.translators.loops.kernels import NoKernel
from transpile.translators.loops.outside import outside
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
    text = unit.text.decode("latin-1")
    contract = contracts[0] if contracts else None
    around = outside(source_, unit)
    choice = chosen(text, contract, around)
    if not choice.parts or contract is None:
        return refusal(unit, choice.function, [])
    on_device = interface is Interface.DEVICE
    try:
        draft = (OnDeviceMemory if on_device else OnHostMemory)(Function(text), choice, contract, around)
        ported = draft.text()
    except NoKernel as why:
        return refusal(unit, choice.function, [Alone(choice.parts[0].nest, str(why))])
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=ported.encode("latin-1")),),
        binding=Binding(
            name=unit.name + SUFFIX if on_device else unit.name,
            arguments=contract.signature.names,
            device=tuple(item.name for item in draft.arrays) if on_device else (),
        ),
        dialect=CUDA_ON_DEVICE if on_device else CUDA,
        headers=("<stdexcept>",),
        origin=ByRules(rules=("loops", "cuda", *choice.rules)),
    )
