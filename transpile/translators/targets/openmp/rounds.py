"""Searches for the first hit in rounds, each longer than the one before: none begins behind a hit.

So a hit that comes early is found early, and one that comes late with few meetings of threads.
"""

from __future__ import annotations

from transpile.code.edits import Edit
from transpile.code.names import free_name, with_number
from transpile.code.syntax import Function, field, find, inside, replace, source, unparenthesized
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.frames import Frame, indented, numbered
from transpile.translators.loops.iteration.trips import tight
from transpile.translators.loops.reductions.scalars import Scalar
from transpile.translators.targets.openmp.teams import Clauses

_FIRST = 1000
"""Iterations of the first round; every other one is so much longer than half of all before."""
_ENOUGH = 100_000
"""Comparisons that take much longer than it does to begin with two threads and to meet."""
_CALLING = 10_000
"""The same where an iteration calls something."""
_HEAD = "for ({type} {begin} = {first}, {end}; {begin} < {bound} && {begin} < {hit}; {begin} = {end}) {{"
_END = "{end} = {bound} - {begin} > {begin} / 2 + {more} ? {begin} + {begin} / 2 + {more} : {bound};"


def first_hit(band: Band) -> Scalar | None:
    """Return the number of the first hit, where all that a loop does is to look for it from 0 or more on."""
    known, loop = band.loops[0], band.outer
    counts = loop.step == 1 and not loop.inclusive and source(unparenthesized(loop.first)).isdigit()
    if not counts or len(band.loops) > 1 or [item.extreme for item in known.reductions] != ["min"]:
        return None
    [hit] = known.reductions
    writes = [write for write in hit.variable.writes if inside(write, loop.node)]
    numbers = all(source(unparenthesized(field(write, "right"))) == loop.variable.name for write in writes)
    stores = any(item.write for item in band.nest.accesses if inside(item.node, loop.node))
    alone = not (known.updated or known.privates or known.lasts)
    return hit if numbers and not stores and alone else None


def in_rounds(function: Function, band: Band, hit: Scalar, clauses: Clauses) -> tuple[Frame, list[Edit[str]]]:
    """Return what stands around a search and the edits of its head."""
    loop, number = band.outer, numbered(function, band.outer.node)
    wishes = (with_number(wish, number) for wish in ("begin", "end"))
    begin, end = (free_name(function.identifiers, wish) for wish in wishes)
    words = {
        "type": hit.variable.type,
        "hit": hit.variable.name,
        "begin": begin,
        "end": end,
        "first": source(loop.first),
        "bound": tight(source(unparenthesized(loop.bound))),
        "more": _FIRST,
    }
    enough = _CALLING if any(find(loop.body, "call_expression")) else _ENOUGH
    line = " ".join(("#pragma omp parallel for", *clauses.loop, f"if ({end} - {begin} > {enough})"))
    above = (_HEAD.format(**words), *indented((_END.format(**words), line)))
    return Frame(above, ("}",), depth=1), [replace(loop.first, begin), replace(loop.bound, end)]
