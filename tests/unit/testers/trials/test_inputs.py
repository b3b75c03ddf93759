"""Inputs in words: small arrays whole, long ones around the place that matters."""

from __future__ import annotations

import numpy as np

from transpile.core import Contract, ElementType, Leaf, Scalar, Signature, Trial
from transpile.testers.trials.inputs import inputs_shown
from transpile.testers.trials.materialise import Prepared, Slot

INT = ElementType(spelling="int", size=4, leaves=(Leaf(name="", offset=0, scalar=Scalar.INT32),))
FLOAT = ElementType(spelling="float", size=4, leaves=(Leaf(name="", offset=0, scalar=Scalar.FLOAT32),))


def slot(name: str, values: list[float], element: ElementType = INT, **more: bool) -> Slot:
    kind = np.int32 if element is INT else np.float32
    return Slot(name=name, element=element, data=np.asarray(values, dtype=kind).view(np.uint8), **more)


def shown(*slots: Slot, where: str = "") -> tuple[str, ...]:
    trial = Trial(seed=0, fill="exact", scalars=())
    contract = Contract(signature=Signature(name="k", parameters=()), arrays=(), scalars=(), law=None)
    return inputs_shown(Prepared(trial=trial, contract=contract, arguments=slots), where)


def test_small_arrays_are_whole_and_outputs_are_none() -> None:
    found = shown(slot("x", [1, 2, 3]), slot("y", [0, 0], output=True), slot("n", [4], pointer=False))
    assert found == ("x: 3 elements = {1, 2, 3}",)


def test_long_arrays_are_shown_around_the_difference() -> None:
    long = list(range(1000))
    assert shown(slot("x", long), where="out[500]") == (
        f"x: 1000 elements, of which 495 to 505 = {{{', '.join(map(str, range(495, 506)))}}}",
    )
    assert "of which 0 to 5" in shown(slot("x", long), where="out[5000]")[0]


def test_special_numbers_are_written_out() -> None:
    (line,) = shown(slot("x", [float("nan"), float("-inf"), 0.5], FLOAT))
    assert line.endswith("{nan, -inf, 0.5}")
