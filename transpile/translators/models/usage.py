"""Usage of models: tokens, and bounds of them that are known before anything is sent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from transpile.translators.models.protocol import Completion, Limits, Request

_TEMPLATE = 512
"""Tokens that a chat template may add to a dialogue: a system prompt of its own, dates, marks."""
_TURN = 16
"""Tokens that it may add to each turn."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read and written."""

    read: int = 0
    written: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.read + other.read, self.written + other.written)

    def __sub__(self, other: Usage) -> Usage:
        return Usage(self.read - other.read, self.written - other.written)

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.read + self.written


def worst(request: Request) -> Usage:
    """Return the most that sending a request once can take: a token is a byte at least, or the template's."""
    text = sum(len(message.content.encode()) + _TURN for message in request.messages)
    schema = len(request.schema.encode()) if request.schema else 0
    return Usage(request.count * (_TEMPLATE + text + schema), request.count * request.max_tokens)


def used(completions: Iterable[Completion]) -> Usage:
    """Return what completions say they used up."""
    return sum((Usage(item.prompt_tokens, item.completion_tokens) for item in completions), Usage())


def refilled(
    before: Sequence[Completion], fresh: Iterable[Completion], missing: Callable[[Completion], bool]
) -> tuple[Completion, ...]:
    """Put fresh answers where one was missing, and add to each what that one took."""
    new = iter(fresh)
    return tuple(_charged(next(new), item) if missing(item) else item for item in before)


def _charged(fresh: Completion, failure: Completion) -> Completion:
    total = used((fresh, failure))
    return replace(fresh, prompt_tokens=total.read, completion_tokens=total.written)


class Ledger:
    """What all models may use up together, what they did, and what is held for requests under way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._spent = Usage()
        self._held = Usage()
        self._settled = threading.Condition()
        self._notes: dict[str, None] = {}

    def note(self, text: str) -> None:
        """Keep what the user should hear of how models were asked."""
        with self._settled:
            self._notes[text] = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user, the first first."""
        with self._settled:
            return tuple(self._notes)

    @property
    def spent(self) -> Usage:
        """What was used up so far."""
        return self._spent

    @property
    def priced(self) -> bool:
        """Tell whether anybody said what tokens cost."""
        return bool(self._limits.prompt_price or self._limits.completion_price)

    def cost(self, usage: Usage) -> float:
        """Return what tokens cost."""
        read, written = self._limits.prompt_price, self._limits.completion_price
        return (usage.read * read + usage.written * written) / 1e6

    def hold(self, needs: Sequence[Usage]) -> int:
        """Hold what the first requests need, as many as there is room for, and return how many these are.

        Waits for what others hold if that may make room for the first; 0 says that nothing will.
        """
        with self._settled:
            while self._room_for(needs[0], beside=self._spent):
                fitting = self._fitting(needs)
                if fitting:
                    self._held += sum(needs[:fitting], Usage())
                    return fitting
                self._settled.wait()
            return 0

    def settle(self, held: Usage, actual: Usage) -> None:
        """Give back what was held, and count what was used up instead."""
        with self._settled:
            self._held -= held
            self._spent += actual
            self._settled.notify_all()

    def refusal(self, need: Usage) -> str:
        """Return why there is no room for a request."""
        limits = self._limits
        told = f"the budget is used up: {self._spent.tokens} tokens"
        if limits.max_cost is not None:
            told += f" for {self.cost(self._spent):.4g} of {limits.max_cost:g}"
        if limits.max_tokens is not None:
            told += f" of {limits.max_tokens}"
        return f"{told} are spent, and one more request may take {need.tokens} tokens"

    def _fitting(self, needs: Sequence[Usage]) -> int:
        taken = self._spent + self._held
        for number, need in enumerate(needs):
            if not self._room_for(need, beside=taken):
                return number
            taken += need
        return len(needs)

    def _room_for(self, need: Usage, *, beside: Usage) -> bool:
        total, limits = need + beside, self._limits
        return (limits.max_tokens is None or total.tokens <= limits.max_tokens) and (
            limits.max_cost is None or self.cost(total) <= limits.max_cost
        )
