"""Loops whose iterations do not meet where arrays of integers are in order: offsets, lists of places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, names
from transpile.code.syntax import find, inside
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.analysis import Known, Nest, known_of
from transpile.translators.loops.dependence.accesses import Access, accesses
from transpile.translators.loops.dependence.dependence import Dependences
from transpile.translators.loops.dependence.orders import Kind, Order
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.index_arrays import IndexArray, index_array


@dataclass(frozen=True, slots=True)
class Freed:
    """A loop that runs in parallel if arrays are in order."""

    known: Known
    orders: tuple[Order, ...]
    loops: tuple[Loop, ...]
    """All that are counted in its nest if those arrays keep their elements."""
    values: Values
    """What has read the nest, with the elements of these arrays."""


def freed(nest: Nest, variables: Variables, around: EnclosingScope) -> Iterator[Freed]:
    """Yield the loops of a nest whose iterations meet, with the fewest orders by which they do not."""
    kept = _kept(nest, around)
    if nest.dependences is None or not kept or not any(map(_meets, nest.loops)):
        return
    facts = nest.dependences.facts
    found = [counted(item, variables, around, kept) for item in find(nest.node, "for_statement")]
    loops = [item for item in found if item is not None]
    values = Values(nest.node, loops, variables, around, kept)
    read = accesses(nest.node, variables, values, around)

    def supposed(loop: Loop, orders: Sequence[Order]) -> Known:
        dependences = Dependences(nest.node, loops, values, facts, orders)
        return known_of(loop, read, variables, values, dependences, around)

    for loop in loops:
        before = nest.of(loop.node)
        if before is None or not _meets(before):
            continue
        orders = list(_orders(loop, loops, read, values))
        if not orders or not _is_free(supposed(loop, orders)):
            continue
        for order in tuple(orders):
            fewer = [item for item in orders if item is not order]
            if _is_free(supposed(loop, fewer)):
                orders = fewer
        if orders:
            known = replace(supposed(loop, orders), uneven=before.uneven)
            yield Freed(known, tuple(orders), tuple(loops), values)


def _meets(known: Known) -> bool:
    return bool(known.meeting or known.updated)


def _is_free(known: Known) -> bool:
    return known.parallel and not known.updated


def _kept(nest: Nest, around: EnclosingScope) -> dict[str, IndexArray]:
    """Return the arrays of integers that a nest reads, and neither writes nor lets lead elsewhere."""
    written = {item.base for item in nest.accesses if item.write}
    read = {item.base: item.variable for item in nest.accesses if item.base not in written}
    found = (
        index_array(base, item, around)
        for base, item in read.items()
        if item is None or _stays(item, nest.node)
    )
    return {item.base: item for item in found if item is not None}


def _stays(variable: Variable, nest: Node) -> bool:
    """Tell whether an array is there when a nest begins, and is the same until it ends."""
    return (
        not variable.escapes
        and not inside(variable.declaration, nest)
        and not any(inside(write, nest) for write in variable.writes)
    )


def _orders(loop: Loop, loops: Sequence[Loop], read: Sequence[Access], values: Values) -> Iterator[Order]:
    """Yield what may keep iterations apart: bounds of inner loops that ascend, subscripts that differ."""
    inner = [item for item in loops if inside(item.node, loop.body)]
    ends = [values.end_of(item, end) for item in inner for end in (item.first, item.bound)]
    stored = {item.base for item in read if item.write and inside(item.node, loop.body)}
    places = [part for item in read if item.base in stored for part in item.subscripts]
    for kind, parts in ((Kind.ASCENDING, ends), (Kind.DISTINCT, places)):
        yield from (Order(item, kind) for item in _loaded(parts, values))


def _loaded(parts: Sequence[Polynomial | None], values: Values) -> list[IndexArray]:
    """Return the arrays whose elements are in some values."""
    texts = [text for part in parts if part is not None for text in sorted(names(part))]
    return list(dict.fromkeys(values.loads[text].array for text in texts if text in values.loads))
