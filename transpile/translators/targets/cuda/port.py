"""Sequential C and C++ to CUDA: kernels of the parallel loops, and a function that launches them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from transpile.parsers.text import c_brackets, c_rows
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import SequentialNest
from transpile.translators.loops.planning.work import Work, work
from transpile.translators.refusal import Refused
from transpile.translators.targets.cuda.device_memory import SUFFIX, OnDeviceMemory
from transpile.translators.targets.cuda.draft import EMITTERS, Draft
from transpile.translators.targets.cuda.host_memory import OnHostMemory

_IDIOMS = (frozenset((*EMITTERS, Idiom.LAST_VALUE)), frozenset[Idiom]())
"""Idioms of loops, in the order in which they are tried. Any kernel hands out a last value."""


def propose(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device, or why none of them does."""
    refused = []
    for idioms in _IDIOMS:
        own = _work(source_, unit, contracts, interface, idioms=idioms)
        if not own.choice.parts or own.learnt is None or own.unseen:
            return own.refused(own.unseen)
        try:
            return _candidate(own, _draft(own, own.learnt, interface))
        except Refused as why:
            refused.append(own.refused([SequentialNest(own.choice.parts[0].nest, why.detail)]))
    return refused[0]


def variants(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Iterator[Candidate]:
    """Yield a function some of whose kernels have tiles of shared memory, where one has a use for them."""
    for idioms in _IDIOMS:
        own = _work(source_, unit, contracts, interface, idioms=idioms)
        if own.learnt is None or own.unseen:
            return
        try:
            draft = _draft(own, own.learnt, interface, tiles=True)
            if any(item.tiled for item in draft.kernels):
                yield _candidate(own, draft, "tiles")
        except Refused:
            continue
        return


def _work(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface,
    *,
    idioms: frozenset[Idiom],
) -> Work:
    """Return what is known of a function; only a port with the source's meaning has its loops beside it."""
    return work(source_, unit, contracts, idioms=idioms, comparing=interface is Interface.HOST)


def _draft(own: Work, contract: Contract, interface: Interface, *, tiles: bool = False) -> Draft:
    kind = OnDeviceMemory if interface is Interface.DEVICE else OnHostMemory
    return kind(own.written, own.choice, contract, own.around, tiles=tiles)


def _candidate(own: Work, draft: Draft, *rules: str) -> Candidate:
    """Return a port as a candidate; raises Refused."""
    on_device = isinstance(draft, OnDeviceMemory)
    binding = Binding(
        name=own.unit.name + SUFFIX if on_device else own.unit.name,
        arguments=draft.contract.signature.names,
        device=tuple(item.name for item in draft.arrays) if on_device else (),
    )
    dialect = CUDA_ON_DEVICE if on_device else CUDA
    if isinstance(draft, OnHostMemory) and draft.supposed:
        own = replace(own, choice=replace(own.choice, rules=(*own.choice.rules, *draft.supposed)))
    own = replace(own, contract=draft.contract)
    text = c_rows.flat(c_brackets.without(draft.text().encode("latin-1"))).decode("latin-1")
    return own.candidate(text, dialect, "cuda", *rules, headers=draft.headers, binding=binding)
