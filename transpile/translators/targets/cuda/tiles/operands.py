"""Reads that all threads along an axis of a block share, in a loop that all of them run through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import names
from transpile.code.syntax import block_statements, find, inside, unparenthesized
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.dependence.reached import runs_always
from transpile.translators.loops.iteration.nests import Loop, leaves_early

_ELEMENTS = ("subscript_expression", "pointer_expression")


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """A read that depends on the common loop and on one loop of the band, and on nothing else that varies."""

    node: Node
    array: Variable
    axis: Loop
    along: bool
    """Neighbours along the common loop are neighbours in memory."""
    across: bool
    """Neighbours along the axis are."""
    movable: bool
    """Its text is right for another iteration of the axis once the variable's name is another one."""


def common(band: Band, variables: Variables) -> Iterator[Loop]:
    """Yield the loops in the body of a band that run the same iterations in every thread, one by one."""
    directly = {item.id for item in block_statements(band.inner.body)}
    for known in band.nest.loops:
        loop = known.loop
        whole = not leaves_early(loop) and not any(find(loop.body, "continue_statement"))
        begins_alike = all(_fixed(item, band.node, variables) for item in find(loop.first, "identifier"))
        lives_there = loop.own_variable or all(
            inside(use, loop.node) for use in loop.variable.uses if inside(use, band.node)
        )
        alike = begins_alike and not known.uneven and loop.step == 1
        if loop.node.id in directly and whole and alike and lives_there:
            yield loop


def operands(band: Band, loop: Loop, variables: Variables) -> list[Operand]:
    """Return the reads of a common loop that are the same for all threads along one axis of the band."""
    accesses = [item for item in band.nest.accesses if inside(item.node, band.node)]
    written = {item.base for item in accesses if item.write}
    found = (
        _operand(item, band, loop, variables)
        for item in accesses
        if item.base not in written and inside(item.node, loop.body) and runs_always(item.node, loop)
    )
    return [item for item in found if item is not None]


def _operand(access: Access, band: Band, loop: Loop, variables: Variables) -> Operand | None:
    variable, last = access.variable, access.subscripts[-1]
    if variable is None or not (variable.parameter and variable.pointer) or last is None:
        return None
    if unparenthesized(access.node).type not in _ELEMENTS:
        return None
    axes = [item.loop for item in band.loops if _depends(access, item.loop)]
    if len(axes) != 1 or not _depends(access, loop):
        return None
    own = [item for item in find(access.node, "identifier") if variables.of(item) is not loop.variable]
    if not all(_fixed(item, loop.node, variables) for item in own):
        return None
    return Operand(
        node=access.node,
        array=variable,
        axis=axes[0],
        along=abs(last.get((loop.dimension,), 0)) == 1,
        across=abs(last.get((axes[0].dimension,), 0)) == 1,
        movable=all(
            variables.of(item) is axes[0].variable or _fixed(item, band.node, variables) for item in own
        ),
    )


def _depends(access: Access, loop: Loop) -> bool:
    """Tell whether the number of an element depends on a loop's variable, or on parts of it."""
    varying = {name for value in access.subscripts if value is not None for name in names(value)}
    starts = (f"{loop.dimension}/", f"{loop.dimension}%")
    return any(name == loop.dimension or name.startswith(starts) for name in varying)


def _fixed(name: Node, node: Node, variables: Variables) -> bool:
    """Tell whether what a name stands for is the same throughout a node."""
    variable = variables.of(name)
    return variable is None or not _set_in(variable, node)


def _set_in(variable: Variable, node: Node) -> bool:
    return inside(variable.declaration, node) or any(inside(write, node) for write in variable.writes)


def shared_along_both(found: Sequence[Operand]) -> bool:
    """Tell whether threads along either axis read alike."""
    return len({id(item.axis) for item in found}) == 2
