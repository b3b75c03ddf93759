"""Dialogues with models on disk, for whoever wants to know what was asked and what was said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from transpile.files import write_whole
from transpile.translators.llm.dialogue import prompt_digest
from transpile.translators.models import Completion, Message

LENGTH = 24
"""Hexadecimal digits of a file's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a model was shown, and all its answers to that."""

    messages: tuple[Message, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialogues:
    """The exchanges under one directory, by the digest of what the model was shown."""

    root: Path

    def save(self, messages: Sequence[Message], completions: Sequence[Completion]) -> None:
        """Keep an exchange; one that is known is written again."""
        data = {"messages": [asdict(item) for item in messages], "answers": [c.text for c in completions]}
        write_whole(self._path(prompt_digest(messages)), json.dumps(data, indent=1).encode())

    def find(self, prompt: str) -> Exchange | None:
        """Return the exchange that began with this prompt; None where it is not here any more."""
        try:
            data = json.loads(self._path(prompt).read_text(encoding="utf-8"))
            return Exchange(
                messages=tuple(Message(**item) for item in data["messages"]), answers=tuple(data["answers"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _path(self, prompt: str) -> Path:
        return self.root / f"{prompt[:LENGTH]}.json"
