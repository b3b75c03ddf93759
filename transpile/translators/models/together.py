"""One model for many tasks: what they ask goes out in one batch, once each of them waits or is done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import TypeVar

from transpile.translators.models.parallel import at_once
from transpile.translators.models.protocol import Completion, Model, Request

T = TypeVar("T")
Answers = list[tuple[Completion, ...]]


def together(model: Model, tasks: Sequence[Callable[[Model], T]], seats: int) -> list[T]:
    """Return the results of tasks that ask one model.

    Args:
        model: Who is asked.
        tasks: Each is handed the model to ask. Those that wait for an answer take no seat.
        seats: How many tasks may work at a time.
    """
    meeting = _Meeting(model, len(tasks), seats)
    try:
        return at_once([partial(meeting.attend, task) for task in tasks], len(tasks))
    except BaseException:
        meeting.dissolve()
        raise


class _Meeting:
    """The model as its tasks see it."""

    def __init__(self, model: Model, members: int, seats: int) -> None:
        self.name = model.name
        self._model = model
        self._seats = threading.Semaphore(seats)
        self._lock = threading.Lock()
        self._busy = members
        """Tasks that may still ask before the next batch goes out."""
        self._asked: list[tuple[Sequence[Request], Future[Answers]]] = []
        self._dissolved = False

    def attend(self, task: Callable[[Model], T]) -> T:
        """Do a task as soon as there is a seat."""
        try:
            with self._seats:
                if self._dissolved:
                    raise CancelledError
                return task(self)
        finally:
            self._step_aside()

    def complete(self, requests: Sequence[Request]) -> Answers:
        """Return the answers, which come when everybody has asked."""
        waiting: Future[Answers] = Future()
        with self._lock:
            self._asked.append((requests, waiting))
        self._seats.release()
        try:
            self._step_aside()
            answers = waiting.result()
        finally:
            self._seats.acquire()
        if self._dissolved:
            raise CancelledError
        return answers

    def dissolve(self) -> None:
        """Let nobody go on."""
        self._dissolved = True

    def _step_aside(self) -> None:
        """Be one task less that works; the last one asks for all."""
        with self._lock:
            self._busy -= 1
            if self._busy or not self._asked:
                return
            batch, self._asked = self._asked, []
            self._busy = len(batch)
        try:
            if self._dissolved:
                raise CancelledError
            every = [item for requests, _ in batch for item in requests]
            answers = iter(self._model.complete(every) if every else [])
            for requests, waiting in batch:
                waiting.set_result([next(answers) for _ in requests])
        except BaseException as error:
            for _, waiting in batch:
                if not waiting.done():
                    waiting.set_exception(error)
