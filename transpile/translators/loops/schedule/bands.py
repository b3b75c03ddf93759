"""Bands of loops that may be permuted, in order for memory and threads.

isl does not know how arrays lie in memory: of what may be permuted, the loop that runs along rows goes
innermost here, and one whose iterations are free outermost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import islpy

from transpile.translators.loops.schedule.cost import jumps
from transpile.translators.loops.schedule.model import Model, Statement
from transpile.translators.loops.schedule.tree import kind, parallel

_BLOCK = 32
"""Iterations of a loop in one block."""
_ROW = 256
"""The same of the innermost loop, which goes along rows."""
_DEEP = 3
"""Loops of a band from which on it is cut into blocks."""
_MOST = 5
"""Loops of a band of which all orders are tried."""


@dataclass(frozen=True, slots=True)
class Arranger:
    """Puts the loops of bands into the order that suits memory."""

    model: Model
    dependences: islpy.UnionMap

    def arranged(self, node: islpy.ScheduleNode, *, free: bool) -> islpy.ScheduleNode:
        """Arrange every band below a node, and mark what runs in parallel; returns the node in its place."""
        if kind(node) == "band":
            return self._band(node, free=free)
        for at in range(node.n_children()):
            node = self.arranged(node.child(at), free=free).parent()
        return node

    def _band(self, node: islpy.ScheduleNode, *, free: bool) -> islpy.ScheduleNode:
        node = _without_fixed(node)
        if kind(node) != "band":
            return self.arranged(node, free=free)
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
        return _apart(self.dependences.intersect(_together(node)), node)

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


def _together(node: islpy.ScheduleNode) -> islpy.UnionMap:
    """Return the pairs of iterations that meet at a node."""
    outer = node.get_prefix_schedule_union_map()
    return outer.apply_range(outer.reverse())


def _apart(pairs: islpy.UnionMap, node: islpy.ScheduleNode) -> islpy.Set:
    """Return how far apart in a band pairs of iterations are."""
    band = node.band_get_partial_schedule_union_map()
    found = pairs.apply_domain(band).apply_range(band).deltas()
    space = node.band_get_space()
    return found.extract_set(space) if not found.is_empty() else islpy.Set.empty(space)


def _without_fixed(node: islpy.ScheduleNode) -> islpy.ScheduleNode:
    """Return a band without the members that do not move where the loops around it stand still."""
    apart = _apart(_together(node), node)
    moving = [at for at in range(node.band_n_member()) if not apart.is_subset(_still(apart, at))]
    if len(moving) == node.band_n_member():
        return node
    partial, permutable = node.band_get_partial_schedule(), node.band_get_permutable()
    node = node.delete()
    if not moving:
        return node
    kept = islpy.UnionPwAffList.alloc(node.get_ctx(), len(moving))
    for at in moving:
        kept = kept.add(partial.get_union_pw_aff(at))
    space = islpy.Space.set_alloc(node.get_ctx(), 0, len(moving)).align_params(partial.get_space())
    chosen = islpy.MultiUnionPwAff.from_union_pw_aff_list(space, kept)
    return node.insert_partial_schedule(chosen).band_set_permutable(int(permutable))


def _still(distances: islpy.Set, at: int) -> islpy.Set:
    """Return those distances that do not move one member of a band."""
    return distances.fix_val(islpy.dim_type.set, at, islpy.Val(0, context=distances.get_ctx()))


def _marked(node: islpy.ScheduleNode) -> islpy.ScheduleNode:
    """Mark the loop of a band's first member."""
    name = parallel(node.get_schedule_depth())
    return node.insert_mark(islpy.Id(name, context=node.get_ctx())).child(0)


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
    """Return which member of an ordered band may be cut into blocks that run in parallel, where blocks help.

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
        same = _still(distances, at)
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
