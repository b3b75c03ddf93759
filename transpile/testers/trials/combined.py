"""Numbers passed by value at which a source does something of its own, each alone and several at once.

Where each is met by itself until all branches are taken, what is done in a wrong order shows where two meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from transpile.core import Contract, Fill, Role, Trial
from transpile.testers.trials.generate import Plan, facts_of, pinned, thinned
from transpile.testers.trials.materialise import in_turn

Asked = tuple[str, float]
"""A name, and a number that the text asks it to equal or compares it with."""

_FILLS: tuple[Fill, ...] = ("exact", "real", "few")
_LEVELS = (1, 2)
_STEPS = (0.5, 2.0)
_LONGEST = 64
"""Elements of an array of options."""
_OTHER = 1
"""Options that are left alone."""
_MOST = 24
"""Combinations."""
_TOGETHER = 6
"""Of all numbers at once."""
_CROSSINGS, _CROSSED = 3, 32
"""Rounds of trials by chance, and trials in each."""


def combined(contract: Contract, plan: Plan, asked: Sequence[Asked]) -> list[Trial]:
    """Return trials with numbers of each name, of each two, and of all, in arrays of few elements and one."""
    sizes = [fact.name for fact, _ in facts_of(contract) if fact.size]
    found: dict[Trial, None] = {}
    for turn, pins in enumerate(_combinations(_of_scalars(contract, asked))):
        for made in (
            pinned(contract, _modest(plan, turn), pins),
            pinned(contract, _modest(plan, turn), {**dict.fromkeys(sizes, 1), **pins}),
        ):
            if made is not None:
                found.setdefault(made)
    return [*found, *_at_ties(contract, plan, asked)]


def crossed(contract: Contract, plan: Plan, asked: Sequence[Asked]) -> Iterator[list[Trial]]:
    """Yield trials with numbers of three names and more at once, by chance: conditions stand in each other.

    A name may have any other number as well, and 1 where it is asked to be 0.
    """
    known = _of_scalars(contract, asked)
    options = {name: [*numbers, *([1.0] if 0.0 in numbers else []), None] for name, numbers in known.items()}
    chance = np.random.default_rng([plan.seed, plan.nonce & 0xFFFFFFFF])
    for turn in range(_CROSSINGS if len(options) > 2 else 0):
        found: dict[Trial, None] = {}
        for number in range(_CROSSED):
            chosen = {name: values[chance.integers(len(values))] for name, values in options.items()}
            pins = {name: value for name, value in chosen.items() if value is not None}
            made = pinned(contract, _modest(plan, turn * _CROSSED + number), pins)
            if made is not None:
                found.setdefault(made)
        yield list(found)


def _at_ties(contract: Contract, plan: Plan, asked: Iterable[Asked]) -> Iterator[Trial]:
    """Yield trials with whole numbers that choose how to round, say, on data at which rounding turns.

    Floating numbers that are passed by value are powers of two, so that nothing else is rounded.
    """
    kinds = {fact.name: kind for fact, kind in facts_of(contract)}
    fractions = [name for name, kind in kinds.items() if kind.floating]
    known = {name: numbers for name, numbers in _of_scalars(contract, asked).items() if name not in fractions}
    pins = [{name: number} for name, numbers in known.items() for number in numbers]
    for turn, pin in enumerate(thinned(pins, _MOST)):
        for step in _STEPS:
            tied = replace(_modest(plan, turn), fills=("grid",))
            made = pinned(contract, tied, {**dict.fromkeys(fractions, step), **pin})
            if made is not None:
                yield in_turn(made, 0 if step < 1.0 else 2)


def of_options(contract: Contract, plan: Plan, asked: Sequence[Asked]) -> list[Trial]:
    """Return trials with such numbers in elements of short arrays that are only read: options, say.

    Numbers that are passed by value are as usual, and then such ones as well.
    """
    beside = _of_scalars(contract, asked)
    lengths = {
        fact.name: int(fact.extent)
        for fact in contract.arrays
        if fact.role is Role.IN and fact.extent.isdigit() and 0 < int(fact.extent) <= _LONGEST
    }
    places: dict[str, dict[str, list[float]]] = {}
    for name, number in asked:
        array, _, place = name.removesuffix("]").partition("[")
        if place.isdigit() and int(place) < lengths.get(array, 0):
            places.setdefault(array, {}).setdefault(place, []).append(number)
    found: list[Trial] = []
    for array, numbers in places.items():
        for turn, pins in enumerate(_combinations(numbers)):
            elements = tuple(pins.get(str(place), _OTHER) for place in range(lengths[array]))
            together = {name: known[turn % len(known)] for name, known in beside.items()}
            for passed in ({}, together) if together else ({},):
                base = pinned(contract, _modest(plan, turn), passed)
                found += [replace(base, written=((array, elements),))] if base is not None else []
    return found


def _of_scalars(contract: Contract, asked: Iterable[Asked]) -> dict[str, list[float]]:
    """Return the numbers that are asked of those passed by value."""
    known: dict[str, set[float]] = {fact.name: set() for fact, _ in facts_of(contract)}
    for name, number in asked:
        known.get(name, set()).add(number)
    return {name: sorted(numbers) for name, numbers in known.items() if numbers}


def _modest(plan: Plan, turn: int) -> Plan:
    level, fill = _LEVELS[turn % len(_LEVELS)], _FILLS[turn % len(_FILLS)]
    return replace(plan, seed=plan.seed + 97 + turn, levels=(level,), fills=(fill,))


def _combinations(chosen: Mapping[str, Sequence[float]]) -> Iterator[Mapping[str, float]]:
    """Yield numbers of each name, of each two, as many as may be tried, then of all names at once."""
    alone = [{name: number} for name, numbers in chosen.items() for number in numbers]
    yield from thinned(alone, _MOST)
    pairs = [
        {one: first, other: second}
        for one, other in combinations(chosen, 2)
        for first, second in product(chosen[one], chosen[other])
    ]
    yield from thinned(pairs, _MOST)
    if len(chosen) > 2:
        most = max(map(len, chosen.values()))
        for turn in range(min(most, _TOGETHER)):
            yield {name: numbers[turn % len(numbers)] for name, numbers in chosen.items()}
