"""The budget is never exceeded, in whatever order and however many at a time requests come."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.translators.models.fake import Fake, error, request, said
from transpile.translators.models import Completion, Limits, Model, Request
from transpile.translators.models.budget import Budgeted
from transpile.translators.models.parallel import Parallel
from transpile.translators.models.retry import Retrying
from transpile.translators.models.usage import Ledger, Usage, worst


@dataclass
class Meter:
    """A model that charges as it likes, up to the worst case, and notes the bill at every moment."""

    shares: Sequence[float]
    delays: Sequence[float]
    bill: Usage = field(default_factory=Usage)
    bills: list[Usage] = field(default_factory=list)
    calls: int = 0
    name: str = "meter"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        return [self._one(item) for item in requests]

    def _one(self, item: Request) -> tuple[Completion, ...]:
        with self._lock:
            share = self.shares[self.calls % len(self.shares)]
            delay = self.delays[self.calls % len(self.delays)]
            self.calls += 1
            most = worst(item)
            taken = Usage(int(most.read * share), int(most.written * share))
            self.bill += taken
            self.bills.append(self.bill)
        time.sleep(delay)
        first = Completion(
            text="x",
            finish="error" if share > 0.8 else "stop",
            prompt_tokens=taken.read,
            completion_tokens=taken.written,
            retry_after=0.0 if share > 0.8 else None,
        )
        return (first, *(said("y") for _ in range(item.count - 1)))


requests_strategy = st.lists(
    st.builds(
        request,
        st.text(max_size=200),
        count=st.integers(1, 4),
        max_tokens=st.integers(1, 500),
        seed=st.integers(0, 3),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=150)
@given(
    requests=requests_strategy,
    max_tokens=st.none() | st.integers(0, 20_000),
    max_cost=st.none() | st.floats(0, 0.05),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=5),
    delays=st.lists(st.sampled_from([0.0, 0.0005, 0.002]), min_size=1, max_size=5),
    workers=st.integers(1, 6),
    batched=st.booleans(),
)
def test_no_order_and_no_concurrency_exceeds_the_budget(
    requests: list[Request],
    max_tokens: int | None,
    max_cost: float | None,
    shares: list[float],
    delays: list[float],
    workers: int,
    batched: bool,
) -> None:
    limits = Limits(max_tokens=max_tokens, max_cost=max_cost, prompt_price=1.3, completion_price=4.7)
    ledger = Ledger(limits)
    meter = Meter(shares, delays)
    model: Model = Retrying(Budgeted(meter, ledger), attempts=3, sleep=lambda _: None)
    if not batched:
        model = Parallel(model, workers)

    answers = model.complete(requests)

    assert [len(answer) for answer in answers] == [item.count for item in requests]
    for bill in meter.bills:
        assert max_tokens is None or bill.tokens <= max_tokens
        assert max_cost is None or ledger.cost(bill) <= max_cost
    assert ledger.spent == meter.bill
    told = [item for answer in answers for item in answer]
    assert sum(item.prompt_tokens + item.completion_tokens for item in told) == meter.bill.tokens
    for item, answer in zip(requests, answers, strict=True):
        if any("budget is used up" in part.message for part in answer):
            total = ledger.spent + worst(item)
            assert (max_tokens is not None and total.tokens > max_tokens) or (
                max_cost is not None and ledger.cost(total) > max_cost
            )


def test_a_request_waits_for_what_others_may_give_back() -> None:
    """Two requests whose worst cases do not fit together, but whose facts do, are both answered."""
    item = request(max_tokens=1000)
    ledger = Ledger(Limits(max_tokens=worst(item).tokens + 500))
    answers = Parallel(Budgeted(Meter([0.1], [0.02]), ledger), 4).complete([item] * 3)
    assert {answer[0].finish for answer in answers} == {"stop"}


def test_what_was_interrupted_counts_as_used_up() -> None:
    def interrupted(_: Request) -> tuple[Completion, ...]:
        raise KeyboardInterrupt

    item = request()
    ledger = Ledger(Limits(max_tokens=worst(item).tokens))
    model = Budgeted(Fake(interrupted), ledger)
    with pytest.raises(KeyboardInterrupt):
        model.complete([item])
    [[refused]] = model.complete([item])
    assert "the budget is used up" in refused.message


def test_a_refusal_says_what_is_spent_and_what_is_missing() -> None:
    limits = Limits(max_tokens=5000, max_cost=0.5, prompt_price=1, completion_price=2)
    model = Budgeted(Fake(lambda _: (said("a", read=1000, written=2000),)), Ledger(limits))
    answered, refused = model.complete([request(max_tokens=3000), request(max_tokens=3000)])
    assert answered[0].finish == "stop"
    assert refused[0].finish == "error"
    assert "3000 tokens for 0.005 of 0.5 of 5000 are spent" in refused[0].message


def test_a_small_request_is_answered_after_one_that_does_not_fit() -> None:
    model = Budgeted(Fake(lambda _: (said("a"),)), Ledger(Limits(max_tokens=2000)))
    large, small = model.complete([request(max_tokens=9000), request(max_tokens=10)])
    assert (large[0].finish, small[0].finish) == ("error", "stop")


def test_an_endpoint_that_breaks_its_promise_is_asked_no_more() -> None:
    model = Budgeted(Fake(lambda _: (said("a", read=10**6),)), Ledger(Limits(max_tokens=10_000)))
    first, second = model.complete([request(max_tokens=9000), request(max_tokens=10)])
    assert (first[0].finish, second[0].finish) == ("stop", "error")


def test_errors_that_cost_are_counted() -> None:
    ledger = Ledger(Limits())
    Budgeted(Fake(lambda _: (error("cut", read=700),)), ledger).complete([request()])
    assert ledger.spent == Usage(700, 0)
