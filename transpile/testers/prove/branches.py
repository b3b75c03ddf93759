"""Branches that no thread takes: conditions of the source that never come out one way, whatever the sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import z3

from transpile.testers.prove.arithmetic import Term, WholeNumbers
from transpile.testers.prove.footprint import Footprint
from transpile.testers.prove.premises import Premises, parameters
from transpile.testers.prove.sides import Original, ranges
from transpile.testers.prove.solving import Clock, Unproven
from transpile.testers.prove.state import State, Threads
from transpile.testers.prove.tree import (
    Binary,
    Convert,
    Expression,
    Inlined,
    NotModelled,
    Unary,
    walk,
)
from transpile.testers.prove.ways import Ways, by_line


@dataclass(frozen=True, slots=True)
class Untaken:
    """Ways out of the conditions of a source that no thread takes."""

    lines: Mapping[int, Ways]
    """Counts by line.

    Lines count from the function's last, which is 0: the first may be lost with ``__global__`` on it.
    """
    assumed: tuple[str, ...]


def untaken(original: Original, clock: Clock) -> Untaken:
    """Count the ways out of the source's conditions that z3 shows to be taken by no thread.

    A condition that is joined of others counts as these. What z3 cannot tell in time counts as taken.

    Raises:
        NotModelled: The text holds something that proofs do not model.
    """
    routine = original.source
    if any(isinstance(node, Inlined) for node in walk(routine.body)):
        raise NotModelled("conditions that calls share")
    premises = Premises(distinct=False)
    arithmetic = WholeNumbers(wrapping=False)
    facts = list(parameters(original, arithmetic, premises))
    threads = Threads(original.indices(), arithmetic)
    visits = _Visits(arithmetic, threads)
    visits.run(routine.body, original.start(visits))
    known = [*facts, *visits.facts, *ranges(arithmetic, threads), *arithmetic.remainders]
    solver = clock.solver(known)
    never: Counter[int] = Counter()
    ways: Counter[int] = Counter()
    for key, seen in visits.conditions.items():
        line, _ = routine.lines[key]
        ways[line] += 2
        for way in (True, False):
            cases = [z3.And(path, term if way else z3.Not(term)) for path, term in seen]
            never[line] += _never(clock, solver, cases)
    spread = [(first, last) for first, last in routine.lines.values() if first != last]
    return Untaken(by_line(never, ways, spread, ()), premises.texts(original.contract))


def _never(clock: Clock, solver: z3.Solver, cases: list[Term]) -> bool:
    try:
        return all(clock.part().holds(solver, case) for case in cases)
    except Unproven:
        return False


class _Visits(Footprint):
    """Executes a thread for its conditions: under which path each is asked, and what it is there."""

    def __init__(self, arithmetic: WholeNumbers, threads: Threads) -> None:
        super().__init__(arithmetic, threads, constant=frozenset(), wrapping=False)
        self.conditions: dict[int, list[tuple[Term, Term]]] = {}

    def truth(self, expression: Expression, state: State) -> Term:
        """Return a condition as a truth value, and take note of it."""
        term = super().truth(expression, state)
        if not _joined(expression):
            self.conditions.setdefault(id(expression), []).append((state.path, term))
        return term


def _joined(expression: Expression) -> bool:
    """Tell whether a condition is made of others, which are asked on their own."""
    while isinstance(expression, Convert) or (isinstance(expression, Unary) and expression.operator == "!"):
        expression = expression.operand
    return isinstance(expression, Binary) and expression.operator in ("&&", "||")
