"""Whole numbers that stay as inputs move are decided, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.compare.apart import ROUNDS, apart, nudged, settled
from transpile.testers.compare.tolerance import Pair
from transpile.testers.trials.layout import Bytes
from transpile.testers.trials.materialise import Slot

BYTES = ElementType(spelling="unsigned char", size=1, leaves=(Leaf(name="", offset=0, scalar=Scalar.UINT8),))
FLOATS = ElementType(spelling="float", size=4, leaves=(Leaf(name="", offset=0, scalar=Scalar.FLOAT32),))


def rounded(data: Bytes) -> Bytes:
    whole: Bytes = np.minimum(np.floor(data.view(np.float32) + 0.5), 255).astype(np.uint8)
    return whole


@pytest.fixture
def moved() -> tuple[Slot, Bytes, list[Bytes]]:
    """Return where results are, those of a source, and those on inputs that move."""
    data = np.asarray([7.5, 255.5, 254.25, 0.0], dtype=np.float32).view(np.uint8)
    slot = Slot(name="x", element=FLOATS, data=data)
    rounds = [nudged(data, slot, np.random.default_rng(turn // 2), turn) for turn in range(ROUNDS)]
    return (
        Slot(name="y", element=BYTES, data=rounded(data)),
        rounded(data),
        [rounded(item) for item in rounds],
    )


def parts(moved: tuple[Slot, Bytes, list[Bytes]], candidate: list[int]) -> str:
    slot, source, others = moved
    known = settled([slot], [source], [[item] for item in others])
    written = (np.ones(len(source), dtype=bool),)
    made = np.asarray(candidate, dtype=np.uint8)
    found = apart(Pair(slots=[slot], source=[source], candidate=[made], written=written), known)
    return found.where if found else ""


def test_a_half_may_go_either_way_and_a_limit_may_not(moved: tuple[Slot, Bytes, list[Bytes]]) -> None:
    assert parts(moved, [8, 255, 254, 0]) == ""
    assert parts(moved, [7, 255, 254, 0]) == ""
    assert parts(moved, [7, 0, 254, 0]) == "y[1]"
    assert parts(moved, [8, 255, 255, 0]) == "y[2]"
    assert parts(moved, [8, 255, 254, 1]) == "y[3]"


@pytest.mark.parametrize("scalar", [Scalar.FLOAT16, Scalar.BFLOAT16, Scalar.FLOAT32, Scalar.FLOAT64])
def test_every_number_moves_to_both_sides(scalar: Scalar) -> None:
    kinds = {Scalar.FLOAT16: np.float16, Scalar.FLOAT32: np.float32}
    values = np.asarray([0x3F80, 0x4040, 0x3DCD, 0, 0x7F80], dtype=np.uint16)
    if scalar is not Scalar.BFLOAT16:
        values = np.asarray([1, 3, 0.1, 0, np.inf], dtype=kinds.get(scalar, np.float64))
    element = ElementType(
        spelling="t", size=values.itemsize, leaves=(Leaf(name="", offset=0, scalar=scalar),)
    )
    slot = Slot(name="x", element=element, data=values.view(np.uint8))
    rounds = [
        nudged(slot.data, slot, np.random.default_rng(turn // 2), turn).view(values.dtype)
        for turn in range(ROUNDS)
    ]
    for place in range(3):
        seen = [item[place] for item in rounds]
        assert min(seen) < values[place] < max(seen)
    assert all((item[3:] == values[3:]).all() for item in rounds)
