"""Parallel regions of OpenMP around a loop, in which each thread finds something and then they merge it.

The loop keeps its text: what it sets is private in the region, and a copy outside holds what is merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.translators.loops.counting import counted
from transpile.translators.loops.extremes import Extreme
from transpile.translators.loops.forms.places import closed
from transpile.translators.loops.openmp.frames import Frame, indented, numbered
from transpile.translators.loops.plan import Band
from transpile.translators.loops.scalars import read_after
from transpile.translators.rules.names import free_name, with_number
from transpile.translators.rules.syntax import INDENT, Function, indentation, reindent, source
from transpile.translators.rules.variables import Variable


@dataclass(frozen=True, slots=True)
class Clauses:
    """What is said of a region, and of the loop in it."""

    region: Sequence[str]
    loop: Sequence[str]


def searching(function: Function, band: Band, clauses: Clauses) -> Frame:
    """Return the region around a loop that looks for extreme numbers and their places."""
    found = band.loops[0].extremes
    copies = {item: _overall(function, band, item) for one in found for item in one.variables}
    private = f"firstprivate({', '.join(item.name for item in copies)})"
    merges = tuple(line for one in found for line in _merge(one, copies))
    merged = ("#pragma omp critical", *(merges if len(found) == 1 else ("{", *indented(merges), "}")))
    return Frame(
        (
            *(f"{item.type} {name} = {item.name};" for item, name in copies.items()),
            " ".join(("#pragma omp parallel", private, *clauses.region)),
            "{",
            *indented([" ".join(("#pragma omp for", *clauses.loop, "nowait"))]),
        ),
        (*indented(merged), "}", *(f"{item.name} = {name};" for item, name in copies.items())),
        depth=1,
    )


_ONTO = {
    "+": "{overall} += {own};",
    "min": "if ({own} < {overall}) {overall} = {own};",
    "max": "if ({own} > {overall}) {overall} = {own};",
}


def scanning(function: Function, band: Band, clauses: Clauses) -> Frame:
    """Return the region around a running sum: threads add their parts up, and begin with those before."""
    running, outer = band.loops[0].scan, band.outer
    assert running is not None
    variable, name = running.variable, running.variable.name
    part = [line for item in running.step for line in _at_margin(function, item)]
    above = _handed_on(function, band, [variable], running.operator, part, clauses)
    if not read_after(variable, outer.node):
        return Frame(above, ("}",), depth=1)
    overall = _overall(function, band, variable)
    last = f"if (omp_get_thread_num() == omp_get_num_threads() - 1) {overall} = {name};"
    return Frame(above, (INDENT + last, "}", f"{name} = {overall};"), depth=1)


def appending(function: Function, band: Band, clauses: Clauses) -> Frame:
    """Return the region around a compaction: threads count, and then append behind those before."""
    found = band.loops[0].compaction
    assert found is not None
    part = list(counted(function, found, band.outer.body))
    above = _handed_on(function, band, found.counters, "+", part, clauses)
    read = [item for item in found.counters if read_after(item, band.node)]
    ends = (f"{item.name} = {_overall(function, band, item)};" for item in read)
    return Frame(above, ("}", *ends), depth=1)


def _handed_on(
    function: Function,
    band: Band,
    variables: Sequence[Variable],
    operator: str,
    part: Sequence[str],
    clauses: Clauses,
) -> tuple[str, ...]:
    """Return the lines above a loop in which threads begin with what those before them have found.

    Both loops give a thread the same iterations, in the order of threads (``schedule(static)``).
    """
    taken, names = function.identifiers, [item.name for item in variables]
    overall = [_overall(function, band, item) for item in variables]
    adds = operator == "+"  # an extreme begins in every thread with what was there before
    kept = f"{'private' if adds else 'firstprivate'}({', '.join(names)})"
    thread = free_name(taken, "thread")
    head = function.text[band.node.start_byte : closed(band.node)]
    merged = [
        line
        for item, whole in zip(variables, overall, strict=True)
        for line in _taken_on(item, whole, free_name(taken, f"{item.name}_before"), operator)
    ]
    inner = (
        *(f"{name} = 0;" for name in names if adds),
        "#pragma omp for schedule(static) nowait",
        *f"{reindent(head, indentation(function.text, band.node.start_byte), '')} {{".split("\n"),
        *indented(part),
        "}",
        "#pragma omp for ordered schedule(static, 1)",
        f"for (int {thread} = 0; {thread} < omp_get_num_threads(); {thread}++) {{",
        *indented(("#pragma omp ordered", "{", *indented(merged), "}")),
        "}",
        " ".join(("#pragma omp for schedule(static)", *clauses.loop)),
    )
    return (
        *(f"{item.type} {whole} = {item.name};" for item, whole in zip(variables, overall, strict=True)),
        " ".join(("#pragma omp parallel", kept, *clauses.region)),
        "{",
        *indented(inner),
    )


def _taken_on(item: Variable, overall: str, before: str, operator: str) -> Iterator[str]:
    """Yield the statements by which a thread adds its part, and then has what those before it have."""
    yield f"const {item.type} {before} = {overall};"
    yield _ONTO[operator].format(own=item.name, overall=overall)
    yield f"{item.name} = {before};"


def _overall(function: Function, band: Band, variable: Variable) -> str:
    """Return a name for what all threads have found, of its own for each loop of a function."""
    number = numbered(function, band.outer.node)
    return free_name(function.identifiers, with_number(f"{variable.name}_overall", number))


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
