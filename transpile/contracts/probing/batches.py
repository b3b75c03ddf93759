"""Trace what several learners ask at the same time in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from transpile.contracts.probing.probe import Asking, Outcome, Probe, unknown
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Inconclusive
from transpile.toolchains.speed import WORK_A_SECOND

MOST_WORK = 180 * WORK_A_SECOND
"""Of the traced calls of one kernel together; after that it is too slow to be learnt."""

Task = Inconclusive | tuple[Subject, Asking[Contract | Inconclusive]]
"""A learner that has not begun, or the reason why there is none."""


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

    def begin(self) -> None:
        """Run to the first probes."""
        try:
            self.probes = next(self.asking)
        except StopIteration as end:
            self.result = end.value

    def go_on(self, outcomes: list[Outcome]) -> None:
        """Run to the next probes; a kernel that has done too much work gets no more."""
        # What is asked twice is called once, and has one outcome.
        made = {id(outcome): outcome.work for outcome in outcomes}
        self.work += sum(made.values())
        if self.work > MOST_WORK:
            self.asking.close()
            self.result = unknown(
                f"traced calls of the source take too long: {self.work:.1e} accesses and branches"
            )
            return
        try:
            self.probes = self.asking.send(outcomes)
        except StopIteration as end:
            self.result = end.value


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
