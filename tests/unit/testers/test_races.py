"""Which trials a race check runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.unit.testers.making import FLOAT
from transpile.core import Contract, Signature, Trial
from transpile.testers.materialise import Prepared, Slot
from transpile.testers.races import telling
from transpile.testers.validity import Reference

CONTRACT = Contract(signature=Signature(name="f"), arrays=(), scalars=(), law=None)


def reference(number: int, *, shared: bool = False) -> Reference:
    data = np.zeros(4, dtype=np.uint8)
    slot = Slot(name="x", element=FLOAT, data=data)
    prepared = Prepared(
        trial=Trial(seed=number, fill="exact", scalars=()),
        contract=CONTRACT,
        arguments=(slot, replace(slot, name="y", alias=0) if shared else slot),
    )
    return Reference(prepared=prepared, results=((), ()), exact=True, written=(), seconds=0.0)


def test_small_trials_count_where_pointers_share_data() -> None:
    pool = [reference(number, shared=number in (1, 39)) for number in range(40)]
    seeds = [item.trial.seed for item in telling(pool)]
    assert 1 in seeds and seeds.count(39) == 1
    assert len(seeds) == 7 and all(seed >= 20 for seed in seeds if seed != 1)
