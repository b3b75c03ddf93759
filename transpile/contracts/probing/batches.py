"""Trace what several learners ask at the same time in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from transpile.contracts.probing.probe import Asking, Outcome, Probe, unknown
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Inconclusive
from transpile.toolchains.speed import WORK_A_SECOND

MOST_WORK = 90 * WORK_A_SECOND
"""Of the traced calls of one attempt to learn a kernel; after that it is too slow to be learnt so."""
MOST_IN_ALL = 180 * WORK_A_SECOND
"""Of the traced calls of one kernel together."""

Task = Inconclusive | tuple[Subject, Asking[Contract | Inconclusive]]
"""A learner that has not begun, or the reason why there is none."""


class TooMuchWork(Exception):
    """The traced calls of an attempt to learn a kernel take too long."""


class Tracing(Protocol):
    """Answers probes."""

    def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
        """Return the outcome of every probe, in order."""


@dataclass(slots=True)
class _Learner:
    """A computation that waits for the outcomes of its probes, until it has a result."""

    subject: Subject
    asking: Asking[Contract | Inconclusive]
    probes: list[Probe] = field(default_factory=list)
    result: Contract | Inconclusive | None = None
    work: int = 0
    """Of the attempt that is made."""
    before: int = 0
    """Of earlier attempts."""

    def begin(self) -> None:
        """Run to the first probes."""
        try:
            self.probes = next(self.asking)
        except StopIteration as end:
            self.result = end.value

    def go_on(self, outcomes: list[Outcome]) -> None:
        """Run to the next probes; an attempt that has done too much work is told so, and gets no more."""
        # What is asked twice is called once, and has one outcome.
        made = {id(outcome): outcome.work for outcome in outcomes}
        self.work += sum(made.values())
        in_all = self.before + self.work
        try:
            if in_all > MOST_IN_ALL:
                self.asking.close()
                self.result = _too_slow(in_all)
            elif self.work > MOST_WORK:
                self.before, self.work = in_all, 0
                self.probes = self.asking.throw(TooMuchWork())
            else:
                self.probes = self.asking.send(outcomes)
        except StopIteration as end:
            self.result = end.value
        except TooMuchWork:
            self.result = _too_slow(in_all)


def _too_slow(work: int) -> Inconclusive:
    return unknown(f"traced calls of the source take too long: {work:.1e} accesses and branches")


def drive(tracer: Tracing, tasks: Sequence[Task]) -> list[Contract | Inconclusive]:
    """Run all learners to their end, merging what they ask at the same time into one batch."""
    started = [item if isinstance(item, Inconclusive) else _Learner(*item) for item in tasks]
    learners = [item for item in started if isinstance(item, _Learner)]
    for learner in learners:
        learner.begin()
    while waiting := [learner for learner in learners if learner.result is None]:
        outcomes = tracer.run([(learner.subject, probe) for learner in waiting for probe in learner.probes])
        position = 0
        for learner in waiting:
            count = len(learner.probes)
            learner.go_on(outcomes[position : position + count])
            position += count
    return [_result(item) for item in started]


def _result(item: _Learner | Inconclusive) -> Contract | Inconclusive:
    found = item.result if isinstance(item, _Learner) else item
    assert found is not None
    return found
