from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.core import Scalar
from transpile.testers.fills import Recipe, values

ENDS = {"first": 0, "last": -1}
End = Literal["first", "last"]


@given(st.sampled_from(["first", "last"]), st.integers(2, 60), st.integers(-9, 9), st.integers(0, 2**32))
def test_one_end_alone_holds_what_the_call_passes(fill: End, count: int, mark: int, seed: int) -> None:
    recipe = Recipe(scalar=Scalar.INT32, fill=fill, marks=(float(mark),))
    found = values(np.random.default_rng(seed), recipe, count)
    assert found[ENDS[fill]] == mark
    assert list(found).count(mark) == 1


@given(st.sampled_from(["first", "last"]), st.integers(1, 60), st.integers(0, 9), st.integers(0, 2**32))
def test_indices_keep_to_their_range_all_the_same(fill: End, count: int, high: int, seed: int) -> None:
    recipe = Recipe(scalar=Scalar.INT32, fill=fill, low=0, high=high, marks=(3.0, 70.0))
    found = values(np.random.default_rng(seed), recipe, count)
    assert len(found) == count
    assert ((found >= 0) & (found <= high)).all()


@pytest.mark.parametrize(
    "scalar", [Scalar.FLOAT16, Scalar.BFLOAT16, Scalar.FLOAT32, Scalar.UINT8, Scalar.BOOL]
)
@pytest.mark.parametrize("marks", [(), (0.5,), (300.0,), (float("nan"),)])
def test_every_type_has_its_ends(scalar: Scalar, marks: tuple[float, ...]) -> None:
    recipe = Recipe(scalar=scalar, fill="last", marks=marks)
    assert len(values(np.random.default_rng(1), recipe, 9)) == 9
    assert len(values(np.random.default_rng(1), recipe, 0)) == 0


def test_distinct_and_ascending_elements_stay_so() -> None:
    rng = np.random.default_rng(1)
    distinct = Recipe(scalar=Scalar.INT32, fill="first", low=0, high=99, distinct=True, marks=(5.0,))
    assert len(set(values(rng, distinct, 50))) == 50
    ascending = Recipe(scalar=Scalar.INT32, fill="first", low=0, high=99, ascending=True, marks=(5.0,))
    assert (np.diff(values(rng, ascending, 50)) >= 0).all()
