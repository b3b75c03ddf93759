"""Blocks without an item, in launches of a block for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.contracts.fake import FakeTracer, Kernel, Thread, subject
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.launches.spare_items import with_spare_items
from transpile.contracts.probing.batches import drive
from transpile.contracts.probing.fill import Filling
from transpile.core import ShapeDependent

FAMILY = ("rows", "planes", "1", "4", "1", "1", "0")
ROWS = [{"rows": rows, "planes": planes} for rows, planes in ((3, 2), (5, 1), (7, 4), (1, 3))]
Call = Mapping[str, Any]


def loosened(kernel: Kernel) -> Law:
    made = subject("const float *x, float *y, int rows, int planes", "blockIdx.x + blockIdx.y + threadIdx.x")
    relations = ("gridDim.x == rows", "gridDim.y == planes", "blockDim.x == 4")
    law = Law(law=ShapeDependent(relations=relations, launches=(FAMILY,)), family=FAMILY)
    known = Pilot(scalars=ROWS[0], filling=Filling())
    (found,) = drive(FakeTracer(kernel), [(made, with_spare_items(made, known, law, ROWS))])
    assert isinstance(found, Law)
    return found


def guarded(t: Thread, a: Call) -> None:
    if t.block[0] < a["rows"]:
        both(t, a)


def both(t: Thread, a: Call) -> None:
    if t.block[1] < a["planes"]:
        place = t.block[1] * a["rows"] + t.block[0]
        a["y"][4 * place + t.thread[0]] = a["x"][4 * place + t.thread[0]]


def unguarded(t: Thread, a: Call) -> None:
    place = (t.block[1] * a["rows"] + t.block[0]) * 4 + t.thread[0]
    a["y"][place] = a["x"][place]


def reads(t: Thread, a: Call) -> None:
    mine = a["x"][t.block[0]]
    if t.block[0] < a["rows"] and t.block[1] == t.thread[0] == 0:
        a["y"][t.block[0]] = mine


def counts(t: Thread, a: Call) -> None:
    if t.block[0] < a["rows"] and t.block[1] == t.thread[0] == 0:
        a["y"][t.block[0]] = a["x"][t.block[0]] / t.grid_dim[0]


def test_guards_let_them_do_nothing() -> None:
    law = loosened(guarded)
    assert isinstance(law.law, ShapeDependent)
    assert law.law.relations == ("gridDim.x >= rows", "gridDim.y >= planes", "blockDim.x == 4")
    more = (("rows + 1", *FAMILY[1:]), ("rows", "planes + 1", *FAMILY[2:]))
    assert law.families == more and law.law.launches == (FAMILY, *more)


@pytest.mark.parametrize("kernel", [unguarded, both])
def test_without_a_guard_their_number_is_exact(kernel: Kernel) -> None:
    law = loosened(kernel)
    assert isinstance(law.law, ShapeDependent)
    assert "gridDim.x == rows" in law.law.relations


@pytest.mark.parametrize("kernel", [reads, counts])
def test_reading_on_and_counting_blocks_is_seen(kernel: Kernel) -> None:
    law = loosened(kernel)
    assert isinstance(law.law, ShapeDependent)
    assert law.law.relations[:2] == ("gridDim.x == rows", "gridDim.y >= planes")


def test_other_numbers_of_blocks_are_left_alone() -> None:
    made = subject("float *y, int rows", "blockIdx.x * blockDim.x + threadIdx.x")
    family = ("(rows + 3) / 4", "1", "1", "4", "1", "1", "0")
    law = Law(law=ShapeDependent(relations=("blockDim.x == 4",), launches=(family,)), family=family)
    found = drive(
        FakeTracer(guarded), [(made, with_spare_items(made, Pilot(scalars={}, filling=Filling()), law, ROWS))]
    )
    assert found == [law]
