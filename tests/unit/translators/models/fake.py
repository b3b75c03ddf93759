"""A model that does what a test says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from transpile.translators.models import Completion, Message, Request


class Fake:
    """A model that answers each request by a function, and remembers what it was asked."""

    def __init__(self, answer: Callable[[Request], tuple[Completion, ...]], name: str = "fake") -> None:
        self.name = name
        self.asked: list[Request] = []
        self._answer = answer
        self._lock = threading.Lock()

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        with self._lock:
            self.asked += requests
        return [self._answer(request) for request in requests]


def numbered(name: str = "fake") -> Fake:
    """Return a model whose answers are numbers that count up."""
    given = iter(range(1_000_000))
    lock = threading.Lock()

    def answer(request: Request) -> tuple[Completion, ...]:
        with lock:
            return tuple(said(f"{name} {next(given)}", model=name) for _ in range(request.count))

    return Fake(answer, name)


def said(text: str, *, model: str = "fake", read: int = 0, written: int = 0) -> Completion:
    """Return a good answer."""
    return Completion(text=text, finish="stop", model=model, prompt_tokens=read, completion_tokens=written)


def error(message: str, *, retry_after: float | None = None, read: int = 0) -> Completion:
    """Return a bad one."""
    return Completion(
        text="", finish="error", message=message, model="fake", retry_after=retry_after, prompt_tokens=read
    )


def request(text: str = "hello", **fields: int) -> Request:
    """Return a request of one turn."""
    return replace(Request(messages=(Message(role="user", content=text),)), **fields)  # type: ignore[arg-type]
