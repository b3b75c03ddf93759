"""Blocks beyond those that a program launches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.contracts.fake import FakeTracer, Kernel, Thread, subject
from transpile.contracts.probing.batches import drive
from transpile.contracts.spare_blocks import with_spare_blocks
from transpile.core import ArrayFact, Contract, Origin, Range, Role, ShapeDependent

X = "blockIdx.x * blockDim.x + threadIdx.x"
Call = Mapping[str, Any]


def contract(extent: str = "8", values: Range | None = None) -> Contract:
    made = subject("float *x, float *y", X)
    arrays = tuple(
        ArrayFact(name=name, role=role, extent=extent, values=values, origin=Origin.TRACE)
        for name, role in (("x", Role.IN), ("y", Role.OUT))
    )
    relations = ("gridDim.x == 2", "gridDim.y == 1", "blockDim.x == 4")
    law = ShapeDependent(relations=relations, launches=(("2", "1", "1", "4", "1", "1", "0"),))
    return Contract(signature=made.signature, arrays=arrays, scalars=(), law=law, used_axes="x")


def spared(kernel: Kernel, found: Contract) -> ShapeDependent:
    made = subject("float *x, float *y", X)
    (result,) = drive(FakeTracer(kernel), [(made, with_spare_blocks(made, found))])
    assert isinstance(result, Contract) and isinstance(result.law, ShapeDependent)
    return result.law


def guarded(t: Thread, a: Call) -> None:
    if t.at() < 8:
        a["y"][t.at()] = a["x"][t.at()]


def unguarded(t: Thread, a: Call) -> None:
    a["y"][t.at()] = a["x"][t.at()]


def wrapped(t: Thread, a: Call) -> None:
    a["y"][t.at() % 8] = a["x"][t.at() % 8] + t.grid_dim[0]


def test_where_a_guard_stops_them_there_may_be_more() -> None:
    law = spared(guarded, contract())
    assert law.relations == ("gridDim.x >= 2", "gridDim.y == 1", "blockDim.x == 4")
    assert law.launches[1:] == (("(2) + 1", "1", "1", "4", "1", "1", "0"),)


@pytest.mark.parametrize("kernel", [unguarded, wrapped])
def test_where_they_do_more_there_are_none(kernel: Kernel) -> None:
    assert spared(kernel, contract()) == contract().law


def test_where_data_steer_nothing_is_said() -> None:
    found = contract(values=Range(low="0", high="3"))
    assert spared(guarded, found) == found.law
