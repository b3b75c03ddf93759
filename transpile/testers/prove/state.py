"""State at one place of a text: variables, memory, and which thread it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import Arithmetic, Term, bounds
from transpile.testers.prove.launch import Indices, Sum
from transpile.testers.prove.tree import NotModelled

BREAK, RETURN = "#break", "#return"
"""Variables that tell whether a loop, or the function, has been left."""
THREADS = (1 << 31) - 1
"""Threads that no launch exceeds."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number, and the sum of launch quantities that it is, if it is one."""

    term: Term
    type: Scalar
    launch: Sum | None = None


@dataclass(frozen=True, slots=True)
class Pointer:
    """An element of an array, by its number."""

    array: str
    offset: Term
    element: Scalar


@dataclass(frozen=True, slots=True)
class State:
    """What is known at one place of the text. A state is never changed, only replaced."""

    variables: Mapping[str, Value | Pointer]
    memory: Mapping[str, Term]
    path: Term
    """Under which this place is reached."""
    local: frozenset[str] = frozenset()
    """Arrays that are this iteration's own."""


@dataclass(slots=True)
class Threads:
    """The thread, or the iteration, that is executed: its indices as unknowns, made when first used."""

    indices: Indices
    arithmetic: Arithmetic
    suffix: str = ""
    """Tells one thread from another."""
    used: dict[str, Term] = field(default_factory=dict)
    counts: dict[str, Term] = field(default_factory=dict)
    facts: list[Term] = field(default_factory=list)
    """Where the unknowns lie."""
    strides: dict[str, Scalar] = field(default_factory=dict)
    """Indices that run over all numbers, by a loop that strides over the grid, with the type that counts."""

    def index(self, name: str) -> Term:
        """Return the index of that name, as a 64-bit integer."""
        if name not in self.used:
            self.used[name] = self._unknown(f"index {name}{self.suffix}", THREADS - 1)
        return self.used[name]

    def over_all(self, name: str, kind: Scalar) -> Term:
        """Return an index that runs over all numbers that a counter of the type holds."""
        self.strides[name] = kind
        self.used[name] = self._unknown(
            f"round {name}{self.suffix}", min(bounds(kind)[1], bounds(Scalar.INT64)[1])
        )
        return self.used[name]

    def _unknown(self, name: str, highest: int) -> Term:
        term = self.arithmetic.constant(name, Scalar.INT64)
        self.facts.append(self.arithmetic.bounded(term, 0, highest))
        return term

    def count(self, name: str) -> Term:
        """Return how many threads there are along an index."""
        if name not in self.counts:
            self.counts[name] = self._unknown(f"threads {name}", THREADS)
        return self.counts[name]


def merged(test: Term, taken: State, other: State, before: State) -> State:
    """Return the state after both branches; ``before`` tells which variables still exist."""
    variables: dict[str, Value | Pointer] = {}
    for key in before.variables:
        first, second = taken.variables[key], other.variables[key]
        variables[key] = first if first is second else _joined(test, first, second)
    memory = {
        name: taken.memory[name]
        if taken.memory[name].eq(other.memory[name])
        else z3.If(test, taken.memory[name], other.memory[name])
        for name in before.memory
    }
    return replace(before, variables=variables, memory=memory)


def _joined(test: Term, first: Value | Pointer, second: Value | Pointer) -> Value | Pointer:
    if isinstance(first, Value) and isinstance(second, Value) and first.type is second.type:
        if first.term.eq(second.term):
            return first
        return Value(z3.If(test, first.term, second.term), first.type)
    if isinstance(first, Pointer) and isinstance(second, Pointer) and first.array == second.array:
        return replace(first, offset=z3.If(test, first.offset, second.offset))
    raise NotModelled("a pointer into one of two arrays")


def flag(state: State, name: str) -> Term:
    """Return the truth value of a flag."""
    value = state.variables[name]
    assert isinstance(value, Value)
    return value.term


def flagged(state: State, name: str, *, up: bool = True) -> State:
    """Return the state with a flag up or down."""
    return replace(state, variables={**state.variables, name: Value(z3.BoolVal(up), Scalar.BOOL)})
