"""Terms of a kernel's subscripts under a launch law that ties quantities to scalars."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

from transpile.contracts.fitting.subscript_terms import Makings
from transpile.contracts.launches.launch_families import QUANTITIES
from transpile.contracts.launches.law import Law
from transpile.contracts.text.polynomial import Monomial
from transpile.contracts.text.size_products import ONE, Anything, Flow, Terms, Text, product
from transpile.core import Covers, ShapeDependent
from transpile.expressions import Apply, Binary, ExpressionError, Name, parse
from transpile.expressions import Node as Tree

_RELATION = re.compile(r"(.+?)\s*(?:==|<=|>=|<|>)\s*(.+)")


def makings(text: Text, law: Law) -> Makings | None:
    """Return what a kernel's subscripts are made of under a launch law; None where anything goes."""
    if not text.functions:
        return None
    try:
        return Makings(_divisors(Flow(text, _launch(law)).reached()))
    except Anything:
        return None


def _divisors(terms: Terms) -> frozenset[Monomial]:
    return frozenset(
        part for term in terms for count in range(len(term) + 1) for part in combinations(term, count)
    )


def _launch(law: Law) -> dict[str, Terms]:
    """Return what stands for quantities of the launch where the law ties them to scalars."""
    found: dict[str, Terms] = {}

    def add(quantities: Iterable[str], text: str) -> None:
        terms = _terms(text)
        found.update({item: found.get(item, ONE) | terms for item in quantities})

    if isinstance(law.law, Covers):
        letters = {"x": law.law.x, "y": law.law.y, "z": law.law.z}
        for letter, text in letters.items():
            axes = "xyz" if law.law.joint else letter
            add((f"{word}.{axis}" for word in ("gridDim", "blockDim") for axis in axes), text)
    families = [law.family, *law.families]
    relations = [*law.relations]
    if isinstance(law.law, ShapeDependent):
        families += law.law.launches
        relations += law.law.relations
    for family in families:
        for quantity, text in zip(QUANTITIES, family, strict=False):
            add((quantity,), text)
    for letter, text in law.grid.items():
        add((f"gridDim.{letter}",), text)
    for relation in relations:
        sides = _RELATION.fullmatch(relation)
        if sides is not None:
            for one, other in (sides.groups(), sides.groups()[::-1]):
                add((item for item in QUANTITIES if item in one), other)
    return found


def _terms(text: str) -> Terms:
    try:
        return _of_tree(parse(text))
    except ExpressionError:
        return ONE


def _of_tree(tree: Tree) -> Terms:
    match tree:
        case Name(name):
            return ONE | {(name,)}
        case Binary("*", left, right):
            return product(_of_tree(left), _of_tree(right))
        case Binary("/", left, _):
            return _of_tree(left)
        case Binary(_, left, right):
            return _of_tree(left) | _of_tree(right)
        case Apply(_, arguments):
            return ONE.union(*(_of_tree(item) for item in arguments))
        case _:
            return ONE
