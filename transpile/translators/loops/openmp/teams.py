"""Parallel regions of OpenMP around a loop, in which each thread finds something and then they merge it.

The loop keeps its text: what it sets is private in the region, and a copy outside holds what is merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

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


_ADDED_UP = """\
{type} {overall} = {name};
#pragma omp parallel {clauses}
{{{start}
    #pragma omp for schedule(static) nowait
    {part}
    #pragma omp for ordered schedule(static, 1)
    for (int {thread} = 0; {thread} < omp_get_num_threads(); {thread}++) {{
        #pragma omp ordered
        {{
            const {type} {before} = {overall};
            {merged}
            {name} = {before};
        }}
    }}
    {loop}"""
_ONTO = {
    "+": "{overall} += {own};",
    "min": "if ({own} < {overall}) {overall} = {own};",
    "max": "if ({own} > {overall}) {overall} = {own};",
}


def scanning(function: Function, band: Band, clauses: Clauses) -> Frame:
    """Return the region around a running sum: threads add their parts up, and then begin with those before.

    Both loops give a thread the same iterations, in the order of threads (``schedule(static)``).
    """
    running, outer, taken = band.loops[0].scan, band.outer, function.identifiers
    assert running is not None
    variable, name = running.variable, running.variable.name
    overall = _overall(function, band, variable)
    adds = running.operator == "+"  # an extreme begins in every thread with what was there before
    above = _ADDED_UP.format(
        type=variable.type,
        name=name,
        overall=overall,
        before=free_name(taken, f"{name}_before"),
        thread=free_name(taken, "thread"),
        start=f"\n{INDENT}{name} = 0;" if adds else "",
        merged=_ONTO[running.operator].format(own=name, overall=overall),
        clauses=" ".join((f"{'private' if adds else 'firstprivate'}({name})", *clauses.region)),
        part=f"\n{INDENT}".join(_part(function, outer.node, running.step)),
        loop=" ".join(("#pragma omp for schedule(static)", *clauses.loop)),
    ).split("\n")
    if not read_after(variable, outer.node):
        return Frame(tuple(above), ("}",), depth=1)
    last = f"if (omp_get_thread_num() == omp_get_num_threads() - 1) {overall} = {name};"
    return Frame(tuple(above), (INDENT + last, "}", f"{name} = {overall};"), depth=1)


def _overall(function: Function, band: Band, variable: Variable) -> str:
    """Return a name for what all threads have found, of its own for each loop of a function."""
    number = numbered(function, band.outer.node)
    return free_name(function.identifiers, with_number(f"{variable.name}_overall", number))


def _part(function: Function, loop: Node, step: Sequence[Node]) -> Iterator[str]:
    """Yield a loop that does no more than a step of its body."""
    head = function.text[loop.start_byte : closed(loop)]
    yield from f"{reindent(head, indentation(function.text, loop.start_byte), '')} {{".split("\n")
    for item in step:
        moved = reindent(source(item), indentation(function.text, item.start_byte), "")
        yield from indented(moved.split("\n"))
    yield "}"


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
