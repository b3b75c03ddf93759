"""Temporary failures are retried after a pause; permanent ones are not."""

from __future__ import annotations

import itertools

from tests.unit.translators.models.fake import Fake, error, numbered, request, said
from transpile.translators.models import Completion
from transpile.translators.models.retry import Retrying


def scripted(*answers: tuple[Completion, ...]) -> Fake:
    left = iter(answers)
    return Fake(lambda _: next(left))


def test_a_failure_that_passes_is_made_good_after_a_pause() -> None:
    pauses: list[float] = []
    inner = scripted((error("429", retry_after=3.0),), (error("500", retry_after=0.0),), (said("good"),))
    [[answer]] = Retrying(inner, 5, pauses.append).complete([request()])
    assert answer.text == "good"
    assert pauses[0] == 3.0
    assert 0.75 <= pauses[1] <= 1.25


def test_pauses_double_while_it_fails() -> None:
    pauses: list[float] = []
    inner = Fake(lambda _: (error("500", retry_after=0.0),))
    Retrying(inner, 5, pauses.append).complete([request()])
    assert len(inner.asked) == 5
    assert all(later > earlier for earlier, later in itertools.pairwise(pauses))


def test_what_will_not_pass_is_asked_once() -> None:
    inner = Fake(lambda _: (error("401"),))
    [[answer]] = Retrying(inner, 5, _never).complete([request()])
    assert (answer.message, len(inner.asked)) == ("401", 1)


def test_who_asks_to_wait_for_an_hour_is_not_waited_for() -> None:
    inner = Fake(lambda _: (error("429", retry_after=3600.0),))
    Retrying(inner, 5, _never).complete([request()])
    assert len(inner.asked) == 1


def test_only_what_failed_is_asked_again_with_another_seed() -> None:
    inner = scripted((said("a"), error("cut", retry_after=0.0), said("c")), (said("b"),))
    [answers] = Retrying(inner, 5, lambda _: None).complete([request(count=3)])
    assert [item.text for item in answers] == ["a", "b", "c"]
    assert inner.asked[1].count == 1
    assert inner.asked[1].seed != inner.asked[0].seed


def test_what_failed_attempts_took_is_told_with_the_answer() -> None:
    inner = scripted((error("cut", retry_after=0.0, read=100),), (said("good", read=10, written=5),))
    [[answer]] = Retrying(inner, 5, lambda _: None).complete([request()])
    assert (answer.prompt_tokens, answer.completion_tokens) == (110, 5)


def test_an_endpoint_that_is_down_is_waited_for_only_once() -> None:
    pauses: list[float] = []
    inner = Fake(lambda _: (error("down", retry_after=0.0),))
    model = Retrying(inner, 3, pauses.append)
    for _ in range(10):
        model.complete([request()])
    assert len(pauses) == 2
    assert len(inner.asked) == 3 + 9


def test_an_endpoint_that_is_back_is_waited_for_again() -> None:
    down, good = (error("down", retry_after=0.0),), (said("good"),)
    inner = scripted(down, down, good, down, good)
    model = Retrying(inner, 2, lambda _: None)
    assert [model.complete([request()])[0][0].finish for _ in range(3)] == ["error", "stop", "stop"]


def test_nothing_asked_is_nothing_answered() -> None:
    assert Retrying(numbered(), 3).complete([]) == []


def _never(seconds: float) -> None:
    raise AssertionError(f"waited {seconds} s")
