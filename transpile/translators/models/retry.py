"""A model that is asked again where its failure may pass: a rate limit, a server that restarts."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from transpile.translators.models.protocol import Completion, Model, Request, rest
from transpile.translators.models.usage import refilled

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 60.0
"""Whoever asks for more is not waited for: the run goes on without this answer."""


class Retrying:
    """A model with several attempts for each answer, and a pause before each that doubles."""

    def __init__(self, inner: Model, attempts: int, sleep: Callable[[float], None] = time.sleep) -> None:
        self._inner = inner
        self._attempts = attempts
        self._sleep = sleep
        self._gave_up = False
        self.name = inner.name

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers, those of further attempts in place of what failed."""
        answers = self._inner.complete(requests)
        # Once a request has failed for good, its endpoint is probably down: do not wait for it each time.
        for attempt in range(1, 1 if self._gave_up else self._attempts):
            again = [number for number, answer in enumerate(answers) if _passing(answer)]
            if not again:
                break
            self._sleep(_pause(attempt, [answers[number] for number in again]))
            asked = [rest(requests[number], _present(answers[number])) for number in again]
            for number, answer in zip(again, self._inner.complete(asked), strict=True):
                answers[number] = refilled(answers[number], answer, _failed)
        if answers:
            self._gave_up = all(_present(answer) == 0 and _failing(answer) for answer in answers)
        return answers


def _failed(item: Completion) -> bool:
    return item.retry_after is not None


def _failing(answer: tuple[Completion, ...]) -> bool:
    return any(map(_failed, answer))


def _passing(answer: tuple[Completion, ...]) -> bool:
    """Tell whether some of the answer failed in a way that a pause may cure."""
    return any(item.retry_after is not None and item.retry_after <= _LONGEST_PAUSE for item in answer)


def _present(answer: tuple[Completion, ...]) -> int:
    return sum(not _failed(item) for item in answer)


def _pause(attempt: int, answers: Sequence[tuple[Completion, ...]]) -> float:
    """Return how long to wait: what the endpoint asks for, and longer each time; no two threads alike."""
    asked = max(item.retry_after or 0.0 for answer in answers for item in answer)
    doubled: float = _FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
    return min(max(asked, doubled), _LONGEST_PAUSE)
