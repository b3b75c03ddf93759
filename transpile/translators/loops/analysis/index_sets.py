"""Loops whose iterations depend on one of them alone: those before it are parallel, and so are those behind.

So every iteration comes when it came before (index-set splitting: Griebl, Feautrier and Lengauer, 2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.polynomial import Polynomial, add, name, names
from transpile.code.syntax import inside
from transpile.translators.loops.analysis.analysis import Known, Nest, by_rows
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.spaces import below


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A loop, and the value of its variable that parts its iterations."""

    known: Known
    at: Polynomial


def split(nest: Nest, known: Known) -> Split | None:
    """Return a loop with what parts it; None where that is not known to free the other iterations."""
    loop = known.loop
    if loop.step != 1 or not known.meeting or known.gathers or known.lasts or nest.dependences is None:
        return None
    found: list[Polynomial] = []
    for value in _candidates(nest, known):
        if value not in found:
            found.append(value)
    return next((Split(known, value) for value in found if _parts(nest, loop, value)), None)


def _parts(nest: Nest, loop: Loop, value: Polynomial) -> bool:
    """Tell whether no iteration before a value depends on another one, nor any behind it."""
    assert nest.dependences is not None
    own = name(loop.dimension)
    return nest.dependences.covers(loop, value) and not any(
        any(nest.dependences.carried(loop, nest.accesses, [side]))
        for side in (below(own, value), below(value, own))
    )


def _candidates(nest: Nest, known: Known) -> Iterator[Polynomial]:
    """Yield at which values an iteration touches what all others touch."""
    loop = known.loop
    moving = {item.loop.dimension for item in nest.loops if inside(item.loop.node, loop.node)}
    own = name(loop.dimension)
    for base in sorted(known.meeting):
        found = [item for item in by_rows(nest) if item.base == base and inside(item.node, loop.body)]
        for values in _columns(found):
            ahead = [add(value, own, -1) for value in values if loop.dimension in names(value)]
            fixed = [value for value in values if not names(value) & moving]
            yield from (add(value, rest, -1) for value in fixed for rest in ahead if not names(rest) & moving)


def _columns(found: Sequence[Access]) -> Iterator[list[Polynomial]]:
    """Yield for each dimension of an array the subscripts that are known."""
    for subscripts in zip(*(item.subscripts for item in found), strict=False):
        yield [item for item in subscripts if item is not None]
