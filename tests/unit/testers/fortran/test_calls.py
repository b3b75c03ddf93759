"""Buffers that trials are called with."""

from __future__ import annotations

import numpy as np

from transpile.parsers.fortran.values import Dummy, Value
from transpile.testers.fortran.calls import _dominant, _room
from transpile.testers.fortran.draws import Drawn

MATRIX = Dummy(name="a", value=Value(base="real", kind=8), rank=2, shape="size", rows="lda")


def drawn(**scalars: int) -> Drawn:
    return Drawn(seed=1, scalars=scalars, shapes={}, fills={"a": "dominant"})


def test_large_numbers_stand_on_the_diagonal_or_in_the_row_of_a_band() -> None:
    seen = set()
    for seed in range(40):
        found = _dominant(np.ones(20), MATRIX, drawn(lda=4), np.random.default_rng(seed))
        seen.add(tuple(np.flatnonzero(found > 10)))
    assert (0, 5, 10, 15) in seen
    assert {(0, 4, 8, 12, 16), (3, 7, 11, 15, 19)} <= seen


def test_matrices_of_unknown_rows_stay() -> None:
    values = np.ones(20)
    for item in (drawn(), drawn(lda=0)):
        assert (_dominant(values, MATRIX, item, np.random.default_rng(1)) == 1).all()


def test_ample_working_memory_makes_no_array_long() -> None:
    assert _room(drawn(n=10, lda=12, lwork=5000)) == _room(drawn(n=10, lda=12))
