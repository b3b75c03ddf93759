"""Trials beyond a requirement that nobody stated: scalars that are alike, as those of cubes are.

A requirement such as ``width >= size`` may be narrower than what the source is meant for. Sizes drawn each
for itself seldom fit together without it; where nearly all are equal, they often do. Whether the source
behaves there is for its run to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from transpile.core import Contract, Origin, Trial
from transpile.expressions import names as names_of
from transpile.testers.trials.generate import Plan, facts_of, pinned

_EDGES = (2, 3)
"""Values of nearly all scalars."""
_DIMENSIONS = 4
_FEWEST = 4
"""Whole numbers of which something is said by their being alike."""
_MOST_ONES = 3
_COUNT = 384
_MISSES = 8
"""Failures to make a trial after which what the contract asks for beside is taken to bar them."""


def alike(contract: Contract, plan: Plan) -> tuple[Trial, ...]:
    """Return trials outside of the requirements that were found; none where there are no such ones."""
    names = [fact.name for fact, kind in facts_of(contract) if not kind.floating]
    kept = tuple(filter(_of_launches, contract.relations))
    stated = contract.relations_from is not Origin.TRACE or kept == contract.relations
    if stated or len(names) < _FEWEST:
        return ()
    return tuple(dict.fromkeys(_alike(replace(contract, relations=kept), plan, names)))


def _of_launches(relation: str) -> bool:
    return any("." in name for name in names_of(relation))


def _alike(contract: Contract, plan: Plan, names: list[str]) -> Iterator[Trial]:
    sizes = [fact.name for fact, _ in facts_of(contract) if fact.size]
    misses = 0
    for index in range(_COUNT):
        if misses == _MISSES:
            return
        rng = np.random.default_rng([plan.seed, plan.nonce & 0xFFFFFFFF, index])
        edge = int(rng.choice(_EDGES))
        pins = dict.fromkeys(names, edge)
        pins |= dict.fromkeys(rng.choice(names, int(rng.integers(_MOST_ONES + 1)), replace=False).tolist(), 1)
        if sizes:
            pins[str(rng.choice(sizes))] = int(rng.integers(1, edge**_DIMENSIONS, endpoint=True))
        trial = pinned(contract, replace(plan, seed=int(rng.integers(2**31))), pins)
        if trial is None:
            misses += 1
        else:
            yield trial
