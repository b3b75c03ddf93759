"""Rows that trainers read as they are: dialogues that end well, and answers of which one is better.

The columns are those of TRL: ``messages`` for what is learnt, ``prompt``, ``chosen`` and ``rejected``
for preferences, each a list of turns. Every row of a kind has the same fields and types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Turn = Mapping[str, str]
"""``role`` and ``content``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An answer, and why it is worth what it is."""

    text: str
    model: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a row is about."""

    entry: str
    unit: str
    round: int
    evidence: str = ""


def lesson(about: About, prompt: Sequence[Turn], answer: Told) -> dict[str, Any]:
    """Return a dialogue that ends well, for supervised fine-tuning."""
    return {
        "messages": [*map(_turn, prompt), *_answer(answer)],
        "model": answer.model,
        "reason": answer.reason,
        **_about(about),
    }


def preference(about: About, prompt: Sequence[Turn], chosen: Told, rejected: Told) -> dict[str, Any]:
    """Return two answers to one prompt, the better one first."""
    return {
        "prompt": [*map(_turn, prompt)],
        "chosen": _answer(chosen),
        "rejected": _answer(rejected),
        "chosen_model": chosen.model,
        "rejected_model": rejected.model,
        "chosen_reason": chosen.reason,
        "rejected_reason": rejected.reason,
        **_about(about),
    }


def lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return different rows as JSON Lines."""
    seen = dict.fromkeys(json.dumps(row) for row in rows)
    return "".join(f"{row}\n" for row in seen).encode()


def _turn(turn: Turn) -> dict[str, str]:
    return {"role": turn["role"], "content": turn["content"]}


def _answer(answer: Told) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": answer.text}]


def _about(about: About) -> dict[str, Any]:
    return {"entry": about.entry, "unit": about.unit, "round": about.round, "evidence": about.evidence}
