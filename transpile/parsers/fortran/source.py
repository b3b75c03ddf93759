"""Fortran text as one statement a line, from fixed or free form, with the line that each came from.

Continued lines are joined, labelled ``do`` loops become ``do`` … ``end do``, and files that are included are
put in their places, so that the grammar sees one form only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.fixed_form import fixed_lines
from transpile.parsers.fortran.free_form import free_lines
from transpile.parsers.fortran.logical_line import LogicalLine, outside_strings
from transpile.parsers.fortran.preprocessing import is_preprocessed, preprocessed

FIXED = (".f", ".for", ".ftn", ".f77", ".fpp")
_LABELLED_DO = re.compile(
    r"(?P<name>[a-z_]\w*\s*:\s*)?do\s*(?P<label>\d+)\s*,?\s*(?P<rest>[a-z_]\w*\s*=(?!=).*,.*|while\s*\(.*|)$",
    re.I,
)
_END_DO = re.compile(r"end\s*do\b", re.I)
_INCLUDE = re.compile(r"""include\s*(['"])(?P<file>[^'"]+)\1\s*$""", re.I)
_OPENMP = re.compile(r"^\s*[!c*]\$omp\b", re.I | re.M)
"""Only in files with directives do lines count that are for compilers with OpenMP alone."""
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Place:
    """The file and the number of a line."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Source:
    """Free-form text of one statement a line, and the place of each of its lines."""

    text: str
    places: tuple[Place, ...]


def is_fixed(name: str) -> bool:
    """Tell whether files of that name are in fixed form."""
    return name.lower().endswith(FIXED)


def read(
    text: str, name: str, *, fixed: bool | None = None, include: Callable[[str], str | None] = lambda _: None
) -> Source:
    """Return the text as one statement a line.

    Raises:
        Refused: Where it holds what cannot be read as statements, or includes a file that is not found.
    """
    lines: list[str] = []
    places: list[Place] = []
    loops: list[str] = []
    for place, line in _included(text, name, fixed, include, 0):
        for piece in _plain_loops(line, loops):
            lines.append(piece)
            places.append(place)
    return Source(text="\n".join(lines) + "\n", places=tuple(places))


def _included(
    text: str, name: str, fixed: bool | None, include: Callable[[str], str | None], depth: int
) -> Iterator[tuple[Place, LogicalLine]]:
    """Yield the statements of a text and of what it includes."""
    if depth > _DEEPEST:
        raise Refused("files include each other", 1, name)
    if is_preprocessed(name):
        text = preprocessed(text, name)
    form = is_fixed(name) if fixed is None else fixed
    openmp = bool(_OPENMP.search(text))
    rows = fixed_lines(text, name, openmp=openmp) if form else free_lines(text, name, openmp=openmp)
    for line in rows:
        found = _INCLUDE.match(line.text)
        if not found:
            yield Place(name, line.line), line
            continue
        inner = include(found["file"])
        if inner is None:
            raise Refused(f"the included file {found['file']} is not found", line.line, name)
        yield from _included(inner, found["file"], form, include, depth + 1)


def _plain_loops(line: LogicalLine, loops: list[str]) -> Iterator[str]:
    """Yield a statement with labelled loops turned into those that ``end do`` closes."""
    if line.comment_only:
        yield line.text
        return
    text = line.text
    found = _LABELLED_DO.match(outside_strings(text))
    if found:
        loops.append(found["label"])
        head = text[: found.start("label")].rstrip()
        text = f"{head} {text[found.start('rest') :]}"
    closes = 0
    while line.label and loops and loops[-1] == line.label and not found:
        loops.pop()
        closes += 1
    if closes and _END_DO.match(text):
        text = "continue"
    label = f"{line.label} " if line.label else ""
    trailing = f" {line.trailing}" if line.trailing else ""
    yield f"{label}{text}{trailing}"
    for _ in range(closes):
        yield "end do"
