"""Wavefronts: two loops in which nothing runs in parallel, in blocks of which those on a diagonal do.

Blocks of the inner loop begin earlier with each iteration of the outer one, by as much as it takes for no
dependence to go back in either: then a block waits only for those before it in its row and its column
(Wolfe, "Loop skewing: the wavefront method revisited", 1986).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.polynomial import names
from transpile.code.syntax import (
    INDENT,
    LOOPS,
    Function,
    condition,
    find,
    indentation,
    inside,
    reindent,
    replace,
    source,
)
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import Band, only_in
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.iteration.nests import SIGNED, Loop, leaves_early
from transpile.translators.loops.iteration.places import in_block
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.iteration.wrapping import is_of_whole_numbers
from transpile.translators.loops.planning.fallback import beside
from transpile.translators.loops.planning.overlaps import apart
from transpile.translators.loops.reductions.scalars import Kind, read_after, scalars
from transpile.translators.refusal import Refused
from transpile.translators.targets.openmp.clauses import enough
from transpile.translators.targets.openmp.diagonals import Blocks
from transpile.translators.targets.openmp.sides import Side
from transpile.translators.targets.openmp.strips import Strips

_STEEPEST = 3
"""Iterations by which blocks begin earlier at most."""
_WIDEST = 32
"""Iterations of a loop in one block: what a block touches stays in a cache."""
_STRIP = 8
"""The same of a third loop: a few rows of a strip are in flight at once."""


def wavefronts(setting: Setting, nest: Nest, flag: str) -> tuple[str, Edit[str]] | None:
    """Return the edit that cuts two loops of a nest into blocks; None where no two of them can be.

    Arrays that overlap go through the loops as they were. The arguments are those of ``rewritten``.
    """
    function, variables = setting.function, setting.variables
    values = setting.values(nest)
    for band in _pairs(nest):
        blocks = _blocks(function, variables, band, values)
        if blocks is None or not in_block(band.node):
            continue
        try:
            conditions = apart(band, setting.contract, variables)
        except Refused:
            continue
        clauses = list(_clauses(band, blocks, values))
        return "wavefronts", replace(band.node, _text(function, blocks, clauses, conditions, flag))
    return None


def _text(function: Function, blocks: Blocks, clauses: list[str], conditions: list[str], flag: str) -> str:
    """Return what stands in the place of two loops, with themselves for arrays that overlap."""
    loop = blocks.rows.loop.node
    indent = indentation(function.text, loop.start_byte)
    inner = indent + INDENT
    text = blocks.text(clauses, inner)
    if not conditions:
        return f"{{\n{text}\n{indent}}}"
    kept = reindent(source(loop), indent, inner)
    return beside(text, conditions, blocks.named(flag), kept, indent).lstrip()


def _pairs(nest: Nest) -> Iterator[Band]:
    """Yield two loops each of which one is all that is in the other, but for those that run too often."""
    for known in nest.loops:
        often = sum(inside(known.loop.node, other.loop.body) for other in nest.loops)
        inner = only_in(nest, known.loop)
        if inner is not None and often <= 1:
            yield Band(nest, (known, inner))


def _blocks(function: Function, variables: Variables, band: Band, values: Values) -> Blocks | None:
    """Return the blocks of two loops; None where they cannot be cut into some."""
    outer, inner = band.outer, band.inner
    if not all(_is_plain(loop, variables, values) for loop in (outer, inner)):
        return None
    first, bound = (_slope(item, outer, inner, values) for item in (inner.first, inner.bound))
    skew = _skew(band)
    if first is None or bound is None or skew is None or outer.variable.name == inner.variable.name:
        return None
    rows, columns = (Side(loop, _WIDEST, function.identifiers) for loop in (outer, inner))
    strips = _strips(function, variables, band, skew, values)
    return Blocks(function, rows, columns, skew, (first, bound), strips)


def _strips(function: Function, variables: Variables, band: Band, skew: int, values: Values) -> Strips | None:
    """Return the strips of the loop that is all that is in two others; None where it is better left."""
    nest, known = band.nest, only_in(band.nest, band.inner)
    if nest.dependences is None or known is None or known.parallel or any(find(known.loop.body, *LOOPS)):
        return None
    loop = known.loop
    bounds = [values.of(item) for item in (loop.first, loop.bound)]
    named = {item.loop.variable.name for item in band.loops}
    if not _is_plain(loop, variables, values) or loop.variable.name in named:
        return None
    if any(bound is None or names(bound) & values.varying for bound in bounds):
        return None
    for by_row, by_column in product(range(_STEEPEST + 1), repeat=2):
        skews = (by_row + by_column * skew, by_column)
        loops = (band.outer, band.inner, loop)
        if not any(nest.dependences.turned(loops, skews, nest.accesses)):
            return Strips(Side(loop, _STRIP, function.identifiers), by_row, by_column)
    return None


def _is_plain(loop: Loop, variables: Variables, values: Values) -> bool:
    """Tell whether a loop goes by one in whole numbers, and its iterations share nothing but arrays."""
    return (
        abs(loop.step) == 1
        and loop.variable.bare in SIGNED
        and all(values.of(item) is not None for item in (loop.first, loop.bound))
        and all(is_of_whole_numbers(item, values) for item in (loop.first, condition(loop.node)))
        and not leaves_early(loop)
        and (loop.own_variable or not read_after(loop.variable, loop.node))
        and all(item.kind is Kind.PRIVATE for item in scalars(loop, variables, values.around))
    )


def _slope(bound: Node, outer: Loop, inner: Loop, values: Values) -> int | None:
    """Return by how many iterations a bound moves on with each one of the loop around; None if not evenly."""
    value = values.of(bound)
    if value is None or not names(value) & values.varying <= {outer.dimension}:
        return None
    if any(len(monomial) > 1 and outer.dimension in monomial for monomial in value):
        return None
    return value.get((outer.dimension,), 0) * outer.step * inner.step


def _skew(band: Band) -> int | None:
    """Return by how much blocks have to begin earlier; None where that does not help."""
    nest = band.nest
    if nest.dependences is None:
        return None
    for skew in range(_STEEPEST + 1):
        if not any(nest.dependences.turned((band.outer, band.inner), (skew,), nest.accesses)):
            return skew
    return None


def _clauses(band: Band, blocks: Blocks, values: Values) -> Iterator[str]:
    """Yield what is said of the loop over the blocks of a diagonal."""
    loops = (band.outer, band.inner)
    own = [loop.variable.name for loop in loops if not loop.own_variable]
    own += [item.variable.name for loop in loops for item in scalars(loop, values.variables, values.around)]
    if own:
        yield f"private({', '.join(dict.fromkeys(own))})"
    moving = {loop.dimension for loop in loops}
    if any(item.uneven & moving and inside(item.loop.node, band.outer.body) for item in band.nest.loops):
        yield "schedule(dynamic)"
    least = enough(band.inner, band.nest)
    if least:
        yield f"if ({blocks.longest} > {least})"
