"""Fates of translations whose threads race."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.unit.cli import ports
from transpile.core import (
    CUDA,
    Binding,
    C,
    Candidate,
    Counterexample,
    Dialect,
    Falsified,
    Launch,
    Level,
    Replacement,
    Trial,
    Unit,
    Verdict,
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
    asked: list[bytes] = []

    def judged(_: object, proposals: Sequence[Proposal]) -> Iterator[tuple[int, Judged]]:
        for number, item in enumerate(proposals):
            asked.append(item.candidate.replacements[0].text)
            yield number, Judged(verdict=RACE)

    monkeypatch.setattr(rules, "judged_each", judged)
    work = cast(Any, SimpleNamespace(source=SimpleNamespace(dialect=dialect)))
    unit = cast(Unit, None)
    proposal = Proposal(unit=unit, contracts=(), candidate=candidate)
    pending = rules.PendingUnit(unit=unit, earlier=None, proposals=(proposal,))
    pending.results.append((candidate, Judged(verdict=RACE)))
    pending.repair(work)
    assert asked == tried
    assert len(pending.results) == 1 + len(tried)


def made(text: str) -> Candidate:
    return Candidate(
        unit="f",
        replacements=(Replacement(unit="f", text=text.encode()),),
        binding=Binding(name="f", arguments=()),
    )


@pytest.mark.parametrize(
    ("verdicts", "order"),
    [
        ({"a": ports.PASSED, "b": ports.PASSED, "c": ports.PASSED}, "abc"),
        ({"a": ports.PASSED, "b": ports.PASSED, "c": ports.FALSIFIED}, "cab"),
        ({"a": ports.FALSIFIED, "b": ports.FALSIFIED, "c": ports.FALSIFIED}, "cba"),
        ({"a": ports.PASSED, "b": ports.BUILT}, "ba"),
    ],
)
def test_the_last_that_is_shown_enough_counts(verdicts: dict[str, Verdict], order: str) -> None:
    results = [(made(name), Judged(verdict=verdict)) for name, verdict in verdicts.items()]
    found = rules.best_last(results, [candidate for candidate, _ in results], Level.TESTED)
    assert "".join(candidate.replacements[0].shown for candidate, _ in found) == order


def test_trials_count_for_all_that_may_be_kept() -> None:
    trials = [replace(TRIAL, seed=seed) for seed in range(4)]
    pools = [(), trials[:3], trials[1:]]
    judged = [Judged(verdict=ports.PASSED, pool=tuple(pool)) for pool in pools]
    assert rules.shared_pool(judged) == tuple(trials[1:3])
    longer = replace(judged[1], contracts=cast(Any, ("longer",)))
    assert rules.shared_pool([longer, judged[2]]) == tuple(trials[1:])
