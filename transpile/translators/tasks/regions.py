"""Which parts of arrays calls are given: whether two of them look as if they touched different elements.

This is likely, and not shown: what a call does with its part is for the testers to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, combined, name, read
from transpile.code.syntax import arguments, called, field, find, source, unparenthesized
from transpile.code.variables import Variable
from transpile.translators.tasks.body import Body
from transpile.translators.tasks.effects import root, writes

_CONST = re.compile(r"\bconst\b(?!\s*$)")


@dataclass(frozen=True, slots=True)
class Regions:
    """What calls of a function by itself are given of arrays."""

    body: Body
    leading: frozenset[int]
    """Positions of parameters that lead to memory."""
    written: frozenset[int]
    """Those of them through which calls may write."""
    fixed: frozenset[int]
    """Those of the latter through which every call writes the same place."""

    @classmethod
    def of(cls, body: Body) -> Regions:
        """Return what is known of a function; nothing to know is of one that writes nothing."""
        if not body.writes:
            return cls(body, frozenset(), frozenset(), frozenset())
        parameters = body.function.parameters
        names = {source(item) for item in _reached(body)}
        leading = [number for number, item in enumerate(parameters) if item.pointer or "&" in item.text]
        open_ = [number for number in leading if not _is_constant(parameters[number].text)]
        found = {number for number in open_ if parameters[number].name in names}
        while True:
            handed = {
                source(base)
                for call in body.calls(body.function.body)
                for number, given in enumerate(arguments(call))
                if number in found and (base := root(given)) is not None
            }
            more = {number for number in open_ if parameters[number].name in handed}
            if more <= found:
                break
            found |= more
        places = {source(base) for target in writes(body.function) for base in _at_one_place(target)}
        fixed = {number for number in found if parameters[number].name in places}
        return cls(body, frozenset(leading), frozenset(found), frozenset(fixed))

    def shared(self, first: Node, second: Node) -> str:
        """Return what two calls may touch and one writes; empty where their parts look different."""
        apart = self._split(first, second) or self._split(second, first)
        given = [
            {n: item for n, item in enumerate(arguments(call)) if n in self.leading}
            for call in (first, second)
        ]
        for (number, one), (other_number, other) in product(given[0].items(), given[1].items()):
            writes = bool({number, other_number} & self.written)
            if writes and self._same(one, other) and (not apart or number in self.fixed):
                return source(one)
        return ""

    def repeated(self, call: Node, changing: frozenset[Variable]) -> str:
        """Return what a call that is made again and again writes each time; empty where that changes."""
        for number, given in enumerate(arguments(call)):
            if number in self.written and not self.body.used(given) & changing:
                return source(given)
        return ""

    def _same(self, one: Node, other: Node) -> bool:
        """Tell whether two arguments may lead to one array, and no size lies between them."""
        bases = [source(base) for item in (one, other) if (base := root(item)) is not None]
        if len(set(bases)) == 2:
            return False
        distance = self._distance(one, other)
        return source(one) == source(other) or (distance is not None and set(distance) <= {()})

    def _split(self, first: Node, second: Node) -> bool:
        """Tell whether calls divide the range of two parameters, one up to where the other begins."""
        given = list(zip(self.body.function.parameters, arguments(first), arguments(second), strict=False))
        return any(
            low[0].name == source(low[1]) and high[0].name == source(high[2]) and self._meets(high[1], low[2])
            for low, high in combinations(given, 2)
        )

    def _meets(self, end: Node, begin: Node) -> bool:
        """Tell whether a range that ends somewhere is followed by one that begins there, or behind."""
        distance = self._distance(begin, end)
        if distance is not None and set(distance) <= {()}:
            return distance.get((), 0) >= 0 and bool(self.body.used(end))
        # Where data say how far each goes, as after a partition.
        found = [self.body.variables.of(unparenthesized(item)) for item in (end, begin)]
        return all(item is not None and not item.parameter and item.writes for item in found)

    def _distance(self, one: Node, other: Node) -> Polynomial | None:
        """Return the difference of two expressions in names; None where they are no such sums."""
        found = [read(item, self._value) for item in (one, other)]
        if found[0] is None or found[1] is None:
            return None
        return combined("-", found[0], found[1])

    def _value(self, node: Node) -> Polynomial | None:
        return name(source(node)) if self.body.variables.of(node) is not None else None


def _reached(body: Body) -> Iterator[Node]:
    """Yield the names of what is written, or handed on to something that may write it."""
    bases = [root(target) for target in writes(body.function)]
    for call in find(body.function.body, "call_expression"):
        if called(call) != body.function.name:
            bases += [root(given) for given in arguments(call)]
    for item in body.variables.all:
        if item.initializer is not None and (item.pointer or item.reference):
            bases.append(root(item.initializer))
    for node in find(body.function.body, "assignment_expression"):
        variable = body.variables.of(field(node, "left"))
        if variable is not None and variable.pointer:
            bases.append(root(field(node, "right")))
    yield from (item for item in bases if item is not None)


def _at_one_place(target: Node) -> Iterator[Node]:
    """Yield the name of what is written at a place that no variable chooses: ``*p``, ``p[0]``, ``p->n``."""
    base = root(target)
    names = sum(1 for _ in find(target, "identifier"))
    if base is not None and names == 1 and target.type != "identifier":
        moved = any(True for _ in find(target, "update_expression"))
        yield from [] if moved else [base]


def _is_constant(parameter: str) -> bool:
    """Tell whether nothing is written through a parameter, as it is declared."""
    return _CONST.search(re.split(r"[&\[]", parameter.rpartition("*")[0] or parameter)[0]) is not None
