"""Another order for the statements of a nest: the best of those that isl finds.

isl's scheduler (Verdoolaege, "isl: An Integer Set Library", 2010; Pluto's cost: Bondhugula et al., 2008)
finds bands of loops that may be permuted. Once one of their loops is outermost, more may be free below it,
and statements may part: each is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import islpy

from transpile.translators.loops.schedule.bands import Arranger
from transpile.translators.loops.schedule.cost import cost
from transpile.translators.loops.schedule.model import Model, Unmodelled
from transpile.translators.loops.schedule.tree import kind, readable

_STEPS = 50_000_000
"""Operations after which isl gives up: some seconds."""


@dataclass(frozen=True, slots=True)
class Reordered:
    """The loops of a nest in the best order found; marks stand above those that may run in parallel."""

    tree: islpy.AstNode
    better: bool
    """It costs less than the source's order."""


def reordered(model: Model) -> Reordered:
    """Return the best order for a nest; raises Unmodelled where isl finds none."""
    context = islpy.Context()
    context.set_max_operations(_STEPS)
    context.set_schedule_serialize_sccs(1)
    context.set_tile_shift_point_loops(0)
    context.set_ast_build_atomic_upper_bound(1)
    try:
        domain = islpy.UnionSet.read_from_str(context, model.domain)
        search = _Search(model, _dependences(model, domain))
        written = search.as_written(domain)
        best = min(written, search.other(domain), key=_rank)
        return Reordered(best.tree, _rank(best) < _rank(written))
    except islpy.Error as error:
        raise Unmodelled("another order, which isl does not find") from error


@dataclass(frozen=True, slots=True)
class _Order:
    """A schedule, and what isl builds of it."""

    schedule: islpy.Schedule
    tree: islpy.AstNode
    cost: float


def _rank(order: _Order) -> tuple[bool, float]:
    """Return what speaks against an order: conditions in loops, then its cost."""
    return not readable(order.tree), order.cost


@dataclass(frozen=True, slots=True)
class _Search:
    model: Model
    dependences: islpy.UnionMap

    def as_written(self, domain: islpy.UnionSet) -> _Order:
        """Return the source's order."""
        order = islpy.UnionMap.read_from_str(domain.get_ctx(), self.model.order).intersect_domain(domain)
        times = islpy.MultiUnionPwAff.from_union_map(order)
        return self._arranged(islpy.Schedule.from_domain(domain).insert_partial_schedule(times))

    def other(self, domain: islpy.UnionSet) -> _Order:
        """Return the best order of each part that depends on itself, one part behind the other."""
        root = self._computed(domain, self.dependences).get_root().child(0)
        if kind(root) != "sequence":
            return self._best_of(domain)
        parts = [root.child(at).filter_get_filter().intersect(domain) for at in range(root.n_children())]
        orders = (self._best_of(part).schedule for part in parts)
        return self._built(reduce(lambda first, then: first.sequence(then), orders))

    def _best_of(self, domain: islpy.UnionSet) -> _Order:
        return min(self._alternatives(domain), key=_rank)

    def _alternatives(self, domain: islpy.UnionSet) -> Iterator[_Order]:
        """Yield isl's own order, and those with each loop of its outermost band around all else."""
        found = self._computed(domain, self.dependences)
        yield self._arranged(found)
        band = found.get_root().child(0)
        if kind(band) != "band" or not band.band_get_permutable():
            return
        partial = band.band_get_partial_schedule()
        for at in range(band.band_n_member() if band.band_n_member() > 1 else 0):
            outer = islpy.MultiUnionPwAff.from_union_pw_aff(partial.get_union_pw_aff(at))
            times = islpy.UnionMap.from_multi_union_pw_aff(outer)
            within = self.dependences.intersect(times.apply_range(times.reverse()))
            inner = self._computed(domain, within)
            yield self._arranged(inner.insert_partial_schedule(outer))

    def _arranged(self, schedule: islpy.Schedule) -> _Order:
        arranger = Arranger(self.model, self.dependences)
        return self._built(arranger.arranged(schedule.get_root(), free=True).get_schedule())

    def _built(self, schedule: islpy.Schedule) -> _Order:
        known = islpy.Set.read_from_str(schedule.get_ctx(), self.model.known)
        tree = islpy.AstBuild.from_context(known).node_from_schedule(schedule)
        return _Order(schedule, tree, cost(tree, self.model))

    @staticmethod
    def _computed(domain: islpy.UnionSet, dependences: islpy.UnionMap) -> islpy.Schedule:
        constraints = islpy.ScheduleConstraints.on_domain(domain)
        constraints = constraints.set_validity(dependences).set_coincidence(dependences)
        return constraints.set_proximity(dependences).compute_schedule()


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
