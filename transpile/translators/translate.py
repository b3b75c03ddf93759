"""One translator for each direction, from a language and a programming model to another model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType

from transpile.core import (
    HIP_OR_CUDA,
    Candidate,
    Contract,
    Dialect,
    Interface,
    Language,
    ProgrammingModel,
    Rejected,
    Source,
    Unit,
)
from transpile.translators import functions
from transpile.translators.kernels import openmp, plain
from transpile.translators.loops.symbols.directives import hindrance
from transpile.translators.refusal import SEQUENTIAL, Refused, rejected
from transpile.translators.targets import cuda as loops_cuda
from transpile.translators.targets import offload
from transpile.translators.targets import stdpar as loops_stdpar
from transpile.translators.targets.hip import from_loops as loops_hip
from transpile.translators.targets.hip import propose as hip

Propose = Callable[[Source, Unit, Sequence[Contract]], Candidate | Rejected]
Variants = Callable[[Source, Unit, Sequence[Contract]], Iterator[Candidate]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """The source and the target of a translator."""

    language: Language = Language.CPP
    """Of the source; C is read as C++ is."""
    source: ProgrammingModel
    targets: tuple[ProgrammingModel, ...]
    """The models whose compilers take the translation."""
    interface: Interface = Interface.HOST

    @classmethod
    def between(cls, source: Dialect, target: Dialect) -> Direction:
        """Return the direction from one dialect to another."""
        language = Language.CPP if source.language is Language.C else source.language
        return cls(language=language, source=source.model, targets=target.models, interface=target.interface)


@dataclass(frozen=True, slots=True, kw_only=True)
class Translator:
    """The rules of one direction."""

    propose: Propose
    variants: Variants | None = None
    """Yields translations that may be taken instead of the first if they pass as well."""


def _kernels(target: ProgrammingModel, propose: Propose) -> tuple[Direction, Translator]:
    return Direction(source=ProgrammingModel.CUDA, targets=(target,)), Translator(propose=propose)


def _functions(
    target: ProgrammingModel, propose: Propose, variants: Variants | None = None
) -> tuple[Direction, Translator]:
    way = Direction(source=ProgrammingModel.NONE, targets=(target,))
    return way, Translator(propose=propose, variants=variants)


def _on_device(target: ProgrammingModel, to: ModuleType) -> tuple[Direction, Translator]:
    """Return the row of functions that take memory of the device."""
    way = Direction(source=ProgrammingModel.NONE, targets=(target,), interface=Interface.DEVICE)
    return way, Translator(
        propose=partial(to.propose, interface=Interface.DEVICE),
        variants=partial(to.variants, interface=Interface.DEVICE),
    )


TRANSLATORS: Mapping[Direction, Translator] = dict(
    (
        _kernels(ProgrammingModel.OPENMP, openmp.propose),
        _kernels(ProgrammingModel.NONE, plain.propose),
        _kernels(ProgrammingModel.HIP, hip.propose),
        (
            Direction(source=ProgrammingModel.CUDA, targets=HIP_OR_CUDA.models),
            Translator(propose=partial(hip.propose, target=HIP_OR_CUDA)),
        ),
        _functions(ProgrammingModel.OPENMP, functions.propose, functions.variants),
        _functions(ProgrammingModel.OPENMP_TARGET, offload.propose),
        _functions(ProgrammingModel.STDPAR, loops_stdpar.propose),
        _functions(ProgrammingModel.CUDA, loops_cuda.propose, loops_cuda.variants),
        _functions(ProgrammingModel.HIP, loops_hip.propose, loops_hip.variants),
        _on_device(ProgrammingModel.CUDA, loops_cuda),
        _on_device(ProgrammingModel.HIP, loops_hip),
    )
)


def variants(
    source: Source, unit: Unit, contracts: Sequence[Contract], target: Dialect
) -> Iterator[Candidate]:
    """Yield translations that should be faster than what is proposed first, the fastest by estimate last."""
    found = TRANSLATORS.get(Direction.between(source.dialect, target))
    own = source.dialect.is_plain and hindrance(unit, target) is not None
    if found is not None and found.variants is not None and not own:
        yield from found.variants(source, unit, contracts)


def propose(
    source: Source, unit: Unit, contracts: Sequence[Contract], target: Dialect
) -> Candidate | Rejected:
    """Return a translation of the unit to the target, or the patterns that no rule translates."""
    translator = TRANSLATORS.get(Direction.between(source.dialect, target))
    if translator is None:
        message = f"no-rule: there are no rules from {source.dialect.model} to {target.model}"
        return Rejected(stage="translate", diagnostics=(unit.diagnostic("TP200", message),))
    if source.dialect.is_plain and (why := hindrance(unit, target)) is not None:
        row, reason = why
        return rejected(unit, [Refused(SEQUENTIAL, reason, row)])
    return translator.propose(source, unit, contracts)


def leads(source: Dialect, target: Dialect) -> bool:
    """Tell whether there is a way from one dialect to another."""
    return Direction.between(source, target) in TRANSLATORS
