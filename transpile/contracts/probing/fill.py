"""Fills of arrays when a kernel is probed: bytes from a description and a random generator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from transpile.contracts.probing.probe import Filling, Floats, Style, Values
from transpile.core import ElementType, Scalar

Bytes = NDArray[np.uint8]

_HIGH = 1000


def filled(
    element: ElementType,
    count: int,
    filling: Filling,
    values: Values,
    words: tuple[int, ...],
    generator: np.random.Generator,
) -> Bytes:
    """Return the bytes of an array.

    Args:
        element: Its type.
        count: Elements.
        filling: What floats hold.
        values: What integers hold; floats ascend where these do.
        words: Integers that are strewn in, so that comparisons with scalars come true.
        generator: Where randomness comes from.
    """
    data = np.zeros((count, element.size), dtype=np.uint8)
    if count == 0:
        return data.reshape(-1)
    for leaf in element.leaves:
        if leaf.scalar.floating:
            drawn = _floats(count, filling, generator)
            rising = values.style is Style.ASCENDING
            encoded = encode(_rising(drawn) if rising else drawn, leaf.scalar)
        else:
            column = _integers(count, values, generator)
            if words and values.style is Style.RANDOM:
                chosen = generator.random(count) < 0.25
                column[chosen] = generator.choice(np.array(words, dtype=np.int64), size=int(chosen.sum()))
            encoded = encode(column, leaf.scalar)
        data[:, leaf.offset : leaf.offset + encoded.shape[1]] = encoded
    return data.reshape(-1)


def _rising(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers in order, no two of which are equal.

    Where neighbours are equal, one may be written over the other by any thread, and that is no race.
    """
    return np.asarray(np.sort(drawn) + np.arange(len(drawn)))


def _floats(count: int, filling: Filling, generator: np.random.Generator) -> NDArray[np.float64]:
    if filling.level is not None:
        return np.full(count, filling.level)
    if filling.floats is Floats.REAL:
        return generator.uniform(-4, 4, count)
    signs = generator.choice(np.array([-1.0, 1.0]), count)
    whole = generator.integers(1, 9, count).astype(np.float64)
    match filling.floats:
        case Floats.HIGH:
            return _HIGH + whole
        case Floats.LOW:
            return -_HIGH - whole
        case Floats.HIGHER:
            return 4 * _HIGH + whole
        case _:
            return np.asarray(whole * signs)


def _integers(count: int, values: Values, generator: np.random.Generator) -> NDArray[np.int64]:
    low, high = values.low, max(values.high, values.low)
    match values.style:
        case Style.CONSTANT:
            return np.full(count, high, dtype=np.int64)
        case Style.COUNTING:
            return low + np.arange(count, dtype=np.int64) % (high - low + 1)
        case Style.FALLING:
            return high - np.arange(count, dtype=np.int64) % (high - low + 1)
        case Style.DISTINCT:
            order = low + generator.permutation(high - low + 1)
            return np.resize(order, count).astype(np.int64)
        case Style.ASCENDING:
            return _ascending(count, values, generator)
        case Style.AMONG:
            return generator.choice(np.array(values.numbers, dtype=np.int64), count)
        case Style.LATE:
            return np.where(np.arange(count) < values.count - 1, low, high).astype(np.int64)
        case Style.RANDOM:
            return generator.integers(low, high, count, endpoint=True)


def _ascending(count: int, values: Values, generator: np.random.Generator) -> NDArray[np.int64]:
    found = np.sort(generator.integers(values.low, max(values.high, values.low), count, endpoint=True))
    if 0 < values.count <= count:
        head = found[:: max(count // values.count, 1)][: values.count]
        found = np.full(count, values.high, dtype=np.int64)
        found[: values.count] = head
        found[0], found[values.count - 1] = values.low, values.high
    return found


def encode(values: NDArray[np.float64] | NDArray[np.int64], scalar: Scalar) -> Bytes:
    """Return the bytes of numbers, one row each."""
    if scalar is Scalar.BFLOAT16:
        bits = values.astype(np.float32).view(np.uint32) >> 16
        typed: NDArray[np.generic] = bits.astype(np.uint16)
    elif scalar is Scalar.BOOL:
        typed = (values != 0).astype(np.uint8)
    else:
        typed = values.astype(np.dtype(scalar.value))
    return np.ascontiguousarray(typed).view(np.uint8).reshape(len(values), -1)
