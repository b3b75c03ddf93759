"""Streams of the endpoint on loopback: good, slow, endless, cut off, full of garbage."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.integration.endpoint_server import Behaviour, Handler


def begin(handler: Handler) -> None:
    """Send the head of a stream, which ends with the connection."""
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()
    handler.close_connection = True


def event(handler: Handler, data: object) -> None:
    text = data if isinstance(data, str) else json.dumps(data)
    handler.wfile.write(f"data: {text}\n\n".encode())
    handler.wfile.flush()


def piece(index: int = 0, finish: str | None = None, **delta: object) -> dict[str, Any]:
    return {
        "object": "chat.completion.chunk",
        "choices": [{"index": index, "delta": delta, "finish_reason": finish}],
    }


def streamed(*answers: Sequence[str], pause: float = 0.0, usage: bool = True) -> Behaviour:
    """Send answers piece by piece, in turn, and then what they took."""

    def behave(handler: Handler, _: Mapping[str, Any]) -> None:
        handler.charge(15)
        begin(handler)
        for turn in range(max(map(len, answers))):
            for index, answer in enumerate(answers):
                if turn < len(answer):
                    handler.endpoint.stopping.wait(pause)
                    event(handler, piece(index, content=answer[turn]))
        for index in range(len(answers)):
            event(handler, piece(index, finish="stop"))
        if usage:
            event(handler, {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
        event(handler, "[DONE]")

    return behave


def events(*data: object) -> Behaviour:
    """Send these events and close the connection."""

    def behave(handler: Handler, _: Mapping[str, Any]) -> None:
        begin(handler)
        for item in data:
            event(handler, item)

    return behave


def babble(handler: Handler, _: Mapping[str, Any]) -> None:
    """Write on for ever, whatever was asked for."""
    begin(handler)
    while not handler.endpoint.stopping.is_set():
        event(handler, piece(content="la "))


def keep_alive(handler: Handler, _: Mapping[str, Any]) -> None:
    """Say nothing, again and again: comments and empty pieces keep the connection busy."""
    begin(handler)
    while not handler.endpoint.stopping.wait(0.05):
        handler.wfile.write(b": still there\n\n")
        event(handler, piece(content=""))
