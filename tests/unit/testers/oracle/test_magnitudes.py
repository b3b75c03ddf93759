"""Floating numbers by value at every order of magnitude."""

from __future__ import annotations

from tests.unit.testers.making import contract, pointer, size, value, writes
from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.oracle.magnitudes import magnitudes
from transpile.testers.trials.generate import Plan

REAL = ElementType(spelling="float", size=4, leaves=(Leaf(offset=0, scalar=Scalar.FLOAT32),))
PLAN = Plan(seed=5, count=16)
PARAMETERS = (pointer("a"), value("n"), value("area", REAL), value("scale", REAL))


def test_each_floating_number_has_every_size_in_turn() -> None:
    found = magnitudes(contract(PARAMETERS, (writes("a", "n"),), (size("n"),)), PLAN)
    areas = {dict(trial.scalars)["area"] for trial in found}
    scales = {dict(trial.scalars)["scale"] for trial in found}
    assert min(areas) < 2**-11 and max(areas) > 2**16, areas
    assert min(scales) < 2**-11 and max(scales) > 2**16, scales


def test_there_are_none_without_a_floating_number() -> None:
    whole = contract((pointer("a"), value("n")), (writes("a", "n"),), (size("n"),))
    assert magnitudes(whole, PLAN) == ()
