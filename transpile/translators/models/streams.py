"""Streams of an endpoint, gathered into the body that it would have sent at once.

So a long answer takes as long as it takes: what is limited is silence. Who never ends is stopped.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Callable
from typing import Any

from pydantic import BaseModel, ValidationError

_SLACK = 4
"""Pieces for each token that was asked for: servers may cut tokens up, and may not count reasoning."""
_FEW = 1024


class Endless(ValueError):
    """An endpoint goes on far beyond what it was asked for."""


class Broken(ValueError):
    """A stream that ended before its answers did."""


class _Function(BaseModel):
    arguments: str | None = None


class _Call(BaseModel):
    index: int = 0
    function: _Function | None = None


class _Delta(BaseModel):
    content: str | list[Any] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    index: int = 0
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(BaseModel):
    choices: list[_Choice] | None = None
    usage: dict[str, Any] | None = None


class _Answer:
    """One answer as it grows."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.refusals: list[str] = []
        self.calls: dict[int, list[str]] = {}
        self.finish: str | None = None

    def add(self, delta: _Delta) -> int:
        """Take what is new; return how many pieces it is."""
        content = delta.content
        texts = [content] if isinstance(content, str) else [_text(item) for item in content or ()]
        self.parts += texts
        self.refusals += [delta.refusal] if delta.refusal else []
        for call in delta.tool_calls or ():
            if call.function is not None and call.function.arguments:
                self.calls.setdefault(call.index, []).append(call.function.arguments)
        silent = not any(texts) and not delta.tool_calls
        return int(not silent or bool(delta.reasoning_content or delta.reasoning or delta.refusal))

    def choice(self, index: int) -> dict[str, Any]:
        """Return the answer as an endpoint sends it that does not stream."""
        calls = [{"function": {"arguments": "".join(parts)}} for _, parts in sorted(self.calls.items())]
        message = {"content": "".join(self.parts), "refusal": "".join(self.refusals), "tool_calls": calls}
        return {"index": index, "message": message, "finish_reason": self.finish}


async def gathered(chunks: AsyncIterable[Any], tokens: int, heard: Callable[[], None]) -> str:
    """Return the body that a stream amounts to.

    Args:
        chunks: What the client reads.
        tokens: The most tokens that all answers together were to have.
        heard: Called for each piece that says something: an endpoint that sends blanks is silent.

    Raises:
        ValueError: It is no stream of chat completions, it breaks off, or it does not end.
    """
    answers: dict[int, _Answer] = {}
    usage: dict[str, Any] | None = None
    pieces = 0
    async for chunk in chunks:
        read = _read(chunk)
        usage = read.usage or usage
        for choice in read.choices or ():
            answer = answers.setdefault(choice.index, _Answer())
            answer.finish = choice.finish_reason or answer.finish
            new = answer.add(choice.delta) if choice.delta is not None else 0
            pieces += new
            if new:
                heard()
        if pieces > _SLACK * tokens + _FEW:
            raise Endless(f"it goes on beyond the {tokens:,} tokens that it was asked for")
    if not answers or any(answer.finish is None for answer in answers.values()):
        raise Broken("the stream ended before the answer did")
    choices = [answer.choice(index) for index, answer in sorted(answers.items())]
    return json.dumps({"choices": choices, "usage": usage})


def _read(chunk: Any) -> _Chunk:
    try:
        return _Chunk.model_validate(chunk.model_dump(warnings=False))
    except (ValidationError, AttributeError, TypeError) as error:
        raise ValueError("no chunk of a chat completion") from error


def _text(part: Any) -> str:
    """Return the text of a part of a message; parts of reasoning are none of the answer."""
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
        return str(part["text"])
    return ""
