"""Which trials of the source count, and what launches have to keep to."""

from __future__ import annotations

import numpy as np

from tests.unit.testers.making import FLOAT
from transpile.core import Contract, Launch, Signature, Trial
from transpile.testers.oracle.gather import FEWEST, needs_whole_warps
from transpile.testers.oracle.validity import Flaw, Invalid, Reference
from transpile.testers.trials.materialise import Prepared, Slot

CONTRACT = Contract(signature=Signature(name="f"), arrays=(), scalars=(), law=None)


def trial(seed: int, *block: int) -> Trial:
    x, y = (*block, 1)[:2]
    return Trial(seed=seed, fill="exact", scalars=(), launch=Launch(grid=(2, 1, 1), block=(x, y, 1)))


def references(count: int, *block: int) -> list[Reference]:
    slot = Slot(name="x", element=FLOAT, data=np.zeros(4, dtype=np.uint8))
    made = (
        Prepared(trial=trial(seed, *block), contract=CONTRACT, arguments=(slot,)) for seed in range(count)
    )
    return [Reference(prepared=one, results=((), ()), exact=True, written=()) for one in made]


def fickle(*block: int) -> Invalid:
    return Invalid(trial=trial(99, *block), flaw=Flaw.ORDER)


def test_lanes_that_are_missing_explain_what_depends_on_order() -> None:
    assert needs_whole_warps(references(FEWEST, 64), [fickle(33), fickle(7, 3)])
    assert needs_whole_warps(references(FEWEST, 8, 8), [fickle(1)])


def test_other_reasons_are_not_explained_away() -> None:
    assert not needs_whole_warps(references(FEWEST, 64), [fickle(33), fickle(64)])
    assert not needs_whole_warps(references(FEWEST - 1, 64), [fickle(33)])
    assert not needs_whole_warps(references(FEWEST, 63), [fickle(33)])
    assert not needs_whole_warps(references(FEWEST, 64), [])
    assert not needs_whole_warps(references(FEWEST, 64), [Invalid(trial=trial(1, 33), flaw=Flaw.RACE)])
