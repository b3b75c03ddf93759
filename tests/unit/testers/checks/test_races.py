"""Races of what runs on the emulator, by traces."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from transpile.core import CUDA, Inconclusive
from transpile.testers.checks import races
from transpile.testers.differential.differential_run import Failure
from transpile.toolchains.calls import Race
from transpile.toolchains.worker import Crashed

LATE = Crashed(reason="timeout")
CLEAN = SimpleNamespace(trace=SimpleNamespace(races=(), parted=None))
RACE = Race(argument=None, offset=0, kind="write-write", first=(0, 1), second=(0, 2), same_value=False)
RACY = SimpleNamespace(trace=SimpleNamespace(races=(RACE,), parted=None))


def checked(monkeypatch: pytest.MonkeyPatch, *outcomes: Any) -> Failure | Inconclusive | None:
    references = [SimpleNamespace(trial=number, prepared=None) for number in range(len(outcomes))]
    contract = SimpleNamespace(signature=None)
    first = SimpleNamespace(prepared=SimpleNamespace(contract=contract, arguments=()))
    monkeypatch.setattr(races, "telling", lambda _: references)
    monkeypatch.setattr(races, "call", lambda *_: list(outcomes))
    monkeypatch.setattr(races.sites, "lines", lambda *_: ("", ""))
    bench: Any = SimpleNamespace(
        workshop=None, entry=lambda *_: SimpleNamespace(library=None), texts=lambda _: {}
    )
    proposal: Any = SimpleNamespace(candidate=SimpleNamespace(dialect=CUDA))
    return races.race_check(bench, proposal, SimpleNamespace(pool=[first]))  # type: ignore[arg-type]


def test_a_trace_that_takes_too_long_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checked(monkeypatch, LATE, CLEAN) is None
    assert isinstance(checked(monkeypatch, LATE, RACY), Failure)
    assert isinstance(checked(monkeypatch, LATE, LATE), Inconclusive)
