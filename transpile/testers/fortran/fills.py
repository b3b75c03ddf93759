"""Elements of the arrays of trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.parsers.fortran.values import Value
from transpile.testers.fortran.values import dtype

_Reals = Any
"""Arrays of numpy, of numbers."""
_LARGEST_INDEX = 6
_COMPARED = 0.5
"""Share of texts that are such as the routine compares with."""
WHOLE = ("wide", "scaled", "few", "level", "zero", "ramp", "normal", "places")
"""Manners of filling arrays of whole numbers."""
_OWN_ENDS = 0.3
"""Share of fills beside a threshold whose threshold is the type's and not the text's."""
_SIGNED = 0.3
"""Share of arrays of places with negative ones, and of pairs of these that are."""
_KEPT = 0.6
"""Share of the elements of sparse arrays that are not zero."""


def filled(
    style: str,
    count: int,
    value: Value,
    numbers: Sequence[float],
    random: np.random.Generator,
    texts: Sequence[str] = (),
) -> _Reals:
    """Return numbers in a style; whole ones may serve as indices.

    Args:
        style: One of `STYLES`.
        count: How many: two for each complex value.
        value: Their type.
        numbers: What the text of the routine mentions.
        random: Where they come from.
        texts: What it compares texts with.
    """
    of = dtype(value)
    if value.base == "derived":
        records = np.zeros(count, of)
        for part in value.parts:
            column = records[part.name]
            inner = filled(_own_style(style, part.value), column.size, part.value, numbers, random, texts)
            records[part.name] = inner.reshape(column.shape)
        return records
    if value.base == "character":
        return _characters(count, max(value.length, 1), texts, random).astype(of)
    if value.base == "integer":
        return _whole(style, count, numbers, random).astype(of)
    if value.base == "logical":
        return random.integers(0, 2, count).astype(of)
    with np.errstate(over="ignore"):
        found = STYLES[style](count, numbers, random, of).astype(of)
    if style == "sparse" and value.base == "complex":
        found[: count // 2 * 2] *= np.repeat(random.random(count // 2) < _KEPT, 2)
    return found


def _characters(count: int, length: int, texts: Sequence[str], random: np.random.Generator) -> _Reals:
    """Return texts of a length one behind the other, of which some are such as the routine compares with."""
    found = random.integers(32, 127, count)
    for start in range(0, count if texts else 0, length):
        if random.random() < _COMPARED:
            text = str(random.choice(list(texts)))[:length].ljust(length).encode("latin-1", "replace")
            found[start : start + length] = np.frombuffer(text, np.uint8)[: count - start]
    return found


def _own_style(style: str, value: Value) -> str:
    """Return a style that numbers of a type have."""
    return style if value.base != "integer" or style in WHOLE else "normal"


def _whole(style: str, count: int, numbers: Sequence[float], random: np.random.Generator) -> _Reals:
    if style in ("wide", "scaled"):
        return random.integers(-1000, 1000, count)
    if style in ("zero", "level"):
        return np.full(count, 0 if style == "zero" else random.integers(-3, 4))
    if style == "ramp":
        return np.floor(4 * _ramp(count, numbers, random, np.dtype(np.float64))) + count // 2
    if style == "places":
        return _places(count, random)
    if style == "few":
        known = [int(item) for item in numbers if abs(item) < 1 << 30 and item == int(item)]
        return random.choice(np.array([*known, 0, 1, -1]), count)
    return random.integers(1, _LARGEST_INDEX + 1, count)


def _places(count: int, random: np.random.Generator) -> _Reals:
    """Return the places of elements in order, with some exchanged or negative, as pivots are."""
    found = np.arange(1, count + 1)
    moved = random.random(count) < float(random.choice([0.0, 0.1, 0.5]))
    found = np.where(moved, found + random.integers(0, 3, count), found)
    if random.random() < _SIGNED:
        runs = np.repeat(random.random(count // 2 + 1) < _SIGNED, 2)[:count]
        found = np.where(runs, -found, found)
    return found


def _normal(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    return random.standard_normal(count)


def _sparse(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    return random.standard_normal(count) * (random.random(count) < _KEPT)


def _scaled(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers of one magnitude, which may be any that the type has."""
    most = float(np.finfo(of).maxexp) - 4
    return np.ldexp(random.standard_normal(count), int(random.uniform(-most, most)))


def _wide(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers of all magnitudes that the type has."""
    most = float(np.finfo(of).maxexp) - 4
    return np.ldexp(random.standard_normal(count), random.uniform(-most, most, count).astype(int))


def _small(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers of all magnitudes below one."""
    exponents = random.uniform(-float(np.finfo(of).maxexp), 0.0, count).astype(int)
    return np.ldexp(random.standard_normal(count), exponents * (random.random(count) < 0.5))


def _large(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers of all magnitudes above one."""
    exponents = random.uniform(0.0, float(np.finfo(of).maxexp) - 4, count).astype(int)
    return np.ldexp(random.standard_normal(count), exponents * (random.random(count) < 0.5))


def _top(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers of which sums leave what the type holds, and smaller ones."""
    most = float(np.finfo(of).max) * random.uniform(0.05, 1.0, count)
    return np.where(random.random(count) < 0.6, most, 1.0) * random.choice([1, -1], count)


def _few(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    known = np.array([0.0, 1.0, *numbers])
    return random.choice(known, count) * random.choice([1, -1], count)


def _beside(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers of the magnitude of one that the text mentions."""
    rare = [item for item in numbers if item and (abs(item) > _LARGEST_INDEX or item != int(item))]
    if not rare or random.random() < _OWN_ENDS:
        rare = _thresholds(of)
    number = float(random.choice(rare))
    width = float(random.choice([1e-3, 0.1, 0.6]))
    return number * random.uniform(1 - width, 1 + width, count) * random.choice([1, -1], count)


def _thresholds(of: np.dtype[Any]) -> list[float]:
    """Return the numbers that routines for any input compare with: what the type can hold, and its digits."""
    limits = np.finfo(of)
    least, most, digits = float(limits.tiny), float(limits.max), float(limits.eps)
    return [1.0, least, 1 / least, most, digits, least / digits, least**0.5, most**0.5]


def _close(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return numbers that are equal but for their last digits and signs."""
    steps = float(np.finfo(of).eps) * random.integers(-2, 3, count)
    return 0.75 * (1 + steps) * random.choice([1, 1, -1], count)


def _ramp(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return growing numbers, of which one may be out of order."""
    found = np.sort(random.standard_normal(count))
    if count and random.random() < 0.5:
        found[random.integers(count)] = random.standard_normal()
    return found


def _level(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    return np.full(count, random.standard_normal())


def _zero(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    return np.where(random.random(count) < 0.1, -0.0, 0.0)


def _special(count: int, numbers: Sequence[float], random: np.random.Generator, of: np.dtype[Any]) -> _Reals:
    """Return plain numbers, with some at the ends of the type among them, or none at all."""
    limits = np.finfo(of)
    rare = [
        np.inf,
        -np.inf,
        np.nan,
        float(limits.max),
        float(limits.tiny),
        float(limits.smallest_subnormal),
        -0.0,
    ]
    density = float(random.choice([0.15, 0.5, 1.0]))
    return np.where(random.random(count) < density, random.choice(rare, count), random.standard_normal(count))


STYLES: dict[str, Callable[[int, Sequence[float], np.random.Generator, np.dtype[Any]], _Reals]] = {
    "normal": _normal,
    "dominant": _normal,
    "sparse": _sparse,
    "scaled": _scaled,
    "wide": _wide,
    "small": _small,
    "large": _large,
    "top": _top,
    "beside": _beside,
    "close": _close,
    "few": _few,
    "ramp": _ramp,
    "level": _level,
    "zero": _zero,
    "special": _special,
}
"""Manners of filling arrays of real and complex numbers."""
