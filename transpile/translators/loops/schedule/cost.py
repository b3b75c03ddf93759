"""Costs of an order of loops, estimated without running it."""

from __future__ import annotations

from collections.abc import Collection

import islpy

from transpile.code.polynomial import names
from transpile.translators.loops.schedule.model import Model, Statement
from transpile.translators.loops.schedule.tree import (
    called,
    children,
    identifiers,
    iterator_of,
    kind,
    runs_at_once,
)

_TRIPS = 1000
"""Iterations that a loop is taken to have."""
_FAR = 100
"""Cost of an access that jumps from row to row, relative to one that goes on in its row."""
_THREADS = 2
"""Factor by which parallel parts are taken to be faster."""
_BLOCKED = 0.5
"""The part of a cost that is left in blocks, which find again in a cache what they need again."""
_MEETING = 5000
"""Cost of starting and joining threads, in accesses that go on in their row."""


def cost(tree: islpy.AstNode, model: Model) -> float:
    """Return what a tree of loops costs, in accesses that go on in their row."""
    return _cost(tree, model, (), 1)


def _cost(node: islpy.AstNode, model: Model, around: tuple[str, ...], threads: int) -> float:
    match kind(node):
        case "user":
            call = node.user_get_expr()
            in_blocks = len(around) > len(called(call, model).loops)
            return _jumps_of(call, around, model) / threads * (_BLOCKED if in_blocks else 1)
        case "for":
            around = (*around, iterator_of(node))
        case "mark" if runs_at_once(node):
            meetings = _MEETING * float(_TRIPS) ** len(around)
            return meetings + sum(_cost(child, model, around, _THREADS) for child in children(node))
        case _:
            pass
    return sum(_cost(child, model, around, threads) for child in children(node))


def _jumps_of(call: islpy.AstExpr, around: tuple[str, ...], model: Model) -> int:
    """Return what the accesses of a statement cost within the loops of a tree."""
    statement = called(call, model)
    values = [set(identifiers(call.get_op_arg(at + 1))) for at in range(len(statement.loops))]
    inner = next((name for name in reversed(around) if any(name in item for item in values)), "")
    moved = {loop.dimension for loop, item in zip(statement.loops, values, strict=True) if inner in item}
    return jumps(statement, moved)


def jumps(statement: Statement, dimensions: Collection[str]) -> int:
    """Return what the accesses of a statement cost in a loop that moves these of its dimensions."""
    total = 0
    for place in statement.places:
        *outer, last = [names(item) for item in place.subscripts or ({},)]
        if any(not item.isdisjoint(dimensions) for item in outer):
            total += _FAR
        elif not last.isdisjoint(dimensions):
            total += 1
    return int(total * _TRIPS ** len(statement.loops))
