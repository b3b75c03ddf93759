"""Elements that a tester wrote, held against what the contract says of their array."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transpile.core import ArrayFact, ElementType, Scalar
from transpile.testers.trials.layout import Numbers, encode, stored

_WHOLE = 2**53
"""Beyond it, not every whole number is a double, as which they are read."""


class Barred(ValueError):
    """Elements that no call may have in this array; the message says why."""


def elements(
    given: Sequence[int | float],
    fact: ArrayFact,
    element: ElementType,
    limits: tuple[int, int] | None,
    count: int,
) -> Numbers:
    """Return that many elements, the given ones over and over, in the type that stores the scalar's bits.

    Raises:
        Barred: They are no elements of that array.
    """
    if len(element.leaves) != 1:
        raise Barred(f"the elements of `{fact.name}` are structures: leave it out")
    [leaf] = element.leaves
    numbers = np.resize(np.asarray(given, dtype=np.float64), count)
    found = _encoded(numbers, leaf.scalar, fact.name)
    if limits is not None and count and not limits[0] <= numbers.min() <= numbers.max() <= limits[1]:
        raise Barred(f"`{fact.name}` must keep to values from {limits[0]} to {limits[1]}")
    if fact.distinct and len(np.unique(numbers)) < count:
        raise Barred(f"the {count} elements of `{fact.name}` must be different")
    if fact.ascending and np.any(np.diff(numbers) < 0):
        raise Barred(f"the {count} elements of `{fact.name}` must not decrease")
    return found


def _encoded(numbers: Numbers, scalar: Scalar, name: str) -> Numbers:
    if scalar.floating:
        with np.errstate(over="ignore"):
            narrow = numbers.astype(np.float32 if scalar is Scalar.BFLOAT16 else stored(scalar))
        if not np.all(np.isfinite(narrow)):
            raise Barred(f"`{name}` holds a number that is not finite in its type")
        return encode(numbers, scalar)
    limits = np.iinfo(stored(scalar))
    low, high = max(int(limits.min), -_WHOLE), 1 if scalar is Scalar.BOOL else min(int(limits.max), _WHOLE)
    if not np.all((numbers == np.floor(numbers)) & (numbers >= low) & (numbers <= high)):
        raise Barred(f"the elements of `{name}` are whole numbers from {low} to {high}")
    return encode(numbers, scalar)
