"""Allocatable arrays in calls: a buffer holds whether there is one, its bounds and its elements.

``Allocated`` in ``native/fortran_call.h`` makes a descriptor of it before a call, and puts what the call has
left there afterwards.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from transpile.parsers.fortran.values import Dummy, Value
from transpile.toolchains.calls import Bytes

CAPACITY = 1 << 14
"""Bytes of elements that have room in a buffer."""
_NOWHERE, _ELSEWHERE = 0.1, 0.25
"""Shares of arrays that are not allocated, and whose indices do not begin at one."""


def head_size(rank: int) -> int:
    """Return the bytes ahead of the elements: a flag, and of each dimension its lower bound and extent."""
    return 8 * (1 + 2 * rank)


def without(rank: int) -> Bytes:
    """Return the buffer of an array that is not allocated."""
    return np.zeros(head_size(rank) + CAPACITY, np.uint8)


def buffer(dummy: Dummy, shape: Sequence[tuple[int, int]], data: Bytes, seed: int) -> Bytes:
    """Return the buffer of an array as a call gets it; one that is too large is not allocated.

    Args:
        dummy: The argument.
        shape: Its extents.
        data: Its elements.
        seed: Of the trial.
    """
    result = without(dummy.rank)
    random = np.random.default_rng([seed, 17, *dummy.name.encode()])
    if dummy.fresh or random.random() < _NOWHERE or len(data) > CAPACITY:
        return result
    elsewhere = random.random() < _ELSEWHERE
    numbers = [1]
    for extent, _ in shape:
        numbers += [int(random.integers(-3, 4)) if elsewhere else 1, extent]
    head = struct.pack(f"<{len(numbers)}q", *numbers)
    result[: len(head)] = np.frombuffer(head, np.uint8)
    result[len(head) : len(head) + len(data)] = data
    return result


def parts(rank: int, value: Value, step: int, data: Bytes) -> tuple[tuple[Value, Bytes], ...]:
    """Return the numbers ahead of the elements of a buffer, and the elements that are there.

    Args:
        rank: Of the array.
        value: An element.
        step: Its bytes.
        data: The buffer.
    """
    length = head_size(rank)
    numbers = struct.unpack(f"<{1 + 2 * rank}q", data[:length].tobytes())
    count = 1 if numbers[0] else 0
    for extent in numbers[2::2]:
        count *= min(max(extent, 0), CAPACITY)
    end = length + min(count * step, CAPACITY)
    return (Value(base="integer", kind=8), data[:length]), (value, data[length:end])
