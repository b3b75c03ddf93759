"""Parallel regions around a compaction: threads count what is theirs, and append behind those before them.

A container is made as long as it becomes in between, so that threads store elements where there are some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import Function, arguments, replace, source
from transpile.code.variables import Variable
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import Frame
from transpile.translators.loops.reductions.compactions import Compaction
from transpile.translators.loops.reductions.counting import counted
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.targets.openmp.handing import Handed, handed, handed_on, overall
from transpile.translators.targets.openmp.teams import Clauses


def appending(function: Function, band: Band, clauses: Clauses) -> tuple[Frame, list[Edit[str]]]:
    """Return what stands around a compaction, and the edits by which its iterations store elements."""
    found = band.loops[0].found(Compaction)
    assert found is not None
    counters = [handed(function, band, item) for item in found.counters]
    places = {item: _place(function, band, item) for item in found.containers}
    part = list(counted(function, found.slice, _counts(found, places), band.outer.body))
    longer = [f"{item.name}.resize({place.overall});" for item, place in places.items()]
    region = handed_on(
        function,
        band,
        [*counters, *places.values()],
        part,
        clauses.region,
        clauses.loop,
        between=[line for item in longer for line in ("#pragma omp single", item)],
    )
    read = [item.name for item in found.counters if read_after(item, band.node)]
    ends = (f"{item.name} = {item.overall};" for item in counters if item.name in read)
    return Frame(region, ("}", *ends), depth=1), list(_stores(found, places))


def _place(function: Function, band: Band, container: Variable) -> Handed:
    """Return where a thread stores the next element of a container."""
    taken, name = function.identifiers, container.name
    return Handed(
        name=free_name(taken, f"{name}_place"),
        type="std::size_t",
        begun=f"{name}.size()",
        overall=overall(function, band, name),
        before=free_name(taken, f"{name}_before"),
        local=True,
    )


def _counts(found: Compaction, places: Mapping[Variable, Handed]) -> dict[int, str]:
    """Return what counts in the place of each statement that appends."""
    steps = {item.statement.id: f"{source(item.node)};" for item in found.steps}
    return steps | {item.statement.id: f"{places[item.container].name}++;" for item in found.pushes}


def _stores(found: Compaction, places: Mapping[Variable, Handed]) -> Iterator[Edit[str]]:
    """Yield the edits that store what is appended to containers where it belongs."""
    for item in found.pushes:
        [value] = arguments(item.call)
        target = f"{item.container.name}[{places[item.container].name}++]"
        yield replace(item.call, f"{target} = {source(value)}")
