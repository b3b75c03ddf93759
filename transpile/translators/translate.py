"""One translator for each pair of programming models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from transpile.core import (
    HIP_OR_CUDA,
    Candidate,
    Contract,
    Diagnostic,
    Dialect,
    Interface,
    ProgrammingModel,
    Rejected,
    Severity,
    Source,
    Unit,
)
from transpile.translators import functions
from transpile.translators.kernels import openmp, plain
from transpile.translators.loops.planning.refusal import refused
from transpile.translators.loops.symbols.directives import hindrance
from transpile.translators.targets import cuda as loops_cuda
from transpile.translators.targets import offload
from transpile.translators.targets import stdpar as loops_stdpar
from transpile.translators.targets.hip import from_loops as loops_hip
from transpile.translators.targets.hip import propose as hip

Translator = Callable[[Source, Unit, Sequence[Contract]], Candidate | Rejected]

TRANSLATORS: Mapping[tuple[ProgrammingModel | Interface, ...], Translator] = {
    (ProgrammingModel.CUDA, ProgrammingModel.OPENMP): openmp.propose,
    (ProgrammingModel.CUDA, ProgrammingModel.NONE): plain.propose,
    (ProgrammingModel.CUDA, ProgrammingModel.HIP): hip.propose,
    (ProgrammingModel.NONE, ProgrammingModel.OPENMP): functions.propose,
    (ProgrammingModel.NONE, ProgrammingModel.OPENMP_TARGET): offload.propose,
    (ProgrammingModel.NONE, ProgrammingModel.CUDA): loops_cuda.propose,
    (ProgrammingModel.NONE, ProgrammingModel.CUDA, Interface.DEVICE): partial(
        loops_cuda.propose, interface=Interface.DEVICE
    ),
    (ProgrammingModel.NONE, ProgrammingModel.HIP): loops_hip.propose,
    (ProgrammingModel.NONE, ProgrammingModel.HIP, Interface.DEVICE): partial(
        loops_hip.propose, interface=Interface.DEVICE
    ),
    (ProgrammingModel.NONE, ProgrammingModel.STDPAR): loops_stdpar.propose,
    (ProgrammingModel.CUDA, ProgrammingModel.HIP, ProgrammingModel.CUDA): partial(
        hip.propose, target=HIP_OR_CUDA
    ),
}
"""From one model to another, to a text of two, or to functions that take memory of the device."""

Variants = Callable[[Source, Unit, Sequence[Contract]], Iterator[Candidate]]

VARIANTS: Mapping[tuple[ProgrammingModel | Interface, ...], Variants] = {
    (ProgrammingModel.NONE, ProgrammingModel.OPENMP): functions.variants,
    (ProgrammingModel.NONE, ProgrammingModel.CUDA): loops_cuda.variants,
    (ProgrammingModel.NONE, ProgrammingModel.CUDA, Interface.DEVICE): partial(
        loops_cuda.variants, interface=Interface.DEVICE
    ),
    (ProgrammingModel.NONE, ProgrammingModel.HIP): loops_hip.variants,
    (ProgrammingModel.NONE, ProgrammingModel.HIP, Interface.DEVICE): partial(
        loops_hip.variants, interface=Interface.DEVICE
    ),
}
"""What may be taken instead of a translator's result if it passes as well."""


def variants(
    source: Source, unit: Unit, contracts: Sequence[Contract], target: Dialect
) -> Iterator[Candidate]:
    """Yield translations that should be faster than what is proposed first, the fastest by estimate last."""
    found = VARIANTS.get(_direction(source.dialect, target))
    own = source.dialect.model is ProgrammingModel.NONE and hindrance(unit, target) is not None
    if found is not None and not own:
        yield from found(source, unit, contracts)


def propose(
    source: Source, unit: Unit, contracts: Sequence[Contract], target: Dialect
) -> Candidate | Rejected:
    """Return a translation of the unit to the target, or the patterns that no rule translates."""
    translator = TRANSLATORS.get(_direction(source.dialect, target))
    if translator is None:
        message = f"no-rule: no rules lead from {source.dialect.model} to {target.model}"
        diagnostic = Diagnostic(
            code="TP200", severity=Severity.ERROR, path=unit.path, line=unit.line, message=message
        )
        return Rejected(stage="translate", diagnostics=(diagnostic,))
    if source.dialect.model is ProgrammingModel.NONE and (why := hindrance(unit, target)) is not None:
        return refused(unit, [why])
    return translator(source, unit, contracts)


def leads(source: Dialect, target: Dialect) -> bool:
    """Tell whether there is a way from one dialect to another."""
    return _direction(source, target) in TRANSLATORS


def _direction(source: Dialect, target: Dialect) -> tuple[ProgrammingModel | Interface, ...]:
    own = () if target.interface is Interface.HOST else (target.interface,)
    return (source.model, *target.models, *own)
