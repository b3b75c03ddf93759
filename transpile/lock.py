"""``transpile.lock``: which text of the source each unit of a port was shown to behave like.

Sorted JSON, one fact a line, so that a diff shows what moved. A unit is known by the digest and the length
of its text, which finds it again anywhere in a file without parsing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from pydantic import ConfigDict, TypeAdapter, ValidationError

from transpile import __version__, foreign, machine
from transpile.core import Evidence, Level, Passed, Source, Unit, UnitKind
from transpile.errors import ConfigurationError, UsageError
from transpile.parsers.extraction.restoring import as_written
from transpile.parsers.files.discovery import is_code, read_files

FILE = "transpile.lock"
AROUND = "changed outside of its units"
"""Reason of a change that no unit of its file shows."""
_BUILD_FILES = frozenset(("Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"))
_LINE = re.compile(rb"^[ \t]*", re.MULTILINE)
_STRICT = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """Enough of a text to find it again."""

    __pydantic_config__ = _STRICT

    sha256: str
    length: int

    @staticmethod
    def of(text: bytes) -> Fingerprint:
        """Return the fingerprint of a text."""
        return Fingerprint(sha256=_sha256(text), length=len(text))

    def found_in(self, data: bytes) -> bool:
        """Tell whether the text stands in the data, at the beginning of a line or after its indentation."""
        return any(_sha256(data[start : start + self.length]) == self.sha256 for start in _line_starts(data))


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedUnit:
    """A unit as it was when the port was made."""

    __pydantic_config__ = _STRICT

    kind: UnitKind
    path: str
    source: Fingerprint
    callees: tuple[str, ...] = ()
    verdict: str = ""
    level: Level | None = None
    evidence: str = ""
    target_path: str = ""
    """Empty where the unit is not kept: it runs as its source text."""
    target: Fingerprint | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """Where the source is: a path relative to the port and, where it is a clean checkout, its origin."""

    __pydantic_config__ = _STRICT

    path: str
    url: str = ""
    commit: str = ""
    directory: str = ""
    """Of the source inside that repository."""
    exclude: tuple[str, ...] = ()
    """Patterns of files that were left out."""
    single: bool = False
    """The source is the one file of it that the lock names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The whole file."""

    __pydantic_config__ = _STRICT

    version: int = 1
    transpile: str = __version__
    target: str
    require: Level
    source: SourcePlace
    units: Mapping[str, LockedUnit]
    source_files: Mapping[str, str]
    port_files: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that is no longer what the lock says."""

    side: str
    """``source`` or ``port``."""
    path: str
    reason: str
    unit: str = ""


@cache
def _adapter() -> TypeAdapter[Lock]:
    """Return what reads and writes the file; made on first use, since that takes a while."""
    return TypeAdapter(Lock)


def make(
    *,
    source: Source,
    evidence: Iterable[Evidence],
    files: Mapping[str, bytes],
    paths: Mapping[str, str],
    place: SourcePlace,
    target: str,
    required: Level,
) -> Lock:
    """Return the lock of a port.

    Args:
        source: What was ported.
        evidence: What was decided of its units.
        files: The port.
        paths: The port's path of each file of the source.
        place: Where the source is found.
        target: Short name of the dialect.
        required: The level that units were kept at.
    """
    decided = {item.unit.id: item for item in evidence}
    written = as_written(source)
    texts = {unit.id: unit.text for unit in written.units}
    texts |= {unit: loop.text for unit, loop in source.extracted.items()}
    placed = places(decided.values(), paths, required)
    return Lock(
        target=target,
        require=required,
        source=replace(place, single=len(source.files) == 1),
        units={
            unit.id: _locked(
                replace(unit, text=texts[unit.id]), decided.get(unit.id), placed.get(unit.id, ""), files
            )
            for unit in source.units
            if unit.id not in source.extracted or unit.id in decided
        },
        source_files={
            path: _sha256(data)
            for path, data in written.files.items()
            if _counts(path) and path not in source.generated
        },
        port_files={path: _sha256(data) for path, data in files.items() if _counts(path)},
    )


def places(evidence: Iterable[Evidence], paths: Mapping[str, str], required: Level) -> dict[str, str]:
    """Return the file of the port that holds each kept unit, given the port's path of each source file."""
    return {
        item.unit.id: paths[item.unit.path]
        for item in evidence
        if item.candidate is not None and item.kept(required)
    }


def dump(lock: Lock) -> bytes:
    """Return the text of the file."""
    return json.dumps(_adapter().dump_python(lock, mode="json"), indent=1, sort_keys=True).encode() + b"\n"


def load(path: Path) -> Lock:
    """Read a lock.

    Raises:
        UsageError: There is none.
        ConfigurationError: It is damaged, or written by a version that we do not know.
    """
    try:
        return _adapter().validate_json(foreign.read(path.parent, path.name))
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file", hint="Make a port with `transpile port` first.") from error
    except foreign.Refused as error:
        raise ConfigurationError(f"{path} {error.strerror}", hint="Port again.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(
            f"{path}: {where}: {first['msg']}", hint="Restore it from version control, or port again."
        ) from error


def check(place: Path, source: Path | None = None) -> tuple[Change, ...]:
    """Compare a port and its source with a lock.

    Args:
        place: The lock file.
        source: Root of the source, if it is not where the lock says.

    Raises:
        UsageError: The lock or the source is not there.
    """
    agreed = load(place)
    return changes(agreed, source=source_root(agreed, place, source), port=place.parent)


def source_root(lock: Lock, place: Path, given: Path | None = None) -> Path | None:
    """Return the root of the source; None where it is pinned to a commit and not at hand.

    Raises:
        UsageError: It is pinned to nothing and is not there.
    """
    root = given or place.parent / lock.source.path
    if root.is_dir():
        return root
    if given is None and lock.source.commit:
        return None
    origin = f"{lock.source.url} at {lock.source.commit}" if lock.source.commit else "its source"
    raise UsageError(f"{root}: no such directory", hint=f"Name a checkout of {origin} with --source DIR.")


def changes(lock: Lock, *, source: Path | None, port: Path) -> tuple[Change, ...]:
    """Return what differs from the lock, unit by unit where it can be told.

    Args:
        lock: What was agreed on.
        source: Root of the source; None where it is pinned to a commit and not at hand.
        port: Directory of the port.
    """
    found: list[Change] = []
    if source is not None:
        found += _side(
            "source",
            source,
            lock.source_files,
            {name: (unit.path, unit.source) for name, unit in lock.units.items()},
        )
        found += _reached(lock, {item.unit for item in found})
        found += [
            Change(side="source", path=path, reason="the file is new, and not in the port")
            for path in sorted(_code_files(source, lock) - lock.source_files.keys())
        ]
    found += _side(
        "port",
        port,
        lock.port_files,
        {
            name: (unit.target_path, unit.target)
            for name, unit in lock.units.items()
            if unit.target is not None
        },
    )
    return tuple(found)


def _side(
    side: str, root: Path, files: Mapping[str, str], units: Mapping[str, tuple[str, Fingerprint]]
) -> list[Change]:
    """Return the changes of one side: units whose text is gone, and files that changed around their units."""
    found: list[Change] = []
    for path, expected in sorted(files.items()):
        data = _read(root, path)
        if data is None:
            found.append(Change(side=side, path=path, reason="the file is gone"))
            found += [
                Change(side=side, path=path, unit=name, reason="its file is gone")
                for name, (place, _) in units.items()
                if place == path
            ]
        elif _sha256(data) != expected:
            gone = [
                name for name, (place, print_) in units.items() if place == path and not print_.found_in(data)
            ]
            found += [Change(side=side, path=path, unit=name, reason="its text changed") for name in gone]
            if not gone:
                found.append(Change(side=side, path=path, reason=AROUND))
    return found


def _reached(lock: Lock, changed: set[str]) -> list[Change]:
    """Return the units whose own text stands but that call, at any depth, one that changed.

    Glue is not among them: a kernel that it launches is judged by itself.
    """
    found: dict[str, str] = {}
    frontier = {name for name in changed if name}
    while frontier:
        following: set[str] = set()
        for name, unit in lock.units.items():
            hit = frontier.intersection(unit.callees)
            judged = unit.kind not in (UnitKind.GLUE, UnitKind.PROGRAM)
            if hit and judged and name not in changed and name not in found:
                found[name] = min(hit)
                following.add(name)
        frontier = following
    return [
        Change(
            side="source", path=lock.units[name].path, unit=name, reason=f"it calls {callee}, which changed"
        )
        for name, callee in sorted(found.items())
    ]


def _counts(path: str) -> bool:
    """Tell whether a file has a part in what a program does: code, or how it is built."""
    name = PurePosixPath(path)
    return is_code(path) or name.name in _BUILD_FILES or name.suffix in (".mk", ".cmake")


def _code_files(root: Path, lock: Lock) -> set[str]:
    """Return the code below the source's root, as a port would find it; nothing for a source of one file."""
    if lock.source.single:
        return set()
    try:
        found = read_files(root, exclude=lock.source.exclude)
    except UsageError:
        return set()
    return {path for path in found.texts if is_code(path)}


def _locked(unit: Unit, decided: Evidence | None, place: str, files: Mapping[str, bytes]) -> LockedUnit:
    locked = LockedUnit(
        kind=unit.kind, path=unit.path, source=Fingerprint.of(unit.text), callees=tuple(sorted(unit.callees))
    )
    if decided is None:
        return locked
    verdict, candidate = decided.verdict, decided.candidate
    locked = replace(
        locked,
        verdict=verdict.kind,
        level=verdict.guarantee.level if isinstance(verdict, Passed) else None,
        evidence=decided.id,
        target_path=place,
    )
    if candidate is None or not place:
        return locked
    target = Fingerprint.of(candidate.replacements[0].text.strip())
    # Where assembling touched the text itself, the digest of its file has to do.
    return replace(locked, target=target) if target.found_in(files[place]) else locked


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read(root: Path, path: str) -> bytes | None:
    try:
        return foreign.read(root, path)
    except OSError as error:
        machine.raise_shortage(error)
        return None


def _line_starts(data: bytes) -> Iterator[int]:
    """Yield where each line starts, and where its text does after the indentation."""
    for match in _LINE.finditer(data):
        yield match.start()
        if match.end() > match.start():
            yield match.end()
