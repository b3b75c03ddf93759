"""Numbers passed by value at which a source does something of its own, several of them at once.

Each is met by itself until all branches are taken: what is done in the wrong order shows where two meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from transpile.core import Contract, Fill, Trial
from transpile.testers.trials.generate import Plan, facts_of, pinned

Asked = tuple[str, float]
"""A name, and a number that the text asks it to equal or compares it with."""

_FILLS: tuple[Fill, ...] = ("exact", "real", "few")
_LEVELS = (1, 2)
_MOST = 40
"""Combinations."""
_TOGETHER = 6
"""Of all numbers at once."""


def combined(contract: Contract, plan: Plan, asked: Iterable[Asked]) -> list[Trial]:
    """Return trials with numbers of each two names, and of all, in arrays of a few elements and of one."""
    facts = [(fact.name, fact.size) for fact, kind in facts_of(contract) if not kind.floating]
    known = {name: sorted({int(number) for one, number in asked if one == name}) for name, _ in facts}
    chosen = {name: numbers for name, numbers in known.items() if numbers}
    sizes = [name for name, size in facts if size]
    found: dict[Trial, None] = {}
    for turn, pins in enumerate(_thinned(chosen)):
        modest = replace(
            plan,
            seed=plan.seed + 97 + turn,
            levels=(_LEVELS[turn % len(_LEVELS)],),
            fills=(_FILLS[turn % len(_FILLS)],),
        )
        for made in (
            pinned(contract, modest, pins),
            pinned(contract, modest, {**dict.fromkeys(sizes, 1), **pins}),
        ):
            if made is not None:
                found.setdefault(made)
    return list(found)


def _thinned(chosen: Mapping[str, Sequence[int]]) -> Iterator[Mapping[str, int]]:
    """Yield numbers of each two names, as many as may be tried, then of all names at once."""
    pairs = [
        {one: first, other: second}
        for one, other in combinations(chosen, 2)
        for first, second in product(chosen[one], chosen[other])
    ]
    yield from pairs[:: max(len(pairs) // _MOST, 1)]
    if len(chosen) > 2:
        most = max(map(len, chosen.values()))
        for turn in range(min(most, _TOGETHER)):
            yield {name: numbers[turn % len(numbers)] for name, numbers in chosen.items()}
