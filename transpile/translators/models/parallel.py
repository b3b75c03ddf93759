"""Several requests, or several models, at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import TypeVar

from transpile.core import digest
from transpile.translators.models.protocol import Completion, Model, Request

T = TypeVar("T")


class Parallel:
    """A model that gets each request of a batch on its own, some at a time: none waits for the slowest."""

    def __init__(self, inner: Model, workers: int) -> None:
        self._inner = inner
        self._workers = workers
        self.name = inner.name

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers in the order of the requests."""

        def job(request: Request) -> Callable[[], tuple[Completion, ...]]:
            return lambda: self._inner.complete([request])[0]

        return at_once([job(request) for request in requests], self._workers)


class Ensemble:
    """Several models in place of one: the answers of a request come from one after the other."""

    def __init__(self, models: Sequence[Model]) -> None:
        self._models = models
        self.name = " + ".join(model.name for model in models)

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers, in turn those of each model."""
        shares = [self._shares(request) for request in requests]

        def job(member: int) -> Callable[[], list[tuple[Completion, ...]]]:
            return lambda: self._answers(self._models[member], requests, [share[member] for share in shares])

        members = at_once([job(member) for member in range(len(self._models))], len(self._models))
        return [
            _in_turn([answers[number] for answers in members], self._first(request))
            for number, request in enumerate(requests)
        ]

    def _shares(self, request: Request) -> list[int]:
        """Return how many answers of a request each model gives."""
        members, first = len(self._models), self._first(request)
        return [len(range((member - first) % members, request.count, members)) for member in range(members)]

    def _first(self, request: Request) -> int:
        """Return the model that answers first: not always the same, and for one request always that one."""
        return int(digest(repr(request.messages), str(request.seed))[:8], 16) % len(self._models)

    def _answers(
        self, model: Model, requests: Sequence[Request], counts: Sequence[int]
    ) -> list[tuple[Completion, ...]]:
        """Return the share of one model in the answers of all requests."""
        asked = [
            replace(request, count=count) for request, count in zip(requests, counts, strict=True) if count
        ]
        answers = iter(model.complete(asked) if asked else [])
        return [next(answers) if count else () for count in counts]


def _in_turn(answers: Sequence[tuple[Completion, ...]], first: int) -> tuple[Completion, ...]:
    """Return the answers of the models one after the other, beginning with the one that is first."""
    ordered = [*answers[first:], *answers[:first]]
    longest = max(len(answer) for answer in ordered)
    return tuple(answer[turn] for turn in range(longest) for answer in ordered if turn < len(answer))


def at_once(jobs: Sequence[Callable[[], T]], workers: int) -> list[T]:
    """Return the results of jobs, some of which run at a time. An interrupt waits for none of them."""
    waiting = deque(enumerate(jobs))
    results: list[Future[T]] = [Future() for _ in jobs]

    def work() -> None:
        while waiting:
            try:
                number, job = waiting.popleft()
            except IndexError:
                return
            try:
                results[number].set_result(job())
            except BaseException as error:
                results[number].set_exception(error)

    # Not a pool of the standard library: the interpreter would wait at its end for requests that hang.
    for _ in range(min(workers, len(jobs))):
        threading.Thread(target=work, daemon=True).start()
    try:
        return [result.result() for result in results]
    finally:
        waiting.clear()
