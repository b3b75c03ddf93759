"""Figures by hand: what has no test of its own counts for nothing, and intervals hold the value."""

from __future__ import annotations

from itertools import combinations

import pytest

from transpile.eval.metrics import (
    Answer,
    Outcome,
    build_at,
    faster_at,
    kept,
    mean,
    precision,
    right_at,
    share,
)

RIGHT = Answer(built=True, judged=True, right=True, speedup=3.0)
WRONG = Answer(built=True, judged=False, right=False)
BROKEN = Answer(built=False, judged=False, right=None)
UNKNOWN = Answer(built=True, judged=True, right=None)


def _item(*answers: Answer, **more: object) -> Outcome:
    return Outcome(id="x", answers=answers, **more)  # type: ignore[arg-type]


def test_shares_of_answers_are_unbiased() -> None:
    answers = (RIGHT, WRONG, BROKEN, RIGHT, WRONG)
    for k in (1, 2, 5):
        draws = list(combinations(answers, k))
        right = sum(any(item.right for item in draw) for draw in draws) / len(draws)
        built = sum(any(item.built for item in draw) for draw in draws) / len(draws)
        found, made = right_at(k, [_item(*answers)]), build_at(k, [_item(*answers)])
        assert found is not None and made is not None
        assert (found.value, made.value) == (pytest.approx(right), pytest.approx(built))


def test_items_with_too_few_answers_are_no_part_of_a_share() -> None:
    found = build_at(2, [_item(RIGHT), _item(BROKEN, BROKEN)])
    assert found is not None and (found.value, found.of) == (0.0, 1)
    assert build_at(3, [_item(RIGHT)]) is None


def test_what_no_test_says_anything_of_is_not_passed_and_not_failed() -> None:
    outcomes = [
        _item(RIGHT, kept=True, kept_right=True),
        _item(WRONG, kept=True, kept_right=False),
        _item(UNKNOWN, kept=True),
        _item(RIGHT, kept=True, untested="none of its tests is robust"),
        _item(BROKEN, why="TP301"),
    ]
    passed, exact, share_kept = right_at(1, outcomes), precision(outcomes), kept(outcomes)
    assert passed is not None and (passed.value, passed.of) == (pytest.approx(1 / 3), 3)
    assert exact is not None and (exact.value, exact.of) == (0.5, 2)
    assert share_kept is not None and (share_kept.value, share_kept.of) == (0.8, 5)


def test_speed_counts_for_what_is_right_alone() -> None:
    fast_and_wrong = Answer(built=True, judged=False, right=False, speedup=9.0)
    outcomes = [_item(RIGHT), _item(fast_and_wrong), _item(WRONG)]
    for times, value in ((1.0, 0.5), (3.0, 0.5), (4.0, 0.0)):
        found = faster_at(1, times, outcomes)
        assert found is not None and (found.value, found.of) == (value, 2)


@pytest.mark.parametrize(("right", "low", "high"), [(0, 0.0, 0.2775), (5, 0.2366, 0.7634), (10, 0.7225, 1.0)])
def test_intervals_of_shares_are_those_of_wilson(right: int, low: float, high: float) -> None:
    found = share([True] * right + [False] * (10 - right))
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert found.low <= found.value <= found.high


def test_of_nothing_there_is_no_figure() -> None:
    assert share([]) is None and mean([]) is None and precision([]) is None
