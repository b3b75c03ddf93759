"""Refusals of constructs that no rule translates, and their diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from transpile.core import Diagnostic, Rejected, Unit
from transpile.translators.mentions import Mention

PATTERNS = {
    "TP200": "no-rule",
    "TP201": "divergent-barrier",
    "TP202": "implicit-warp-synchrony",
    "TP203": "unknown-cuda-name",
    "TP204": "atomic-in-expression",
    "TP205": "return-across-barrier",
    "TP206": "broken-syntax",
    "TP207": "conditional-compilation",
    "TP208": "synchronising-device-function",
    "TP209": "unsupported-warp-primitive",
    "TP210": "inter-block-communication",
    "TP211": "unknown-type",
}
"""Codes of patterns of kernels, each with the name of the pattern."""
SEQUENTIAL = "TP220"
"""Code of loops that stay sequential."""
DEPENDENT = "TP221"
"""Code of calls of a function by itself that need each other."""
_OUTCOMES = {
    SEQUENTIAL: "no loop can run in parallel",
    DEPENDENT: "no recursive calls can run in parallel",
}


@dataclass
class Refused(Exception):
    """A construct that no rule translates."""

    code: str
    detail: str = ""
    """Names the construct, or says why."""
    row: int = 0
    """Line within the unit, from 0."""
    mentions: tuple[Mention, ...] = ()
    """Parts of the detail that are about places in the function, in their order."""

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"

    def diagnostic(self, unit: Unit) -> Diagnostic:
        """Return what the user is told."""
        pattern = PATTERNS.get(self.code)
        said = pattern or _OUTCOMES[self.code]
        return unit.diagnostic(
            self.code,
            f"{said}: {self.detail}" if self.detail else said,
            row=self.row,
            hint=f"transpile explain {self.code}" if pattern else "",
        )


def rejected(unit: Unit, refusals: Iterable[Refused]) -> Rejected:
    """Return the verdict on a unit of which rules make nothing."""
    return Rejected(stage="translate", diagnostics=tuple(item.diagnostic(unit) for item in refusals))
