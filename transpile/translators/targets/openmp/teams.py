"""Parallel regions of OpenMP around a loop, in which each thread finds something and then they merge it.

The loop keeps its text: what it sets is private in the region, and a copy outside holds what is merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, Function, indentation, reindent, source
from transpile.code.variables import Variable
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import Frame, indented
from transpile.translators.loops.reductions.extremes import Extreme, Extremes
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.reductions.scans import Scan
from transpile.translators.targets.openmp.handing import handed, handed_on, overall


@dataclass(frozen=True, slots=True)
class Clauses:
    """What is said of a region, and of the loop in it."""

    region: Sequence[str]
    loop: Sequence[str]
    simd: bool = False
    """Iterations are those of vectors as well, where the loop stays as it is."""


def searching(function: Function, band: Band, clauses: Clauses) -> tuple[Frame, Sequence[Edit[str]]]:
    """Return the region around a loop that looks for extreme numbers and their places."""
    extremes = band.loops[0].found(Extremes)
    assert extremes is not None
    found = extremes.all
    copies = {item: overall(function, band, item.name) for one in found for item in one.variables}
    private = f"firstprivate({', '.join(item.name for item in copies)})"
    merges = tuple(line for one in found for line in _merge(one, copies))
    merged = ("#pragma omp critical", *(merges if len(found) == 1 else ("{", *indented(merges), "}")))
    frame = Frame(
        (
            *(f"{item.type} {name} = {item.name};" for item, name in copies.items()),
            " ".join(("#pragma omp parallel", private, *clauses.region)),
            "{",
            *indented([" ".join(("#pragma omp for", *clauses.loop, "nowait"))]),
        ),
        (*indented(merged), "}", *(f"{item.name} = {name};" for item, name in copies.items())),
        depth=1,
    )
    return frame, ()


def scanning(function: Function, band: Band, clauses: Clauses) -> tuple[Frame, Sequence[Edit[str]]]:
    """Return the region around a running sum: threads add their parts up, and begin with those before."""
    running, outer = band.loops[0].found(Scan), band.outer
    assert running is not None
    variable, name = running.variable, running.variable.name
    part = [line for item in running.step for line in _at_margin(function, item)]
    kept = handed(function, band, variable)
    region = handed_on(function, band, [kept], part, clauses.region, clauses.loop, running.operator)
    if not read_after(variable, outer.node):
        return Frame(region, ("}",), depth=1), ()
    last = f"if (omp_get_thread_num() == omp_get_num_threads() - 1) {kept.overall} = {name};"
    return Frame(region, (INDENT + last, "}", f"{name} = {kept.overall};"), depth=1), ()


def _at_margin(function: Function, statement: Node) -> list[str]:
    """Return the lines of a statement as if nothing around it were indented."""
    text = reindent(source(statement), indentation(function.text, statement.start_byte), "")
    return text.split("\n")


def _merge(one: Extreme, copies: Mapping[Variable, str]) -> Iterator[str]:
    """Yield the statement by which a thread takes its finding to the others."""
    own, overall = source(one.best), one.best_of(copies)
    place = one.place.name
    nearer = f"{place} {'>' if one.prefers_greater else '<'} {copies[one.place]}"
    better = f"{own} {one.sign[0]} {overall} || ({own} == {overall} && {nearer})"
    if one.best.type != "identifier":  # without an iteration there may be no element to compare
        better = f"{place} != {copies[one.place]} && ({better})"
    yield f"if ({better}) {{"
    yield from indented(f"{copies[item]} = {item.name};" for item in one.variables)
    yield "}"
