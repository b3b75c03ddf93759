"""Parallel regions of OpenMP around a loop, in which each thread finds something and then they merge it.

The loop keeps its text: what it sets is private in the region, and a copy outside holds what is merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from transpile.translators.loops.extremes import Extreme
from transpile.translators.loops.forms.places import closed
from transpile.translators.loops.frames import Frame, indented
from transpile.translators.loops.plan import Band
from transpile.translators.loops.scalars import read_after
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import Function, indentation, reindent, source
from transpile.translators.rules.variables import Variable


def searching(function: Function, band: Band, region: Sequence[str], loop: Sequence[str]) -> Frame:
    """Return the region around a loop that looks for extreme numbers and their places.

    Args:
        function: Whose loop it is.
        band: The loop.
        region: Clauses of the region.
        loop: Clauses of the loop in it.
    """
    found = band.loops[0].extremes
    copies = {
        item: free_name(function.identifiers, f"{item.name}_overall")
        for one in found
        for item in one.variables
    }
    private = f"firstprivate({', '.join(item.name for item in copies)})"
    merges = tuple(line for one in found for line in _merge(one, copies))
    merged = ("#pragma omp critical", *(merges if len(found) == 1 else ("{", *indented(merges), "}")))
    return Frame(
        (
            *(f"{item.type} {name} = {item.name};" for item, name in copies.items()),
            " ".join(("#pragma omp parallel", private, *region)),
            "{",
            *indented([" ".join(("#pragma omp for", *loop, "nowait"))]),
        ),
        (*indented(merged), "}", *(f"{item.name} = {name};" for item, name in copies.items())),
        depth=1,
    )


def scanning(function: Function, band: Band, region: Sequence[str], loop: Sequence[str]) -> Frame:
    """Return the region around a running sum: threads add their parts up, and then begin with those before.

    Both loops give a thread the same iterations, in the order of threads (``schedule(static)``).
    """
    known, outer = band.loops[0], band.outer
    assert known.scan is not None
    variable, taken = known.scan.variable, function.identifiers
    name, overall = variable.name, free_name(taken, f"{variable.name}_overall")
    before, thread = free_name(taken, f"{name}_before"), free_name(taken, "thread")
    after = read_after(variable, outer.node)
    last = f"if (omp_get_thread_num() == omp_get_num_threads() - 1) {overall} = {name};"
    return Frame(
        (
            f"{variable.type} {overall} = {name};",
            " ".join(("#pragma omp parallel", f"private({name})", *region)),
            "{",
            *indented(
                (
                    f"{name} = 0;",
                    "#pragma omp for schedule(static) nowait",
                    *_part(function, outer.node, known.scan.step),
                    "#pragma omp for ordered schedule(static, 1)",
                    f"for (int {thread} = 0; {thread} < omp_get_num_threads(); {thread}++) {{",
                    *indented(
                        (
                            "#pragma omp ordered",
                            "{",
                            *indented(
                                (
                                    f"const {variable.type} {before} = {overall};",
                                    f"{overall} += {name};",
                                    f"{name} = {before};",
                                )
                            ),
                            "}",
                        )
                    ),
                    "}",
                    " ".join(("#pragma omp for schedule(static)", *loop)),
                )
            ),
        ),
        (*(indented([last]) if after else ()), "}", *((f"{name} = {overall};",) if after else ())),
        depth=1,
    )


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
