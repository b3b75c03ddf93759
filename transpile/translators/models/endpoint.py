"""Any endpoint that speaks OpenAI's protocol: vLLM, llama.cpp, Ollama, ``transformers serve``, the clouds."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, omit

from transpile.errors import UsageError
from transpile.translators.models import keys, replies
from transpile.translators.models.habits import Habits
from transpile.translators.models.keys import Key
from transpile.translators.models.protocol import Completion, Limits, Model, Request, seeds
from transpile.translators.models.streams import Broken, Endless, gathered

_SECRET = 12
"""Characters from which on a key is a secret."""
_SECONDS_PER_TOKEN = 1.0
"""A stream that is slower than this is as good as none."""
_CONNECT = 10.0
"""Seconds to wait for a connection: an endpoint takes it at once, however long it then thinks."""


def open_endpoint(spec: str, limits: Limits) -> Model:
    """Return the model NAME@URL; nothing is sent yet.

    Raises:
        UsageError: The name, the URL or the key cannot be used.
    """
    name, url = _split(spec)
    key = keys.key_of(url)
    if not key.secret and url == keys.DEFAULT:
        raise UsageError(f"{url} needs a key", hint=f"Put it into the environment as {key.variable}.")
    timeout = httpx2.Timeout(limits.timeout, connect=min(_CONNECT, limits.timeout))
    # A redirect would carry the prompt, if not the key, to where nobody sent it.
    sender = DefaultAsyncHttpxClient(
        timeout=timeout, follow_redirects=False, event_hooks={"request": [keys.only_own_headers(key)]}
    )
    # Endpoints of one's own seldom want a key, but the client insists on one.
    client = AsyncOpenAI(api_key=key.secret or "none", base_url=url, http_client=sender, max_retries=0)
    return Endpoint(Address(model=name, url=url), client, limits, key)


def _split(spec: str) -> tuple[str, str]:
    """Return the name of the model and its URL, which says no more than where it is."""
    # No @ in a name: NAME@HOST without its http:// would be sent to the default endpoint, with the key.
    found = re.fullmatch(r"(?P<name>[^@\s]+)(?:@(?P<url>https?://\S+))?", spec)
    if found is None:
        raise UsageError(f"'openai:{spec}' names no model", hint="Write openai:NAME@http://HOST:PORT/v1.")
    url = (found["url"] or keys.base_url()).rstrip("/")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable:
        raise UsageError("the URL of a model cannot be read", hint="Write openai:NAME@http://HOST:PORT/v1.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"the URL of '{found['name']}' may not hold a user, a password or a query",
            hint="URLs are written into evidence. A key goes into the environment: see docs/models.md.",
        )
    return found["name"], url if parts.path else f"{url}/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Which model, and where."""

    model: str
    url: str


class Endpoint:
    """A model behind a URL. Each request is sent once; what it does not take is left out and remembered."""

    def __init__(self, address: Address, client: AsyncOpenAI, limits: Limits, key: Key) -> None:
        self.name = f"openai:{address.model}@{address.url}"
        self._address = address
        self._client = client
        self._timeout = limits.timeout
        self._key = key
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._habits = Habits()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name=self.name, daemon=True).start()

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers of the endpoint, asked for side by side."""
        running = asyncio.run_coroutine_threadsafe(self._all(requests), self._loop)
        try:
            return running.result()
        finally:
            running.cancel()

    async def _all(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        return list(await asyncio.gather(*(self._answer(request) for request in requests)))

    async def _answer(self, request: Request) -> tuple[Completion, ...]:
        """Ask for all answers at once, and for those that do not come one by one."""
        if request.count > 1 and self._habits.many:
            together = await self._ask(request)
            if len(together) == request.count:
                return together
            self._habits = replace(self._habits, many=False)
            return together + await self._one_by_one(request, seeds(request)[len(together) :])
        return await self._one_by_one(request, seeds(request))

    async def _one_by_one(self, request: Request, drawn: Sequence[int]) -> tuple[Completion, ...]:
        asked = [self._ask(replace(request, count=1, seed=seed)) for seed in drawn]
        return tuple(answer for (answer,) in await asyncio.gather(*asked))

    async def _ask(self, request: Request) -> tuple[Completion, ...]:
        """Send one request, again without a field that the endpoint refuses: a refusal is not charged."""
        habits = self._habits
        while True:
            try:
                body = await self._send(request, habits)
                answers = replies.read(self._without_key(body), request, self.name)
            except openai.APIStatusError as error:
                simpler = _simpler(habits, request, error)
                if simpler is None:
                    return self._refused(request, error)
                habits = simpler
                continue
            except (openai.OpenAIError, httpx2.HTTPError, TimeoutError, ValueError) as error:
                return self._broken(request, error)
            self._habits = habits
            return answers

    async def _send(self, request: Request, habits: Habits) -> str:
        """Return the body of the answer to one request; a stream is as good as what it amounts to.

        The time limit covers an answer that is sent at once to its last byte, and each silence of a stream.
        """
        limit, begun = request.max_tokens, self._loop.time()
        tokens = request.count * limit
        last = begun + self._timeout + tokens * _SECONDS_PER_TOKEN
        async with self._slots, asyncio.timeout(self._timeout) as silence:

            def heard() -> None:
                silence.reschedule(min(self._loop.time() + self._timeout, last))

            create: Any = self._client.chat.completions.with_streaming_response.create
            sent = create(
                model=self._address.model,
                messages=[_message(turn.role, turn.content) for turn in request.messages],
                n=request.count if request.count > 1 and habits.many else omit,
                temperature=request.temperature if habits.temperature else omit,
                max_tokens=omit if habits.new_limit else limit,
                max_completion_tokens=limit if habits.new_limit else omit,
                seed=request.seed if habits.seed else omit,
                response_format=_response_format(request, habits) or omit,
                stream=True if habits.stream else omit,
                stream_options={"include_usage": True} if habits.stream else omit,
            )
            async with sent as answer:
                if "event-stream" in answer.headers.get("content-type", ""):
                    return await gathered(await answer.parse(), tokens, heard)
                return str(await answer.text())

    def _refused(self, request: Request, error: openai.APIStatusError) -> tuple[Completion, ...]:
        """Return what an answer with a bad status means, and whether to ask again."""
        status, url, told = error.status_code, self._address.url, self._told(error)
        wait: float | None = None
        if status in (401, 403):
            message = f"{url} refuses {self._key.told} (HTTP {status}): {told}"
        elif status == 429:
            message = f"the rate limit of {url} is exhausted (HTTP 429): {told}"
            wait = None if error.code == "insufficient_quota" else replies.retry_after(error.response.headers)
        elif 300 <= status < 400:
            place = replies.plain(self._without_key(error.response.headers.get("location", "")))
            message = (
                f"{url} sends on to '{place}' (HTTP {status}), which is not followed: name it with --model"
            )
        elif status >= 500 or status in (408, 409):
            message = f"{url} failed (HTTP {status}): {told}"
            wait = replies.retry_after(error.response.headers)
            if request.schema and status == 500:
                # Some servers fail in this way on a schema that they cannot follow.
                self._habits = self._habits.looser() or self._habits
        else:
            message = f"{url} refuses the request for '{self._address.model}' (HTTP {status}): {told}"
        charged = status >= 500 and status != 503
        return replies.failure(request, message, self.name, retry_after=wait, charged=charged)

    def _broken(self, request: Request, error: Exception) -> tuple[Completion, ...]:
        """Return what an answer that did not come, or is none, means."""
        url, cause = self._address.url, error.__cause__
        wait: float | None = 0.0
        charged = not isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
        if isinstance(error, TimeoutError | openai.APITimeoutError) and charged:
            message = f"{url} gave no answer within {self._timeout:g} s"
            wait = None
        elif isinstance(error, Endless):
            message, wait = f"{url} was stopped: {error}", None
        elif isinstance(error, ValueError) and not isinstance(error, Broken):
            message = f"{url} answered with what is no chat completion"
        elif charged:
            message = f"{url} broke off the connection ({self._told(cause or error)})"
        else:
            message = f"{url} cannot be reached ({self._told(cause or error)})"
        return replies.failure(request, message, self.name, retry_after=wait, charged=charged)

    def _told(self, error: BaseException) -> str:
        return replies.plain(self._without_key(_words(error)))

    def _without_key(self, text: str) -> str:
        """Return a text of the endpoint, which knows the key, without it."""
        # Placeholders such as EMPTY are no secrets, and stand in code.
        secret = self._key.secret
        return text.replace(secret, "***") if len(secret) >= _SECRET else text


def _simpler(habits: Habits, request: Request, error: openai.APIStatusError) -> Habits | None:
    """Return the habits to ask again with, where the endpoint refuses a field that can be left out."""
    if error.status_code not in (400, 422):
        return None
    complaint = f"'{error.param}' {_words(error)}"
    simpler = habits.without(complaint)
    changed = simpler is not None and (request.schema is not None or simpler.structure == habits.structure)
    return simpler if changed else None


def _words(error: BaseException) -> str:
    """Return what an endpoint or the network says of an error."""
    body: Any = error.body if isinstance(error, openai.APIError) else None
    if isinstance(body, dict):
        return str(body.get("message") or body.get("detail") or body)
    return str(body or error) or type(error).__name__


def _message(role: str, content: str) -> Any:
    return {"role": role, "content": content}


def _response_format(request: Request, habits: Habits) -> Any:
    """Return how the endpoint is told of the schema, or None."""
    if request.schema is None or habits.structure == "none":
        return None
    if habits.structure == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": json.loads(request.schema)}}
