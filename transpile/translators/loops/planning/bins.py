"""Arrays of few elements that iterations add to, as histograms: who adds may have a copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import number
from transpile.code.syntax import field, find, inside, source, squeeze, unparenthesized
from transpile.code.variables import Variable, Variables
from transpile.core import Contract
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.planning.overlaps import changed
from transpile.translators.loops.symbols.types import is_number

MOST = 4096
"""Elements of which a copy for each thread is worth its memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """An array that iterations only add to, by one operator."""

    base: str
    variable: Variable
    operator: str
    length: int

    @property
    def element(self) -> str:
        """Return the type of an element."""
        return " ".join(word for word in self.variable.type.split() if word != "const")


def bins(band: Band, contract: Contract | None, variables: Variables) -> tuple[Bins, ...]:
    """Return what of a band's updated arrays may be copied and gathered; the rest takes atomic updates."""
    return tuple(_bins(band, contract, variables))


def updated(band: Band) -> Iterator[tuple[Variable, list[Access]]]:
    """Yield each array that a band touches by updates of one kind alone, with these."""
    for base in sorted(band.loops[0].updated):
        accesses = [item for item in band.nest.accesses if item.base == base and inside(item.node, band.node)]
        first = accesses[0]
        if (
            first.variable is not None
            and first.update
            and all(item.update == first.update for item in accesses)
        ):
            yield first.variable, accesses


def _bins(band: Band, contract: Contract | None, variables: Variables) -> Iterator[Bins]:
    for variable, accesses in updated(band):
        first, length = accesses[0], _length(variable, contract, variables)
        found = Bins(base=first.base, variable=variable, operator=first.update, length=length)
        named = all(_named(item, variable, variables) for item in accesses)
        if named and 0 < length <= MOST and is_number(squeeze(found.element)):
            yield found


def _named(access: Access, variable: Variable, variables: Variables) -> bool:
    """Tell whether an element is one of the name itself, and not of a pointer that was made of it."""
    return access.node.type == "subscript_expression" and (
        variables.of(unparenthesized(field(access.node, "argument"))) is variable
    )


def _length(variable: Variable, contract: Contract | None, variables: Variables) -> int:
    """Return how many elements an array has; 0 where that is no number that is known."""
    if variable.array:
        sizes = [item.child_by_field_name("size") for item in find(variable.declarator, "array_declarator")]
        return _number(sizes[0]) if len(sizes) == 1 else 0
    fact = contract.array(variable.name) if contract is not None and variable.parameter else None
    if fact is None or fact.before != "0" or variable.name in changed(variables):
        return 0
    return int(fact.extent) if fact.extent.isdigit() else 0


def _number(size: Node | None) -> int:
    value = number(source(size)) if size is not None else None
    return value.get((), 0) if value is not None else 0
