"""Several learners at once: what they ask at the same time is traced in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from transpile.contracts.probe import Asking, Outcome, Probe
from transpile.contracts.subject import Subject
from transpile.core import Contract, Inconclusive

Task = Inconclusive | tuple[Subject, Asking[Contract | Inconclusive]]
"""A learner that has not begun, or the reason why there is none."""


class Tracing(Protocol):
    """Answers probes."""

    def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
        """Return the outcome of every probe, in order."""


def drive(
    tracer: Tracing,
    tasks: Sequence[Task],
) -> list[Contract | Inconclusive]:
    """Run all learners to their end, merging what they ask at the same time into one batch."""
    results: dict[int, Contract | Inconclusive] = {}
    waiting: dict[int, tuple[Subject, Asking[Contract | Inconclusive], list[Probe]]] = {}

    def advance(
        index: int, subject: Subject, learner: Asking[Contract | Inconclusive], got: list[Outcome]
    ) -> None:
        try:
            waiting[index] = (subject, learner, learner.send(got))
        except StopIteration as end:
            results[index] = end.value

    for index, task in enumerate(tasks):
        if isinstance(task, Inconclusive):
            results[index] = task
            continue
        subject, learner = task
        try:
            waiting[index] = (subject, learner, next(learner))
        except StopIteration as end:
            results[index] = end.value
    while waiting:
        round_, waiting = waiting, {}
        outcomes = tracer.run(
            [(subject, probe) for subject, _, probes in round_.values() for probe in probes]
        )
        position = 0
        for index, (subject, learner, probes) in round_.items():
            advance(index, subject, learner, outcomes[position : position + len(probes)])
            position += len(probes)
    return [results[index] for index in range(len(tasks))]
