"""Replies of an endpoint, good or bad, as completions."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from pydantic import BaseModel, Field, NonNegativeInt

from transpile.translators.models.protocol import Completion, Finish, Request
from transpile.translators.models.usage import Usage, worst

_SHOWN = 300
"""Characters of an endpoint's own words that a message quotes."""


class _Function(BaseModel):
    arguments: Any = None


class _Call(BaseModel):
    function: _Function | None = None


class _Message(BaseModel):
    """The parts of a message that are read: reasoning in a field of its own is no part of the answer."""

    content: str | list[Any] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None
    function_call: _Function | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: NonNegativeInt
    completion_tokens: NonNegativeInt


class _Reply(BaseModel):
    """The fields of a chat completion that we read."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def read(body: str, request: Request, model: str) -> tuple[Completion, ...]:
    """Return the completions in the body of an answer, which may be fewer than were asked for.

    Raises:
        ValueError: It is no chat completion.
    """
    reply = _Reply.model_validate_json(body)
    # An endpoint that does not count may have used up anything.
    usage = reply.usage
    total = Usage(usage.prompt_tokens, usage.completion_tokens) if usage else worst(request)
    choices = reply.choices[: request.count]
    each, left = divmod(total.written, len(choices))
    return tuple(
        _completion(
            choice,
            model,
            Usage(0 if number else total.read, each + left if number == 0 else each),
            structured=request.schema is not None,
        )
        for number, choice in enumerate(choices)
    )


def _completion(choice: _Choice, model: str, usage: Usage, *, structured: bool) -> Completion:
    text = _text(choice.message, structured=structured)
    finish: Finish = "length" if choice.finish_reason == "length" else "stop"
    message = ""
    if not text and finish != "length":
        told = choice.message.refusal
        ending = (
            f"the model refuses: {plain(told)}"
            if told
            else f"it ended with '{plain(str(choice.finish_reason))}'"
        )
        finish, message = "error", f"the answer has no text ({ending})"
    return Completion(
        text=text,
        finish=finish,
        prompt_tokens=usage.read,
        completion_tokens=usage.written,
        message=message,
        model=model,
    )


def _text(message: _Message, *, structured: bool) -> str:
    """Return what a message says: its content, whole or in parts, else what it passes to tools."""
    content = message.content
    if isinstance(content, list):
        content = "".join(map(_part, content))
    if content and content.strip():
        return content
    calls = [call.function for call in message.tool_calls or ()] + [message.function_call]
    given = [call.arguments for call in calls if call is not None and call.arguments]
    if structured:
        return "\n".join(item if isinstance(item, str) else json.dumps(item) for item in given)
    return "\n\n".join(text for item in given for text in _texts(item))


def _part(part: object) -> str:
    """Return the text of a part; of parts such as reasoning and pictures there is none."""
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type", "text") in ("text", "output_text"):
        return str(part.get("text") or "")
    return ""


def _texts(arguments: object) -> Iterator[str]:
    """Yield the texts that a call of a tool passes: a model asked for code may hand it over like that."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            yield str(arguments)
            return
    values = list(arguments.values()) if isinstance(arguments, dict) else [arguments]
    yield from (value for value in values if isinstance(value, str) and value.strip())


def failure(
    request: Request, message: str, model: str, *, retry_after: float | None = None, charged: bool = False
) -> tuple[Completion, ...]:
    """Return completions without an answer; what may have been charged counts as if everything was."""
    taken = worst(request) if charged else Usage()
    return tuple(
        Completion(
            text="",
            finish="error",
            prompt_tokens=0 if number else taken.read,
            completion_tokens=0 if number else taken.written,
            message=message,
            model=model,
            retry_after=retry_after,
        )
        for number in range(request.count)
    )


def plain(text: str) -> str:
    """Return an endpoint's words as one short line without control characters."""
    words = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds that an endpoint asks to wait: a number or a date; 0 where it does not say."""
    told = headers.get("retry-after", "")
    try:
        seconds = float(told)
    except ValueError:
        seconds = _until(told)
    return max(seconds, 0.0) if math.isfinite(seconds) else 0.0


def _until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return 0.0
