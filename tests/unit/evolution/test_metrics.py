from __future__ import annotations

from itertools import combinations

import pytest

from transpile.evolution.metrics import pass_at


@pytest.mark.parametrize("drawn", [1, 4, 6])
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(drawn: int) -> None:
    for right in range(drawn + 1):
        answers = [number < right for number in range(drawn)]
        for k in range(1, drawn + 1):
            draws = list(combinations(answers, k))
            assert pass_at(k, right, drawn) == pytest.approx(sum(map(any, draws)) / len(draws))
