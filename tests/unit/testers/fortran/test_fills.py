"""Elements of the arrays of trials of Fortran routines."""

from __future__ import annotations

import numpy as np
import pytest

from transpile.parsers.fortran.values import Value
from transpile.testers.fortran.fills import STYLES, filled


@pytest.mark.parametrize("style", sorted(STYLES))
@pytest.mark.parametrize("value", [Value(base="real", kind=4), Value(base="complex", kind=8)])
def test_every_style_fills_any_number_of_elements(style: str, value: Value) -> None:
    for count in (0, 1, 50):
        found = filled(style, count, value, (0.0, 3.5), np.random.default_rng(3))
        assert found.shape == (count,)
        assert found.itemsize == value.kind


def test_whole_numbers_may_serve_as_indices() -> None:
    found = filled("normal", 200, Value(base="integer", kind=4), (), np.random.default_rng(1))
    assert found.min() == 1


def test_styles_reach_the_ends_of_the_type() -> None:
    random = np.random.default_rng(5)
    value = Value(base="real", kind=8)
    assert np.isnan(filled("special", 500, value, (), random)).any()
    top = filled("top", 100, value, (), random)
    with np.errstate(over="ignore"):
        assert np.isinf(np.abs(top).sum())
    wide = np.abs(filled("wide", 500, value, (), random))
    assert wide.min() < 1e-200 and wide.max() > 1e200
    fills = [np.abs(filled("beside", 100, value, (0.0, 1e-150), random)) for _ in range(40)]
    beside = [1e-151 < near.min() <= near.max() < 1e-149 for near in fills]
    assert 0.5 < sum(beside) / len(beside) < 1


def test_ramps_grow_but_for_one_element() -> None:
    found = filled("ramp", 100, Value(base="real", kind=8), (), np.random.default_rng(2))
    assert (np.diff(found) < 0).sum() <= 2


def test_places_are_those_of_elements_but_for_some() -> None:
    value = Value(base="integer", kind=4)
    rows = [filled("places", 30, value, (), np.random.default_rng(seed)) for seed in range(20)]
    assert any((row == np.arange(1, 31)).all() for row in rows)
    assert any((row < 0).any() for row in rows)
    assert all((np.abs(row) <= 32).all() and (row != 0).all() for row in rows)
