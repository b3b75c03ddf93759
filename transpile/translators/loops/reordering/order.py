"""Another order for the statements of a nest: what isl finds, its loops in order for caches.

isl's scheduler (Verdoolaege, "isl: An Integer Set Library", 2010; Pluto's cost: Bondhugula et al., 2008)
finds bands of loops that may be permuted. It does not know how arrays lie in memory: of what may be permuted,
the loop that runs along rows goes innermost here, and one whose iterations are free outermost.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations

import islpy

from transpile.translators.loops.reordering.model import Model, Statement, Unmodelled
from transpile.translators.loops.reordering.tree import PARALLEL, called, calls, identifiers, kind
from transpile.translators.rules.polynomial import names

_BLOCK = 32
"""Iterations of a loop in one block."""
_ROW = 256
"""The same of the innermost loop, which goes along rows."""
_DEEP = 3
"""Loops of a band from which on it is cut into blocks."""
_MOST = 5
"""Loops of a band of which all orders are tried."""
_STEPS = 50_000_000
"""Operations after which isl gives up: some seconds."""
_FAR = 100
"""What an access costs that jumps from row to row, beside one that goes on in its row."""


def reordered(model: Model) -> islpy.AstNode:
    """Return the loops of a nest in their new order; marks stand above those that may run at once.

    Raises Unmodelled where isl finds none.
    """
    try:
        return _reordered(model, islpy.Context())
    except islpy.Error as error:
        raise Unmodelled("another order, which isl does not find") from error


def _reordered(model: Model, context: islpy.Context) -> islpy.AstNode:
    context.set_max_operations(_STEPS)
    context.set_schedule_serialize_sccs(1)
    context.set_tile_shift_point_loops(0)
    context.set_ast_build_atomic_upper_bound(1)
    domain = islpy.UnionSet.read_from_str(context, model.domain)
    constraints = islpy.ScheduleConstraints.on_domain(domain)
    dependences = _dependences(model, domain)
    constraints = constraints.set_validity(dependences).set_coincidence(dependences)
    schedule = constraints.set_proximity(dependences).compute_schedule()
    arranged = _Arranger(model, dependences).arranged(schedule.get_root(), free=True)
    build = islpy.AstBuild.from_context(islpy.Set.read_from_str(context, "{ : }"))
    return build.node_from_schedule(arranged.get_schedule())


def _dependences(model: Model, domain: islpy.UnionSet) -> islpy.UnionMap:
    """Return which iterations have to come before which others: those that share memory which one writes."""
    context = domain.get_ctx()
    reads, writes, order = (
        islpy.UnionMap.read_from_str(context, text).intersect_domain(domain)
        for text in (model.reads, model.writes, model.order)
    )
    before = order.lex_lt_union_map(order)
    pairs = [(writes, reads), (reads, writes), (writes, writes)]
    first, *rest = [one.apply_range(other.reverse()).intersect(before) for one, other in pairs]
    for item in rest:
        first = first.union(item)
    return first.coalesce()


def jumps(statement: Statement, dimensions: Collection[str]) -> int:
    """Return what the accesses of a statement cost in a loop that moves these of its dimensions."""
    total = 0
    for place in statement.places:
        *outer, last = [names(item) for item in place.subscripts or ({},)]
        if any(not item.isdisjoint(dimensions) for item in outer):
            total += _FAR
        elif not last.isdisjoint(dimensions):
            total += 1
    return total * int(10 ** len(statement.loops))


def saves(tree: islpy.AstNode, model: Model) -> bool:
    """Tell whether the innermost loops of a tree go on in their rows more often than the source's do."""
    before = sum(
        jumps(statement, {statement.loops[-1].dimension}) for statement in model.statements if statement.loops
    )
    after = 0
    for call, around in calls(tree):
        statement = called(call, model)
        values = [set(identifiers(call.get_op_arg(at + 1))) for at in range(len(statement.loops))]
        inner = next((name for name in reversed(around) if any(name in item for item in values)), "")
        after += jumps(
            statement,
            {loop.dimension for loop, item in zip(statement.loops, values, strict=True) if inner in item},
        )
    return after < before


@dataclass(frozen=True, slots=True)
class _Arranger:
    model: Model
    dependences: islpy.UnionMap

    def arranged(self, node: islpy.ScheduleNode, *, free: bool) -> islpy.ScheduleNode:
        """Arrange every band below a node, and mark what runs at once; returns the node in its place."""
        if kind(node) == "band":
            return self._band(node, free=free)
        for at in range(node.n_children()):
            node = self.arranged(node.child(at), free=free).parent()
        return node

    def _band(self, node: islpy.ScheduleNode, *, free: bool) -> islpy.ScheduleNode:
        distances = self._distances(node)
        order = min(self._orders(node), key=lambda item: self._rank(node, distances, item))
        blocks = _blocks(node, distances, order) if free else None
        if blocks is not None:
            return self._blocked(_permuted(node, order), blocks)
        parallel = _parallel(distances, order) if free else None
        node = _permuted(node, order)
        above = 0
        if parallel is not None and _worth(node, parallel):
            if parallel:
                node = node.band_split(parallel).child(0)
                above += 1
            node = _marked(node)
            above += 1
        node = self.arranged(node.child(0), free=free and not above).parent()
        return _ancestor(node, above)

    def _blocked(self, node: islpy.ScheduleNode, outer: int) -> islpy.ScheduleNode:
        """Cut a band into blocks that fit into a cache, those of one member outermost and at once."""
        members = node.band_n_member()
        sizes = islpy.MultiVal.zero(node.band_get_space())
        for at in range(members):
            size = _ROW if at == members - 1 else _BLOCK
            sizes = sizes.set_val(at, islpy.Val(size, context=node.get_ctx()))
        node = node.band_tile(sizes)
        node = _permuted(node, (outer, *(at for at in range(members) if at != outer)))
        return _ancestor(self.arranged(_marked(node).child(0).child(0), free=False), 3)

    def _distances(self, node: islpy.ScheduleNode) -> islpy.Set:
        """Return how far apart in a band the iterations are that depend on each other and meet there."""
        outer = node.get_prefix_schedule_union_map()
        together = outer.apply_range(outer.reverse())
        band = node.band_get_partial_schedule_union_map()
        within = self.dependences.intersect(together).apply_domain(band).apply_range(band)
        found = within.deltas()
        space = node.band_get_space()
        return found.extract_set(space) if not found.is_empty() else islpy.Set.empty(space)

    def _orders(self, node: islpy.ScheduleNode) -> list[tuple[int, ...]]:
        own = tuple(range(node.band_n_member()))
        return list(permutations(own)) if node.band_get_permutable() and len(own) <= _MOST else [own]

    def _rank(
        self, node: islpy.ScheduleNode, distances: islpy.Set, order: tuple[int, ...]
    ) -> tuple[object, ...]:
        """Return what speaks against an order: jumps in memory first, then how often threads have to meet."""
        partial = node.band_get_partial_schedule()
        costs = [self._cost(partial.get_union_pw_aff(at)) for at in reversed(order)]
        parallel = _parallel(distances, order)
        return costs[0], len(order) if parallel is None else parallel, costs, order

    def _cost(self, member: islpy.UnionPwAff) -> int:
        """Return what the accesses of all statements cost where a member of a band is innermost."""
        statements = {statement.name: statement for statement in self.model.statements}
        return sum(
            _cost(statements[piecewise.get_tuple_id(islpy.dim_type.in_).get_name()], value)
            for piecewise in _pieces(member)
            for _, value in piecewise.get_pieces()
        )


def _marked(node: islpy.ScheduleNode) -> islpy.ScheduleNode:
    return node.insert_mark(islpy.Id(PARALLEL, context=node.get_ctx())).child(0)


def _worth(node: islpy.ScheduleNode, place: int) -> bool:
    """Tell whether a member of a band does enough at a time for threads to meet behind it."""
    alone = node.get_schedule_depth() + place == 0
    return alone or place + 1 < node.band_n_member() or _has_band(node.child(0))


def _has_band(node: islpy.ScheduleNode) -> bool:
    return kind(node) == "band" or any(_has_band(node.child(at)) for at in range(node.n_children()))


def _ancestor(node: islpy.ScheduleNode, generations: int) -> islpy.ScheduleNode:
    for _ in range(generations):
        node = node.parent()
    return node


def _blocks(node: islpy.ScheduleNode, distances: islpy.Set, order: Sequence[int]) -> int | None:
    """Return which member of an ordered band may be cut into blocks that run at once, where blocks help.

    They do where data is used again, as by three loops around arrays of two dimensions, and where a loop is
    free that is not the outermost one: its blocks may be.
    """
    if len(order) < 2 or not node.band_get_permutable():
        return None
    free = [place for place, at in enumerate(order) if _parallel(distances, (at,)) is not None]
    helps = len(order) >= _DEEP or _parallel(distances, order) != 0
    return free[0] if free and helps else None


def _parallel(distances: islpy.Set, order: Sequence[int]) -> int | None:
    """Return the first place in an order where all that is left to depend on lies in the same iteration."""
    for place, at in enumerate(order):
        same = distances.fix_val(islpy.dim_type.set, at, islpy.Val(0, context=distances.get_ctx()))
        if distances.is_subset(same):
            return place
        distances = same
    return None


def _permuted(node: islpy.ScheduleNode, order: Sequence[int]) -> islpy.ScheduleNode:
    if list(order) == sorted(order):
        return node
    partial = node.band_get_partial_schedule()
    chosen = partial
    for place, at in enumerate(order):
        chosen = chosen.set_union_pw_aff(place, partial.get_union_pw_aff(at))
    return node.delete().insert_partial_schedule(chosen).band_set_permutable(1)


def _pieces(member: islpy.UnionPwAff) -> list[islpy.PwAff]:
    found = member.get_pw_aff_list()
    return [found.get_at(at) for at in range(found.n_pw_aff())]


def _cost(statement: Statement, value: islpy.Aff) -> int:
    return jumps(
        statement,
        {
            loop.dimension
            for at, loop in enumerate(statement.loops)
            if not value.get_coefficient_val(islpy.dim_type.in_, at).is_zero()
        },
    )
