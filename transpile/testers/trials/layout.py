"""Elements as numpy sees them: which bytes of a buffer are which numbers, and which are padding."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transpile.core import ElementType, Leaf, Scalar

Bytes = NDArray[np.uint8]
Numbers = NDArray[Any]

_STORED = {Scalar.BOOL: "u1", Scalar.FLOAT16: "f2", Scalar.BFLOAT16: "u2"}

EPSILON = {
    Scalar.FLOAT16: 2.0**-11,
    Scalar.BFLOAT16: 2.0**-8,
    Scalar.FLOAT32: 2.0**-24,
    Scalar.FLOAT64: 2.0**-53,
    Scalar.LONG_DOUBLE: float(np.finfo(np.longdouble).eps) / 2,
}
"""Unit roundoff of the floating types."""

SMALLEST = {
    Scalar.FLOAT16: 2.0**-14,
    Scalar.BFLOAT16: 2.0**-126,
    Scalar.FLOAT32: 2.0**-126,
    Scalar.FLOAT64: 2.0**-1022,
    Scalar.LONG_DOUBLE: 2.0**-1022,
}
"""Numbers below which the distance of neighbours no longer shrinks."""

LARGEST = {
    Scalar.FLOAT16: 65504.0,
    Scalar.BFLOAT16: float(255 << 120),
    Scalar.FLOAT32: float(np.finfo(np.float32).max),
    Scalar.FLOAT64: float(np.finfo(np.float64).max),
    Scalar.LONG_DOUBLE: float(np.finfo(np.float64).max),
}
"""Finite numbers."""


COMPLEX = frozenset(("real", "imag"))
"""Names of the leaves of a complex number, which rounds as a whole."""


@cache
def stored(scalar: Scalar) -> np.dtype[Any]:
    """Return the numpy type that holds the bits of a scalar."""
    return np.dtype(_STORED.get(scalar, scalar.value))


def view(data: Bytes, element: ElementType, leaf: Leaf) -> Numbers:
    """Return one leaf of every element, as a strided view of the buffer's bits."""
    whole = data[: len(data) // element.size * element.size]
    return np.ascontiguousarray(whole).view(_record(leaf.scalar, leaf.offset, element.size))["leaf"]


@lru_cache(maxsize=1024)
def _record(scalar: Scalar, offset: int, size: int) -> np.dtype[Any]:
    """Return the type of elements of a size, of which one leaf is named."""
    return np.dtype({"names": ["leaf"], "formats": [stored(scalar)], "offsets": [offset], "itemsize": size})


def numbers(data: Bytes, element: ElementType, leaf: Leaf) -> Numbers:
    """Return the values of one leaf; bfloat16 as float32, everything else as it is stored."""
    bits = view(data, element, leaf)
    if leaf.scalar is Scalar.BFLOAT16:
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return bits


def significant(values: Numbers) -> Bytes:
    """Return the bytes of each number, without those of an 80-bit one that nothing is stored in."""
    whole = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), values.dtype.itemsize)
    return whole[:, :10] if np.finfo(values.dtype).nmant == 63 else whole


def encode(values: Numbers, scalar: Scalar) -> Numbers:
    """Return values in the type that holds the scalar's bits."""
    if scalar is Scalar.BFLOAT16:
        rounded = values.astype(np.float32).view(np.uint32)
        return (rounded >> 16).astype(np.uint16)
    with np.errstate(over="ignore"):  # What a half cannot hold is infinite.
        return values.astype(stored(scalar))


def leaves(element: ElementType) -> Iterator[Leaf]:
    """Yield the leaves of an element in order of their offsets."""
    yield from sorted(element.leaves, key=lambda leaf: leaf.offset)


def padding(element: ElementType) -> Iterator[tuple[int, int]]:
    """Yield where an element has bytes that belong to no member, as first byte and end.

    A wider gap is no padding: it holds what is no number, such as a pointer.
    """
    at, widest = 0, 1
    for leaf in leaves(element):
        width = stored(leaf.scalar).itemsize
        if 0 < leaf.offset - at < width:
            yield at, leaf.offset
        at, widest = max(at, leaf.offset + width), max(widest, width)
    if 0 < element.size - at < widest:
        yield at, element.size


def floating(element: ElementType | None) -> bool:
    """Tell whether an element holds a floating number."""
    return element is not None and any(leaf.scalar.floating for leaf in element.leaves)


def place(index: int, element: ElementType, leaf: Leaf, name: str, before: int) -> str:
    """Return how a user would write the place: ``out[17].x``."""
    member = f".{leaf.name}" if leaf.name else ""
    return f"{name}[{index - before // element.size}]{member}"
