"""Keys in the environment, and endpoints that were not given them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.integration import endpoint_server as server
from transpile.translators.models import Completion, Limits, Message, Request, open_model
from transpile.translators.models.keys import key_of

pytest.importorskip("openai", reason="extra llm is not installed")

SECRET = "sk-marker-0123456789"
AMBIENT = {
    "OPENAI_API_KEY": SECRET,
    "OPENAI_ADMIN_KEY": SECRET,
    "OPENAI_ORG_ID": SECRET,
    "OPENAI_PROJECT_ID": SECRET,
    "OPENAI_CUSTOM_HEADERS": f"Authorization: Bearer {SECRET}\nX-Gateway: {SECRET}",
}
"""Variables that OpenAI's client reads and sends along."""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name, value in AMBIENT.items():
        monkeypatch.setenv(name, value)


def ask(url: str) -> Completion:
    coder = open_model(f"openai:coder@{url}", limits=Limits(timeout=5, attempts=1), cache=None)
    ((answer,),) = coder.complete([Request(messages=(Message(role="user", content="hello"),), max_tokens=9)])
    return answer


def sent(endpoint: server.Endpoint) -> str:
    return repr(endpoint.headers)


def test_no_header_of_the_environment_goes_to_another_host() -> None:
    with server.serving() as endpoint:
        assert ask(endpoint.url).finish == "stop"
    assert endpoint.keys == ["Bearer none"]
    assert SECRET not in sent(endpoint)


def test_the_endpoint_of_openai_base_url_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving() as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        ask(endpoint.url)
    assert endpoint.keys == [f"Bearer {SECRET}"]
    assert endpoint.headers[0]["x-gateway"] == SECRET


def test_another_port_of_the_host_of_openai_base_url_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving() as own, server.serving() as other:
        monkeypatch.setenv("OPENAI_BASE_URL", own.url)
        ask(other.url)
    assert SECRET not in sent(other)


def test_a_key_for_a_host_goes_to_that_host(monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving() as endpoint, server.serving() as other:
        monkeypatch.setenv(f"TRANSPILE_KEY_127_0_0_1_{urlsplit(endpoint.url).port}", "its own key")
        ask(endpoint.url)
        ask(other.url)
    assert endpoint.keys == ["Bearer its own key"]
    assert other.keys == ["Bearer none"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_no_redirect_is_followed(status: int, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving() as elsewhere:
        place = elsewhere.url.replace("127.0.0.1", host) + "/chat/completions"

        def on(handler: server.Handler, _: Mapping[str, Any]) -> None:
            handler.reply(status, "", {"location": place})

        with server.serving(usual=on) as endpoint:
            monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
            answer = ask(endpoint.url)
    assert endpoint.keys == [f"Bearer {SECRET}"]
    assert (elsewhere.bodies, elsewhere.headers) == ([], [])
    assert f"sends on to '{place}' (HTTP {status})" in answer.message


@pytest.mark.parametrize(
    ("url", "variable"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("https://API.OpenAI.com./v1", "OPENAI_API_KEY"),
        ("http://api.openai.com/v1", "TRANSPILE_KEY_API_OPENAI_COM"),
        ("https://api.openai.com:8443/v1", "TRANSPILE_KEY_API_OPENAI_COM_8443"),
        ("https://api.openai.com.evil.org/v1", "TRANSPILE_KEY_API_OPENAI_COM_EVIL_ORG"),
        ("https://api-openai.com/v1", "TRANSPILE_KEY_API__OPENAI_COM"),
        ("https://llm.example.org/v1", "TRANSPILE_KEY_LLM_EXAMPLE_ORG"),
        ("https://llm-example.org/v1", "TRANSPILE_KEY_LLM__EXAMPLE_ORG"),
        ("http://localhost:8000/v1", "TRANSPILE_KEY_LOCALHOST_8000"),
    ],
)
def test_each_host_has_a_variable_of_its_own(url: str, variable: str) -> None:
    assert key_of(url).variable == variable


def test_a_key_is_not_in_what_is_shown_of_it() -> None:
    assert SECRET not in repr(key_of("https://api.openai.com/v1"))
