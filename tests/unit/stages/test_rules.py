"""What becomes of translations whose threads race."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from transpile.core import (
    CUDA,
    Binding,
    C,
    Candidate,
    Counterexample,
    Dialect,
    Falsified,
    Launch,
    Replacement,
    Trial,
    Unit,
)
from transpile.stages import rules
from transpile.testers import Judged, Proposal

TRIAL = Trial(seed=1, fill="exact", scalars=(), launch=Launch(grid=(1, 1, 1), block=(1, 1, 1)))
RACE = Falsified(counterexample=Counterexample(trial=TRIAL, where="call", expected="", got="", check="race"))


@pytest.mark.parametrize(
    ("dialect", "text", "tried"),
    [
        (CUDA, b"#pragma omp parallel for\nfor (;;) x++;", [b"for (;;) x++;"]),
        (CUDA, b"std::for_each(std::execution::par, a, b, f);", []),
        (C, b"#pragma omp parallel for\nfor (;;) x++;", []),
    ],
)
def test_a_race_is_judged_again_where_threads_can_be_left_out(
    dialect: Dialect, text: bytes, tried: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = Candidate(
        unit="f", replacements=(Replacement(unit="f", text=text),), binding=Binding(name="f", arguments=())
    )
    calls: list[list[Proposal]] = []

    def judged(_: object, proposals: list[Proposal]) -> list[Judged]:
        calls.append(proposals)
        return [Judged(verdict=RACE) for _ in proposals]

    monkeypatch.setattr(rules, "judged", judged)
    work = cast(Any, SimpleNamespace(source=SimpleNamespace(dialect=dialect)))
    proposal = Proposal(unit=cast(Unit, None), contracts=(), candidate=candidate)
    found = list(rules.judged_with_repair(work, [proposal]))
    assert len(found) == 1 + len(tried)
    assert [item.candidate.replacements[0].text for item in calls[1]] == tried
