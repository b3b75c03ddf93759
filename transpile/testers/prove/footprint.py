"""Footprint of one iteration, over all sizes: accesses with the conditions under which they are made.

Everything that is not known is left open, so that more is taken to be touched than is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import Term, WholeNumbers, unsigned, width
from transpile.testers.prove.execution import Executor
from transpile.testers.prove.state import BREAK, RETURN, Pointer, State, Threads, Value, flag, flagged
from transpile.testers.prove.tree import (
    Assign,
    Convert,
    Evaluate,
    Expression,
    Literal,
    Loop,
    Name,
    assigned,
    walk,
)


@dataclass(frozen=True, slots=True)
class Access:
    """A read or a write of an element."""

    array: str
    offset: Term
    path: Term
    write: bool
    value: Term | None = None
    """What was read, where nobody writes to the array."""


class Footprint(Executor):
    """Executes one iteration for its accesses."""

    def __init__(
        self, arithmetic: WholeNumbers, threads: Threads, *, constant: frozenset[str], wrapping: bool
    ) -> None:
        """Begin with no accesses.

        Args:
            arithmetic: Whole numbers.
            threads: The thread or iteration.
            constant: Arrays that no iteration writes to.
            wrapping: Unsigned counters may wrap.
        """
        super().__init__(arithmetic, threads)
        self.accesses: list[Access] = []
        self.facts: list[Term] = []
        self._constant = constant
        self._wrapping = wrapping

    def load(self, pointer: Pointer, state: State) -> Term:
        """Note a read; of what it gives, only that an element of a constant array stays the same is known."""
        kind = pointer.element
        value = None
        if pointer.array in self._constant:
            value = self.arithmetic.apply(f"element of {pointer.array}", kind, pointer.offset)
        if pointer.array not in state.local:
            self.accesses.append(Access(pointer.array, pointer.offset, state.path, False, value))
        return value if value is not None else self.arithmetic.constant(self.fresh("element"), kind)

    def store(self, pointer: Pointer, term: Term, state: State) -> State:
        """Note a write."""
        if pointer.array not in state.local:
            self.accesses.append(Access(pointer.array, pointer.offset, state.path, True))
        return state

    def risk(self, operator: str, kind: Scalar, left: Term, right: Term, state: State) -> None:
        """Touch nothing."""

    def loop(self, loop: Loop, state: State) -> State:
        """Execute one round of which nothing is known but where its counter may be."""
        keys = [key for key in assigned(loop.condition, loop.body, loop.step) if key in state.variables]
        begin = self._unknown(state, keys)
        for key in keys:
            begin = self._counted(loop, key, state, begin)
        begin = flagged(flagged(begin, BREAK, up=False), RETURN, up=False)
        head = begin
        if loop.condition is not None and not loop.late:
            head = replace(begin, path=z3.And(begin.path, self.truth(loop.condition, begin)))
        after = self.run((*loop.body,), head)
        after = self.run(loop.step, after)
        if loop.condition is not None and loop.late:
            self.truth(loop.condition, after)
        over = self._unknown(state, keys)
        if not z3.is_false(z3.simplify(flag(after, RETURN))):
            gone = Value(z3.Bool(self.fresh("returned")), Scalar.BOOL)
            over = replace(over, variables={**over.variables, RETURN: gone})
        return over

    def _unknown(self, state: State, keys: Sequence[str]) -> State:
        variables = dict(state.variables)
        for key in keys:
            old = variables[key]
            if isinstance(old, Pointer):
                variables[key] = replace(
                    old, offset=self.arithmetic.constant(self.fresh("offset"), Scalar.INT64)
                )
            else:
                variables[key] = Value(self.arithmetic.constant(self.fresh("value"), old.type), old.type)
        return replace(state, variables=variables)

    def _counted(self, loop: Loop, key: str, before: State, begin: State) -> State:
        """Return the state where a counter is its start and a number of steps."""
        start = before.variables[key]
        step = _step(loop, key)
        if step is None or not isinstance(start, Value):
            return begin
        if width(start.type) < 32 or (unsigned(start.type) and self._wrapping):
            return begin
        rounds = z3.Int(self.fresh("rounds"))
        self.facts.append(rounds >= 0)
        counter = Value(start.term + step * rounds, start.type)
        return replace(begin, variables={**begin.variables, key: counter})


def _step(loop: Loop, key: str) -> int | None:
    """Return by how much a loop moves a variable each round, where its step alone does, by a constant."""
    moves = [
        node
        for node in walk((loop.condition, loop.body, loop.step))
        if isinstance(node, Assign) and isinstance(node.target, Name) and node.target.key == key
    ]
    last = [item.expression for item in loop.step if isinstance(item, Evaluate)]
    if len(moves) != 1 or moves[0] not in last or loop.late:
        return None
    (move,) = moves
    if move.type is None or move.type.floating:
        return None
    value = _literal(move.value)
    if value is None:
        return None
    return {"+": value, "-": -value}.get(move.operator)


def _literal(expression: Expression) -> int | None:
    while isinstance(expression, Convert):
        expression = expression.operand
    known = isinstance(expression, Literal) and isinstance(expression.value, int)
    return int(expression.value) if known and isinstance(expression, Literal) else None


def conflicts(
    first: Footprint,
    second: Footprint,
    solver: z3.Solver,
    distinct: frozenset[str],
    holds: Callable[..., bool],
) -> Iterator[tuple[Access, Access]]:
    """Yield the pairs of accesses that two iterations may make to one element, one of them a write.

    Args:
        first: One iteration.
        second: Another; the solver knows that it is another.
        solver: What is known.
        distinct: Constant arrays whose elements are all different.
        holds: Tells whether claims never are true together with what the solver knows.
    """
    solver.add(*first.facts, *second.facts)
    for one in _values(first, distinct):
        for other in _values(second, distinct):
            if one.array == other.array:
                solver.add(z3.Or(one.offset == other.offset, one.value != other.value))
    for one in _different(first.accesses):
        for other in _different(second.accesses):
            if one.array == other.array and (one.write or other.write):
                claims = (one.path, other.path, one.offset == other.offset)
                if not holds(solver, *claims):
                    yield one, other


def _values(footprint: Footprint, distinct: frozenset[str]) -> list[Access]:
    return [
        item for item in _different(footprint.accesses) if item.array in distinct and item.value is not None
    ]


def _different(accesses: Sequence[Access]) -> list[Access]:
    """Return the accesses with those to the same element as one, under what all their conditions share."""
    found: dict[tuple[str, int, bool], list[Access]] = {}
    for item in accesses:
        found.setdefault((item.array, item.offset.get_id(), item.write), []).append(item)
    return [replace(same[0], path=_shared([item.path for item in same])) for same in found.values()]


def _shared(paths: Sequence[Term]) -> Term:
    """Return a condition that holds wherever one of the paths is taken: the parts that all of them have."""
    if all(path.eq(paths[0]) for path in paths):
        return paths[0]
    parts = [{part.get_id(): part for part in _parts(path)} for path in paths]
    common = [part for identity, part in parts[0].items() if all(identity in other for other in parts[1:])]
    return z3.And(*common)


def _parts(path: Term) -> Iterator[Term]:
    if z3.is_and(path):
        for child in path.children():
            yield from _parts(child)
    else:
        yield path
