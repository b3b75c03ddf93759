"""Lines of OpenMP above loops: what is private, what is gathered and how, which updates are atomic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import with_number
from transpile.code.syntax import Function, find, inside
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import lines_above
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import most
from transpile.translators.loops.planning.updates import updates
from transpile.translators.loops.reductions.compactions import Compaction
from transpile.translators.loops.reductions.reductions import FLOATING
from transpile.translators.loops.reductions.scalars import Scalar
from transpile.translators.loops.reductions.scans import Scan

_ENOUGH = 10_000
"""Iterations of a few operations that take as long as it does to begin with two threads and to meet."""
_CALLING = 1000
"""The same where an iteration calls something."""


def enough(loop: Loop, nest: Nest) -> int:
    """Return how many iterations of a loop do enough for threads to meet; 0 where a few may."""
    each = most(loop.body, (item.loop for item in nest.loops))
    if not each:
        return 0
    return (_CALLING if any(find(loop.body, "call_expression")) else _ENOUGH) // each


def statement_around(node: Node) -> Node:
    """Return the statement around a node before which a declaration may stand."""
    while node.parent is not None and node.parent.type != "compound_statement":
        node = node.parent
    return node


def atomic(function: Function, band: Band, copied: Set[str] = frozenset()) -> Iterator[Edit[str]]:
    """Yield the edits that put a line above writes that may meet, but for arrays that are copied."""
    shared = band.loops[0].updated - copied
    for access in updates(band):
        if access.base in shared:
            statement = access.node
            while statement.type != "expression_statement" and statement.parent is not None:
                statement = statement.parent
            yield lines_above(function, statement, f"#pragma omp atomic{'' if access.update else ' write'}")


def headers(bands: Iterable[Band]) -> tuple[str, ...]:
    """Return what has to be included for infinities."""
    declares = any(_declares(item) for band in bands for item in band.loops[0].reductions)
    return ("<math.h>",) if declares else ()


_EXTREMES = {
    "max": ("omp_in > omp_out ? omp_in : omp_out", "-INFINITY"),
    "min": ("omp_in < omp_out ? omp_in : omp_out", "INFINITY"),
    "fmax": ("fmax(omp_out, omp_in)", "NAN"),
    "fmin": ("fmin(omp_out, omp_in)", "NAN"),
}
"""Combiner and initial value of floating-point reductions: a NaN stays or goes as in the source.

What ``reduction(max : s)`` makes of a NaN is not defined.
"""


def declared_reductions(band: Band, number: int) -> Iterator[str]:
    """Yield the lines that declare what OpenMP does not gather as the source does."""
    for item in band.loops[0].reductions:
        if _declares(item):
            joined, begun = _EXTREMES[item.operator]
            yield (
                f"#pragma omp declare reduction({_reduction(item, number)} : {item.variable.type} : "
                f"omp_out = {joined}) initializer(omp_priv = {begun})"
            )


def _declares(item: Scalar) -> bool:
    return item.operator in _EXTREMES and item.variable.bare in FLOATING


def _reduction(item: Scalar, number: int) -> str:
    """Return what gathers a scalar: an operator, or the name of a declared reduction."""
    if not _declares(item):
        return item.extreme or item.operator
    return with_number(f"{item.operator}_{item.variable.name}", number)


def clauses(band: Band, number: int) -> Iterator[str]:
    """Yield what a line above a band says of its loops and scalars."""
    yield from collapsed(band)
    yield from private(band)
    yield from gathered(band, number)


def collapsed(band: Band) -> Iterator[str]:
    """Yield the clause that makes one loop of those of a band."""
    if len(band.loops) > 1:
        yield f"collapse({len(band.loops)})"


def private(band: Band) -> Iterator[str]:
    """Yield the clause that names what each iteration has of its own."""
    private = dict.fromkeys(
        item.variable.name
        for known in band.loops
        for item in known.privates
        if not any(item.variable is other.loop.variable for other in band.loops)
    )
    if private:
        yield f"private({', '.join(private)})"


def gathered(band: Band, number: int) -> Iterator[str]:
    """Yield the clauses that name what is gathered over all iterations."""
    for item in band.loops[0].reductions:
        yield f"reduction({_reduction(item, number)} : {item.variable.name})"


def uneven(band: Band) -> bool:
    """Tell whether iterations differ in how much they do: a loop inside goes as far as one of these says.

    Those of which threads hand something on stay where they are.
    """
    if band.loops[0].found(Scan) or band.loops[0].found(Compaction):
        return False
    own = {item.loop.dimension for item in band.loops}
    return any(item.uneven & own and inside(item.loop.node, band.inner.body) for item in band.nest.loops)
