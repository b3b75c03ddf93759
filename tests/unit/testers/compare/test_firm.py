from __future__ import annotations

import numpy as np
import pytest

from tests.unit.testers.making import FLOAT
from transpile.testers.compare.firm import firm, jumping, steadied
from transpile.testers.trials.materialise import Slot


def data(*values: float) -> np.ndarray:
    return np.asarray(values, dtype=np.float32).view(np.uint8)


def test_results_are_firm_that_no_direction_changes() -> None:
    slots = [Slot(name="y", element=FLOAT, data=data(0, 0, 0))]
    known = firm(slots, [data(1, 2, np.nan)], [[data(1, 2, np.nan)], [data(1, 3, np.nan)]])
    assert known[("y", "")].tolist() == [True, False, True]


@pytest.mark.parametrize(("own", "moved", "left"), [((1, 2), (5, 6), (1, 6)), ((1, 2), (1, 2), (1, 2))])
def test_firm_results_do_not_move(own, moved, left) -> None:
    slots = [Slot(name="y", element=FLOAT, data=data(0, 0))]
    found = steadied(slots, [data(*own)], [data(*moved)], {("y", ""): np.asarray([True, False])})
    assert found[0].view(np.float32).tolist() == list(left)


@pytest.mark.parametrize(
    ("moved", "left"),
    [
        ((8.0, 1.0), (True, True)),
        ((8.0 + 2**-20, 1.0), (False, True)),  # a sum that happens to be exact
        ((8.0, 1.0 + 2**-22), (True, False)),  # the same beside a large number
        ((9.0, 2.0), (True, True)),  # rounded to whole numbers
        ((8.0, np.nan), (True, True)),
    ],
)
def test_results_that_only_move_as_little_as_inputs_are_not_firm(moved, left) -> None:
    slots = [Slot(name="y", element=FLOAT, data=data(0, 0))]
    known = {("y", ""): np.asarray([True, True])}
    found = jumping(known, slots, [data(8, 1)], [[data(8, 1)], [data(*moved)]])
    assert found[("y", "")].tolist() == list(left)


def test_results_that_move_and_jump_are_firm() -> None:
    """As the rest of a number that was rounded, halfway between two."""
    slots = [Slot(name="y", element=FLOAT, data=data(0))]
    known = {("y", ""): np.asarray([True])}
    found = jumping(known, slots, [data(0.5)], [[data(0.5 - 2**-24)], [data(-0.5)]])
    assert found[("y", "")].tolist() == [True]
