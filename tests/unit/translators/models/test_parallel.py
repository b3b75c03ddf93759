"""Several requests at a time, in order; several models in turn, always the same for the same request."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest

from tests.unit.translators.models.fake import Fake, numbered, request, said
from transpile.translators.models import Completion, Request
from transpile.translators.models.parallel import Ensemble, Parallel


def test_answers_keep_the_order_of_the_requests_and_no_more_run_than_allowed() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def answer(item: Request) -> tuple[Completion, ...]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.001 * (10 - int(item.messages[0].content)))
        with lock:
            running -= 1
        return (said(item.messages[0].content),)

    answers = Parallel(Fake(answer), 4).complete([request(str(number)) for number in range(10)])
    assert [item.text for (item,) in answers] == [str(number) for number in range(10)]
    assert most == 4


def test_a_failure_of_ours_is_not_swallowed() -> None:
    def broken(_: Request) -> tuple[Completion, ...]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Parallel(Fake(broken), 2).complete([request()])


def test_an_interrupt_does_not_wait_for_what_hangs() -> None:
    release = threading.Event()

    def answer(item: Request) -> tuple[Completion, ...]:
        if item.messages[0].content == "interrupt":
            raise KeyboardInterrupt
        release.wait(30)
        return (said("late"),)

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Parallel(Fake(answer), 2).complete([request("interrupt"), request("hang")])
    assert time.monotonic() - begun < 30
    release.set()


def test_members_of_an_ensemble_answer_in_turn() -> None:
    members = [numbered("a"), numbered("b"), numbered("c")]
    [answers] = Ensemble(members).complete([request(count=6)])
    models = [item.model for item in answers]
    assert models[:3] == models[3:]
    assert Counter(models) == {"a": 2, "b": 2, "c": 2}


def test_single_answers_are_spread_over_an_ensemble() -> None:
    asked = [request(f"unit {number}") for number in range(60)]
    told = Counter(item.model for (item,) in Ensemble([numbered("a"), numbered("b")]).complete(asked))
    assert min(told["a"], told["b"]) > 15


def test_an_ensemble_asks_the_same_model_the_same_thing() -> None:
    asked = [request(f"unit {number}", count=number % 4 + 1) for number in range(8)]

    def models() -> list[list[str]]:
        answers = Ensemble([numbered("a"), numbered("b"), numbered("c")]).complete(asked)
        return [[item.model for item in answer] for answer in answers]

    assert models() == models()


def test_an_ensemble_is_named_after_its_members() -> None:
    assert Ensemble([numbered("a"), numbered("b")]).name == "a + b"
