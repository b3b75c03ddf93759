"""Which name of HIP stands for which of CUDA, read from tables that people can read and extend."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from transpile.errors import UsageError

TABLES = Path(__file__).parent / "tables"
_HEADERS = "headers"
LACKING = "lacking"
"""Of what HIP has nothing for."""
COLUMNS = ("cuda", "hip", "since", "deprecated", "removed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A name or a header of CUDA, and HIP's for it."""

    cuda: str
    hip: str
    """Empty where HIP needs none: its other headers hold what this one held."""
    since: str
    """First version of ROCm that has it."""
    deprecated: str = ""
    removed: str = ""


@cache
def names() -> Mapping[bytes, Row]:
    """Return the rows of all names, by CUDA's."""
    found: dict[bytes, Row] = {}
    for path in sorted(TABLES.glob("*.csv"), key=lambda path: path.stem != "own"):
        if path.stem not in (_HEADERS, LACKING):
            for row in rows(path):
                found.setdefault(row.cuda.encode(), row)
    return found


@cache
def headers() -> Mapping[bytes, Row]:
    """Return the rows of all headers, by CUDA's."""
    return {row.cuda.encode(): row for row in rows(TABLES / f"{_HEADERS}.csv")}


@cache
def lacking() -> frozenset[bytes]:
    """Return the names that HIP has nothing for."""
    found = frozenset(row.cuda.encode() for row in rows(TABLES / f"{LACKING}.csv"))
    return found - names().keys()


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a table.

    Raises:
        UsageError: The file is no such table.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(line for line in file if not line.startswith("#"))
        if tuple(next(reader, ())) != COLUMNS:
            raise UsageError(f"{path} is no table of names", hint=f"Its first line is {','.join(COLUMNS)}.")
        for cells in reader:
            if len(cells) != len(COLUMNS) or not cells[0]:
                line = reader.line_num
                raise UsageError(f"{path}:{line}: a row has {len(COLUMNS)} cells", hint=",".join(COLUMNS))
            yield Row(**dict(zip(COLUMNS, (cell.strip() for cell in cells), strict=True)))
