"""Planted faults on real builds: what trials notice, and what they say when they are weak."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.adversarial import session as kernels
from transpile.core import Inconclusive, Level, Passed
from transpile.testers import judge
from transpile.testers.mutation.campaign import Campaign, Front, Unsound
from transpile.testers.mutation.mutants import Mutant, control_of, plant
from transpile.testers.mutation.strengthen import Strengthened, strengthen
from transpile.testers.trials.generate import Plan
from transpile.testers.verdict.session import JudgingSession, translation_unit
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]


@pytest.fixture(scope="module")
def workshop(builds: Path) -> Workshop:
    return Workshop(cache=builds, timeout=2.0)


@contextmanager
def campaign(
    workshop: Workshop, kernel: str, mutants: tuple[Mutant, ...] | None = None
) -> Iterator[Campaign]:
    """Return the mutants of a kernel, and its trials as they are made for a verdict."""
    source, unit = kernels.source(), kernels.unit(kernel)
    compiled = translation_unit(source, unit.translation_unit)
    proposal = kernels.proposal(kernel, "")
    with closing(JudgingSession(workshop, source, compiled, [proposal])) as session:
        fronts = []
        for contract in proposal.contracts:
            baseline = session.baseline(unit, contract)
            pool = baseline.pool(Plan(seed=5, count=48))
            assert not isinstance(pool, Inconclusive), pool
            fronts.append(Front(baseline=baseline, references=list(pool.references)))
        planted = plant(source, unit).mutants if mutants is None else mutants
        with closing(Campaign(workshop, source, unit, compiled, planted, fronts)) as made:
            yield made


def test_the_trials_of_a_map_kill_every_fault_in_it(workshop: Workshop) -> None:
    with campaign(workshop, "axpy") as made:
        made.attack(made.fronts[0], made.fronts[0].references)
        assert [str(made.mutants[number]) for number in made.live] == []
        assert len(made.kills) == len(made.mutants) - len(made.invalid) > 15


def test_one_trial_of_size_zero_kills_next_to_nothing(workshop: Workshop) -> None:
    with campaign(workshop, "axpy") as made:
        front = made.fronts[0]
        empty = [item for item in front.references if dict(item.trial.scalars)["n"] == 0][:1]
        assert empty
        made.attack(front, empty)
        assert len(made.live) > len(made.mutants) / 2


def test_a_non_atomic_sum_falls_to_the_watch_or_to_its_result(workshop: Workshop) -> None:
    unit = kernels.unit("total")
    planted = tuple(
        item for item in plant(kernels.source(), unit).mutants if item.operator == "dropped atomic"
    )
    assert planted
    with campaign(workshop, "total", planted) as made:
        made.watch(made.fronts[0], made.fronts[0].references)
        assert made.live == []


def test_a_text_that_changes_nothing_is_equivalent_and_is_never_killed(workshop: Workshop) -> None:
    source, unit = kernels.source(), kernels.unit("axpy")
    same = control_of(source, unit)
    twice = replace(same, texts=((unit.id, unit.text.replace(b"i < n", b"n > i")),))
    other = replace(same, texts=((unit.id, unit.text.replace(b"1.0f", b"2.0f")),))
    with campaign(workshop, "axpy", (same, twice, other)) as made:
        assert made.equivalents() == {0, 1}
        made.attack(made.fronts[0], made.fronts[0].references)
        assert made.live == [0, 1]


def test_what_does_not_compile_counts_for_nothing(workshop: Workshop) -> None:
    source, unit = kernels.source(), kernels.unit("axpy")
    broken = replace(control_of(source, unit), texts=((unit.id, unit.text.replace(b"1.0f", b"one")),))
    good = plant(source, unit).mutants[:3]
    with campaign(workshop, "axpy", (*good, broken)) as made:
        made.attack(made.fronts[0], made.fronts[0].references)
        assert made.invalid == [3]
        assert made.live == []


def test_a_source_that_falls_among_its_mutants_makes_no_score(workshop: Workshop) -> None:
    with campaign(workshop, "axpy") as made:
        front = made.fronts[0]
        last = next(item for item in reversed(front.references) if item.exact and item.effective)
        slots = tuple(data.copy() for data in last.results[0])
        slots[-1][3::4] ^= 0x40
        wrong = replace(last, results=(slots, slots))
        with pytest.raises(Unsound):
            made.attack(front, [wrong])


def test_weak_trials_are_made_stronger_and_then_few(workshop: Workshop) -> None:
    source, unit = kernels.source(), kernels.unit("axpy")
    with campaign(workshop, "axpy") as made:
        front = made.fronts[0]
        weak = Front(baseline=front.baseline, references=front.references[:2])
        found = strengthen(
            workshop,
            source,
            unit,
            translation_unit(source, unit.translation_unit),
            [weak],
            Plan(seed=5, count=24),
        )
    assert isinstance(found, Strengthened)
    assert found.added[0]
    assert found.strength.score == 1
    assert 1 <= len(found.essential) <= 8


HONEST = """\
void axpy(const float *x, float *y, float a, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}
"""


@pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check")
def test_a_candidate_reaches_the_level_that_was_asked_for(workshop: Workshop) -> None:
    proposal = kernels.proposal("axpy", HONEST)
    [tested] = judge(workshop, kernels.source(), [proposal])
    [hardened] = judge(workshop, kernels.source(), [proposal], level=Level.HARDENED)
    assert isinstance(tested.verdict, Passed) and isinstance(hardened.verdict, Passed)
    assert tested.verdict.guarantee.level is Level.TESTED
    assert tested.verdict.guarantee.mutation_score is None
    assert hardened.verdict.guarantee.level is Level.HARDENED
    assert hardened.verdict.guarantee.mutation_score == 1
    assert len(hardened.pool) < len(tested.pool)
