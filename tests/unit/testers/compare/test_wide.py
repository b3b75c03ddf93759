"""Trials for builds in wider arithmetic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.testers.making import DOUBLE, INT, MAP, PAIR, plain
from transpile.core import ElementType, Launch, Leaf, Scalar, Trial
from transpile.testers.compare.wide import WIDER, references, wide_element, widened
from transpile.testers.trials.layout import leaves, numbers
from transpile.testers.trials.materialise import Prepared, materialise
from transpile.toolchains.build import Flavour

ALL, FLOATS = WIDER[Flavour.WIDE], WIDER[Flavour.WIDER_FLOATS]
NESTED = ElementType(
    spelling="Outer",
    size=24,
    leaves=(
        Leaf(offset=0, scalar=Scalar.FLOAT64, name="in.a"),
        Leaf(offset=8, scalar=Scalar.INT8, name="in.b"),
        Leaf(offset=16, scalar=Scalar.INT8, name="c"),
    ),
)
"""A struct inside a struct: its padding is not that of its members in a row."""


def made(element: ElementType) -> Prepared:
    parameters = tuple(
        replace(item, element=element) if item.pointer else item for item in MAP.signature.parameters
    )
    contract = replace(MAP, signature=replace(MAP.signature, parameters=parameters))
    trial = Trial(seed=1, fill="real", scalars=(("n", 9),), launch=Launch(shared=64))
    return materialise(contract, trial)


@pytest.mark.parametrize(
    ("scalar", "kind"),
    [
        (Scalar.FLOAT16, np.float32),
        (Scalar.BFLOAT16, np.float32),
        (Scalar.FLOAT32, np.float64),
        (Scalar.FLOAT64, np.longdouble),
    ],
)
def test_numbers_become_wider_ones_of_the_same_value(scalar: Scalar, kind: type) -> None:
    narrow = made(plain(scalar))
    wide = widened(narrow, ALL)
    assert wide is not None and wide.trial.launch.shared == 128
    [leaf] = leaves(plain(scalar))
    assert (wide.arguments[0].data.view(kind) == numbers(narrow.arguments[0].data, plain(scalar), leaf)).all()
    assert wide.arguments[2].data.tobytes() == narrow.arguments[2].data.tobytes()
    results = tuple(slot.data for slot in wide.slots)
    assert references(narrow, wide, results)["x", ""].dtype == kind


def test_a_struct_of_several_types_keeps_its_order() -> None:
    wide = wide_element(PAIR, ALL)
    assert wide is not None and wide.size == 32
    assert [(leaf.offset, leaf.scalar) for leaf in wide.leaves] == [
        (0, Scalar.INT32),
        (16, Scalar.LONG_DOUBLE),
    ]
    narrow, grown = made(PAIR), widened(made(PAIR), ALL)
    assert grown is not None
    assert (
        references(narrow, grown, tuple(slot.data for slot in grown.slots))["x", "value"][3]
        == (numbers(narrow.arguments[0].data, PAIR, PAIR.leaves[1])[3])
    )


def test_nothing_is_wide_where_the_layout_is_out_of_reach_or_nothing_grows() -> None:
    assert widened(made(NESTED), ALL) is None
    assert widened(made(INT), ALL) is None
    assert widened(made(DOUBLE), FLOATS) is None
