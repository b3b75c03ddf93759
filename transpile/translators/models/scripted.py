"""Answers from a file, for tests and demonstrations.

Each line is a JSON object: ``{"answers": ["…", …]}``, taken in order by every request that no line with a
pattern matches, or ``{"pattern": "…", "answers": […]}`` for requests whose last message the regular
expression finds. An answer is a text, or an object with the fields of a ``Completion``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from transpile.core import digest
from transpile.errors import UsageError
from transpile.translators.models.protocol import Completion, Limits, Model, Request


class _Line(BaseModel):
    """One line of a script."""

    model_config = ConfigDict(extra="forbid")

    answers: list[str | Completion]
    pattern: re.Pattern[str] | None = None


def open_scripted(path: str, limits: Limits) -> Model:
    """Return the model that answers as the file says.

    Raises:
        UsageError: The file cannot be read as a script.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"scripted:{path}: {error.strerror}") from error
    lines = [_parsed(path, number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    return Scripted(f"scripted:{path}#{digest(data)[:12]}", lines)


def _parsed(path: str, number: int, line: bytes) -> _Line:
    try:
        return TypeAdapter(_Line).validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{path}:{number}: {place}: {first['msg']}",
            hint='A line is {"answers": ["…"]}, or {"pattern": "…", "answers": ["…"]}.',
        ) from error


class Scripted:
    """A model that says what it was told to; what it runs out of is an error."""

    def __init__(self, name: str, lines: Sequence[_Line]) -> None:
        self.name = name
        self._lines = [(line.pattern, iter(line.answers)) for line in lines]
        self._lock = threading.Lock()

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the next answers of the first line that matches each request."""
        with self._lock:
            return [tuple(self._next(request) for _ in range(request.count)) for request in requests]

    def _next(self, request: Request) -> Completion:
        answer = next(self._answers(request.messages[-1].content), None)
        match answer:
            case None:
                return Completion(
                    text="", finish="error", message="the script has no answer left", model=self.name
                )
            case str():
                return Completion(text=answer, finish="stop", model=self.name)
            case Completion():
                return replace(answer, model=self.name)

    def _answers(self, text: str) -> Iterator[str | Completion]:
        """Return what is left of the line for a last message, which one with a pattern is before others."""
        found = [answers for pattern, answers in self._lines if pattern is not None and pattern.search(text)]
        found += [answers for pattern, answers in self._lines if pattern is None]
        return found[0] if found else iter(())
