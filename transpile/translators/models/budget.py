"""A model that is asked only what the budget allows, whatever the answers turn out to take."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.translators.models.protocol import Completion, Model, Request, failed
from transpile.translators.models.usage import Ledger, Usage, used, worst


class Budgeted:
    """A model under a ledger: the worst case is held before a request is sent, the facts count after."""

    def __init__(self, inner: Model, ledger: Ledger) -> None:
        self._inner = inner
        self._ledger = ledger
        self.name = inner.name

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Answer what there is room for, as much at a time as fits; the rest is refused."""
        answers: list[tuple[Completion, ...]] = []
        while len(answers) < len(requests):
            waiting = requests[len(answers) :]
            needs = [worst(request) for request in waiting]
            fitting = self._ledger.hold(needs)
            if fitting:
                answers += self._settled(waiting[:fitting], sum(needs[:fitting], Usage()))
            else:
                answers.append(failed(waiting[0], self._ledger.refusal(needs[0]), model=self.name))
        return answers

    def _settled(self, requests: Sequence[Request], held: Usage) -> list[tuple[Completion, ...]]:
        """Ask, and count what it took; what was interrupted may have taken everything."""
        taken = held
        try:
            answers = self._inner.complete(requests)
            taken = used(item for answer in answers for item in answer)
            return answers
        finally:
            self._ledger.settle(held, taken)
