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
OWN = "transpile-hip.csv"
"""A table of its own at the root of a source."""
LACKING = "lacking"
"""Of what HIP has nothing for."""
COLUMNS = ("cuda", "hip", "since", "deprecated", "removed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A name or a header of CUDA, and HIP's for it."""

    cuda: str
    hip: str
    """Empty where HIP needs none: its other headers hold what this one held."""
    since: str = ""
    """First version of ROCm that has it."""
    deprecated: str = ""
    removed: str = ""


@cache
def names(own: bytes = b"", taken: frozenset[bytes] = frozenset()) -> Mapping[bytes, Row]:
    """Return the rows of all names, by CUDA's; a source's own rows go before ours.

    Args:
        own: Rows of the source.
        taken: Names of HIP that nothing is to be called.
    """
    if taken:
        return {name: row for name, row in names(own).items() if row.hip.encode() not in taken}
    found = {row.cuda.encode(): row for row in rows(own, OWN) if not _is_header(row)}
    for path in sorted(TABLES.glob("*.csv"), key=lambda path: path.stem != "own"):
        if path.stem not in (_HEADERS, LACKING):
            for row in _read(path):
                found.setdefault(row.cuda.encode(), row)
    return found


@cache
def headers(own: bytes = b"") -> Mapping[bytes, Row]:
    """Return the rows of all headers, by CUDA's; a source's own rows go before ours."""
    found = {row.cuda.encode(): row for row in _read(TABLES / f"{_HEADERS}.csv")}
    return found | {row.cuda.encode(): row for row in rows(own, OWN) if _is_header(row)}


@cache
def lacking(own: bytes = b"") -> frozenset[bytes]:
    """Return the names that HIP has nothing for, and a source's own rows neither."""
    found = frozenset(row.cuda.encode() for row in _read(TABLES / f"{LACKING}.csv"))
    return found - names(own).keys()


def _is_header(row: Row) -> bool:
    return "." in row.cuda


def _read(path: Path) -> Iterator[Row]:
    return rows(path.read_bytes(), path.name)


def rows(data: bytes, name: str) -> Iterator[Row]:
    """Yield the rows of a table; of none, where it is empty.

    Raises:
        UsageError: The text is no such table.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
    cells = [[cell.strip() for cell in row] for row in csv.reader(line for _, line in numbered)]
    if cells and tuple(cells[0]) != COLUMNS[: len(cells[0])]:
        raise UsageError(f"{name} is no table of names", hint=f"Its first line is {','.join(COLUMNS)}.")
    for (number, _), row in zip(numbered[1:], cells[1:], strict=True):
        if not 2 <= len(row) <= len(COLUMNS) or not row[0]:
            raise UsageError(f"{name}:{number}: a row is CUDA's name and HIP's", hint=",".join(COLUMNS))
        yield Row(**dict(zip(COLUMNS, row, strict=False)))
