"""Agreement of a translation with its source: a thread and an iteration leave the same behind.

That is shown for each thread by itself. No two threads touch what one of them changes (see ``parallel``), so
their order does not matter, and the loop over all iterations leaves behind what the launch does.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import z3

from transpile.testers.prove.arithmetic import BitVectors, Term
from transpile.testers.prove.covering import show_threads_suffice
from transpile.testers.prove.exact import Effect, Exact, Loops
from transpile.testers.prove.nest import Nest, nest
from transpile.testers.prove.premises import Premises, at_least
from transpile.testers.prove.sides import Sides, counters, ranges
from transpile.testers.prove.solving import Clock, Unproven, scalars
from transpile.testers.prove.state import State, Threads

_STRIDES = "the counter of a loop over the grid does not overflow"


def show_agreement(sides: Sides, clock: Clock) -> tuple[str, ...]:
    """Show that each thread does what its iteration does, and that every thread has one or does nothing.

    Returns:
        The assumptions that it takes.

    Raises:
        NotModelled: A text holds something that proofs do not model.
        Unproven: z3 finds a difference, or does not decide.
    """
    arithmetic = BitVectors()
    threads = Threads(sides.indices(), arithmetic)
    loops = Loops()
    source = Exact(arithmetic, threads, loops)
    before = sides.start(source)
    after = source.run(sides.source.body, before)
    done = [term for item in source.effects for term in (item.path, *item.operands)]
    names = sides.told_apart(threads, done)
    loop = nest(sides.candidate, len(names))
    comparison = _Comparison(sides, clock, threads, loops, before, after, source.effects)
    # A translation keeps most subscripts as they are: the right order of the loops shows in them.
    best = max(permutations(names), key=lambda order: comparison.likeness(loop, order))
    premises = Premises(tame=False, lows=False, distinct=False)
    try:
        comparison.show(loop, best, [])
    except Unproven:
        lows = at_least(sides, arithmetic)
        if not lows:
            raise
        premises = replace(premises, lows=True)
        comparison.show(loop, best, lows)
    assumed = show_threads_suffice(sides, loop, best, threads, clock)
    return (*premises.texts(sides.contract), *assumed, *([_STRIDES] if threads.strides else []))


class _Comparison:
    """One thread of the source, executed, against iterations."""

    def __init__(
        self,
        sides: Sides,
        clock: Clock,
        threads: Threads,
        loops: Loops,
        before: State,
        after: State,
        effects: list[Effect],
    ) -> None:
        self._sides = sides
        self._clock = clock
        self._threads = threads
        self._loops = loops
        self._before = before
        self._after = after
        self._effects = effects
        self._arithmetic = threads.arithmetic

    def likeness(self, loop: Nest, order: tuple[str, ...]) -> int:
        """Return how many effects are the same in every respect if the counters are these indices."""
        executor, _, _ = self._execute(loop, order)
        return sum(
            _alike(one, other) and _same(one, other) for one in executor.effects for other in self._effects
        )

    def _execute(self, loop: Nest, order: tuple[str, ...]) -> tuple[Exact, State, Term]:
        executor = self._executor()
        terms = counters(loop, self._arithmetic, tuple(self._threads.index(name) for name in order))
        start = self._sides.candidate_start(self._executor())
        after, exists = loop.iteration(executor, start, terms)
        return executor, after, exists

    def show(self, loop: Nest, order: tuple[str, ...], premises: list[Term]) -> None:
        """Show agreement where the counters of the nest are these indices, from the outermost inward."""
        known = [*premises, *self._sides.law(self._executor(), self._threads), *self._threads.facts]
        executor, after, exists = self._execute(loop, order)
        facts = [*known, *ranges(self._arithmetic, self._threads)]
        self._show_same(facts, exists, after)
        self._show_idle(facts, exists)
        self._show_safe([*facts, exists], executor.effects)

    def _executor(self) -> Exact:
        return Exact(self._arithmetic, self._threads, self._loops)

    def _show_same(self, facts: list[Term], exists: Term, after: State) -> None:
        solver = self._clock.solver([*facts, exists])
        for name, term in self._after.memory.items():
            other = after.memory.get(name, term)
            if not term.eq(other) and not self._clock.holds(solver, term != other):
                raise Unproven(f"values of {name} that may differ", scalars(solver.model()))

    def _show_idle(self, facts: list[Term], exists: Term) -> None:
        """Show that threads without an iteration change nothing."""
        solver = self._clock.solver([*facts, z3.Not(exists)])
        for name, term in self._before.memory.items():
            other = self._after.memory[name]
            if not term.eq(other) and not self._clock.holds(solver, term != other):
                reason = f"threads without an iteration that change {name}"
                raise Unproven(reason, scalars(solver.model()))

    def _show_safe(self, facts: list[Term], effects: list[Effect]) -> None:
        """Show that the translation touches and divides by nothing that the source does not."""
        solver = self._clock.solver(facts)
        for effect in effects:
            same = [item for item in self._effects if _alike(item, effect)]
            if any(item.path.eq(effect.path) and _same(item, effect) for item in same):
                continue
            if effect.danger is None:
                wrong = [effect.path]
                covered = [
                    z3.And(item.path, *(a == b for a, b in zip(item.operands, effect.operands, strict=True)))
                    for item in same
                ]
            else:
                wrong = [effect.path, effect.danger]
                covered = [
                    z3.And(item.path, item.danger) for item in self._effects if item.danger is not None
                ]
            if not self._clock.holds(solver, *wrong, z3.Not(z3.Or(*covered))):
                raise Unproven(
                    f"a {effect.kind.split()[0]} that the source may not make", scalars(solver.model())
                )


def _alike(first: Effect, second: Effect) -> bool:
    return first.kind == second.kind and len(first.operands) == len(second.operands)


def _same(first: Effect, second: Effect) -> bool:
    return all(one.eq(other) for one, other in zip(first.operands, second.operands, strict=True))
