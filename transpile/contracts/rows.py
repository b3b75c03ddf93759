"""Which scalar values a contract is learnt from."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from transpile.contracts.subject import ScalarInput, Subject
from transpile.core import Scalar

Scalars = Mapping[str, int | float]

_DISTINCT = (5, 7, 4, 9, 6, 8, 11, 10, 3)
"""Sizes for kernels of few integer parameters: no two alike, so that a fit cannot confuse them."""
_FLOATS = (0.5, 2.0, -1.5, 3.0, 1.0)
_MANY = 6


def first_guesses(subject: Subject, pinned: Scalars) -> list[dict[str, int | float]]:
    """Return a few sets of scalars that are unlike each other; one of them should suit the kernel."""
    integers = subject.integers
    distinct = {name: _DISTINCT[index % len(_DISTINCT)] for index, name in enumerate(integers)}
    reverse = {name: _DISTINCT[index % len(_DISTINCT)] for index, name in enumerate(reversed(integers))}
    guesses: list[dict[str, int]] = [distinct, reverse]
    guesses += [dict.fromkeys(integers, size) for size in (4, 8, 2, 1, 32)]
    return [complete(subject, guess, pinned, index) for index, guess in enumerate(guesses)]


def complete(
    subject: Subject, integers: Mapping[str, int | float], pinned: Scalars, turn: int = 0
) -> dict[str, int | float]:
    """Return a value for every scalar: pinned ones as they are, floats in turn, integers as given."""
    chosen: dict[str, int | float] = {}
    for index, item in enumerate(subject.scalars):
        if item.name in pinned:
            chosen[item.name] = pinned[item.name]
        elif item.integer:
            chosen[item.name] = limited(item, int(integers[item.name]))
        else:
            chosen[item.name] = _FLOATS[(turn + index) % len(_FLOATS)]
    return chosen


def limited(item: ScalarInput, value: int) -> int:
    """Return the value, within what the type holds."""
    return value & 1 if item.scalar is Scalar.BOOL else value


def spread(
    subject: Subject,
    base: Scalars,
    varied: Sequence[str],
    count: int,
    seed: int,
    limits: Mapping[str, tuple[int, int]],
) -> list[dict[str, int | float]]:
    """Return rows around a base: each varied integer alone, twice, then all of them at random.

    The limits, where known, hold the lowest and highest value that the kernel bears.
    """
    generator = random.Random(seed)
    rows: list[dict[str, int | float]] = [dict(base)]
    top = 12 if len(varied) <= 3 else 9 if len(varied) <= _MANY else 6
    by_name = {item.name: item for item in subject.scalars}

    def drawn(name: str) -> int:
        low, high = limits.get(name, (1, top))
        low, high = max(low, min(2, high)), max(min(high, max(top, low + 4)), low)
        return limited(by_name[name], generator.randint(low, high))

    for name in varied:
        others = [value for value in (drawn(name) for _ in range(8)) if value != base[name]]
        rows += [{**base, name: value} for value in list(dict.fromkeys(others))[:2]]
    for turn in range(max(count - len(rows), 2 * count // 3)):
        row = complete(subject, {**base, **{name: drawn(name) for name in varied}}, {}, turn)
        rows.append(row)
    return rows
