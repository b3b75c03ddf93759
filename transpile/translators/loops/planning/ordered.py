"""Loops that are parallel since index arrays are in order: by the contract, or where the program checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.code.variables import Variables
from transpile.core import SUPPOSED, ArrayFact, Contract, Role
from transpile.translators.loops.analysis.analysis import Known, Nest
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.indirect import Freed, freed
from transpile.translators.loops.analysis.plan import Band, planned, whole
from transpile.translators.loops.dependence.checks import check
from transpile.translators.loops.dependence.orders import Kind
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.planning.overlaps import changed, moves
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.index_arrays import IndexArray


def in_order(
    found: Sequence[Part],
    variables: Variables,
    contract: Contract | None,
    around: EnclosingScope,
    *,
    idioms: frozenset[Idiom],
    asking: bool,
) -> tuple[list[Part], tuple[str, ...]]:
    """Return what of a function runs in parallel where arrays are in order, and what that rests on.

    Args:
        found: What runs in parallel, and what does not.
        variables: Those of the function.
        contract: What is known of its calls.
        around: What names stand for.
        idioms: Those that a target can write.
        asking: Whether the program may ask what the contract does not say.
    """
    says = contract is not None and any(fact.ascending or fact.distinct for fact in contract.arrays)
    if not asking and not says:
        return list(found), ()
    result: list[Part] = []
    rules: dict[str, None] = {}
    for nest in dict.fromkeys(part.nest for part in found):
        own = [part for part in found if part.nest is nest]
        known: dict[int, Known] = {}
        for item in () if all(map(_is_free, own)) else freed(nest, variables, around):
            settled = _settled(item, own, variables, contract)
            if settled is not None and (asking or not settled.checks):
                known[settled.loop.node.id] = settled
        own = planned(_with(nest, known), idioms=idioms) if known else own
        result += own
        bands = [part for part in own if isinstance(part, Band)]
        rules |= dict.fromkeys(rule for band in bands for loop in band.loops for rule in loop.rests_on)
    return result, tuple(rules)


def _is_free(part: Part) -> bool:
    return whole(part) and isinstance(part, Band) and not part.loops[0].updated


def _with(nest: Nest, known: dict[int, Known]) -> Nest:
    """Return a nest of some of whose loops more is known."""
    return replace(nest, loops=tuple(known.get(item.loop.node.id, item) for item in nest.loops))


def _settled(
    item: Freed, own: Sequence[Part], variables: Variables, contract: Contract | None
) -> Known | None:
    """Return a loop with what it rests on; None where that cannot be asked, or costs more than it brings."""
    facts = [_fact(order.array, variables, contract) for order in item.orders]
    stated = [
        order
        for order, fact in zip(item.orders, facts, strict=True)
        if fact is not None and (fact.ascending if order.kind is Kind.ASCENDING else fact.distinct)
    ]
    left = [order for order in item.orders if order not in stated]
    if any(order.kind is Kind.DISTINCT for order in left) and any(map(whole, own)):
        return None  # atomic updates cost less
    checks = [check(order, item.known.loop, item.loops, item.values) for order in left]
    if None in facts or None in checks:
        return None
    return replace(
        item.known,
        checks=tuple(one for one in checks if one is not None),
        ragged=any(order.kind is Kind.ASCENDING for order in item.orders),
        rests_on=(*(f"{SUPPOSED}{order}" for order in stated), *(f"asks whether {order}" for order in left)),
    )


def _fact(array: IndexArray, variables: Variables, contract: Contract | None) -> ArrayFact | None:
    """Return what a contract says of a caller's array that the function leaves as it is; None for others.

    Of others, calls do not tell what is in them when the loop begins, and so trials do not either.
    """
    if contract is None or moves({array.base}, changed(variables, contract)):
        return None
    fact = contract.array(array.parameter)
    return fact if fact is not None and fact.role is Role.IN else None
