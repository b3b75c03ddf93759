"""Innermost loops that add to one place: compilers keep the order of such sums unless they are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy
from tree_sitter import Node

from transpile.code.polynomial import names
from transpile.code.syntax import field, find, operator, source
from transpile.translators.loops.dependence.accesses import self_update
from transpile.translators.loops.reductions.reductions import FLOATING
from transpile.translators.loops.schedule.model import Model, Place, Statement, Unmodelled
from transpile.translators.loops.schedule.tree import called, children, identifiers, iterator_of, kind

_GATHERED = {"+=": "+", "-=": "+", "*=": "*"}
"""Operators that join partial sums."""
_LARGE = 1000
"""A size of arrays that callers may have."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A statement that adds to what stays the same in a loop."""

    call: islpy.AstExpr
    statement: Statement
    target: Node
    sign: str
    """Of the update, such as ``-=``."""
    value: Node
    place: Place
    """What is added to."""
    type: str
    """Of an element; empty where the target is a scalar."""

    @property
    def operator(self) -> str:
        """Return what joins the parts that are gathered side by side."""
        return _GATHERED[self.sign]


def sums(loop: islpy.AstNode, model: Model, types: Mapping[str, str]) -> list[Sum]:
    """Return the statements of an innermost loop if all are sums that nothing else in the loop reads.

    Args:
        loop: A loop of a tree.
        model: Its statements.
        types: What scalars and elements of arrays are, by name. Sums of whole numbers need no help.
    """
    body, iterator = loop.for_get_body(), iterator_of(loop)
    inner = children(body) if kind(body) == "block" else [body]
    if any(kind(item) != "user" for item in inner):
        return []
    found = [_sum(item.user_get_expr(), iterator, model, types) for item in inner]
    kept = [item for item in found if item is not None]
    whole = len(kept) == len(found) and all(_unread(item, kept, iterator, model) for item in kept)
    return kept if whole else []


def loops_of_sums(
    node: islpy.AstNode, model: Model, types: Mapping[str, str]
) -> Iterator[tuple[str, list[Sum]]]:
    """Yield the iterators of the loops in a tree in which sums are made, with these."""
    found = sums(node, model, types) if kind(node) == "for" else []
    if found:
        yield iterator_of(node), found
    for child in children(node):
        yield from loops_of_sums(child, model, types)


def touched(loops: Iterable[tuple[str, list[Sum]]], model: Model) -> Iterator[islpy.Set]:
    """Yield for which parameters elements are added to that sums touch in any case."""
    for iterator, made in loops:
        for item in made:
            found = begun(item, iterator, model) if item.type else None
            if found is not None and not found.plain_is_universe():
                yield found


def begun(item: Sum, iterator: str, model: Model) -> islpy.Set | None:
    """Return for which parameters a sum has parts wherever its loop stands; None where few are such.

    What an element holds is read and written ahead of a sum and behind it, in an empty one as well.
    """
    statement, context = item.statement, islpy.Context()
    moved = _moved(item.call, iterator, statement)
    others = [text for at, text in enumerate(model.bounds[statement.name]) if at not in moved]
    if len(moved) != 1 or any(f"d{moved[0]}" in text for text in others):
        return None
    every = statement.spelled(" and ".join(others))
    outer = islpy.Set.read_from_str(context, f"{model.prefix}{{ {every} }}")
    whole = statement.spelled(" and ".join(model.bounds[statement.name]))
    filled = islpy.Set.read_from_str(context, f"{model.prefix}{{ {whole} }}")
    dimension = islpy.dim_type.set
    outer, filled = (one.project_out(dimension, moved[0], 1) for one in (outer, filled))
    return _all_but(outer.subtract(filled))


def unwrapped(model: Model) -> Iterator[islpy.Set]:
    """Yield for which parameters no bound is less than nothing; raises Unmodelled where few are such."""
    for text in model.wrapping:
        found = _all_but(islpy.Set.read_from_str(islpy.Context(), text))
        if found is None:
            raise Unmodelled("bounds in which unsigned numbers wrap")
        if not found.plain_is_universe():
            yield found


def _all_but(iterations: islpy.Set) -> islpy.Set | None:
    """Return for which parameters a set has no iterations; None where few are such."""
    some = iterations.params()
    found = islpy.Set.universe(some.get_space()).subtract(some).coalesce().get_basic_sets()
    return next((islpy.Set.from_basic_set(part) for part in found if _is_usual(part)), None)


def _is_usual(parameters: islpy.BasicSet) -> bool:
    """Tell whether sizes that callers have are in a set."""
    large = islpy.Set.from_basic_set(parameters)
    for at in range(large.dim(islpy.dim_type.param)):
        large = large.lower_bound_val(islpy.dim_type.param, at, islpy.Val(_LARGE, context=large.get_ctx()))
    return not large.is_empty()


def _sum(call: islpy.AstExpr, iterator: str, model: Model, types: Mapping[str, str]) -> Sum | None:
    statement = called(call, model)
    update = _update(statement.node.named_children[0])
    written = [place for place in statement.places if place.writes]
    if update is None or len(written) != 1:
        return None
    [place] = written
    moved = {statement.loops[at].dimension for at in _moved(call, iterator, statement)}
    if any(names(subscript) & moved for subscript in place.subscripts):
        return None
    if any(names(one) & moved for item in statement.places for one in item.subscripts[:-1]):
        return None  # what jumps from row to row is no vector
    kept = types.get(place.base if place.subscripts else source(update[0]), "")
    if not kept or (place.subscripts and kept not in FLOATING):
        return None
    return Sum(call, statement, *update, place, kept if place.subscripts else "")


def _update(node: Node) -> tuple[Node, str, Node] | None:
    """Return what a statement updates, how and with what; None where it does something else."""
    if node.type != "assignment_expression":
        return None
    target = field(node, "left")
    again = self_update(node)
    if again is not None:
        return target, f"{again.operator}=", again.value
    return (target, operator(node), field(node, "right")) if operator(node) in _GATHERED else None


def _moved(call: islpy.AstExpr, iterator: str, statement: Statement) -> list[int]:
    """Return which loops of a statement go on with an iterator."""
    return [at for at in range(len(statement.loops)) if iterator in identifiers(call.get_op_arg(at + 1))]


def _unread(item: Sum, kept: Sequence[Sum], iterator: str, model: Model) -> bool:
    """Tell whether nothing in a loop reads what is added to, but the update itself."""
    base = item.place.base
    if any(place.base == base for other in kept if other is not item for place in other.statement.places):
        return False
    if not item.place.subscripts:
        name = source(item.target)
        return all(source(node) != name for node in find(item.value, "identifier"))
    again = [place for place in item.statement.places if place.base == base and place is not item.place]
    return not any(_meet(item, place, iterator, model) for place in again)


def _meet(item: Sum, place: Place, iterator: str, model: Model) -> bool:
    """Tell whether one iteration of a loop reads, by another subscript, what one of the same loop adds to."""
    statement, context = item.statement, islpy.Context()
    moved = _moved(item.call, iterator, statement)
    first, second = (
        islpy.UnionMap.read_from_str(context, model.touched(statement, one)) for one in (item.place, place)
    )
    domain = islpy.UnionSet.read_from_str(context, model.domain)
    count = len(statement.loops)
    sides = (", ".join(f"{letter}{at}" for at in range(count)) for letter in "de")
    pair = " -> ".join(f"{statement.name}[{side}]" for side in sides)
    same = " and ".join(f"d{at} = e{at}" for at in range(count) if at not in moved) or "true"
    within = islpy.UnionMap.read_from_str(context, f"{{ {pair} : {same} }}")
    pairs = first.apply_range(second.reverse()).intersect_domain(domain).intersect_range(domain)
    return not pairs.intersect(within).is_empty()
