"""Extents that have to be the same for a routine to be defined, by its assignments of whole arrays.

gfortran's checks miss an array function whose result has another shape than what it is assigned to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from transpile.expressions import Node, to_text
from transpile.parsers.fortran import tree
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.extents import Given, Shape
from transpile.parsers.fortran.symbols import Procedure
from transpile.parsers.fortran.typing import typed
from transpile.parsers.fortran.walking import names, walk

_MOST = 60
_MOST_TEXT = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """An extent, and what it has to be where an assignment runs."""

    extent: str
    value: str
    line: int
    """Of the assignment."""


def relations(procedure: Procedure) -> tuple[Relation, ...]:
    """Return which extents of a routine's arguments its assignments of arrays ask for."""
    given = Given(procedure.scope, fixed(procedure))
    found: dict[Relation, None] = {}
    for node in (item for statement in procedure.unit.body for item in walk(statement)):
        if not isinstance(node, tree.Assign):
            continue
        for left, right in _pairs(node, given):
            one, other = to_text(left), to_text(right)
            if one != other and max(len(one), len(other)) <= _MOST_TEXT:
                found[Relation(extent=one, value=other, line=node.line)] = None
    return tuple(found)[:_MOST]


def fixed(procedure: Procedure) -> frozenset[str]:
    """Return the arguments whose values no statement of a routine can change."""
    changed: set[str] = set()
    for statement in procedure.unit.body:
        for node in walk(statement):
            match node:
                case tree.Assign(target=tree.Name(name=name)):
                    changed.add(name)
                case tree.Do(loop=tree.Loop(variable=name)):
                    changed.add(name)
                case tree.Call() | tree.Transfer() | tree.FileStatement() | tree.Apply():
                    changed |= {item.name for item in names(node)}
                case _:
                    pass
    return frozenset(
        item.name
        for item in procedure.dummies
        if {"intentin", "value"} & item.attributes
        or (item.name not in changed and not procedure.scope.procedures)
    )


def _pairs(node: tree.Assign, given: Given) -> Iterator[tuple[Node, Node]]:
    """Yield extents that have to be equal for an assignment to have a meaning."""
    shapes = [given.shape(node.target), given.shape(node.value)]
    if _reallocates(node.target, given):
        shapes = []
    yield from _alike(shapes)
    for inner in walk(node.value):
        if isinstance(inner, tree.Binary):
            yield from _alike([given.shape(inner.left), given.shape(inner.right)])
        elif isinstance(inner, tree.Apply):
            yield from _inside(inner, given)


def _inside(inner: tree.Apply, given: Given) -> Iterator[tuple[Node, Node]]:
    """Yield the same of the arguments of a product of matrices."""
    if isinstance(inner.base, tree.Name) and inner.base.name in ("matmul", "dot_product"):
        one, other = (given.shape(item.value) for item in inner.arguments[:2])
        if one and other:
            yield from _alike([one[-1:], other[:1]])


def _alike(shapes: list[Shape | None]) -> Iterator[tuple[Node, Node]]:
    known = [item for item in shapes if item]
    for one, other in pairwise(known):
        if len(one) == len(other):
            yield from zip(one, other, strict=True)


def _reallocates(target: tree.Expression, given: Given) -> bool:
    """Tell whether a target takes the shape of what it is assigned."""
    try:
        symbol = given.scope.find(target.name) if isinstance(target, tree.Name) else None
        return not typed(target, given.scope).rank or (symbol is not None and symbol.allocatable)
    except Refused:
        return True
