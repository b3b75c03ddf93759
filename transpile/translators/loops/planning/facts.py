"""Facts about numbers that a contract and a build give to dependence analysis.

Facts that were traced hold where the source was seen to behave, and callers may keep to others: a
translation that rests on one says so among its rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.code.polynomial import Polynomial, name, names
from transpile.code.syntax import Function
from transpile.code.variables import Variables
from transpile.core import SUPPOSED, Contract
from transpile.expressions import Binary, ExpressionError, parse
from transpile.translators.kernels.laws import ascending_in_all, distinct_in_all
from transpile.translators.loops.analysis.analysis import Nest, nests
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import Band, SequentialNest, planned, score, whole
from transpile.translators.loops.iteration.spaces import Constraint, at_least, compared
from transpile.translators.loops.planning.overlaps import changed
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.extents import polynomial

Part = Band | SequentialNest


def parts(
    function: Function,
    variables: Variables,
    contract: Contract | None,
    around: EnclosingScope,
    *,
    idioms: frozenset[Idiom],
) -> tuple[list[Part], tuple[str, ...]]:
    """Return what of a function runs in parallel, and the facts that this rests on.

    Macros that are numbers, which another build may have otherwise, are taken for no negative ones where that
    frees an outer loop. Facts of the contract are asked only where without them something has to run alone.
    """
    proved = _planned(nests(function, variables, around=around), idioms)
    sizes = [(f"{text} >= 0", at_least(name(text), {})) for text in sorted(_numbers(function, around))]
    if sizes and not all(whole(part) for part in proved):
        supposed = _planned(nests(function, variables, [item for _, item in sizes], around), idioms)
        if score(supposed) > score(proved):
            return supposed, tuple(f"{SUPPOSED}{text}" for text, _ in sizes)
    moved = changed(variables)
    known = [
        (text, constraint)
        for text, constraint in (facts(contract) if contract is not None else ())
        if moved.isdisjoint(names(constraint.value))
    ]
    if not known or not any(isinstance(part, SequentialNest) for part in proved):
        return proved, ()
    supposed = _planned(nests(function, variables, [item for _, item in known], around), idioms)
    if _alone(supposed) >= _alone(proved):
        return proved, ()
    return supposed, tuple(f"{SUPPOSED}{text}" for text, _ in known)


def agreed(contracts: Sequence[Contract]) -> Contract | None:
    """Return the contract of the first instance with what holds for all: a template has one text."""
    if len(contracts) < 2:
        return contracts[0] if contracts else None
    first, *others = contracts
    distinct, ascending = distinct_in_all(contracts), ascending_in_all(contracts)
    relations = [text for text in first.relations if all(text in item.relations for item in others)]
    lows = {
        fact.name: {
            item.values.low for other in contracts for item in other.scalars if item.name == fact.name
        }
        for fact in first.scalars
    }
    return replace(
        first,
        relations=tuple(relations),
        arrays=tuple(
            replace(fact, distinct=fact.name in distinct, ascending=fact.name in ascending)
            for fact in first.arrays
        ),
        scalars=tuple(
            fact if len(lows[fact.name]) == 1 else replace(fact, values=replace(fact.values, low="0"))
            for fact in first.scalars
        ),
    )


def facts(contract: Contract) -> Iterator[tuple[str, Constraint]]:
    """Yield what a contract says of its scalars, in words and as constraints."""
    for fact in contract.scalars:
        low = _read(fact.values.low)
        if low is not None and set(low) == {()} and low[()] > 0:
            yield f"{fact.name} >= {low[()]}", at_least(name(fact.name), low)
    for text in contract.relations:
        constraint = _relation(text)
        if constraint is not None:
            yield text, constraint


def _numbers(function: Function, around: EnclosingScope) -> frozenset[str]:
    """Return the macros of a function that are whole numbers."""
    return function.identifiers & around.constants.keys()


def _planned(found: Sequence[Nest], idioms: frozenset[Idiom]) -> list[Part]:
    return [part for nest in found for part in planned(nest, idioms=idioms)]


def _alone(found: Sequence[Part]) -> int:
    return sum(isinstance(part, SequentialNest) for part in found)


def _relation(text: str) -> Constraint | None:
    try:
        tree = parse(text)
    except ExpressionError:
        return None
    if not isinstance(tree, Binary):
        return None
    left, right = polynomial(tree.left), polynomial(tree.right)
    return None if left is None or right is None else compared(tree.operator, left, right)


def _read(text: str) -> Polynomial | None:
    try:
        return polynomial(parse(text))
    except ExpressionError:
        return None
