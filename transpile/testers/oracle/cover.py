"""Coverage of the source by trials: branches of the kernel and of the device functions it calls."""

from __future__ import annotations

import posixpath
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from transpile import foreign
from transpile.core import Unit
from transpile.testers.oracle import gcov
from transpile.testers.prove.ways import Ways
from transpile.toolchains.build import Built
from transpile.toolchains.notes import with_made_functions
from transpile.toolchains.workshop import Workshop

_COUNTS = "library.gcda"
"""The file of counts in a directory that calls may write in."""
_ASSERTION = re.compile(rb"\bassert\s*\(")
_JOINT = re.compile(rb"&&|\|\|")
_POINTER = re.compile(rb"\*\s*(?:const\s+|__restrict__\s+|__restrict\s+|restrict\s+)*([A-Za-z_]\w*)\s*[,)]")
"""A parameter that is a pointer, or something that is multiplied by one."""
_MOST_NULL = 8
_NULL = re.compile(rb"[=!]=\s*(?:NULL|nullptr)\b|\b(?:NULL|nullptr)\s*[=!]=")
"""Tests of which one side is never taken: a failed assertion ends the kernel, and pointers are never null."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Branches of the source that trials took."""

    taken: int
    total: int
    """Without those that are shown to be unreachable."""
    unreachable: int = 0
    never: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """How many branches of a place, ``path:line``, were never taken, and how many there are."""
    branches: Mapping[str, int] = field(default_factory=dict)
    """Counts of the branches of every place, taken or not, as far as they are known."""
    unexecuted: frozenset[str] = frozenset()
    """Places with statements, or parts of them, that never ran."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the places of branches that were never taken."""
        return tuple(self.never)

    @property
    def share(self) -> float:
        """Return the share that was taken; 1 where there are no branches."""
        return self.taken / self.total if self.total else 1.0

    def without(self, untaken: Mapping[str, Ways]) -> Coverage:
        """Return the coverage without branches that are shown to be taken by nothing.

        Only where a condition has as many ways out as branches were counted does the one stand for the other:
        compilers join conditions, and make others of what is none.

        Args:
            untaken: How many ways out of conditions nothing takes, by the place where these begin.
        """
        left, gone = dict(self.never), 0
        for place, ways in untaken.items():
            places = _places(place, ways.lines)
            known = {item: self.never[item] for item in places if item in self.never}
            count = sum(never for never, _ in known.values())
            if count < ways.never or sum(map(self._branches, places)) != ways.all:
                continue
            if count > ways.never and len(known) > 1:  # which of them is not known
                continue
            left |= {item: (count - ways.never, of) for item, (_, of) in known.items()}
            gone += ways.never
        never = {place: known for place, known in left.items() if known[0]}
        return replace(
            self,
            total=self.total - gone,
            unreachable=self.unreachable + gone,
            never=never,
            unexecuted=self.unexecuted - (self.never.keys() - never.keys()),
        )

    def _branches(self, place: str) -> int:
        """Return how many branches a place has."""
        return self.branches.get(place, self.never.get(place, (0, 0))[1])


def _places(first: str, lines: int) -> list[str]:
    """Return the place of a line and those of the lines behind it."""
    path, _, line = first.rpartition(":")
    return [first, *(f"{path}:{int(line) + more}" for more in range(1, lines))]


def joined(parts: Sequence[Coverage]) -> Coverage:
    """Return the coverage of several instantiations, each of which has branches of its own."""
    never: dict[str, tuple[int, int]] = {}
    branches: Counter[str] = Counter()
    for part in parts:
        branches.update(part.branches)
    for place, (count, of) in (item for part in parts for item in part.never.items()):
        before = never.get(place, (0, 0))
        never[place] = (before[0] + count, before[1] + of)
    return Coverage(
        taken=sum(part.taken for part in parts),
        total=sum(part.total for part in parts),
        unreachable=sum(part.unreachable for part in parts),
        never=never,
        branches=branches,
        unexecuted=frozenset[str]().union(*(part.unexecuted for part in parts)),
    )


@dataclass(frozen=True, slots=True)
class Branch:
    """One way out of a line, and how often it was taken."""

    path: str
    line: int
    count: int
    function: str = ""
    """As the linker knows it."""
    origin: tuple[int, int, str] = (0, 0, "")
    """Where the function begins, and which of its parallel regions this is: the same for all instances."""


def rows_of(found: Mapping[str, Any]) -> list[Branch]:
    """Return the branches of all functions that ran, from a report of gcov's."""
    return list(_rows(found))


def executed(found: Mapping[str, Any], path: str) -> frozenset[int]:
    """Return the lines of a file that ran."""
    return frozenset(
        line["line_number"]
        for file in found["files"]
        if posixpath.normpath(file["file"]) == path
        for line in file["lines"]
        if line["count"]
    )


def lines_of(parts: Iterable[Unit]) -> Iterator[tuple[str, int, bytes]]:
    """Yield the lines of units: their file, their number in it, and their text."""
    for part in parts:
        for number, text in enumerate(part.text.split(b"\n"), part.line):
            yield part.path, number, text


def unexecuted(
    found: Mapping[str, Any], parts: Iterable[Unit], pointers: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Return the lines of units, ``path:line``, with statements that never ran where their function did.

    Assertions that fail and pointers that are null are no such lines: nothing takes them.

    Args:
        found: A report of gcov's.
        parts: The units.
        pointers: Names that are never null in them.
    """
    asked = {(path, line) for path, line, text in lines_of(parts) if not impossible(text, pointers)}
    places: set[tuple[str, int]] = set()
    for file in found["files"]:
        path = posixpath.normpath(file["file"])
        ran = {item["name"] for item in file["functions"] if item["execution_count"]}
        places |= {
            (path, line["line_number"])
            for line in file["lines"]
            if line.get("function_name") in ran and (line["unexecuted_block"] or not line["count"])
        }
    return frozenset(f"{path}:{line}" for path, line in places & asked)


def report(workshop: Workshop, library: Built, counts: Path, *, regions: bool = False) -> dict[str, Any]:
    """Return what gcov says of a library, from the counts in a directory.

    Args:
        workshop: Where to run it.
        library: What was built.
        counts: The directory.
        regions: Of functions that the compiler made, such as bodies of parallel regions, as well.
    """
    notes = library.path.with_suffix(".gcno").read_bytes()
    return gcov.report(workshop, with_made_functions(notes) if regions else notes, counts)


def _rows(report: Mapping[str, Any]) -> Iterator[Branch]:
    """Yield branches, without ways out by exceptions and without instantiations that never ran."""
    for file in report["files"]:
        path = posixpath.normpath(file["file"])
        ran = {item["name"]: _origin(item) for item in file["functions"] if item["execution_count"]}
        for line in file["lines"]:
            name = line.get("function_name")
            if name in ran:
                for count in chosen(line["branches"]):
                    yield Branch(path, line["line_number"], count, name, ran[name])


def _origin(function: Mapping[str, Any]) -> tuple[int, int, str]:
    return function["start_line"], function["start_column"], function["name"].partition("._omp_fn.")[2]


def chosen(ways: list[dict[str, Any]]) -> list[int]:
    """Return how often each way out of a line was taken, of those that the source chooses between.

    A call that may throw has two ways out, listed one after the other; going on is no choice of the source.
    """
    calls = {index for index, way in enumerate(ways) if way["throw"]}
    calls |= {index - 1 for index in calls if index and ways[index - 1]["fallthrough"]}
    return [way["count"] for index, way in enumerate(ways) if index not in calls]


def impossible(line: bytes, pointers: frozenset[str]) -> int:
    """Return how many branches of a line nothing takes: assertions that fail, pointers that are null."""
    count = len(_NULL.findall(line))
    if _ASSERTION.search(line):
        count += 1 + len(_JOINT.findall(line))
    return count + sum(len(_alone(name).findall(line)) for name in pointers)


def compared_with_null(parts: Iterable[Unit], pointers: Iterable[str]) -> tuple[str, ...]:
    """Return the pointers whose being null decides about something in the text of units.

    Where a function that is called asks it of a parameter of its own, that may be any of them.
    """
    texts = [part.text for part in parts]
    own = tuple(name for name in sorted(pointers) if any(_asks(text, name) for text in texts))
    others = (name.decode("utf-8", "surrogateescape") for text in texts for name in _POINTER.findall(text))
    handed = any(_asks(text, name) for name in {*others} - {*pointers} for text in texts)
    return tuple(sorted(pointers))[:_MOST_NULL] if handed else own


def _asks(text: bytes, name: str) -> bool:
    return any(item.search(text) for item in (_alone(name), _beside_null(name)))


def _alone(name: str) -> re.Pattern[bytes]:
    """Return what finds conditions that are a pointer and nothing else."""
    word = re.escape(name.encode("utf-8", "surrogateescape"))
    return re.compile(
        rb"(?:\b(?:if|while)\s*\(|&&|\|\||!)\s*\(?\s*%b\s*(?=\)|&&|\|\|)"
        rb"|(?:(?<![=!<>])=|[(,?:;{!]|&&|\|\||\breturn\b|^)\s*%b\s*\?" % (word, word)
    )


def _beside_null(name: str) -> re.Pattern[bytes]:
    """Return what finds comparisons of a pointer with null."""
    word = re.escape(name.encode("utf-8", "surrogateescape"))
    null = rb"(?:NULL|nullptr|0)\b"
    return re.compile(rb"\b%b\s*[=!]=\s*%b|\b%b\s*[=!]=\s*%b\b" % (word, null, null, word))


def counted(
    rows: Iterable[Branch],
    parts: Iterable[Unit],
    pointers: frozenset[str] = frozenset(),
    closed: Mapping[tuple[str, int], int] | None = None,
) -> Coverage:
    """Return how many of the branches within the units were taken.

    Args:
        rows: All branches.
        parts: The units.
        pointers: Names that are never null in them.
        closed: Lines of switches whose default nothing takes, with how many they are.
    """
    lines = {
        (path, line): impossible(text, pointers) + (closed or {}).get((path, line), 0)
        for path, line, text in lines_of(parts)
    }
    taken = total = unreachable = 0
    ways: Counter[str] = Counter()
    never: Counter[str] = Counter()
    for row in rows:
        if (row.path, row.line) not in lines:
            continue
        place = f"{row.path}:{row.line}"
        ways[place] += 1
        if not row.count and lines[row.path, row.line]:
            lines[row.path, row.line] -= 1
            unreachable += 1
            continue
        total += 1
        taken += row.count > 0
        if not row.count:
            never[place] += 1
    return Coverage(
        taken=taken,
        total=total,
        unreachable=unreachable,
        never={place: (count, ways[place]) for place, count in never.items()},
        branches=ways,
    )


def scratch(workshop: Workshop) -> tempfile.TemporaryDirectory[str]:
    """Return a directory for counts, which lives as long as the object that is returned."""
    return tempfile.TemporaryDirectory(dir=workshop.scratch(), prefix="cover-", ignore_cleanup_errors=True)


class Meter:
    """Counts the branches that valid trials of one kernel take, call by call."""

    def __init__(
        self,
        workshop: Workshop,
        parts: tuple[Unit, ...],
        pointers: frozenset[str] = frozenset(),
        closed: Mapping[tuple[str, int], int] | None = None,
    ) -> None:
        """Count for the lines of the given units, in a directory that lives as long as this object."""
        self._workshop = workshop
        self._parts = parts
        self._pointers = pointers
        self._closed = closed
        self._directory = scratch(workshop)
        self._kept = Path(self._directory.name) / "kept"
        self._tried = Path(self._directory.name) / "tried"
        self._library: Built | None = None

    @property
    def nullable(self) -> tuple[str, ...]:
        """Return the pointers that the units compare with null."""
        return compared_with_null(self._parts, self._pointers)

    def begin(self) -> Path:
        """Return a directory that holds the counts so far, for a batch that may turn out not to count."""
        shutil.rmtree(self._tried, ignore_errors=True)
        if self._kept.exists():
            self._tried.mkdir()
            with suppress(FileNotFoundError, foreign.Refused):
                foreign.write(self._tried, _COUNTS, foreign.read(self._kept, _COUNTS))
        return self._tried

    def keep(self, library: Built) -> None:
        """Count the last batch: all its trials were valid."""
        shutil.rmtree(self._kept, ignore_errors=True)
        self._tried.rename(self._kept)
        self._library = library

    def read(self) -> Coverage:
        """Return what the trials that count took."""
        if self._library is None:
            return Coverage(taken=0, total=0)
        found = report(self._workshop, self._library, self._kept)
        coverage = counted(_rows(found), self._parts, self._pointers, self._closed)
        return replace(coverage, unexecuted=unexecuted(found, self._parts, self._pointers))
