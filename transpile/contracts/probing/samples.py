"""Scalar values that a contract is learnt from."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.subject import ScalarInput, Subject
from transpile.core import Scalar, array_of

Scalars = Mapping[str, int | float]
Row = TypeVar("Row", bound=Scalars)

_DISTINCT = (5, 7, 4, 9, 6, 8, 11, 10, 3)
"""Sizes for kernels of few integer parameters: no two alike, so that a fit cannot confuse them."""
_SMALL = (3, 4, 2, 2, 3, 4, 2)
_FLOATS = (0.5, 2.0, -1.5, 3.0, 1.0)
_MANY = 6
_FAR = 12
_HALVING = 2
_LONE = (96, 512)
_WIDTH = 1
"""Of a halo, say, that goes off both ends of all others: such an integer stays small."""
_WIDEST = 3
_REDRAWN = 0.3
"""Share of the integers that differ from those of a base."""
NO_FLOORS: Mapping[str, int] = {}


def first_guesses(subject: Subject, pinned: Scalars) -> list[dict[str, int | float]]:
    """Return a few sets of scalars that are unlike each other; one of them should suit the kernel."""
    integers = subject.integers
    distinct = {name: _DISTINCT[index % len(_DISTINCT)] for index, name in enumerate(integers)}
    reverse = {name: _DISTINCT[index % len(_DISTINCT)] for index, name in enumerate(reversed(integers))}
    guesses: list[dict[str, int]] = [distinct, reverse]
    if len(integers) <= _MANY:
        guesses += [{**distinct, name: _FAR * distinct[name]} for name in integers]
        guesses += [{**distinct, name: _WIDTH} for name in integers]
    same = (4, 8, 2, 1, 32) if len(integers) <= _MANY else (4, 2, 1)
    guesses += [dict.fromkeys(integers, size) for size in same]
    return [complete(subject, guess, pinned, index) for index, guess in enumerate(guesses)]


def lone_guesses(subject: Subject, pinned: Scalars) -> list[dict[str, int | float]]:
    """Return scalars of which one is unlike all others, each in turn.

    A large one may count what the others divide, a small one which tile of the others is meant.
    """
    names = subject.integers
    small, large = dict.fromkeys(names, _HALVING), dict.fromkeys(names, _LONE[0])
    guesses = [{**small, name: most} for name in names for most in _LONE]
    guesses += [{**large, name: _WIDTH} for name in names]
    return [complete(subject, guess, pinned, index) for index, guess in enumerate(guesses)]


def numbers_of(subject: Subject, row: Scalars) -> dict[str, int]:
    """Return what expressions may name: whole scalars, and the greatest elements that arrays are given."""
    found = {name: int(row[name]) for name in subject.integers}
    for name, value in row.items():
        if array_of(name):
            # Fits know it by the name of the sum's term, expressions by that of the array.
            found[name] = found[array_of(name)] = int(value)
    return found


def different(rows: Sequence[Row]) -> list[Row]:
    """Return rows without those that were there before."""
    return list({tuple(sorted(row.items())): row for row in reversed(rows)}.values())[::-1]


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


def shrunk(
    subject: Subject,
    base: Scalars,
    relations: Sequence[str],
    pinned: Scalars,
    floors: Mapping[str, int] = NO_FLOORS,
) -> dict[str, int | float]:
    """Return the base with small integers, so that few threads cover even products of them."""
    small = {
        name: floors.get(name, 0) + _SMALL[index % len(_SMALL)] for index, name in enumerate(subject.integers)
    }
    return repaired({**base, **complete(subject, small, pinned), **_floats_of(subject, base)}, relations, 0)


def _floats_of(subject: Subject, base: Scalars) -> dict[str, int | float]:
    return {item.name: base[item.name] for item in subject.scalars if not item.integer}


def limited(item: ScalarInput, value: int) -> int:
    """Return the value, within what the type holds: an enumerator where it is enumerated."""
    if item.ends is not None:
        low, high = item.ends
        return low + value % (high - low + 1)
    return value & 1 if item.scalar is Scalar.BOOL else value


def spread(
    subject: Subject,
    base: Scalars,
    varied: Sequence[str],
    count: int,
    seed: int,
    relations: Sequence[str] = (),
    top: int = 12,
    floors: Mapping[str, int] = NO_FLOORS,
) -> list[dict[str, int | float]]:
    """Return rows around a base that keep to relations: each integer alone, twice, then all at random.

    The base itself comes first, three times: launches of these rows differ in nothing else.

    Args:
        subject: The kernel.
        base: Scalars.
        varied: Names of the integers that differ.
        count: Rows.
        seed: Of every random choice.
        relations: Between scalars.
        top: Greatest integer, beyond what it has to exceed.
        floors: What integers have to exceed for the kernel to do anything.
    """
    generator = random.Random(seed)
    rows: list[dict[str, int | float]] = [dict(base)] * 3
    top = min(top, 12 if len(varied) <= 3 else 9 if len(varied) <= _MANY else 6)
    by_name = {item.name: item for item in subject.scalars}

    def drawn(name: str) -> int:
        small = base[name] == _WIDTH
        low, high = (_WIDTH, _WIDEST) if small else (2, top)
        return limited(by_name[name], floors.get(name, 0) + generator.randint(low, high))

    for name in varied:
        others = [value for value in (drawn(name) for _ in range(8)) if value != base[name]]
        rows += [{**base, name: value} for value in list(dict.fromkeys(others))[:2]]
    for turn in range(max(count - len(rows), 2 * count // 3)):
        row = complete(subject, {**base, **{name: drawn(name) for name in varied}}, {}, turn)
        rows.append(row)
    return [repaired(row, relations, generator.randint(0, 4)) for row in rows]


def around(
    subject: Subject,
    base: Scalars,
    varied: Sequence[str],
    count: int,
    seed: int,
    relations: Sequence[str],
    top: int,
    floors: Mapping[str, int] = NO_FLOORS,
) -> list[dict[str, int | float]]:
    """Return rows in most of which most integers are the base's, which comes first, three times.

    Of many sizes drawn at random hardly any suit one another: loops from one of them to another are empty.
    """
    generator = random.Random(seed)
    by_name = {item.name: item for item in subject.scalars}
    rows: list[dict[str, int | float]] = [dict(base)] * 3
    while len(rows) < count:
        drawn = {
            name: floors.get(name, 0) + generator.randint(2, top)
            for name in varied
            if generator.random() < _REDRAWN
        }
        rows.append({**base, **{name: limited(by_name[name], value) for name, value in drawn.items()}})
    return [repaired(row, relations, generator.randint(0, 4)) for row in rows]
