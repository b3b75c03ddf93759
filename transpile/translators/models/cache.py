"""A model whose answers are kept on disk: a run that was killed, or is repeated, pays for none twice."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from transpile.core import digest
from transpile.errors import UsageError
from transpile.files import write_whole
from transpile.translators.models.protocol import Completion, Model, Request, rest

_COMPLETION = TypeAdapter(Completion)
_REQUEST = TypeAdapter(Request)


class Cached:
    """A model with a directory of its answers, a file each, found by model, request and number."""

    def __init__(self, inner: Model, directory: Path) -> None:
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the cache {directory} cannot be made: {error.strerror}") from error
        self._inner = inner
        self._directory = directory
        self.name = inner.name

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return what is known, and what the model says to the rest of each request."""
        found = [self._found(request) for request in requests]
        partial = [number for number, answer in enumerate(found) if None in answer]
        asked = [rest(requests[number], _present(found[number])) for number in partial]
        fresh = self._inner.complete(asked) if asked else []
        for number, answers in zip(partial, fresh, strict=True):
            self._fill(requests[number], found[number], answers)
        return [tuple(item for item in answer if item is not None) for answer in found]

    def _found(self, request: Request) -> list[Completion | None]:
        return [_read(path) for path in self._paths(request)]

    def _fill(self, request: Request, answer: list[Completion | None], fresh: Sequence[Completion]) -> None:
        """Put fresh completions into the gaps of an answer, and those worth keeping on disk."""
        gaps = (number for number, item in enumerate(answer) if item is None)
        paths = self._paths(request)
        for number, completion in zip(list(gaps), fresh, strict=True):
            answer[number] = completion
            if completion.finish != "error":
                _write(paths[number], completion)

    def _paths(self, request: Request) -> list[Path]:
        """Return the file of each answer; how many are wanted at once makes no difference to them."""
        asked = _REQUEST.dump_json(replace(request, count=1))
        keys = (digest(self.name, asked, str(number)) for number in range(request.count))
        return [self._directory / key[:2] / f"{key[2:]}.json" for key in keys]


def _present(answer: Sequence[Completion | None]) -> int:
    return sum(item is not None for item in answer)


def _read(path: Path) -> Completion | None:
    """Return the completion in a file, which costs nothing now; what cannot be read was never there."""
    try:
        kept = _COMPLETION.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    return replace(kept, prompt_tokens=0, completion_tokens=0)


def _write(path: Path, completion: Completion) -> None:
    """Put a completion on disk, whole or not at all. On a full disk it is simply not kept."""
    with contextlib.suppress(OSError):
        write_whole(path, _COMPLETION.dump_json(completion))
