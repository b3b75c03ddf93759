"""Learners that share batches, and the time that each of them has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.unit.contracts.fake import FakeTracer, Thread, subject
from transpile.contracts.learn import learn
from transpile.contracts.probing.batches import drive
from transpile.contracts.probing.probe import Outcome, Probe
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Inconclusive
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
