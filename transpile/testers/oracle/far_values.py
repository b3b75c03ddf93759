"""Numbers passed by value that lie far from zero, or next to it, where a contract names no end.

A translation that keeps such a number in fewer bits agrees with its source on all that are small.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, permutations

import numpy as np

from transpile.contracts.arrays.ranges import BITS, FLOAT_RANGE, FREE
from transpile.core import Contract, Fill, Scalar, ScalarFact, Trial
from transpile.expressions import evaluate, names
from transpile.testers.oracle.validity import Examiner
from transpile.testers.trials.generate import Plan, facts_of, pinned, thinned
from transpile.testers.trials.launches import admissible

_LENGTHS = (64, 63, 52, 40, 33, 32, 31, 28, 24, 20, 17, 15)
"""Bits of whole numbers: all that a type has, and those that a narrower one has not."""
_EXPONENTS = (8, 15, 24, 32, 40, 60, -10, -24, -60)
"""Of two: numbers whose squares are finite, and not zero, in most types."""
_STEPS = ((0.1, 80.0), (0.01, 7.3))
"""Steps, and lengths that are gone through in many of them."""
_ROLES = 6
_FILLS: tuple[Fill, ...] = ("exact", "wide", "marked", "level")
_MODEST = (1, 2)
_MOST, _MOST_BESIDE = 48, 96
PROBES = (FREE, 100 * FREE)
"""Values of a number by which it is found out whether it says how much there is to do."""
_CUTS = (7, 8, 16, 32)
"""Bits that a mask leaves, of a character or of a narrower type."""
_TEXTS = 6
"""Numbers of a text that others are beside."""
_STEEP = 8.0
"""Times the work at a hundred times the number, from which on the number says how much there is to do."""
_LITTLE = 100_000
"""Work below which nothing is steep."""


def far(examiner: Examiner, plan: Plan, literals: Sequence[float] = ()) -> list[Trial]:
    """Return trials with open numbers of every length, each alone and all at once.

    In others numbers, open or not, are beside those of the text (``literals``).
    """
    contract = examiner.contract
    kinds = {fact.name: kind for fact, kind in facts_of(contract) if _is_open(fact, kind)}
    kinds = {name: kind for name, kind in kinds.items() if not _is_steep(examiner, plan, name, kind)}
    rng = np.random.default_rng([plan.seed, 53, plan.nonce & 0xFFFFFFFF])
    chosen = list(_chosen(rng, kinds, contract.numbers.nan != "never"))
    beside = list(_one_bit_beside(contract, kinds, literals))
    return _made(contract, plan, [*thinned(chosen, _MOST), *thinned(beside, _MOST_BESIDE)])


def _is_open(fact: ScalarFact, kind: Scalar) -> bool:
    """Tell whether a range ends where trials do, and nothing else is known of its end."""
    if kind.floating:
        return fact.values == FLOAT_RANGE
    return not fact.size and fact.multiple_of == "1" and fact.values.high == str(FREE)


def _is_steep(examiner: Examiner, plan: Plan, name: str, kind: Scalar) -> bool:
    """Tell whether a number says how much there is to do: the source would never come back."""
    if kind.floating:
        return False
    return steep(
        examiner,
        _made(examiner.contract, plan, [{name: min(value, BITS[kind][1])} for value in PROBES]),
    )


def steep(examiner: Examiner, trials: Sequence[Trial]) -> bool:
    """Tell whether the source does far more in a second trial than in the first, or fails."""
    works = [item.work for item in examiner.references(trials)]
    return len(works) < len(PROBES) or works[1] > max(_STEEP * works[0], _LITTLE)


def _chosen(
    rng: np.random.Generator, kinds: Mapping[str, Scalar], infinite: bool
) -> Iterator[Mapping[str, int | float]]:
    """Yield what open numbers are to be."""
    columns = {
        name: list(_floats(rng, infinite) if kind.floating else _wholes(rng, kind))
        for name, kind in kinds.items()
    }
    yield from ({name: value} for name, column in columns.items() for value in column)
    if len(columns) > 1:
        for turn in range(max(map(len, columns.values()))):
            yield {name: column[turn % len(column)] for name, column in columns.items()}
    yield from _in_steps([name for name, kind in kinds.items() if kind.floating])


def _in_steps(floating: Sequence[str]) -> Iterator[Mapping[str, float]]:
    """Yield a length, where it begins, and a step that no type holds exactly, each in all of some numbers.

    So ``for (float x = a; x < b; x += step)`` goes round often, and how often its rounding decides.
    """
    for roles in islice(permutations(floating, min(len(floating), 3)), _ROLES) if len(floating) > 1 else ():
        for step, length in _STEPS:
            yield dict(zip(roles, (step, length, 0.0), strict=False))


def _one_bit_beside(
    contract: Contract, far_too: Collection[str], literals: Sequence[float]
) -> Iterator[Mapping[str, int]]:
    """Yield numbers that differ from those of the text in one bit alone, which a mask may set or take off.

    So do numbers of the other sign: ``step % 100 == 0`` holds at -100, and not without a sign.
    """
    texts = [int(number) for number in literals if number.is_integer() and abs(number) < 1 << _CUTS[-1]]
    for fact, kind in facts_of(contract):
        if kind.floating or fact.size or fact.multiple_of != "1":
            continue
        low, high = BITS[kind]
        if fact.name not in far_too:
            ends = (fact.values.low, fact.values.high)
            if any(names(text) for text in ends):
                continue
            low, high = (evaluate(text, {}) for text in ends)
        for number in texts[:_TEXTS]:
            away = [-number, *(number ^ 1 << bit for bit in range(_CUTS[0]))]
            away += [number + sign * (1 << cut) for cut in _CUTS for sign in (1, -1)]
            yield from ({fact.name: value} for value in away if low <= value <= high)


def _wholes(rng: np.random.Generator, kind: Scalar) -> Iterator[int]:
    """Yield the ends of a type, and odd numbers with every length in bits, of both signs in turn."""
    low, high = BITS[kind]
    yield from (high, low) if low else (high,)
    for turn, length in enumerate(item for item in _LENGTHS if item <= high.bit_length()):
        size = (1 << (length - 1)) | int(rng.integers(1 << 62)) % (1 << (length - 1)) | 1
        yield -size if low < 0 and turn % 2 else size


def _floats(rng: np.random.Generator, infinite: bool) -> Iterator[float]:
    """Yield numbers with every exponent and whole ones beyond those of a float, of both signs in turn."""
    yield from (float("inf"), float("-inf")) if infinite else ()
    for turn, exponent in enumerate(_EXPONENTS):
        size = float(np.exp2(exponent) * (1 + rng.random()))
        yield -size if turn % 2 else size


def _made(contract: Contract, plan: Plan, chosen: Sequence[Mapping[str, int | float]]) -> list[Trial]:
    """Return trials of modest sizes with numbers as chosen, which no range has to hold."""
    found = []
    for turn, values in enumerate(chosen):
        fill, level = _FILLS[turn % len(_FILLS)], _MODEST[turn % len(_MODEST)]
        modest = replace(plan, seed=plan.seed + 59 + turn, levels=(level,), fills=(fill,))
        found.append(_with(contract, modest, values))
    return [trial for trial in found if trial is not None]


def _with(contract: Contract, plan: Plan, values: Mapping[str, int | float]) -> Trial | None:
    base = pinned(contract, plan, {})
    if base is None:
        return None
    trial = replace(base, scalars=tuple((name, values.get(name, value)) for name, value in base.scalars))
    return trial if contract.law is None or admissible(contract, trial.scalars, trial.launch) else None
