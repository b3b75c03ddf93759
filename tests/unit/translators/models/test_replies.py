"""Bodies of answers, good and bad."""

from __future__ import annotations

import json
import time
from email.utils import formatdate

import pytest

from tests.unit.translators.models.fake import request
from transpile.translators.models import replies
from transpile.translators.models.usage import used, worst


def body(*texts: str | None, finish: str = "stop", usage: tuple[int, int] | None = (11, 7)) -> str:
    told: dict[str, object] = {
        "choices": [{"message": {"content": text}, "finish_reason": finish} for text in texts]
    }
    if usage:
        told["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return json.dumps(told)


def test_every_token_is_counted_once() -> None:
    answers = replies.read(body("a", "b", "c"), request(count=3), "m")
    assert [item.text for item in answers] == ["a", "b", "c"]
    assert used(answers).read == 11
    assert used(answers).written == 7


def test_more_answers_than_wanted_are_cut_but_counted() -> None:
    answers = replies.read(body("a", "b"), request(), "m")
    assert len(answers) == 1
    assert used(answers).tokens == 18


def test_an_endpoint_that_does_not_count_may_have_taken_anything() -> None:
    assert used(replies.read(body("a", usage=None), request(), "m")) == worst(request())


@pytest.mark.parametrize(("told", "finish"), [("stop", "stop"), ("length", "length"), ("eos", "stop")])
def test_the_end_of_an_answer_is_told(told: str, finish: str) -> None:
    assert replies.read(body("a", finish=told), request(), "m")[0].finish == finish


@pytest.mark.parametrize("text", [None, ""])
def test_no_text_is_an_error_that_costs(text: str | None) -> None:
    (answer,) = replies.read(body(text, finish="content_filter"), request(), "m")
    assert answer.finish == "error"
    assert "content_filter" in answer.message
    assert answer.prompt_tokens == 11


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"text"',
        "{}",
        '{"choices": []}',
        '{"choices": [{}]}',
        '{"choices": null}',
        '{"choices": [{"message": {"content": 3}}]}',
        body("a", usage=(-1, 2)),
        "[" * 100_000,
    ],
)
def test_what_is_no_completion_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        replies.read(text, request(), "m")


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("0.5", 0.5), ("-3", 0.0), ("nan", 0.0), ("soon", 0.0), ("", 0.0)]
)
def test_seconds_to_wait(header: str, seconds: float) -> None:
    assert replies.retry_after({"retry-after": header}) == seconds


def test_a_date_to_wait_for() -> None:
    told = formatdate(time.time() + 30, usegmt=True)
    assert 25 < replies.retry_after({"retry-after": told}) <= 31


def test_an_endpoint_writes_nothing_onto_the_terminal() -> None:
    assert replies.plain("a\x1b[31m\n\tb\x00" + "c" * 1000) == "a [31m b " + "c" * 290 + "…"
