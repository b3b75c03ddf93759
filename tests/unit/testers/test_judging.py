"""Validity, differential and pool on kernels that are Python functions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.unit.testers.fakes import Fake, Worker
from tests.unit.testers.making import MAP
from transpile.core import (
    Binding,
    ByRules,
    Candidate,
    Claim,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Proof,
    Span,
    Trial,
    Unit,
    UnitKind,
)
from transpile.errors import InternalError
from transpile.testers.differential.differential_run import CONFIGURATIONS, Differential, Failure
from transpile.testers.oracle import calibrate
from transpile.testers.oracle.calibrate import Calibration
from transpile.testers.oracle.cover import Coverage
from transpile.testers.oracle.gather import Pool, gather
from transpile.testers.oracle.validity import SCHEDULES, Examiner, Flaw, Invalid, Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run import bench
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.verdict import session
from transpile.toolchains.build import Flavour
from transpile.toolchains.worker import Crashed, Race
from transpile.toolchains.workshop import Workshop

WORKSHOP = Workshop(cache=Path("unused"))
PLAN = Plan(seed=1, count=24)


class AllTaken:
    nullable = ()

    def begin(self) -> Path:
        return Path("unused")

    def keep(self, library: object) -> None:
        pass

    def read(self) -> Coverage:
        return Coverage(taken=2, total=2)


def double(arrays, launch, seed):
    arrays["y"][:] = 2 * arrays["x"]


def examined(monkeypatch, kernel, **more) -> list[Reference | Invalid]:
    source = Fake(MAP, kernel, **more)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    found = Examiner(WORKSHOP, source, MAP).examine(generate(MAP, PLAN))
    assert isinstance(found, list)
    return found


def flaws(found) -> set[Flaw]:
    return {item.flaw for item in found if isinstance(item, Invalid)}


def judged(
    monkeypatch, kernel, candidate, *, inexact: bool = False, contract=MAP
) -> tuple[Failure | None, Differential]:
    source, other = Fake(contract, kernel, inexact=inexact), Fake(contract, candidate, inexact=inexact)
    monkeypatch.setattr(bench, "run", Worker(source, other).run)
    pool = gather(Examiner(WORKSHOP, source, contract), AllTaken(), PLAN)
    assert isinstance(pool, Pool), pool
    differential = Differential(
        WORKSHOP, other.entry(None, Flavour.PLAIN), Calibration(WORKSHOP, source), pool.references
    )
    return differential.run_all(), differential


def test_a_source_that_behaves_gives_references(monkeypatch) -> None:
    found = examined(monkeypatch, double)
    assert not flaws(found) and all(item.exact for item in found)
    assert any(item.effective for item in found)


def test_traces_and_both_poisons_and_both_schedules_run(monkeypatch) -> None:
    source = Fake(MAP, double)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    Examiner(WORKSHOP, source, MAP).examine(
        [trial for trial in generate(MAP, PLAN) if trial.scalars == (("n", 1),)][:1]
    )
    assert {call.seed for call in source.calls} == set(SCHEDULES)
    assert len({call.arguments[1].tobytes() for call in source.calls}) == 2


def test_a_trial_that_counted_is_run_once_for_all_candidates(monkeypatch) -> None:
    source = Fake(MAP, double)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    examiner, trials = Examiner(WORKSHOP, source, MAP), generate(MAP, PLAN)
    first = examiner.references(trials)
    made = len(source.calls)
    again = examiner.references(trials)
    assert first and len(source.calls) == made
    assert [id(item) for item in again] == [id(item) for item in first]


def test_trials_that_differ_in_the_sign_of_a_zero_are_two(monkeypatch) -> None:
    source = Fake(MAP, double)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    examiner, trial = Examiner(WORKSHOP, source, MAP), generate(MAP, PLAN)[0]
    zero, negative = (replace(trial, marks=(number,)) for number in (0.0, -0.0))
    assert zero == negative
    [one], [other] = examiner.references([zero]), examiner.references([negative])
    assert repr(one.trial) != repr(other.trial)


def test_trials_that_did_not_count_are_tried_again(monkeypatch) -> None:
    bad = [True]

    def fickle(arrays, launch, seed):
        arrays["y"][:] = arrays["x"] + (bad[0] and seed != 0)

    source = Fake(MAP, fickle)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    examiner, trials = Examiner(WORKSHOP, source, MAP), generate(MAP, PLAN)
    before = len(examiner.references(trials))
    bad[0] = False
    assert len(examiner.references(trials)) > before


def test_races_do_not_count_unless_they_are_harmless(monkeypatch) -> None:
    def racing(same):
        def kernel(arrays, launch, seed):
            double(arrays, launch, seed)
            return [make_race(same)]

        return kernel

    assert flaws(examined(monkeypatch, racing(False))) == {Flaw.RACE}
    assert not flaws(examined(monkeypatch, racing(True)))


def make_race(same: bool) -> Race:
    return Race(argument=1, offset=0, kind="write-write", first=(0, 0), second=(0, 1), same_value=same)


def test_results_that_depend_on_the_schedule_do_not_count(monkeypatch) -> None:
    def ordered(arrays, launch, seed):
        arrays["y"][:] = arrays["x"] + (seed != 0)

    assert Flaw.ORDER in flaws(examined(monkeypatch, ordered))


def test_results_that_depend_on_what_outputs_held_do_not_count(monkeypatch) -> None:
    def leaky(arrays, launch, seed):
        arrays["y"][:] = np.sign(arrays["y"]) * arrays["x"]

    assert Flaw.ORDER in flaws(examined(monkeypatch, leaky))


def test_other_results_without_optimisation_do_not_count(monkeypatch) -> None:
    def other(arrays, launch, seed):
        arrays["y"][:] = 3 * arrays["x"]

    assert Flaw.UNDEFINED in flaws(examined(monkeypatch, double, others={Flavour.TRACE: other}))


def test_crashes_and_hangs_do_not_count(monkeypatch) -> None:
    def crash(reason):
        return lambda arrays, launch, seed: Crashed(reason=reason, argument=None, offset=None, detail="")

    assert flaws(examined(monkeypatch, crash("segmentation fault"))) == {Flaw.CRASH}
    assert flaws(examined(monkeypatch, crash("timeout"))) == {Flaw.SLOW}


def test_elements_that_the_source_leaves_alone_are_no_flaw(monkeypatch) -> None:
    def half(arrays, launch, seed):
        arrays["y"][::2] = arrays["x"][::2]

    found = examined(monkeypatch, half)
    assert not flaws(found)


def test_an_honest_candidate_wins(monkeypatch) -> None:
    failure, differential = judged(monkeypatch, double, double)
    assert failure is None and not differential.undecided


@pytest.mark.parametrize(
    ("candidate", "check"),
    [
        (lambda arrays, launch, seed: None, "unwritten"),
        (lambda arrays, launch, seed: arrays["y"].fill(4), "exact"),
        (
            lambda arrays, launch, seed: (arrays["x"].fill(1), double(arrays, launch, seed))[1:0] or None,
            "input",
        ),
    ],
)
def test_cheats_lose(monkeypatch, candidate, check) -> None:
    failure, _ = judged(monkeypatch, double, candidate)
    assert failure is not None and failure.difference.check == check


def test_a_write_that_the_source_does_not_make_loses(monkeypatch) -> None:
    def half(arrays, launch, seed):
        arrays["y"][::2] = 2 * arrays["x"][::2]

    failure, _ = judged(monkeypatch, half, double)
    assert failure is not None and failure.difference.check == "untouched"


def test_a_result_kept_from_the_last_call_loses(monkeypatch) -> None:
    kept = {}

    def cached(arrays, launch, seed):
        arrays["y"][:] = kept.setdefault(len(arrays["x"]), 2 * arrays["x"])

    failure, _ = judged(monkeypatch, double, cached)
    assert failure is not None and failure.difference.check == "exact"


def test_a_candidate_that_differs_in_a_later_configuration_loses(monkeypatch) -> None:
    calls = []

    def fickle(arrays, launch, seed):
        calls.append(1)
        arrays["y"][:] = 2 * arrays["x"] + (len(calls) > 2 * 28)

    failure, _ = judged(monkeypatch, double, fickle)
    assert failure is not None and failure.configuration in CONFIGURATIONS[1:]


def rows(order):
    def kernel(arrays, launch, seed):
        for start in range(0, len(arrays["x"]), 64):
            arrays["y"][start : start + 64] = np.cumsum(
                arrays["x"][start : start + 64][::order], dtype=np.float32
            )[-1:]

    return kernel


def test_another_order_of_rounding_is_within_the_tolerance(monkeypatch) -> None:
    failure, differential = judged(monkeypatch, rows(1), rows(-1), inexact=True)
    assert failure is None and differential.rounded


def test_a_lost_term_is_not(monkeypatch) -> None:
    def lossy(arrays, launch, seed):
        rows(-1)(
            arrays | {"x": np.where(np.arange(len(arrays["x"])) == 40, np.float32(0), arrays["x"])},
            launch,
            seed,
        )

    failure, _ = judged(monkeypatch, rows(1), lossy, inexact=True)
    assert failure is not None and failure.difference.check == "tolerance"


def power(exponent, off=0.0):
    """A kernel whose results move so many times as far as inputs, and are off by some roundings."""

    def kernel(arrays, launch, seed):
        exact = 2 * arrays["x"].astype(np.float64) ** exponent
        with np.errstate(over="ignore"):
            arrays["y"][:] = exact * (1 + off * 2.0**-24)

    return kernel


def test_a_unit_that_is_too_small_by_chance_refuses_nothing(monkeypatch) -> None:
    # Two perturbations leave every ninth number where it was.
    monkeypatch.setattr(calibrate, "PERTURBATIONS", 2)
    failure, differential = judged(monkeypatch, power(8), power(8, off=60), inexact=True)
    assert failure is None and not differential.undecided and differential.rounded


@pytest.mark.parametrize("off", [100, 4000])
def test_no_perturbations_excuse_what_is_off(monkeypatch, off) -> None:
    monkeypatch.setattr(calibrate, "PERTURBATIONS", 2)
    failure, _ = judged(monkeypatch, power(1), power(1, off=off), inexact=True)
    assert failure is not None and failure.difference.check == "tolerance"


def test_a_pool_needs_trials_with_an_effect(monkeypatch) -> None:
    source = Fake(MAP, lambda arrays, launch, seed: None)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    found = gather(Examiner(WORKSHOP, source, MAP), AllTaken(), PLAN)
    assert isinstance(found, Inconclusive) and "writes nothing" in found.reason


def test_a_pool_needs_more_than_single_blocks(monkeypatch) -> None:
    def one_block(arrays, launch, seed):
        if launch.grid[0] > 1:
            return Crashed(reason="abort", argument=None, offset=None, detail="")
        return double(arrays, launch, seed)

    source = Fake(MAP, one_block)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    found = gather(Examiner(WORKSHOP, source, MAP), AllTaken(), replace(PLAN, count=80))
    assert isinstance(found, Inconclusive) and "the source crashes (abort)" in found.reason


def test_a_source_that_depends_on_order_at_times_is_no_base(monkeypatch) -> None:
    def ordered(arrays, launch, seed):
        arrays["y"][:] = arrays["x"] + (seed != 0 and len(arrays["x"]) > 300)

    source = Fake(MAP, ordered)
    monkeypatch.setattr(bench, "run", Worker(source).run)
    found = gather(Examiner(WORKSHOP, source, MAP), AllTaken(), PLAN)
    assert isinstance(found, Inconclusive) and "order of its threads" in found.reason


def test_a_source_that_never_behaves_is_blamed(monkeypatch) -> None:
    source = Fake(
        MAP, lambda arrays, launch, seed: Crashed(reason="abort", argument=None, offset=None, detail="")
    )
    monkeypatch.setattr(bench, "run", Worker(source).run)
    found = gather(Examiner(WORKSHOP, source, MAP), AllTaken(), PLAN)
    assert isinstance(found, Inconclusive) and "the source crashes (abort)" in found.reason


def test_trials_are_remembered_by_what_they_are(monkeypatch) -> None:
    trials = generate(MAP, PLAN)
    assert len({replace(trial) for trial in trials}) == len(trials) and isinstance(trials[0], Trial)


def test_proofs_come_after_a_pass_and_never_change_it(monkeypatch) -> None:
    passed = Passed(guarantee=Guarantee(level=Level.TESTED, trials=40, checks=()))
    verdicts = iter([passed, Inconclusive(reason="why"), passed])
    monkeypatch.setattr(session.JudgingSession, "__init__", lambda self, *arguments: None)
    monkeypatch.setattr(session.JudgingSession, "begin", lambda self, proposals: None)
    monkeypatch.setattr(session.JudgingSession, "close", lambda self: None)
    monkeypatch.setattr(
        session.JudgingSession, "decide", lambda *arguments: session.Judged(verdict=next(verdicts))
    )
    monkeypatch.setattr(session, "translation_unit", lambda source, path: path)
    monkeypatch.setattr(session, "barred", lambda source, proposal: None)
    unit = Unit(
        id="a", kind=UnitKind.KERNEL, path="a.cu", name="a", span=Span(start=0, end=1), line=1, text=b""
    )
    step = Proof(claims=(Claim.LEGAL,), of="step")
    candidate = Candidate(
        unit="a", replacements=(), binding=Binding(name="a", arguments=()), origin=ByRules(proof=step)
    )
    proposals = [Proposal(unit=unit, contracts=(MAP,), candidate=candidate)] * 3
    asked: list[float] = []
    proofs = iter([Proof(claims=(Claim.PARALLEL,)), RuntimeError("the prover broke")])

    def prove(source, proposal, seconds):
        asked.append(seconds)
        found = next(proofs)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr("transpile.testers.prove.prove", prove)
    found = session.judge(WORKSHOP, None, proposals, prove=3.0)  # type: ignore[arg-type]
    assert asked == [3.0, 3.0]
    assert [item.verdict for item in found] == [
        Passed(guarantee=replace(passed.guarantee, proof=Proof(claims=(Claim.PARALLEL,)))),
        Inconclusive(reason="why"),
        Passed(guarantee=replace(passed.guarantee, proof=step)),
    ]


def test_a_failure_of_our_own_ends_one_verdict_only(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))

    def broken(self, proposal, plan, level):
        raise InternalError("the worker gave up")

    monkeypatch.setattr(session.JudgingSession, "__init__", lambda self, *arguments: None)
    monkeypatch.setattr(session.JudgingSession, "begin", lambda self, proposals: None)
    monkeypatch.setattr(session.JudgingSession, "close", lambda self: None)
    monkeypatch.setattr(session.JudgingSession, "decide", broken)
    monkeypatch.setattr(session, "translation_unit", lambda source, path: path)
    monkeypatch.setattr(session, "barred", lambda source, proposal: None)
    unit = Unit(
        id="a", kind=UnitKind.KERNEL, path="a.cu", name="a", span=Span(start=0, end=1), line=1, text=b""
    )
    candidate = Candidate(unit="a", replacements=(), binding=Binding(name="a", arguments=()))
    proposals = [Proposal(unit=unit, contracts=(MAP,), candidate=candidate)] * 2
    found = session.judge(WORKSHOP, None, proposals)  # type: ignore[arg-type]
    for item in found:
        assert isinstance(item.verdict, Inconclusive) and item.verdict.ours
        assert "failed while judging a (InternalError: the worker gave up)" in item.verdict.reason


class Late(Worker):
    """Makes calls of the candidate time out until it is given so many times the usual limit."""

    def __init__(self, source, other, times):
        super().__init__(source, other)
        self.other, self.times = str(id(other)), times

    def run(self, workshop, library, calls, **how):
        results = super().run(workshop, library, calls, **how)
        late = str(library.path) == self.other and workshop.timeout < self.times * WORKSHOP.timeout
        return [Crashed(reason="timeout")] * len(calls) if late else results


@pytest.mark.parametrize(("factor", "times", "check"), [(2, 3, None), (3, 3, "exact"), (2, 1000, "timeout")])
def test_what_takes_too_long_is_called_again_and_compared(monkeypatch, factor, times, check) -> None:
    def other(arrays, launch, seed):
        arrays["y"][:] = factor * arrays["x"]

    source, candidate = Fake(MAP, double), Fake(MAP, other)
    monkeypatch.setattr(bench, "run", Late(source, candidate, times).run)
    pool = gather(Examiner(WORKSHOP, source, MAP), AllTaken(), PLAN)
    differential = Differential(
        WORKSHOP, candidate.entry(None, Flavour.PLAIN), Calibration(WORKSHOP, source), pool.references
    )
    found = differential.run_all()
    assert (found.difference.check if found else None) == check
