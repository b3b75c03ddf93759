"""Say why nothing of a function runs in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from tree_sitter import Node

from transpile.code.syntax import Function, source, squeeze
from transpile.core import Rejected, Unit
from transpile.translators.loops.analysis.plan import SequentialNest
from transpile.translators.loops.symbols.directives import row_before
from transpile.translators.mentions import Reason, with_lines
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
    line_of = _lines(unit, function)
    rows = [row_before(text, function.line(item.node) - 1, simd=simd) for item in alone]
    reasons = [with_lines(Reason(item.reason, item.mentions), line_of) for item in alone]
    told = list(zip(rows, reasons, strict=True)) or [(0, "it has no loop")]
    return rejected(unit, (Refused(SEQUENTIAL, reason, row) for row, reason in told))


def _lines(unit: Unit, function: Function) -> Callable[[Node], int | None]:
    """Return a function that gives the line in the file of syntax of a form; None where it is not certain."""
    before = unit.text.decode("latin-1").split("\n")
    rows = _rows(before, function.text.split("\n"))

    def line(node: Node) -> int | None:
        row = rows.get(node.start_point[0])
        first = squeeze(source(node).partition("\n")[0])
        return unit.line + row if row is not None and first in squeeze(before[row]) else None

    return line


def _rows(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return which row of a text each row of an edited one was, as far as that is plain."""
    written, edited = ([row.strip() for row in text] for text in (before, after))
    rows: dict[int, int] = {}
    for _, start, end, begin, stop in SequenceMatcher(None, written, edited, autojunk=False).get_opcodes():
        if end - start == stop - begin:
            rows |= zip(range(begin, stop), range(start, end), strict=True)
    return rows
