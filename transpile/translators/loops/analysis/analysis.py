"""Facts of every counted loop of a function: whether its iterations may run in parallel, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from tree_sitter import Node

from transpile.code.polynomial import add, names
from transpile.code.syntax import LOOPS, Function, find, inside
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.idioms import Idiom, matched
from transpile.translators.loops.dependence.accesses import Access, accesses
from transpile.translators.loops.dependence.checks import Check
from transpile.translators.loops.dependence.dependence import Dependences, of_one_kind
from transpile.translators.loops.dependence.stores import stored
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.spaces import Constraint
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.reductions.last_values import LastValues
from transpile.translators.loops.reductions.matches import Iterations, Match
from transpile.translators.loops.reductions.parts import unlike, unlike_updates
from transpile.translators.loops.reductions.scalars import Kind, Scalar, read_after, read_behind, scalars
from transpile.translators.loops.reductions.searches import obstacle
from transpile.translators.loops.symbols.enclosing_scope import NOTHING, EnclosingScope
from transpile.translators.mentions import Mention, Reason
from transpile.translators.refusal import Refused

Found = TypeVar("Found")

_NO_MATCH = Match(found=None, reason="", independent=True)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A counted loop with what its iterations share."""

    loop: Loop
    reason: str
    """Why they may not run in parallel; empty where they may."""
    mentions: tuple[Mention, ...] = field(default=(), kw_only=True)
    """Parts of the reason that are about places in the function."""
    scalars: tuple[Scalar, ...] = ()
    """Those that it writes, but for those of its idiom."""
    updated: frozenset[str] = frozenset()
    """Arrays to whose elements several iterations add, or that they set, in whatever order."""
    idiom: Idiom | None = None
    """The idiom that it is of."""
    match: Match | None = None
    """What is known of it by that."""
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
        found = self.found(LastValues)
        return found.scalars if found is not None else ()

    @property
    def gathers(self) -> bool:
        """Tell whether iterations bring something together."""
        return bool(self.reductions or self.updated or self.merges)

    @property
    def merges(self) -> bool:
        """Tell whether threads have to merge what they found, or to hand it on."""
        return self.match is not None and self.match.merges

    def found(self, kind: type[Found]) -> Found | None:
        """Return what is known of it by its idiom, which has a class of its own for that."""
        found = self.match.found if self.match is not None else None
        return found if isinstance(found, kind) else None


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """A loop that stands in no other, and all counted loops in it, outermost first."""

    node: Node
    loops: tuple[Known, ...]
    accesses: tuple[Access, ...]
    dependences: Dependences | None = None
    reason: str = ""
    """Why nothing is known of it."""
    mentions: tuple[Mention, ...] = ()
    """Parts of the reason that are about places in the function."""

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
    around: EnclosingScope = NOTHING,
) -> list[Nest]:
    """Return every outermost loop of a function with what is known of it."""
    outer: list[Node] = []
    for node in find(function.body, *LOOPS):
        if not any(inside(node, other) for other in outer):
            outer.append(node)
    return [nest_of(node, variables, facts, around) for node in outer]


def nest_of(node: Node, variables: Variables, facts: Sequence[Constraint], around: EnclosingScope) -> Nest:
    """Return an outermost loop with what is known of it where facts hold."""
    loops = [
        loop for item in find(node, "for_statement") if (loop := counted(item, variables, around)) is not None
    ]
    values = Values(node, loops, variables, around)
    try:
        found = accesses(node, variables, values, around)
    except Refused as why:
        return Nest(node, (), (), reason=why.detail, mentions=why.mentions)
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
    around: EnclosingScope,
) -> Known:
    """Return what is known of one loop of a nest, by all accesses of that and by what meets in it."""
    stays = obstacle(loop, variables, around)
    if stays.text:
        return _sequential(loop, stays)
    if not loop.own_variable and read_after(loop.variable, loop.node):
        return Known(loop, read_behind(loop.variable))
    written = scalars(loop, variables, around)
    unequal = unlike((item for item in written if item.kind is Kind.REDUCTION), loop, variables, around)
    if unequal:
        return Known(loop, unequal)
    given = Iterations(
        loop=loop, accesses=found, scalars=written, variables=variables, values=values, around=around
    )
    try:
        idiom, match = matched(given) or (None, _NO_MATCH)
    except Refused as why:
        return _sequential(loop, Reason(why.detail, why.mentions))
    left = tuple(item for item in written if item.variable not in match.variables)
    unmatched = _unmatched(left)
    if unmatched is not None:
        return _sequential(loop, unmatched)
    meetings = list(dependences.carried(loop, [item for item in found if item.base not in match.arrays]))
    updated = of_one_kind(meetings, lambda item: item.update)
    updated |= of_one_kind(meetings, lambda item: stored(item, loop, values, around))
    others = [item for item in meetings if item.first.base not in updated]
    if others or (updated and match.exclusive):
        known = replace(_sequential(loop, (others or meetings)[0].reason), scalars=left)
        if not match.independent:
            return known
        arrays = frozenset(item.first.base for item in meetings)
        return replace(known, idiom=idiom, match=match, meeting=arrays)
    shared = (item for item in found if item.base in updated and inside(item.node, loop.body))
    return Known(loop, unlike_updates(shared, variables, around), left, updated, idiom, match)


def _sequential(loop: Loop, reason: Reason) -> Known:
    return Known(loop, reason.text, mentions=reason.mentions)


def _unmatched(left: Sequence[Scalar]) -> Reason | None:
    """Return why scalars that are of no idiom keep iterations in order; None where they do not."""
    for item in left:
        if item.kind is Kind.CARRIED:
            return item.reason
    last = next((item for item in left if item.kind is Kind.LAST), None)
    return Reason(read_behind(last.variable)) if last is not None else None


def _uneven(loop: Loop, values: Values) -> frozenset[str]:
    first, bound = values.of(loop.first), values.of(loop.bound)
    if first is None or bound is None:
        return values.varying
    return names(add(bound, first, -1)) & values.varying
