"""Buffers of allocatable arrays, and what differs between them."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Dummy, Value
from transpile.testers.fortran.allocated import CAPACITY, buffer, parts, without
from transpile.testers.fortran.compare import difference
from transpile.testers.fortran.outcome import BYTES
from transpile.toolchains.calls import Bytes, Completed

DOUBLE = Value(base="real", kind=8)
FIELD = Dummy(name="x", value=DOUBLE, rank=1, shape="deferred")
ROUTINE = Interface(
    name="f", file="f.f", line=1, symbol="f_", target="f", dummies=(FIELD,), result=None, numbers=(),
    one_way=(), unreachable=(), callees=(),
)  # fmt: skip


def held(*values: float, lower: int = 1) -> Bytes:
    result = without(1)
    data = struct.pack(f"<3q{len(values)}d", 1, lower, len(values), *values)
    result[: len(data)] = np.frombuffer(data, np.uint8)
    return result


def left(data: Bytes) -> Completed:
    return Completed(arguments=(data,), globals=(), returned=bytes(BYTES), inexact=False, seconds=0.0)


def test_buffers_hold_bounds_and_elements_or_nothing() -> None:
    data = np.arange(3.0).view(np.uint8)
    found = [buffer(FIELD, ((3, 1),), data, seed) for seed in range(100)]
    heads = {struct.unpack("<3q", item[:24].tobytes()) for item in found}
    assert {(0, 0, 0), (1, 1, 3), (1, -3, 3)} <= heads
    assert {len(parts(1, DOUBLE, 8, item)[1][1]) for item in found} == {0, 24}
    assert not buffer(replace(FIELD, fresh=True), ((3, 1),), data, 1).any()
    assert not buffer(FIELD, ((4000, 1),), np.ones(4000).view(np.uint8), 1).any()


def test_extents_that_cannot_be_are_cut_off() -> None:
    data = without(2)
    data[:40] = np.frombuffer(struct.pack("<5q", 1, 1, 1 << 60, 1, 1 << 60), np.uint8)
    assert len(parts(2, DOUBLE, 8, data)[1][1]) == CAPACITY


@pytest.mark.parametrize(
    ("other", "where"),
    [
        (held(1.0, 2.0), ""),
        (held(1.0, 2.5), "x[1]"),
        (held(1.0, 2.0, 3.0), "whether and how x is allocated[2]"),
        (held(1.0, 2.0, lower=-1), "whether and how x is allocated[1]"),
        (without(1), "whether and how x is allocated[0]"),
    ],
)
def test_differences_of_arrays(other: Bytes, where: str) -> None:
    found = difference(ROUTINE, left(held(1.0, 2.0)), left(other))
    assert (found.where if found else "") == where


def test_what_lies_behind_the_elements_is_nothing() -> None:
    other = held(1.0, 2.0)
    other[60:] = 7
    assert difference(ROUTINE, left(held(1.0, 2.0)), left(other)) is None
