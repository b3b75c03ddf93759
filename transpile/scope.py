"""Projects of a collection that a port concerns: the others are neither built nor touched."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from transpile.assemble.host_code.vocabulary import asks_for_cuda
from transpile.core import Diagnostic, Severity, Source, Unit, UnitKind
from transpile.parsers.building.projects import build_files, project_of
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import read_by
from transpile.parsers.signatures import OF_UNITS

_NAMED = 3
_OF_CUDA = (".cu", ".cuh")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Project:
    """A folder that is built by itself, or all that lies in none."""

    folder: str
    read: frozenset[str]
    """Files that its translation units read."""
    built: frozenset[str]
    """Its build files, wherever they lie."""
    translation_units: frozenset[str]

    def holds(self, path: str) -> bool:
        """Tell whether a file lies in the folder."""
        return bool(self.folder) and path.startswith(f"{self.folder}/")


def concerned(source: Source, units: Sequence[Unit]) -> Source:
    """Return a collection of projects without those that hold nothing that is judged.

    A project counts, too, if a port changes a file of its: code of CUDA or a build file that it has in common
    with one that counts. The files of the others stay as they are (``Source.outside``).
    """
    if not source.projects or not units:
        return source
    projects = [_project(source, folder) for folder in ("", *source.projects)]
    changed = {unit.path for unit in units}
    of_cuda = set() if source.dialect.is_plain else set(filter(partial(_is_of_cuda, source), source.files))
    chosen: list[_Project] = []
    while more := [item for item in projects if item not in chosen and changed & (item.read | item.built)]:
        chosen += more
        changed |= {path for item in more for path in (item.read & of_cuda) | item.built}
    left = [item for item in projects if item not in chosen and item.translation_units]
    return _narrowed(source, chosen, left) if left else source


def of_interest(source: Source, kinds: Collection[UnitKind]) -> Source:
    """Return a source that tells nothing of the declarations of units that are not judged."""
    idle = {(unit.path, unit.line) for unit in source.units if unit.kind not in kinds}
    judged = {(unit.path, unit.line) for unit in source.units if unit.kind in kinds}
    told = (
        item
        for item in source.diagnostics
        if item.code not in OF_UNITS or (item.path, item.line) not in idle - judged
    )
    return replace(source, diagnostics=tuple(told))


def _is_of_cuda(source: Source, path: str) -> bool:
    """Tell whether a port from CUDA changes a file, if only by its name."""
    return is_code(path) and (path.endswith(_OF_CUDA) or asks_for_cuda(source.files[path]))


def _project(source: Source, folder: str) -> _Project:
    """Return a project: what its programs are made of, and what else of its folder is compiled."""
    units = {path for item in source.programs if item.project == folder for path in item.translation_units}
    for unit in source.translation_units:
        if (project_of(unit.path, source.projects) or "") == folder and (
            folder or _is_alone(source, unit.path)
        ):
            units.add(unit.path)
    return _Project(
        folder=folder,
        read=frozenset(path for unit in units for path in read_by(source, unit)),
        built=build_files(source.files, folder) if folder else frozenset(),
        translation_units=frozenset(units),
    )


def _is_alone(source: Source, path: str) -> bool:
    """Tell whether no program is made of a file."""
    return not any(path in program.translation_units for program in source.programs)


def _narrowed(source: Source, chosen: Sequence[_Project], left: Sequence[_Project]) -> Source:
    read = frozenset(path for item in chosen for path in item.read)
    within = read | {path for item in chosen for path in item.built}
    folders = {posixpath.dirname(path) for path in read}
    outside = frozenset(
        path
        for path in source.files
        if path not in within
        and posixpath.dirname(path) not in folders
        and not any(item.holds(path) for item in chosen)
    )
    compiled = frozenset(path for item in chosen for path in item.translation_units)
    names = {item.folder for item in chosen}
    return replace(
        source,
        translation_units=tuple(unit for unit in source.translation_units if unit.path in compiled),
        units=tuple(unit for unit in source.units if unit.path not in outside),
        launches=tuple(launch for launch in source.launches if launch.path not in outside),
        programs=tuple(program for program in source.programs if program.project in names),
        projects=tuple(folder for folder in source.projects if folder in names),
        outside=source.outside | outside,
        diagnostics=(
            *(item for item in source.diagnostics if item.path not in outside),
            *_untouched([item.folder for item in left if item.folder]),
        ),
    )


def _untouched(folders: Sequence[str]) -> Iterator[Diagnostic]:
    if not folders:
        return
    more = f" and {len(folders) - _NAMED} more" if len(folders) > _NAMED else ""
    named = ", ".join(folders[:_NAMED]) + more
    yield Diagnostic(
        code="TP508",
        severity=Severity.NOTE,
        path=folders[0],
        line=1,
        message=f"folders that are built by themselves and hold nothing judged stay as they are: {named}",
        hint="name units of theirs with --only, or none, to port them as well",
    )
