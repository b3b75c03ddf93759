"""Parallelism: no two threads, or iterations, touch what one of them changes, whatever the sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3

from transpile.testers.prove.arithmetic import Term, WholeNumbers, bounds
from transpile.testers.prove.footprint import Footprint, conflicts
from transpile.testers.prove.nest import Nest
from transpile.testers.prove.premises import Premises, distinct_of, parameters
from transpile.testers.prove.sides import Sides, ranges
from transpile.testers.prove.solving import Clock, Unproven
from transpile.testers.prove.state import Threads

Pair = Callable[["_Run", frozenset[str]], tuple[Footprint, Footprint, list[Term]]]


@dataclass(frozen=True, slots=True)
class _Run:
    """One attempt: what both executions share."""

    arithmetic: WholeNumbers
    premises: Premises


def show_threads(sides: Sides, clock: Clock) -> tuple[str, ...]:
    """Show that no two threads of the source conflict; return the assumptions that it takes.

    Raises:
        NotModelled: The text holds something that proofs do not model.
        Unproven: Two threads may conflict, or z3 does not decide.
    """

    def pair(run: _Run, constant: frozenset[str]) -> tuple[Footprint, Footprint, list[Term]]:
        first = Threads(sides.indices(), run.arithmetic, " of one")
        second = Threads(sides.indices(), run.arithmetic, " of another", counts=first.counts)
        feet = [
            Footprint(run.arithmetic, item, constant=constant, wrapping=not run.premises.tame)
            for item in (first, second)
        ]
        for one in feet:
            one.run(sides.source.body, sides.start(one))
        touched = [term for item in feet[0].accesses for term in (item.path, item.offset)]
        names = sides.told_apart(first, touched)
        facts = [*ranges(run.arithmetic, first), *ranges(run.arithmetic, second)]
        facts += sides.law(_throwaway(run, first), first)
        facts.append(z3.Or(*(first.index(name) != second.index(name) for name in names)))
        return feet[0], feet[1], facts

    return _least(sides, clock, pair)


def show_iterations(sides: Sides, loop: Nest, clock: Clock) -> tuple[str, ...]:
    """Show that no two iterations of the translation's loops conflict; return the assumptions that it takes.

    Raises:
        NotModelled: The text holds something that proofs do not model.
        Unproven: Two iterations may conflict, or z3 does not decide.
    """

    def pair(run: _Run, constant: frozenset[str]) -> tuple[Footprint, Footprint, list[Term]]:
        facts: list[Term] = []
        feet, counted = [], []
        for which in ("one", "another"):
            threads = Threads(sides.indices(), run.arithmetic, f" of {which}")
            foot = Footprint(run.arithmetic, threads, constant=constant, wrapping=not run.premises.tame)
            terms = []
            for number, level in enumerate(loop.levels):
                term = run.arithmetic.constant(f"counter {number} of {which}", level.type)
                facts.append(run.arithmetic.bounded(term, *bounds(level.type)))
                terms.append(term)
            loop.iteration(foot, sides.candidate_start(foot), terms)
            feet.append(foot)
            counted.append(terms)
        facts.append(z3.Or(*(one != other for one, other in zip(*counted, strict=True))))
        return feet[0], feet[1], facts

    return _least(sides, clock, pair)


def _throwaway(run: _Run, threads: Threads) -> Footprint:
    return Footprint(run.arithmetic, threads, constant=frozenset(), wrapping=True)


def _least(sides: Sides, clock: Clock, pair: Pair) -> tuple[str, ...]:
    """Show it under no premise, else under all of them but those that it does not take."""
    contract = sides.contract
    try:
        _show(sides, clock.part(), pair, Premises(tame=False, lows=False, distinct=False))
    except Unproven:
        premises = Premises()
    else:
        return ()
    _show(sides, clock, pair, premises)
    for weaker in ("distinct", "lows", "tame"):
        fewer = replace(premises, **{weaker: False})
        try:
            if fewer.texts(contract) != premises.texts(contract):
                _show(sides, clock.part(), pair, fewer)
        except Unproven:
            continue
        premises = fewer
    return premises.texts(contract)


def _show(sides: Sides, clock: Clock, pair: Pair, premises: Premises) -> None:
    run = _Run(WholeNumbers(wrapping=not premises.tame), premises)
    facts = list(parameters(sides, run.arithmetic, run.premises))
    first, second, _ = pair(run, frozenset())
    written = {item.array for foot in (first, second) for item in foot.accesses if item.write}
    constant = frozenset({item.array for item in first.accesses} - written)
    first, second, more = pair(run, constant)
    distinct = distinct_of(sides.contract) if premises.distinct else frozenset()
    solver = clock.solver([*facts, *more])
    for one, other in conflicts(first, second, solver, distinct & constant, clock.never):
        word = "write" if one.write and other.write else "read and write"
        raise Unproven(f"two iterations that may {word} one element of {one.array}")
