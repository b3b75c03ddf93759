from __future__ import annotations

from itertools import combinations

import pytest

from tests.unit.cli import ports
from tests.unit.evolution.making import played, sample, written
from transpile.evolution.metrics import measure
from transpile.report.passing import pass_at
from transpile.testers.verdict.matrix import Cell


@pytest.mark.parametrize("drawn", [1, 4, 6])
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(drawn: int) -> None:
    for right in range(drawn + 1):
        answers = [number < right for number in range(drawn)]
        for k in range(1, drawn + 1):
            draws = list(combinations(answers, k))
            assert pass_at(k, right, drawn) == pytest.approx(sum(map(any, draws)) / len(draws))


RIGHT, WRONG = sample("a", ports.PASSED), sample("b", ports.FALSIFIED)


def test_figures_of_a_round() -> None:
    telling = written("admitted", "invalid", "useless", "admitted")
    found = measure(
        3,
        [
            played(3, RIGHT, WRONG, standing=(RIGHT,), tests=telling, cells=((Cell.CRASHES, Cell.AGREES),)),
            played(3, WRONG, unanswered=("down",), fallen=(WRONG,)),
            played(3, unanswered=("down", "down")),
        ],
        samples=2,
    )
    assert (found.units, found.asked, found.answered, found.kept, found.fallen) == (3, 6, 3, 1, 1)
    # The unit that nobody answered says nothing; of half an answer Pass@2 is not known.
    assert found.pass_at_1 == pytest.approx((0.5 + 0) / 2)
    assert found.pass_at_k == 1.0
    assert (found.written, found.admitted) == (4, 2)
    assert (found.validity, found.discriminating, found.mutation_score) == (0.75, 0.5, 0.75)


def test_where_there_is_nothing_there_is_no_share() -> None:
    found = measure(1, [played(1, unanswered=("down",))], samples=1)
    shares = (found.pass_at_1, found.pass_at_k, found.validity, found.discriminating, found.mutation_score)
    assert shares == (None,) * 5
