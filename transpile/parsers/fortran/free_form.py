"""Free form: lines that end in ``&`` go on in the next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.logical_line import LogicalLine, cut_comment, split_label, split_statements

_DIRECTIVE = re.compile(r"!\$omp\b", re.I)
_CONDITIONAL = re.compile(r"!\$\s", re.I)


def free_lines(text: str, name: str, *, openmp: bool) -> Iterator[LogicalLine]:
    """Yield the statements, comments and directives of a text in free form.

    Raises:
        Refused: Where a preprocessor line stands, or where a continued statement does not go on.
    """
    rows = enumerate(text.expandtabs(8).splitlines(), 1)
    for line, row in rows:
        bare = row.strip()
        if openmp and _CONDITIONAL.match(bare):
            bare = bare[2:].strip()
        if not bare:
            yield LogicalLine(text="", line=line, comment_only=True)
        elif bare.startswith("#"):
            raise Refused(f"the preprocessor line `{bare}`", line, name)
        elif _DIRECTIVE.match(bare):
            yield LogicalLine(text="!$omp " + _directive(bare[5:], rows), line=line, comment_only=True)
        elif bare.startswith("!"):
            yield LogicalLine(text=bare, line=line, comment_only=True)
        else:
            yield from _statements(bare, line, rows, name)


def _directive(text: str, rows: Iterator[tuple[int, str]]) -> str:
    """Return a directive with the lines on which it goes on."""
    text = text.strip()
    joined = cut_comment(text, "")[0].strip()
    while joined.endswith("&"):
        _, row = next(rows, (0, ""))
        more = _DIRECTIVE.sub("", row.strip(), count=1).strip()
        joined = joined[:-1].rstrip() + " " + cut_comment(more.lstrip("&"), "")[0].strip()
    return joined


def _statements(text: str, line: int, rows: Iterator[tuple[int, str]], name: str) -> Iterator[LogicalLine]:
    """Yield the statements that begin on a line."""
    code, comment, quote = cut_comment(text, "")
    code = code.rstrip()
    comments = [comment] if comment else []
    while code.endswith("&"):
        code = code[:-1]
        more = _continuation(rows, comments)
        if more is None:
            raise Refused("a statement that ends in & and does not go on", line, name)
        more = more[1:] if more.startswith("&") else more if quote else " " + more
        body, comment, quote = cut_comment(more, quote)
        if comment:
            comments.append(comment)
        code += body if quote else body.rstrip()
        code = code.rstrip() if code.rstrip().endswith("&") else code
    if quote:
        raise Refused("a character literal without an end", line, name)
    for extra in comments[1:]:
        yield LogicalLine(text=extra, line=line, comment_only=True)
    parts = split_statements(code)
    for index, part in enumerate(parts):
        label, statement = split_label(part)
        last = index == len(parts) - 1
        trailing = comments[0] if comments and last else ""
        yield LogicalLine(text=statement, line=line, label=label, trailing=trailing)


def _continuation(rows: Iterator[tuple[int, str]], comments: list[str]) -> str | None:
    """Return the next line that is none of comments and blanks; the comments are collected."""
    for _, row in rows:
        bare = row.strip()
        if bare.startswith("!"):
            if _CONDITIONAL.match(bare):
                return bare[2:].strip()
            comments.append(bare)
        elif bare:
            return bare
    return None
