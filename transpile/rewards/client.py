"""The judge of another process or machine, asked over HTTP: for trainers with no compilers beside them."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import Message as Headers
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from transpile.errors import TranspileError, UsageError
from transpile.rewards.judging import Question
from transpile.rewards.reward import Reward

Group = tuple[Question, Sequence[str]]
_REWARDS = TypeAdapter(list[Reward])
_LONGEST_PAUSE = 30.0
_BUSY = (429, 503)
_ANSWER = 64 << 20
"""Bytes of an answer."""


class Judging(Protocol):
    """Whoever says what candidates are worth: a ``Judge`` here, or a ``Client`` of one elsewhere."""

    def judge_all(self, groups: Sequence[Group]) -> list[list[Reward]]:
        """Return the rewards of several groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A running ``transpile serve``."""

    url: str
    token: str
    timeout: float = 600.0
    """Seconds that one group may take."""
    attempts: int = 20
    """Times that a group is sent to a server that is busy."""
    concurrency: int = 4

    def judge_all(self, groups: Sequence[Group]) -> list[list[Reward]]:
        """Return the rewards of several groups.

        Raises:
            UsageError: A source is no text, or the server refuses what is asked.
            TranspileError: The server cannot be reached, or does not answer as it should.
        """
        with ThreadPoolExecutor(max_workers=self.concurrency) as pool:
            return list(pool.map(lambda group: self._judged(*group), groups))

    def _judged(self, question: Question, candidates: Sequence[str]) -> list[Reward]:
        if not isinstance(question.source, str):
            raise UsageError("a server is given the text of a source", hint="Read the file first.")
        body = {
            "source": question.source,
            "unit": question.unit,
            "target": question.target.name,
            "suffix": question.suffix,
            "candidates": list(candidates),
        }
        request = urllib.request.Request(
            f"{self.url.rstrip('/')}/judge",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            found = _REWARDS.validate_python(json.loads(self._sent(request))["rewards"])
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise TranspileError(f"{self.url} does not answer as `transpile serve` does") from error
        if len(found) != len(candidates):
            raise TranspileError(f"{self.url} gave {len(found)} rewards for {len(candidates)} candidates")
        return found

    def _sent(self, request: urllib.request.Request) -> bytes:
        """Return the answer to a request; a server that is busy is asked again."""
        for attempt in range(self.attempts):
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    return bytes(answer.read(_ANSWER))
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in _BUSY or attempt + 1 == self.attempts:
                        raise UsageError(f"{self.url}: {_told(error)}") from error
                    time.sleep(_pause(error.headers, attempt))
            except (OSError, ValueError) as error:
                raise TranspileError(
                    f"{self.url} cannot be reached: {error}", hint="Is `transpile serve` running there?"
                ) from error
        raise AssertionError("the last attempt returns or raises")


def _told(error: urllib.error.HTTPError) -> str:
    """Return what a server says of a request that it refuses."""
    try:
        said = json.loads(error.read(1 << 16))
        return f"{said['error']} ({error.code})"
    except (ValueError, KeyError, TypeError):
        return f"status {error.code}"


def _pause(headers: Headers, attempt: int) -> float:
    given = headers.get("Retry-After", "")
    asked = float(given) if given.isascii() and given.isdigit() else 2.0**attempt
    return min(asked, _LONGEST_PAUSE)
