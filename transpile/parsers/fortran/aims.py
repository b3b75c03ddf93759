"""Arguments that lead to parts of a routine, by the conditions around them.

Trials draw some arguments so that they lead to one such part. What is read is a guess of what is useful, and
no verdict depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.conditions import Demand, Reader, reader
from transpile.parsers.fortran.symbols import Procedure
from transpile.parsers.fortran.walking import walk

_MOST = 900
_MOST_AT_ONCE = 24
"""Demands of one aim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A demand on the arguments that one part of a routine needs to run, as far as the text tells."""

    comparisons: tuple[str, ...] = ()
    """Of whole numbers and of logical values, which are 0 or 1, an argument on the left of each."""
    texts: tuple[tuple[str, int, str], ...] = ()
    """Of each an argument, the number of characters before some of it, and these."""


def aims(procedure: Procedure) -> tuple[Aim, ...]:
    """Return what leads to the parts of a routine that conditions on its arguments choose."""
    found = (_aim(item) for item in _Walk(reader(procedure), procedure).parts(procedure.unit.body, ()))
    return tuple(dict.fromkeys(item for item in found if item.comparisons or item.texts))[:_MOST]


def aim(data: Mapping[str, Any]) -> Aim:
    """Return an aim from what JSON holds of it."""
    texts = tuple((name, at, text) for name, at, text in data["texts"])
    return Aim(comparisons=tuple(data["comparisons"]), texts=texts)


def _aim(demands: Sequence[Demand]) -> Aim:
    return Aim(
        comparisons=tuple(dict.fromkeys(item.comparison for item in demands if item.comparison)),
        texts=tuple(dict.fromkeys(item.text for item in demands if item.text[0])),
    )


class _Walk:
    """Yields the demands of each part of a routine."""

    def __init__(self, conditions: Reader, procedure: Procedure) -> None:
        self.conditions = conditions
        self.chosen: dict[str, tuple[Demand, ...]] = {}
        """Of labels that a number selects what asks for that number."""
        self.guards: list[tuple[Demand, ...]] = []
        """Ways to come past the last condition of texts that ends the routine where none of them holds."""
        for statement in procedure.unit.body:
            for node in walk(statement):
                if isinstance(node, tree.Goto) and node.selector is not None:
                    self._choose(node, node.selector)

    def _choose(self, node: tree.Goto, selector: tree.Expression) -> None:
        for number, label in enumerate(node.labels, 1):
            wanted = tree.Binary(node.line, "==", selector, tree.Integer(node.line, number))
            self.chosen[label] = self.conditions.ways(wanted, holds=True)[0]

    def parts(
        self, statements: Sequence[tree.Statement], around: tuple[Demand, ...]
    ) -> Iterator[tuple[Demand, ...]]:
        """Yield what leads to the parts of statements; `around` leads to these themselves."""
        now = around
        for statement in statements:
            if statement.label in self.chosen:
                now = (*around, *self.chosen[statement.label])
                yield now
            match statement:
                case tree.If(arms=((condition, (tree.Return() | tree.Stop(),)),)) if condition is not None:
                    yield from self._arms(statement.arms, now)
                    ways = self.conditions.ways(condition, holds=False)
                    if any(item.text[0] for way in ways for item in way):
                        self.guards = ways
                case tree.If(arms=arms):
                    yield from self._arms(arms, now)
                case tree.Do(body=body) | tree.Block(body=body):
                    yield from self.parts(body, now)
                case tree.Select(selector=selector, cases=cases):
                    for values, body in cases:
                        yield from self._case(selector, values or (), body, now)
                case _:
                    pass

    def _arms(
        self,
        arms: Sequence[tuple[tree.Expression | None, tuple[tree.Statement, ...]]],
        around: tuple[Demand, ...],
    ) -> Iterator[tuple[Demand, ...]]:
        before: tuple[Demand, ...] = ()
        for condition, body in arms:
            ways = [()] if condition is None else self.conditions.ways(condition, holds=True)
            for way in ways:
                wanted = (*around, *before, *way)
                if way:
                    yield wanted[-_MOST_AT_ONCE:]
                elif condition is None:
                    # Nothing is asked of what leads here but not to be what leads to the arms before.
                    for guard in self.guards or [()]:
                        yield (*guard, *wanted)[-_MOST_AT_ONCE:]
            yield from self.parts(body, (*around, *before, *ways[0])[-_MOST_AT_ONCE:])
            if condition is not None:
                before = (*before, *self.conditions.ways(condition, holds=False)[0])

    def _case(
        self,
        selector: tree.Expression,
        values: Sequence[tree.Expression],
        body: Sequence[tree.Statement],
        around: tuple[Demand, ...],
    ) -> Iterator[tuple[Demand, ...]]:
        wanted: tuple[Demand, ...] = ()
        for value in values:
            if not isinstance(value, tree.Range):
                equal = tree.Binary(value.line, "==", selector, value)
                wanted = self.conditions.ways(equal, holds=True)[0]
                yield (*around, *wanted)
        yield from self.parts(body, (*around, *wanted))
