"""Learners that share batches, and the time that each of them has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.unit.contracts.fake import FakeTracer, Thread, subject
from transpile.contracts.arrays.extents import samples
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.learn import learn
from transpile.contracts.probing.batches import MOST_WORK, TooMuchWork, drive
from transpile.contracts.probing.probe import Asking, Filling, Observed, Outcome, Probe, unknown
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Inconclusive, Launch
from transpile.toolchains.speed import WORK_A_SECOND


class _Slow:
    """Answers as the fake tracer does; the calls of one kernel take long."""

    def __init__(self, slow: Subject, tracer: FakeTracer) -> None:
        self.slow = slow
        self.tracer = tracer

    def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
        outcomes = self.tracer.run(asked)
        return [
            replace(outcome, work=WORK_A_SECOND) if item is self.slow else outcome
            for (item, _), outcome in zip(asked, outcomes, strict=True)
        ]


def test_a_kernel_that_uses_up_its_time_is_given_up_and_the_others_go_on() -> None:
    def filled(t: Thread, a: Mapping[str, Any]) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = 1

    text = "blockIdx.x * blockDim.x + threadIdx.x"
    quick, slow = subject("int n, float *y", text), subject("int n, int m, float *y", text)
    tracer = _Slow(slow, FakeTracer(filled))
    first, second = drive(tracer, [(quick, learn(quick, {}, 0)), (slow, learn(slow, {}, 0))])
    assert isinstance(first, Contract)
    assert isinstance(second, Inconclusive) and "too long" in second.reason


def test_an_attempt_that_takes_too_long_is_told_so_and_the_next_one_has_time() -> None:
    heavy = Observed(touched={}, outputs="", work=MOST_WORK // 2 + 1)

    class _Heavy:
        def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
            return [replace(heavy) for _ in asked]

    def asking(attempts: int) -> Asking[Contract | Inconclusive]:
        for _ in range(attempts):
            try:
                yield [Probe(scalars={}, launch=Launch())]
                yield [Probe(scalars={}, launch=Launch())]
            except TooMuchWork:
                continue
        return unknown("came to its end")

    item = subject("int n, float *y", "threadIdx.x")
    once, often = drive(_Heavy(), [(item, asking(1)), (item, asking(5))])
    assert isinstance(once, Inconclusive) and "came to its end" in once.reason
    assert isinstance(often, Inconclusive) and "too long" in often.reason


def test_what_is_asked_twice_counts_once() -> None:
    probe = Probe(scalars={}, launch=Launch())
    outcome = Observed(touched={}, outputs="", work=MOST_WORK // 2 + 1)

    class _Same:
        def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
            return [outcome for _ in asked]

    def asking() -> Asking[Contract | Inconclusive]:
        yield [probe] * 10
        return unknown("asked all that it wanted")

    [found] = drive(_Same(), [(subject("int n, float *y", "threadIdx.x"), asking())])
    assert isinstance(found, Inconclusive) and "all that it wanted" in found.reason


def test_a_fit_of_heavy_calls_has_fewer_rows() -> None:
    def filled(t: Thread, a: Mapping[str, Any]) -> None:
        if t.at() < a["n"]:
            a["y"][t.at()] = 1

    item = subject("int n, int m, int k, float *y", "blockIdx.x * blockDim.x + threadIdx.x")

    def rows_of_a_fit(work: int) -> int:
        tracer = FakeTracer(filled)
        known = Pilot(scalars={"n": 5, "m": 7, "k": 4}, filling=Filling(), work=work)
        pairs = [({"n": 2 + size, "m": 7, "k": 4}, Launch(grid=(64, 1, 1))) for size in range(60)]

        def asking() -> Asking[Contract | Inconclusive]:
            found = yield from samples(item, known, pairs, [[Filling()]] * len(pairs))
            return unknown(str(len(found)))

        class _Heavy:
            def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
                return [replace(outcome, work=work) for outcome in tracer.run(asked)]

        [told] = drive(_Heavy(), [(item, asking())])
        assert isinstance(told, Inconclusive)
        return int(told.reason)

    assert rows_of_a_fit(1) == 60
    assert 16 <= rows_of_a_fit(WORK_A_SECOND // 2) < 40
