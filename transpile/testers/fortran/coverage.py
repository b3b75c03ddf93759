"""Lines and branches of a routine that its trials take, by gcov."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transpile.testers.oracle.cover import chosen
from transpile.testers.oracle.gcov import report
from transpile.toolchains.build import Built
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Lines and branches of a routine that ran."""

    lines: int
    missed: tuple[int, ...]
    """Lines that never ran."""
    branches: int
    taken: int
    untaken: tuple[int, ...]
    """Of each branch that was never taken its line."""

    @property
    def share(self) -> float:
        """Return the share of branches that were taken; 1 where there are none."""
        return self.taken / self.branches if self.branches else 1.0


def coverage(
    workshop: Workshop,
    library: Built,
    counts: Path,
    stem: str,
    functions: Sequence[str],
    excused: Callable[[int], bool],
) -> Coverage:
    """Return what ran of functions in one compiled file.

    Args:
        workshop: Where gcov runs.
        library: What was called.
        counts: The folder where calls have left their counts.
        stem: Name of the compiled file without its suffix.
        functions: Names of the functions, without parameters.
        excused: Tells lines that no call runs.
    """
    found = report(workshop, (library.path.parent / f"{stem}.gcno").read_bytes(), counts, stem)
    rows = [row for row in _rows(found, functions) if not excused(row["line_number"])]
    branches = [(row["line_number"], count) for row in rows for count in chosen(row["branches"])]
    return Coverage(
        lines=len(rows),
        missed=tuple(sorted({row["line_number"] for row in rows if not row["count"]})),
        branches=len(branches),
        taken=sum(1 for _, count in branches if count),
        untaken=tuple(sorted(line for line, count in branches if not count)),
    )


def ran(workshop: Workshop, library: Built, counts: Path, stem: str, lines: Collection[int]) -> bool:
    """Tell whether calls ran one of some lines of a compiled file, or it is not known."""
    found = report(workshop, (library.path.parent / f"{stem}.gcno").read_bytes(), counts, stem)
    rows = [row for file in found["files"] for row in file["lines"] if row["line_number"] in lines]
    return {row["line_number"] for row in rows} != set(lines) or any(row["count"] for row in rows)


def _name(demangled: str) -> str:
    """Return the name of a function: of an instance of a template, that of the template.

    One that returns a text of the C++ library says so behind its name.
    """
    return demangled.partition("(")[0].partition("<")[0].partition("[")[0].rpartition(" ")[2]


def _rows(found: dict[str, Any], functions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of functions, with those of functions within them."""
    for file in found["files"]:
        spans = [
            (item["start_line"], item["end_line"])
            for item in file["functions"]
            if _name(item["demangled_name"]) in functions
        ]
        names = {item["name"]: _name(item["demangled_name"]) for item in file["functions"]}
        inside = [
            row for row in file["lines"] if any(first <= row["line_number"] <= last for first, last in spans)
        ]
        yield from _instances_as_one(inside, names)


def _instances_as_one(rows: Sequence[dict[str, Any]], names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield lines with what all instances of one template ran of them."""
    merged: dict[tuple[int, str, int], dict[str, Any]] = {}
    for row in rows:
        own = row.get("function_name", "")
        key = row["line_number"], names.get(own, own), len(row["branches"])
        if key not in merged:
            merged[key] = row
            continue
        before = merged[key]
        branches = [
            {**one, "count": one["count"] + other["count"]}
            for one, other in zip(before["branches"], row["branches"], strict=True)
        ]
        merged[key] = {**before, "count": before["count"] + row["count"], "branches": branches}
    yield from merged.values()
