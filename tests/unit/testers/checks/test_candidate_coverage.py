"""Coverage of a candidate: which trials can be borne."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from tests.unit.testers import making
from transpile.testers.checks.candidate_coverage import affordable
from transpile.testers.trials.generate import Plan, pinned


def test_what_takes_too_long_ends_no_other_trial() -> None:
    """Loops over a size go round where another one leaves arrays empty."""
    arrays = (making.reads("x", "n * m"), making.writes("y", "n * m"))
    sizes = (making.size("n"), making.size("m"))
    parameters = (making.pointer("x"), making.pointer("y"), making.value("n"), making.value("m"))
    made = replace(making.contract(parameters, arrays, sizes), law=None)
    pool: list[Any] = [
        SimpleNamespace(prepared=SimpleNamespace(size=size), work=20_000 * size) for size in (80, 8000)
    ]
    asked = [{"n": 100_000, "m": 0}, {"n": 4000, "m": 1}, {"n": 3, "m": 5}, {"n": 0, "m": 700}]
    plan = Plan(seed=1, count=1, levels=(1,), fills=("exact",), elements=1 << 20)
    trials = [trial for pins in asked if (trial := pinned(made, plan, pins))]
    assert len(trials) == len(asked)
    found = [dict(trial.scalars) for trial in affordable(made, pool, trials)]
    assert found == [asked[2], asked[3], asked[1]]
