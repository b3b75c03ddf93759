"""Features of the protocol that an endpoint accepts: servers differ, and say so when they refuse."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

Structure = Literal["json_schema", "json_object", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Which fields of a request an endpoint takes; all, until it refuses one.

    Attributes:
        many: It gives several answers to one request (``n``).
        structure: How it is told that an answer has to follow a schema.
        stream: It sends answers as they grow.
        new_limit: It wants ``max_completion_tokens`` in place of ``max_tokens``.
    """

    many: bool = True
    stream: bool = True
    seed: bool = True
    temperature: bool = True
    new_limit: bool = False
    structure: Structure = "json_schema"

    def without(self, complaint: str) -> Habits | None:
        """Return the habits that heed a refusal, or None where it names no field that can be left out."""
        if "max_completion_tokens" in complaint and not self.new_limit:
            return replace(self, new_limit=True)
        if re.search(r"response_format|json_schema|json_object|grammar", complaint):
            return self.looser()
        if re.search(r"\bstream(?:ing|_options)?\b", complaint) and self.stream:
            return replace(self, stream=False)
        if re.search(r"\bseed\b", complaint) and self.seed:
            return replace(self, seed=False)
        if re.search(r"\btemperature\b", complaint) and self.temperature:
            return replace(self, temperature=False)
        if re.search(r"[`'\"]n[`'\"]|\bn\b *(?:must|is|=|>)", complaint) and self.many:
            return replace(self, many=False)
        return None

    def looser(self) -> Habits | None:
        """Return the habits with the next weaker way to ask for structure, or None after the last."""
        match self.structure:
            case "json_schema":
                return replace(self, structure="json_object")
            case "json_object":
                return replace(self, structure="none")
            case "none":
                return None
