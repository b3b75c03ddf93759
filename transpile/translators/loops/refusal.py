"""Why nothing of a function runs at once."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.core import Diagnostic, Rejected, Severity, Unit
from transpile.translators.loops.plan import Alone
from transpile.translators.rules.syntax import Function


def refusal(unit: Unit, function: Function, alone: Sequence[Alone]) -> Rejected:
    """Return why nothing of a function runs at once."""
    reasons = [(function.line(item.node) - 1, item.reason) for item in alone] or [(0, "it has no loop")]
    return Rejected(
        stage="translate",
        diagnostics=tuple(
            Diagnostic(
                code="TP220",
                severity=Severity.ERROR,
                path=unit.path,
                line=unit.line + line,
                message=f"no loop whose iterations may run at once: {reason}",
            )
            for line, reason in reasons
        ),
    )
