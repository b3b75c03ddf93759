"""Units that no rule translates, whatever their contract turns out to be: said before it is learnt."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    Dialect,
    Invariant,
    LaunchLaw,
    ProgrammingModel,
    Rejected,
    Role,
    ShapeDependent,
    Source,
    Unit,
    UnitKind,
)
from transpile.translators.functions import has_loops
from transpile.translators.targets.hip import vendors
from transpile.translators.tasks import is_recursive
from transpile.translators.translate import propose, variants

_ROWS = ShapeDependent(relations=("blockDim.x == 32",))
_LAWS: tuple[LaunchLaw, ...] = (Covers(x="1"), Invariant(), ShapeDependent(), _ROWS)
"""Under each of these some rule translates more than under the others."""


def foreseen(source: Source, unit: Unit, target: Dialect) -> Rejected | None:
    """Return why the unit is translated under no contract, or None where one may be translated."""
    refusal: Rejected | None = None
    for contract in _best_cases(source, unit):
        proposed = propose(source, unit, (contract,), target)
        if not isinstance(proposed, Rejected) or any(variants(source, unit, (contract,), target)):
            return None
        refusal = proposed
    return refusal


def is_left(source: Source, unit: Unit, target: Dialect) -> bool:
    """Tell whether a unit is in the target already, so that nothing is made of it."""
    return ProgrammingModel.HIP in target.models and vendors.is_left(source, unit)


def is_idle(source: Source, unit: Unit, target: Dialect) -> bool:
    """Tell whether a unit is a function of which nothing can be made: no loops, and no calls to be tasks."""
    if unit.kind is not UnitKind.FUNCTION or has_loops(source, unit):
        return False
    return target.model is not ProgrammingModel.OPENMP or not is_recursive(unit)


def _best_cases(source: Source, unit: Unit) -> Iterator[Contract]:
    """Yield contracts that grant all that a rule may ask for; none where no signature is known."""
    is_kernel = unit.kind is UnitKind.KERNEL
    # Of arrays that are only read, rules of loops may assume all that they may of others, and more.
    cases = [(Role.INOUT, law) for law in _LAWS] if is_kernel else [(Role.IN, None)]
    for signature in source.signatures.get(unit.id, ())[:1]:
        names = [parameter.name for parameter in signature.parameters if parameter.pointer]
        for role, law in cases:
            arrays = tuple(
                ArrayFact(name=name, role=role, extent="1", distinct=True, ascending=True) for name in names
            )
            yield Contract(signature=signature, arrays=arrays, scalars=(), law=law)
