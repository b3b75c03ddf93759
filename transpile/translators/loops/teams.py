"""Parallel regions of OpenMP around a loop, in which each thread finds something and then they merge it.

The loop keeps its text: what it sets is private in the region, and a copy outside holds what is merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from transpile.translators.loops.extremes import Extreme
from transpile.translators.loops.frames import Frame, indented
from transpile.translators.loops.plan import Band
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import Function, source
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
