"""The emitter of each idiom: what stands around a loop, and the edits within it.

To write another idiom in OpenMP is to add a row here; loops of an idiom without a row stay sequential.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from transpile.code.edits import Edit
from transpile.code.syntax import Function
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import Frame
from transpile.translators.targets.openmp.compacting import appending
from transpile.translators.targets.openmp.lasts import where_some
from transpile.translators.targets.openmp.rounds import first_hit, in_rounds
from transpile.translators.targets.openmp.teams import Clauses, scanning, searching

Emitted = tuple[Frame, Sequence[Edit[str]]]
Emitter = Callable[[Function, Band, Clauses], Emitted]


def _parallel_for(function: Function, band: Band, clauses: Clauses) -> Emitted:
    """Return a directive above the loop, which stays as it is."""
    del function
    head = "#pragma omp parallel for simd" if clauses.simd else "#pragma omp parallel for"
    directive = " ".join((head, *clauses.loop, *clauses.region))
    return where_some(band.loops[0], Frame((directive,))), ()


EMITTERS: Mapping[Idiom, Emitter] = {
    Idiom.SCAN: scanning,
    Idiom.LAST_VALUE: _parallel_for,
    Idiom.COMPACTION: appending,
    Idiom.ARG_EXTREME: searching,
}
IDIOMS = frozenset(EMITTERS)


def emitted(function: Function, band: Band, clauses: Clauses) -> Emitted:
    """Return what stands around a parallel loop, and the edits within it."""
    idiom = band.loops[0].idiom
    if idiom is not None:
        return EMITTERS[idiom](function, band, clauses)
    hit = first_hit(band)
    return in_rounds(function, band, hit, clauses) if hit else _parallel_for(function, band, clauses)
