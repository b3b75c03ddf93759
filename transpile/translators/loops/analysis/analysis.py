"""Facts of every counted loop of a function: whether its iterations may run in parallel, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tree_sitter import Node

from transpile.code.polynomial import add, names
from transpile.code.syntax import LOOPS, Function, find, inside
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.accesses import Access, accesses
from transpile.translators.loops.dependence.checks import Check
from transpile.translators.loops.dependence.dependence import Dependences, of_one_kind
from transpile.translators.loops.dependence.stores import stored
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.spaces import Constraint
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.reductions.compactions import Compaction, compaction
from transpile.translators.loops.reductions.extremes import Extreme, extremes
from transpile.translators.loops.reductions.parts import asks_on, unlike, unlike_updates
from transpile.translators.loops.reductions.scalars import Kind, Scalar, carries, read_after, scalars
from transpile.translators.loops.reductions.scans import Scan, scan
from transpile.translators.loops.reductions.searches import obstacle
from transpile.translators.loops.symbols.outside import NOTHING, Outside
from transpile.translators.refusal import Refused


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A counted loop with what its iterations share."""

    loop: Loop
    reason: str
    """Why they may not run in parallel; empty where they may."""
    scalars: tuple[Scalar, ...] = ()
    updated: frozenset[str] = frozenset()
    """Arrays to whose elements several iterations add, or that they set, in whatever order."""
    extremes: tuple[Extreme, ...] = ()
    """Extreme numbers with their places, which threads look for and merge."""
    scan: Scan | None = None
    """A sum that iterations read while they add to it."""
    compaction: Compaction | None = None
    """Elements that iterations append, each behind those before it."""
    meeting: frozenset[str] = frozenset()
    """Arrays in which iterations may meet, where that is all that keeps them from running in parallel."""
    checks: tuple[Check, ...] = ()
    """What has to hold before its iterations run in parallel, and is to be asked each time."""
    signs: tuple[str, ...] = ()
    """Comparisons that are true where its iterations may run in parallel, to be asked each time as well."""
    rests_on: tuple[str, ...] = ()
    """What is supposed of arrays, or asked, as the names of rules."""
    ragged: bool = False
    """Its iterations go through rows, each of which may be of another length."""
    uneven: frozenset[str] = frozenset()
    """What its number of iterations depends on of what the loops around it vary."""

    @property
    def parallel(self) -> bool:
        """Tell whether the iterations may run in any order, at once."""
        return not self.reason

    @property
    def reductions(self) -> tuple[Scalar, ...]:
        """Return the scalars that are gathered over all iterations."""
        return tuple(item for item in self.scalars if item.kind is Kind.REDUCTION)

    @property
    def privates(self) -> tuple[Scalar, ...]:
        """Return the scalars of which each iteration needs its own."""
        return tuple(item for item in self.scalars if item.kind is Kind.PRIVATE)

    @property
    def lasts(self) -> tuple[Scalar, ...]:
        """Return the scalars of which the last iteration's value is handed out, all within the same loops."""
        return tuple(item for item in self.scalars if item.kind is Kind.LAST)

    @property
    def gathers(self) -> bool:
        """Tell whether iterations bring something together."""
        return bool(self.reductions or self.updated or self.merges)

    @property
    def merges(self) -> bool:
        """Tell whether threads have to merge what they found, or to hand it on."""
        return bool(self.extremes or self.scan or self.compaction)


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """A loop that stands in no other, and all counted loops in it, outermost first."""

    node: Node
    loops: tuple[Known, ...]
    accesses: tuple[Access, ...]
    dependences: Dependences | None = None
    reason: str = ""
    """Why nothing is known of it."""

    def of(self, node: Node) -> Known | None:
        """Return what is known of a loop of the nest."""
        return next((item for item in self.loops if item.loop.node.id == node.id), None)


@lru_cache(maxsize=64)
def by_rows(nest: Nest) -> tuple[Access, ...]:
    """Return a nest's accesses, by rows where subscripts of arrays of one dimension mean rows and columns."""
    return tuple(nest.dependences.by_rows(nest.accesses)) if nest.dependences is not None else ()


def nests(
    function: Function,
    variables: Variables,
    facts: Sequence[Constraint] = (),
    around: Outside = NOTHING,
) -> list[Nest]:
    """Return every outermost loop of a function with what is known of it."""
    outer: list[Node] = []
    for node in find(function.body, *LOOPS):
        if not any(inside(node, other) for other in outer):
            outer.append(node)
    return [nest_of(node, variables, facts, around) for node in outer]


def nest_of(node: Node, variables: Variables, facts: Sequence[Constraint], around: Outside) -> Nest:
    """Return an outermost loop with what is known of it where facts hold."""
    loops = [
        loop for item in find(node, "for_statement") if (loop := counted(item, variables, around)) is not None
    ]
    values = Values(node, loops, variables, around)
    try:
        found = accesses(node, variables, values, around)
    except Refused as why:
        return Nest(node, (), (), reason=why.detail)
    dependences = Dependences(node, loops, values, facts)
    known = tuple(
        replace(known_of(loop, found, variables, values, dependences, around), uneven=_uneven(loop, values))
        for loop in loops
    )
    return Nest(node, known, tuple(found), dependences)


def known_of(
    loop: Loop,
    found: Sequence[Access],
    variables: Variables,
    values: Values,
    dependences: Dependences,
    around: Outside,
) -> Known:
    """Return what is known of one loop of a nest, by all accesses of that and by what meets in it."""
    stays = obstacle(loop, variables, around)
    if stays:
        return Known(loop, stays)
    if not loop.own_variable and read_after(loop.variable, loop.node):
        return Known(loop, read_behind(loop.variable))
    looked_for = extremes(loop, variables, values)
    asked = next((why for one in looked_for if (why := asks_on(one.best, loop, variables, around))), "")
    if asked:
        return Known(loop, asked)
    merged = {item for one in looked_for for item in one.variables}
    written = tuple(item for item in scalars(loop, variables, around) if item.variable not in merged)
    unequal = unlike((item for item in written if item.kind is Kind.REDUCTION), loop, variables, around)
    if unequal:
        return Known(loop, unequal)
    carried = [item.variable for item in written if item.kind is Kind.CARRIED]
    alone = len(carried) == 1 and not looked_for
    running = scan(carried[0], loop, found, variables) if alone else None
    if running is not None:
        added = Scalar(running.variable, Kind.REDUCTION, running.operator)
        unequal = unlike([added], loop, variables, around)
        if unequal:
            return Known(loop, unequal)
    if carried and looked_for:
        return Known(loop, carries(carried[0].name))
    lasts = [item for item in written if item.kind is Kind.LAST]
    differ = any(len(item.within) != len(lasts[0].within) for item in lasts)
    if lasts and (looked_for or running or differ):
        return Known(loop, read_behind(lasts[0].variable))
    appended = None
    if running is None and not looked_for:
        try:
            appended = compaction(written, loop, found, variables, around)
        except Refused as why:
            return Known(loop, why.detail)
    if lasts and appended is not None:
        return Known(loop, read_behind(lasts[0].variable))
    behind = appended.arrays if appended is not None else frozenset()
    meetings = list(dependences.carried(loop, [item for item in found if item.base not in behind]))
    updated = of_one_kind(meetings, lambda item: item.update)
    updated |= of_one_kind(meetings, lambda item: stored(item, loop, values, around))
    others = [item for item in meetings if item.first.base not in updated]
    if others or (updated and running):
        reason = (others or meetings)[0].described
        arrays = {item.first.base for item in meetings} if not (carried or looked_for or appended) else ()
        return Known(loop, reason, written, meeting=frozenset(arrays))
    shared = (item for item in found if item.base in updated and inside(item.node, loop.body))
    return Known(
        loop, unlike_updates(shared, variables, around), written, updated, looked_for, running, appended
    )


def read_behind(variable: Variable) -> str:
    """Return why a loop whose last iteration leaves something does not run in parallel."""
    return f"`{variable.name}` is read after the loop"


def _uneven(loop: Loop, values: Values) -> frozenset[str]:
    first, bound = values.of(loop.first), values.of(loop.bound)
    if first is None or bound is None:
        return values.varying
    return names(add(bound, first, -1)) & values.varying
