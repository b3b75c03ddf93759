"""PROOF: what is proved of a translation, or of the step that made it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Claim(StrEnum):
    PARALLEL = "parallel"
    """No two iterations of parallel loops touch what one of them changes, whatever the sizes."""
    AGREES = "agrees"
    """Every call leaves behind what the launch of the source does."""
    LEGAL = "legal"
    """Iterations keep the source's order wherever more than what is gathered depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was proved of a translation beside its trials, and under which assumptions."""

    claims: tuple[Claim, ...]
    of: Literal["text", "step"] = "text"
    """The text that was emitted, or the step of the translator that made it."""
    assumptions: tuple[str, ...] = ()
    unproved: tuple[tuple[Claim, str], ...] = ()
    """The other claims, each with the reason why it was not proved."""
    method: str = "z3"
    seconds: float = 0.0
