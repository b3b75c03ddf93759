"""Trials that depend on which operand an extreme is where Fortran leaves that open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.unit.testers.fortran.test_entries import routine
from transpile.testers.fortran import extremes
from transpile.testers.fortran.extremes import Reversed, reversed_extremes, settled


def test_extremes_of_two_operands_are_reversed() -> None:
    text = "x = std::max(a, fortran::min(b, c)) + std::max({i, j, k}) + std::max<long>(n, m);"
    assert reversed_extremes(text) == (
        "x = fortran::max(a, std::min(b, c)) + std::max({i, j, k}) + std::max<long>(n, m);"
    )


class _Bench:
    """Returns the results that it holds."""

    def __init__(self, results: Sequence[int]) -> None:
        self.results = results

    def run(self, side: object, calls: Sequence[object], placement: object) -> list[Any]:
        return list(self.results)


class _Trial:
    call = None
    expected = None


@pytest.mark.parametrize(("unsaid", "left"), [(0, 8), (2, 6), (3, 8)])
def test_exceptions_alone_are_left_out(
    unsaid: int, left: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one, another = _Bench([1] * 8), _Bench([0] * unsaid + [1] * (8 - unsaid))
    monkeypatch.setattr(extremes, "Completed", int)
    monkeypatch.setattr(extremes, "difference", lambda _, a, b: None if a == b else "unlike")
    monkeypatch.setattr(extremes, "unsaid", lambda *_: True)
    monkeypatch.setattr(Reversed, "bench", lambda self, of: another)
    other = Reversed(texts=None, folder=tmp_path)  # type: ignore[arg-type]
    tried: Any = [_Trial() for _ in range(8)]
    bench: Any = one
    assert len(settled(bench, other, routine(()), tried)) == left


def test_a_trial_in_which_something_else_is_wrong_is_no_exception(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(extremes, "Completed", int)
    monkeypatch.setattr(extremes, "difference", lambda _, a, b: None if a == b else "unlike")
    monkeypatch.setattr(extremes, "unsaid", lambda *_: False)
    monkeypatch.setattr(Reversed, "bench", lambda self, of: _Bench([0, 1, 1, 1, 1, 1]))
    other = Reversed(texts=None, folder=tmp_path)  # type: ignore[arg-type]
    tried: Any = [_Trial() for _ in range(6)]
    bench: Any = _Bench([1] * 6)
    assert len(settled(bench, other, routine(()), tried)) == 6
