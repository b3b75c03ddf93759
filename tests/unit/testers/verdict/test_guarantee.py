from dataclasses import replace

import pytest

from tests.unit.testers.making import MAP
from transpile.core import Guarantee, Inconclusive, Level, Origin, Passed, Strength
from transpile.testers.verdict.guarantee import supported

CONTRACT = replace(MAP, relations=("width >= count",), relations_from=Origin.TRACE)


def passed(strength: Strength | None) -> Passed:
    return Passed(guarantee=Guarantee(level=Level.TESTED, trials=20, checks=(), strength=strength))


@pytest.mark.parametrize(
    ("strength", "kept"),
    [
        (Strength(mutants=54, killed=41, equivalent=0), False),
        (Strength(mutants=54, killed=52, equivalent=0), True),
        (None, False),
    ],
    ids=["weak", "strong", "unknown"],
)
def test_a_requirement_that_nobody_stated_takes_strong_trials(strength: Strength | None, kept: bool) -> None:
    verdict = supported(passed(strength), [CONTRACT])
    assert isinstance(verdict, Passed) is kept
    assert kept or (isinstance(verdict, Inconclusive) and verdict.code == "TP417")
    assert kept or "(`width >= count`)" in verdict.reason
