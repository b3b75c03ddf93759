"""Fixed form: labels in columns 1 to 5, continuation in column 6, statements in columns 7 to 72."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.logical_line import LogicalLine, cut_comment, split_statements

_LAST = 72
_DIRECTIVE = re.compile(r"[!cC*]\$omp(?P<mark>.)", re.I)
_SPLIT_NUMBER = re.compile(r"(\d\.\d*) +([de][+-]?\d)", re.I)
"""A number with a blank in it, which fixed form does not mind."""
_CONDITIONAL = re.compile(r"[!cC*]\$(?=[ \d]{3,4}|\t)")


def fixed_lines(text: str, name: str, *, openmp: bool) -> Iterator[LogicalLine]:
    """Yield the statements, comments and directives of a text in fixed form.

    Raises:
        Refused: Where a preprocessor line stands, or a continuation that continues nothing.
    """
    pending: _Pending | None = None
    waiting: list[LogicalLine] = []
    for line, row in enumerate(text.splitlines(), 1):
        row = _CONDITIONAL.sub("  ", row, count=1) if openmp else row
        if row.startswith("#"):
            raise Refused(f"the preprocessor line `{row.strip()}`", line, name)
        directive = _DIRECTIVE.match(row)
        if directive and directive["mark"] not in " 0\t" and pending is not None and pending.directive:
            pending.code += " " + row[directive.end() :].strip()
            continue
        if directive:
            yield from _close(pending, waiting)
            pending = _Pending(line, "", "!$omp " + row[directive.end() :].strip(), directive=True)
            continue
        if not row.strip() or row[0] in "cC*!dD" or row.lstrip().startswith("!"):
            waiting.append(LogicalLine(text=_comment(row), line=line, comment_only=True))
            continue
        label, continues, code = _fields(row)
        if continues:
            if pending is None or pending.directive:
                raise Refused("a continuation line that continues nothing", line, name)
            pending.add(code)
            waiting.clear()
        else:
            yield from _close(pending, waiting)
            pending = _Pending(line, label)
            pending.add(code)
    yield from _close(pending, waiting)


class _Pending:
    """A statement that may go on."""

    def __init__(self, line: int, label: str, code: str = "", *, directive: bool = False) -> None:
        self.line = line
        self.label = label
        self.code = code
        self.comment = ""
        self.quote = ""
        self.directive = directive

    def add(self, text: str) -> None:
        """Append the statement field of a line."""
        body, comment, self.quote = cut_comment(text, self.quote)
        self.code += _SPLIT_NUMBER.sub(r"\1\2", body) if "'" not in body else body
        self.comment = self.comment or comment


def _close(pending: _Pending | None, waiting: list[LogicalLine]) -> Iterator[LogicalLine]:
    """Yield a statement that is complete, then the comments that followed it."""
    if pending is not None:
        if pending.directive:
            yield LogicalLine(text=pending.code, line=pending.line, comment_only=True)
        parts = [] if pending.directive else split_statements(pending.code)
        for index, part in enumerate(parts):
            trailing = pending.comment if index == len(parts) - 1 else ""
            yield LogicalLine(
                text=part, line=pending.line, label=pending.label if index == 0 else "", trailing=trailing
            )
    yield from waiting
    waiting.clear()


def _comment(row: str) -> str:
    bare = row.strip()
    if not bare:
        return ""
    return bare if bare.startswith("!") else "!" + bare[1:]


def _fields(row: str) -> tuple[str, bool, str]:
    """Return the label, whether the line continues another, and its statement field."""
    head, tab, rest = row[:6].partition("\t")
    if tab:
        rest += row[6:]
        label = head.strip().lstrip("0")
        if rest[:1].isdigit() and rest[:1] != "0":
            return label, True, rest[1:]
        return label, False, rest
    padded = row.rstrip("\r\n").expandtabs(8)[:_LAST].ljust(_LAST)
    label = padded[:5].replace(" ", "").lstrip("0")
    return label, padded[5] not in " 0", padded[6:]
