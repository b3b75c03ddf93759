"""Limits of z3: by what it counts, not by a clock."""

from __future__ import annotations

import pytest
import z3

from transpile.testers.prove.solving import Clock, Unproven


def question(names: str) -> tuple[list[z3.BoolRef], z3.BoolRef]:
    x, y, z = z3.Ints(names)
    return [x > 0, y > 0, z > 0], x * x * x + y * y * y == z * z * z


def test_a_question_that_takes_too_many_steps_is_left_open() -> None:
    clock = Clock(0.01)
    facts, claim = question("a b c")
    with pytest.raises(Unproven):
        clock.holds(clock.solver(facts), claim)
    with pytest.raises(Unproven, match="is over"):
        clock.left()


def test_no_clock_runs_between_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a processor in between has as much left as who does not."""
    clock = Clock(1.0)
    before = clock.left()
    for later in range(1, 4):
        monkeypatch.setattr("time.monotonic", lambda now=1e6 * later: now)
    assert before - clock.left() < 1e-3
    x = z3.Int("x")
    assert clock.holds(clock.solver([x > 3]), x < 2)


def test_a_part_is_a_share_of_what_is_left() -> None:
    clock = Clock(1.0)
    assert clock.part().left() == pytest.approx(0.25 * clock.left(), rel=0.01)
