"""Innermost loops that add up floating numbers: compilers keep the order of a sum unless they are told."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.code.edits import Edit
from transpile.code.polynomial import names
from transpile.code.syntax import LOOPS, Function, find, inside
from transpile.translators.loops.analysis.analysis import Known, Nest, by_rows
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.frames import Frame, framed
from transpile.translators.loops.reductions.reductions import FLOATING
from transpile.translators.targets.openmp.lasts import handed_out, where_some

_GATHERED = ("+", "*")


def in_vectors(function: Function, band: Band) -> Iterator[Edit[str]]:
    """Yield the edits that put a line above each loop in a band that only adds up along rows."""
    for known in band.nest.loops:
        if inside(known.loop.node, band.inner.body) and adds_up(band.nest, known):
            sums = (f"reduction({item.operator} : {item.variable.name})" for item in known.reductions)
            line = " ".join(("#pragma omp simd", *sums, *handed_out(known)))
            yield from framed(function, known.loop.node, where_some(known, Frame((line,))))


def adds_up(nest: Nest, known: Known) -> bool:
    """Tell whether a loop gathers floating numbers along rows, and does nothing else."""
    body = known.loop.body
    return (
        known.parallel
        and not (known.merges or known.updated)
        and all(item.operator in _GATHERED and item.variable.bare in FLOATING for item in known.reductions)
        and bool(known.reductions)
        and next(find(body, *LOOPS), None) is None
        and all(inside(item.variable.declaration, body) for item in known.privates)
        and all(
            not item.write and goes_along_rows(item, known.loop.dimension)
            for item in by_rows(nest)
            if inside(item.node, body)
        )
    )


def goes_along_rows(access: Access, dimension: str) -> bool:
    """Tell whether neighbouring iterations touch neighbouring elements, or the same one."""
    known = [item for item in access.subscripts if item is not None]
    if len(known) < len(access.subscripts) or any(dimension in names(outer) for outer in known[:-1]):
        return False
    return all(monomial == (dimension,) for item in known[-1:] for monomial in item if dimension in monomial)
