"""Threads suffice: each iteration of a translation has a thread in every launch that the contract allows."""

from __future__ import annotations

import z3

from transpile.testers.prove.arithmetic import WholeNumbers, bounds
from transpile.testers.prove.footprint import Footprint
from transpile.testers.prove.nest import Nest
from transpile.testers.prove.premises import Premises, parameters
from transpile.testers.prove.sides import Sides, within
from transpile.testers.prove.solving import Clock, Unproven, scalars
from transpile.testers.prove.state import Threads


def show_threads_suffice(
    sides: Sides, loop: Nest, order: tuple[str, ...], used: Threads, clock: Clock
) -> tuple[str, ...]:
    """Show that the counters of the nest are indices of the launch; return the assumptions that it takes.

    Args:
        sides: What is compared.
        loop: The nest.
        order: The index that each counter stands for.
        used: The thread of the source, as it was executed.
        clock: The time.

    Raises:
        NotModelled: A bound holds something that proofs do not model.
        Unproven: A launch may have too few threads.
    """
    premises = Premises(tame=False, lows=False, distinct=False)
    try:
        _show(sides, loop, order, used, clock.part(), premises)
    except Unproven:
        premises = Premises(tame=False, lows=True, distinct=False)
        _show(sides, loop, order, used, clock, premises)
    return premises.texts(sides.contract)


def _show(
    sides: Sides, loop: Nest, order: tuple[str, ...], used: Threads, clock: Clock, premises: Premises
) -> None:
    arithmetic = WholeNumbers(wrapping=True)
    threads = Threads(used.indices, arithmetic)
    for name in order:
        if name in used.strides:
            threads.over_all(name, used.strides[name])
        else:
            threads.index(name)
    executor = Footprint(arithmetic, threads, constant=frozenset(), wrapping=True)
    facts = list(parameters(sides, arithmetic, premises))
    terms = []
    for number, level in enumerate(loop.levels):
        term = arithmetic.constant(f"counter {number}", level.type)
        facts.append(arithmetic.bounded(term, *bounds(level.type)))
        terms.append(term)
    _, exists = loop.enter(executor, sides.candidate_start(executor), terms)
    inside = [within(arithmetic, threads, name, term) for term, name in zip(terms, order, strict=True)]
    solver = clock.solver([*facts, *sides.law(executor, threads), *threads.facts])
    if not clock.holds(solver, exists, z3.Not(z3.And(*inside))):
        raise Unproven("iterations for which a launch may have no thread", scalars(solver.model()))
