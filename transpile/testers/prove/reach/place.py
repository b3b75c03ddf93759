"""The state at one place of a function, and the conditions that were asked on the way there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from transpile.core import Scalar
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.calls import Called
from transpile.testers.prove.reach.premises import Premises
from transpile.testers.prove.reach.values import Term, Values
from transpile.testers.prove.reach.variables import Variables, integer

Cursor = Any

MOST_THREADS = (1 << 31) - 1
MOST_OF_LAUNCHES = {"gridDim": (1 << 31) - 1, "blockDim": 1024}
"""Most blocks on an axis, and threads of a block."""
_OF_LAUNCHES = re.compile(r"(gridDim|blockDim)\.[xyz]")


@dataclass(frozen=True, slots=True)
class Asked:
    """A way out of a condition: its line, and what holds where it is taken."""

    line: int
    terms: tuple[Term, ...]


class Place:
    """The state at one place of a function."""

    def __init__(self, variables: Variables, premises: Premises) -> None:
        """Begin with nothing known."""
        self.variables = variables
        self.values = Values()
        self.known: dict[str, Term] = {}
        """The values of variables, by key, as far as they are known."""
        self.path: list[Term] = []
        self.asked: list[Asked] = []
        self.calls: list[Called] = []
        self.blurred: set[int] = set()
        """Lines on which branches are not those of their conditions, one for one."""
        self.spread: set[tuple[int, int]] = set()
        """First and last lines of conditions that go on over several."""
        self._premises = premises
        self._types: dict[str, Scalar] = {}
        self._given: dict[str, Term] = {}
        """The parameters, by name, as the call gives them."""
        self._silent = False
        self.team = self.values.between(1, MOST_THREADS)
        """The number of threads that execute this place."""

    @property
    def facts(self) -> list[Term]:
        """Return what is known of all unknowns."""
        return self.values.facts

    def enter(self, parameters: Iterable[Cursor]) -> None:
        """Take up the parameters of a function."""
        for item in parameters:
            kind = integer(item.type)
            if kind is None:
                continue
            term = self.values.unknown(kind)
            least = self.variables.least(item)
            if least is not None:
                self.facts.append(term >= least)
            if self.variables.multiple(item) > 1:
                self.facts.append(term % self.variables.multiple(item) == 0)
            name = self.variables.given(item)
            if (asked := _OF_LAUNCHES.fullmatch(name)) is not None:
                self.facts.extend((term >= 1, term <= MOST_OF_LAUNCHES[asked[1]]))
            self._given[name] = term
            self.hold(item, term)

    def forget(self, keys: Iterable[str]) -> None:
        """Let variables be anything."""
        for key in keys:
            self.known[key] = self.values.unknown(self._types[key])

    def suppose(self, *facts: Term) -> None:
        """Take note of what holds where this place is reached; of other calls it says nothing."""
        self.values.facts += [z3.Implies(z3.And(*self.path), fact) for fact in facts]

    def blur(self, first: int, last: int | None = None) -> None:
        """Take note of lines that compilers branch on by themselves."""
        self.blurred |= {*range(first, (last or first) + 1)}

    def merged(
        self, test: Term, taken: Mapping[str, Term], other: Mapping[str, Term], before: Iterable[str]
    ) -> dict[str, Term]:
        """Return what is known behind two ways."""
        return {
            key: taken[key] if taken[key].eq(other[key]) else z3.If(test, taken[key], other[key])
            for key in before
        }

    def record(self, cursor: Cursor, *ways: Sequence[Term]) -> None:
        """Take note of the ways out of a condition."""
        self.extend(cursor)
        if not self._silent:
            line = cursor.extent.start.line
            self.asked += [Asked(line, (*self.path, *way)) for way in ways]

    def extend(self, condition: Cursor) -> None:
        """Take note of the lines of a condition, where it has several."""
        first, last = condition.extent.start.line, condition.extent.end.line
        if first != last:
            self.spread.add((first, last))

    def hold(self, declared: Cursor, term: Term) -> None:
        """Take note of what a variable holds, where that stays known."""
        kind = self.variables.scalar(declared)
        if kind is not None:
            key = key_of(declared)
            self.known[key], self._types[key] = term, kind
