"""The client against a real server on loopback: good, malformed, limited, failing, cut off, hanging."""

from __future__ import annotations

import json
import logging
import socket
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.integration import endpoint_server as server
from transpile.errors import UsageError
from transpile.translators.models import Completion, Limits, Message, Model, Request, open_model, retry

pytest.importorskip("openai", reason="extra llm is not installed")
pytestmark = pytest.mark.integration

QUICK = Limits(timeout=5, attempts=3)


def model(endpoint: server.Endpoint, limits: Limits = QUICK, cache: Path | None = None) -> Model:
    return open_model(f"openai:coder@{endpoint.url}", limits=limits, cache=cache)


def asked(text: str = "hello", **fields: object) -> Request:
    given = {"max_tokens": 100, **fields}
    return Request(messages=(Message(role="user", content=text),), **given)  # type: ignore[arg-type]


def give_key(monkeypatch: pytest.MonkeyPatch, endpoint: server.Endpoint, key: str) -> str:
    """Put the key for an endpoint into the environment; return the variable."""
    variable = f"TRANSPILE_KEY_127_0_0_1_{urlsplit(endpoint.url).port}"
    monkeypatch.setenv(variable, key)
    return variable


def only(answers: list[tuple[Completion, ...]]) -> Completion:
    ((answer,),) = answers
    return answer


@pytest.fixture(autouse=True)
def _alone_and_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.01)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_good_answer_and_what_was_sent_for_it() -> None:
    with server.serving() as endpoint:
        coder = model(endpoint)
        answer = only(coder.complete([asked(temperature=0.3, seed=7)]))
    assert answer == Completion(
        text="echo hello", finish="stop", prompt_tokens=10, completion_tokens=5, model=coder.name
    )
    assert coder.name == f"openai:coder@{endpoint.url}"
    (body,) = endpoint.bodies
    assert body == {
        "model": "coder",
        "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.3,
        "max_tokens": 100,
        "seed": 7,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_answers_come_in_order_and_no_more_are_under_way_than_allowed() -> None:
    with server.serving(usual=server.slowly(server.good(), 0.05)) as endpoint:
        answers = model(endpoint, Limits(concurrency=3)).complete([asked(f"{n}") for n in range(12)])
    assert [answer.text for (answer,) in answers] == [f"echo {n}" for n in range(12)]
    assert endpoint.most == 3


def test_several_answers_are_one_request_where_the_server_can() -> None:
    with server.serving(server.good("a", "b", "c")) as endpoint:
        [answers] = model(endpoint).complete([asked(count=3)])
    assert [answer.text for answer in answers] == ["a", "b", "c"]
    assert [body.get("n") for body in endpoint.bodies] == [3]
    assert sum(answer.completion_tokens for answer in answers) == 5


def test_a_server_that_ignores_n_is_asked_with_different_seeds_and_so_from_then_on() -> None:
    with server.serving() as endpoint:
        coder = model(endpoint)
        [first], [second] = coder.complete([asked(count=4)]), coder.complete([asked("again", count=2)])
    assert [len(first), len(second)] == [4, 2]
    assert len(endpoint.bodies) == 6
    assert len({body["seed"] for body in endpoint.bodies[:4]}) == 4
    assert [body.get("n") for body in endpoint.bodies] == [4, None, None, None, None, None]


def test_a_rate_limit_is_waited_for_as_long_as_the_server_says() -> None:
    with server.serving(server.status(429, "slow down", {"retry-after": "1"})) as endpoint:
        begun = time.monotonic()
        answer = only(model(endpoint).complete([asked()]))
    assert answer.text == "echo hello"
    assert time.monotonic() - begun >= 1
    assert answer.prompt_tokens == 10


def test_a_rate_limit_that_lasts_is_told() -> None:
    with server.serving(usual=server.status(429, "slow down", {"retry-after": "0"})) as endpoint:
        answer = only(model(endpoint).complete([asked()]))
    assert answer.finish == "error"
    assert "rate limit" in answer.message
    assert "slow down" in answer.message
    assert len(endpoint.bodies) == 3


@pytest.mark.parametrize(
    "refusal",
    [
        server.status(429, "tomorrow", {"retry-after": "86400"}),
        server.status(429, "pay first", code="insufficient_quota"),
    ],
    ids=["tomorrow", "unpaid"],
)
def test_a_limit_that_will_not_pass_is_not_waited_for(refusal: server.Behaviour) -> None:
    with server.serving(usual=refusal) as endpoint:
        answer = only(model(endpoint).complete([asked()]))
    assert "rate limit" in answer.message
    assert len(endpoint.bodies) == 1


FAILURES = {
    "500": (server.status(500, "boom"), "failed (HTTP 500): boom"),
    "503": (server.status(503, "busy"), "failed (HTTP 503): busy"),
    "half": (server.cut, "broke off the connection"),
    "malformed": (server.malformed(), "what is no chat completion"),
    "prose": (server.malformed("<html>proxy</html>"), "what is no chat completion"),
    "no choice": (server.malformed('{"choices": []}'), "what is no chat completion"),
}


@pytest.mark.parametrize(("failure", "message"), FAILURES.values(), ids=FAILURES)
def test_a_failure_that_passes_is_made_good_and_one_that_lasts_is_told(
    failure: server.Behaviour, message: str
) -> None:
    with server.serving(failure) as endpoint:
        assert only(model(endpoint).complete([asked()])).text == "echo hello"
    with server.serving(usual=failure) as endpoint:
        answer = only(model(endpoint).complete([asked()]))
        assert (answer.text, answer.finish) == ("", "error")
        assert message in answer.message
        assert len(endpoint.bodies) == 3


@pytest.mark.parametrize("silence", [server.hang, server.drip], ids=["hangs", "drips"])
def test_an_endpoint_that_does_not_finish_is_left_after_the_time_limit(silence: server.Behaviour) -> None:
    with server.serving(usual=silence) as endpoint:
        answer = only(model(endpoint, Limits(timeout=0.5)).complete([asked()]))
    assert "gave no answer within 0.5 s" in answer.message
    assert len(endpoint.bodies) == 1


def test_an_endpoint_that_is_down_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        down = open_model(f"openai:coder@{url}", limits=Limits(attempts=2), cache=None)
        answers = [only(down.complete([asked()])) for _ in range(20)]
    assert {answer.finish for answer in answers} == {"error"}
    assert f"{url} cannot be reached" in answers[0].message
    assert answers[0].prompt_tokens == 0


def test_a_refused_key_is_told_and_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving(usual=server.status(401, "bad key")) as endpoint:
        without = only(model(endpoint).complete([asked()]))
        variable = give_key(monkeypatch, endpoint, "sk-marker-0123456789")
        refused = only(model(endpoint).complete([asked()]))
    assert f"{variable} is not set" in without.message
    assert f"refuses the key in {variable} (HTTP 401): bad key" in refused.message
    assert len(endpoint.bodies) == 2
    assert endpoint.keys[1] == "Bearer sk-marker-0123456789"


def test_a_model_that_is_not_there_is_told() -> None:
    with server.serving(usual=server.status(404, "no model 'coder'")) as endpoint:
        answer = only(model(endpoint).complete([asked()]))
    assert "refuses the request for 'coder' (HTTP 404): no model 'coder'" in answer.message
    assert len(endpoint.bodies) == 1


def test_a_field_that_is_refused_is_left_out_from_then_on() -> None:
    refusals = (
        server.status(400, "use 'max_completion_tokens'", param="max_tokens"),
        server.status(400, "temperature does not support 0.8", param="temperature"),
    )
    with server.serving(*refusals) as endpoint:
        coder = model(endpoint)
        assert only(coder.complete([asked()])).text == "echo hello"
        assert only(coder.complete([asked("again")])).text == "echo again"
    assert "max_tokens" not in endpoint.bodies[-1]
    assert endpoint.bodies[-1]["max_completion_tokens"] == 100
    assert "temperature" not in endpoint.bodies[-1]
    assert len(endpoint.bodies) == 4


SCHEMA = json.dumps({"type": "object", "properties": {"n": {"type": "integer"}}})


def test_structure_is_asked_for_as_the_server_takes_it() -> None:
    refused = server.status(400, "response_format: json_schema is not supported")
    failing = server.status(500, "cannot compile grammar")
    for refusal, sent in ((None, 1), (refused, 2), (failing, 2)):
        with server.serving(*([refusal] if refusal else [])) as endpoint:
            coder = model(endpoint)
            assert only(coder.complete([asked(schema=SCHEMA)])).finish == "stop"
            formats = [body["response_format"]["type"] for body in endpoint.bodies]
            assert formats == ["json_schema", "json_object"][:sent]
            assert endpoint.bodies[0]["response_format"]["json_schema"]["schema"] == json.loads(SCHEMA)
            coder.complete([asked("plain")])
            assert "response_format" not in endpoint.bodies[-1]


def test_a_server_that_takes_no_structure_at_all_is_asked_without() -> None:
    refused = server.status(400, "response_format is not supported")
    with server.serving(refused, refused) as endpoint:
        assert only(model(endpoint).complete([asked(schema=SCHEMA)])).finish == "stop"
    assert "response_format" not in endpoint.bodies[-1]


def test_text_that_is_none_is_sent_all_the_same() -> None:
    with server.serving() as endpoint:
        answer = only(model(endpoint).complete([asked(b"caf\xe9".decode("utf-8", "surrogateescape"))]))
    assert answer.text == "echo caf?"


def test_what_is_cached_is_not_sent(tmp_path: Path) -> None:
    with server.serving(server.status(500)) as endpoint:
        first = model(endpoint, cache=tmp_path).complete([asked(count=2), asked("b")])
        sent = len(endpoint.bodies)
        again = model(endpoint, cache=tmp_path).complete([asked(count=2), asked("b")])
        assert len(endpoint.bodies) == sent
    assert [[item.text for item in answer] for answer in first] == [
        [item.text for item in answer] for answer in again
    ]
    assert {item.prompt_tokens for answer in again for item in answer} == {0}


def test_answers_are_on_disk_before_the_slowest_has_come(tmp_path: Path) -> None:
    """A run that is killed in the middle of a batch has what was paid for."""

    def written() -> int:
        return len(list(tmp_path.rglob("*.json")))

    seen: list[int] = []

    def slowest(handler: server.Handler, _: Mapping[str, Any]) -> None:
        while written() < 2 and not handler.endpoint.stopping.wait(0.02):
            pass
        seen.append(written())
        handler.reply(200, server.completion(["late"]))

    with server.serving(slowest) as endpoint:
        patient = Limits(timeout=60, concurrency=2, attempts=1)
        model(endpoint, patient, tmp_path).complete([asked("late"), asked("a"), asked("b")])
    assert seen == [2]
    assert written() == 3


@pytest.mark.parametrize("concurrency", [1, 8])
def test_the_bill_of_a_server_that_fails_in_every_way_stays_within_the_budget(concurrency: int) -> None:
    wrong = [server.cut, server.malformed(), server.status(500), server.good(read=500, written=100)]
    budget = 12_000
    with server.serving(*(wrong * 5), usual=server.good(read=400, written=100)) as endpoint:
        limits = Limits(max_tokens=budget, concurrency=concurrency, attempts=2, timeout=5)
        answers = model(endpoint, limits).complete([asked(f"unit {n}") for n in range(40)])
    told = [answer for (answer,) in answers]
    assert endpoint.charged <= budget
    assert sum(answer.prompt_tokens + answer.completion_tokens for answer in told) <= budget
    assert any(answer.finish == "stop" for answer in told)
    assert any("the budget is used up" in answer.message for answer in told)


def test_a_budget_in_money_is_kept_too() -> None:
    with server.serving(usual=server.good(read=400, written=100)) as endpoint:
        limits = Limits(max_cost=0.01, prompt_price=1.0, completion_price=10.0, timeout=5)
        answers = model(endpoint, limits).complete([asked(f"unit {n}") for n in range(40)])
    answered = [answer for (answer,) in answers if answer.finish == "stop"]
    cost = sum(answer.prompt_tokens + 10 * answer.completion_tokens for answer in answered) / 1e6
    assert 0 < len(answered) < 40
    assert cost <= 0.01


MARKER = "sk-marker-7f3a9c51d2e84b60"


def echoing_key(code: int) -> server.Behaviour:
    """Tell the key to whoever reads the answer, as careless endpoints do."""

    def behave(handler: server.Handler, body: object) -> None:
        key = handler.headers["authorization"]
        if code == 200:
            handler.reply(200, server.completion([f"your key is {key}"]))
        else:
            handler.reply(code, json.dumps({"error": {"message": f"Incorrect key: {key}"}}))

    return behave


def test_the_key_is_nowhere_but_in_the_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ways = [echoing_key(code) for code in (401, 404, 429, 500, 200)]
    ways += [server.cut, server.malformed(), server.malformed(MARKER), server.hang]
    seen: list[str] = []
    for number, way in enumerate(ways):
        with server.serving(usual=way) as endpoint:
            give_key(monkeypatch, endpoint, MARKER)
            coder = model(endpoint, Limits(timeout=0.5, attempts=2), tmp_path)
            seen += [repr(coder.complete([asked(f"{number}")])), repr(coder), coder.name]
            assert endpoint.keys[0] == f"Bearer {MARKER}"
        seen.append(repr(coder.complete([asked("now it is down")])))
    for spec in (
        "openai:@",
        "openai:x@localhost:8000",
        "openai:x@http://[",
        f"openai:x@http://me:{MARKER}@h/v1",
        "openai:x@http://h?k=1",
    ):
        with pytest.raises(UsageError) as caught:
            open_model(spec, limits=Limits(), cache=tmp_path)
        seen += ["".join(traceback.format_exception(caught.value)), caught.value.hint]
    kept = [file.read_bytes().decode() for file in tmp_path.rglob("*") if file.is_file()]
    assert len(kept) == 1
    for text in (*seen, *kept, caplog.text):
        assert MARKER not in text


def test_a_broken_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRANSPILE_KEY_127_0_0_1_1", f"{MARKER}\nX-Other: 1")
    with pytest.raises(UsageError) as caught:
        open_model("openai:x@http://127.0.0.1:1", limits=Limits(), cache=None)
    assert MARKER not in "".join(traceback.format_exception(caught.value))


def test_a_placeholder_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving(server.good("if (x == EMPTY) return;")) as endpoint:
        give_key(monkeypatch, endpoint, "EMPTY")
        assert only(model(endpoint).complete([asked()])).text == "if (x == EMPTY) return;"


def test_where_models_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="needs a key"):
        open_model("openai:gpt", limits=Limits(), cache=None)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    assert open_model("openai:gpt", limits=Limits(), cache=None).name == "openai:gpt@http://127.0.0.1:1/v1"
