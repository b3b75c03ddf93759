"""Say why nothing of a function runs in parallel."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.code.syntax import Function
from transpile.core import Rejected, Unit
from transpile.translators.loops.analysis.plan import SequentialNest
from transpile.translators.loops.symbols.directives import row_before
from transpile.translators.refusal import SEQUENTIAL, Refused, rejected


def refusal(
    unit: Unit, function: Function, alone: Sequence[SequentialNest], *, simd: bool = False
) -> Rejected:
    """Return why nothing of a function runs in parallel.

    Args:
        unit: The function.
        function: The form of it that was looked at, without its directives.
        alone: What does not run in parallel.
        simd: Whether directives for vectors were left out as well.
    """
    text = unit.text.decode("latin-1")
    rows = [row_before(text, function.line(item.node) - 1, simd=simd) for item in alone]
    reasons = [item.reason for item in alone]
    told = list(zip(rows, reasons, strict=True)) or [(0, "it has no loop")]
    return rejected(unit, (Refused(SEQUENTIAL, reason, row) for row, reason in told))
