"""Trials in which arrays are as a candidate asks, and those in which one of them just is not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.testers.making import INT, contract, pointer, reads, size, value, writes
from transpile.core import Asked, Contract, Range
from transpile.testers.checks.answers import answers, arranged
from transpile.testers.trials.generate import Plan
from transpile.testers.trials.materialise import materialise

PLAN = Plan(seed=5, count=48)
DISTINCT = Asked(array="at", order="distinct")
ASCENDING = Asked(array="start", order="ascending")


def indices(high: str) -> Contract:
    at = reads("at", values=Range(low="0", high=high))
    start = reads("start", "n + 1", values=Range(low="0", high="3 * n"))
    parameters = (pointer("at", INT), pointer("start", INT), pointer("y"), value("n"))
    return contract(parameters, (at, start, writes("y")), (size("n"),))


@pytest.mark.parametrize("asks", [(DISTINCT,), (ASCENDING,), (DISTINCT, ASCENDING)])
def test_of_two_trials_one_is_as_asked_and_the_other_one_just_is_not(asks: tuple[Asked, ...]) -> None:
    made = arranged(indices("n - 1"), PLAN, (), asks)
    assert len(made) >= 12
    for right, wrong in zip(made[::2], made[1::2], strict=True):
        calls = [materialise(indices("n - 1"), trial, ()) for trial in (right, wrong)]
        assert answers(calls[0], asks) and not answers(calls[1], asks)
        differ = [
            np.count_nonzero(one.data.view(np.int32) != other.data.view(np.int32))
            for one, other in zip(calls[0].arguments[:2], calls[1].arguments[:2], strict=True)
        ]
        assert sum(differ) == 1


def test_where_there_is_no_room_for_them_none_is_made() -> None:
    assert arranged(indices("1"), PLAN, (), (DISTINCT,)) == []


def test_an_array_that_a_call_has_not_is_in_no_order() -> None:
    assert arranged(indices("n - 1"), PLAN, (), (Asked(array="gone", order="distinct"),)) == []
