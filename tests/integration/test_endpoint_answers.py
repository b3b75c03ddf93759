"""Answers of models as they are in the wild: streamed, in parts, in calls of tools, behind reasoning."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.integration import endpoint_server as server
from tests.integration import endpoint_streams as streams
from tests.integration.test_endpoint import asked, model, only
from transpile.translators.models import Completion, Ledger, Limits, open_model, retry

pytest.importorskip("openai", reason="extra llm is not installed")
pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True)
def _alone_and_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.01)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_stream_is_one_answer_and_its_usage_counts() -> None:
    with server.serving(streams.streamed(["He", "llo"], ["B", "ye"])) as endpoint:
        [answers] = model(endpoint).complete([asked(count=2)])
    assert [item.text for item in answers] == ["Hello", "Bye"]
    assert sum(item.prompt_tokens + item.completion_tokens for item in answers) == 15
    assert len(endpoint.bodies) == 1


def test_a_stream_may_take_longer_than_the_limit_of_its_silences() -> None:
    slow = streams.streamed(list("abcdefgh"), pause=0.4)
    with server.serving(slow) as endpoint:
        answer = only(model(endpoint, Limits(timeout=2.0)).complete([asked()]))
    assert answer.text == "abcdefgh"


def test_a_server_that_refuses_to_stream_is_asked_without_from_then_on() -> None:
    with server.serving(server.status(400, "stream_options is not supported")) as endpoint:
        coder = model(endpoint)
        assert only(coder.complete([asked()])).text == "echo hello"
        coder.complete([asked("again")])
    assert ["stream" in body for body in endpoint.bodies] == [True, False, False]


STREAMS = {
    "keeps alive": (streams.keep_alive, "gave no answer within 0.5 s"),
    "babbles": (streams.babble, "was stopped: it goes on beyond the 100 tokens"),
    "garbage": (streams.events("}{"), "what is no chat completion"),
    "strange": (streams.events({"choices": "many"}), "what is no chat completion"),
    "cut": (streams.events(streams.piece(content="void f(")), "broke off the connection"),
    "nothing": (streams.events("[DONE]"), "broke off the connection"),
    "error": (streams.events({"error": {"message": "out of memory"}}), "out of memory"),
}


@pytest.mark.parametrize(("behaviour", "message"), STREAMS.values(), ids=STREAMS)
def test_streams_that_fail_are_told_and_charged_at_worst(behaviour: server.Behaviour, message: str) -> None:
    with server.serving(usual=behaviour) as endpoint:
        answer = only(model(endpoint, Limits(timeout=0.5, attempts=1)).complete([asked()]))
    assert (answer.text, answer.finish) == ("", "error")
    assert message in answer.message
    assert answer.completion_tokens == 100


def message(finish: str = "stop", **fields: object) -> server.Behaviour:
    """Answer with a message of these fields."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    choice = {"index": 0, "message": {"role": "assistant", **fields}, "finish_reason": finish}
    text = json.dumps({"choices": [choice], "usage": usage})
    return lambda handler, _: handler.reply(200, text)


ARGUMENTS = json.dumps({"code": "void f() {}"})
CODE = {
    "parts": message(
        content=[{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "void f() {}"}]
    ),
    "tool": message(content=None, tool_calls=[{"function": {"name": "submit", "arguments": ARGUMENTS}}]),
    "function": message(content="", function_call={"name": "submit", "arguments": ARGUMENTS}),
    "field": message(content="void f() {}", reasoning_content="first I thought void g() {}"),
    "tags": message(content="<think>\nvoid g() {}\n</think>\n\nvoid f() {}"),
    "begun by the prompt": message(content="perhaps void g() {}\n</think>\nvoid f() {}"),
    "streamed tool": streams.events(
        streams.piece(tool_calls=[{"index": 0, "function": {"name": "submit", "arguments": ARGUMENTS[:9]}}]),
        streams.piece(
            tool_calls=[{"index": 0, "function": {"arguments": ARGUMENTS[9:]}}], finish="tool_calls"
        ),
        "[DONE]",
    ),
    "streamed reasoning": streams.events(
        streams.piece(reasoning_content="void g() {}"),
        streams.piece(content="void f() {}", finish="stop"),
        "[DONE]",
    ),
}


@pytest.mark.parametrize("behaviour", CODE.values(), ids=CODE)
def test_an_answer_is_read_wherever_it_stands(behaviour: server.Behaviour) -> None:
    with server.serving(behaviour) as endpoint:
        answer = only(model(endpoint).complete([asked()]))
    assert (answer.text, answer.finish, answer.message) == ("void f() {}", "stop", "")
    assert len(endpoint.bodies) == 1


def thinking(needed: int) -> server.Behaviour:
    """Answer where there is room for so many tokens, else be cut off while thinking."""

    def behave(handler: server.Handler, body: Mapping[str, Any]) -> None:
        room = body["max_tokens"]
        choice = {"message": {"content": None, "reasoning_content": "hm"}, "finish_reason": "length"}
        if room >= needed:
            choice = {"message": {"content": "done"}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": min(room, needed)}
        handler.reply(200, json.dumps({"choices": [choice], "usage": usage}))

    return behave


def reasoner(endpoint: server.Endpoint, ledger: Ledger, cache: Path | None = None, **limits: Any) -> Any:
    given = Limits(timeout=5, attempts=2, **limits)
    return open_model(f"openai:coder@{endpoint.url}", limits=given, cache=cache, ledger=ledger)


def test_reasoning_that_takes_all_tokens_is_given_more_and_that_is_said(tmp_path: Path) -> None:
    ledger = Ledger(Limits())
    with server.serving(usual=thinking(300)) as endpoint:
        coder = reasoner(endpoint, ledger, tmp_path)
        answer = only(coder.complete([asked()]))
        assert [body["max_tokens"] for body in endpoint.bodies] == [100, 400]
        assert only(coder.complete([asked("next")])).text == "done"
        # It needed more once: nobody pays for too little again.
        assert [body["max_tokens"] for body in endpoint.bodies] == [100, 400, 400]
        assert only(coder.complete([asked()])).text == "done"
        assert len(endpoint.bodies) == 3
    assert (answer.text, answer.finish, answer.completion_tokens) == ("done", "stop", 400)
    (note,) = ledger.notes
    assert "400 in place of 100" in note
    assert ledger.spent.written == 100 + 300 + 300


def test_a_model_that_only_ever_thinks_is_given_up() -> None:
    with server.serving(usual=thinking(10**9)) as endpoint:
        answer = only(reasoner(endpoint, Ledger(Limits())).complete([asked()]))
    assert [body["max_tokens"] for body in endpoint.bodies] == [100, 400, 1600]
    assert answer.finish == "error"
    assert "1,600 tokens, and spent them all on reasoning: see --answer-tokens" in answer.message


def test_more_room_stays_within_the_budget() -> None:
    limits = Limits(max_tokens=1000)
    ledger = Ledger(limits)
    with server.serving(usual=thinking(300)) as endpoint:
        answer: Completion = only(reasoner(endpoint, ledger, max_tokens=1000).complete([asked()]))
    assert len(endpoint.bodies) == 1
    assert answer.finish == "error" and "the budget is used up" in answer.message


def test_litellm_speaks_to_the_same_server(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("litellm", reason="extra litellm is not installed")
    with server.serving(server.status(503), message(content="<think>hm</think>void f() {}")) as endpoint:
        monkeypatch.setenv("OPENAI_API_BASE", endpoint.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-marker-7f3a9c51d2e84b60")
        coder = open_model("litellm:openai/coder", limits=Limits(timeout=20, attempts=2), cache=None)
        answer = only(coder.complete([asked()]))
    assert (answer.text, answer.finish) == ("void f() {}", "stop")
    assert endpoint.bodies[-1]["model"] == "coder"
