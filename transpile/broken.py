"""Parts of a source that do not build as they stand: files for other systems, programs that were guessed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from transpile.core import Diagnostic, ProgramTarget, Severity, Source, TranslationUnit
from transpile.parsers.building.projects import project_of
from transpile.parsers.files.includes import lacking
from transpile.parsers.lowering.excerpts import cut_files
from transpile.testers.programs.runs import build_units
from transpile.toolchains.beside import include_directories
from transpile.toolchains.build import BuildFailed, absent_libraries
from transpile.toolchains.devices import missing_header
from transpile.toolchains.workshop import Workshop

COMPLAINT = re.compile(
    r"^(?P<path>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<said>.*)$", re.MULTILINE
)
"""Where a compiler for the host, or clang, says what it does not take."""
_UNDEFINED = re.compile(r"undefined reference to [`'](\w[^']*)'")
_ALONE = "no build file names it: give the macros that it needs with `-D`, or leave it out with `exclude`"
_IN_PROJECT = "its project is left out: mend it, or leave it out with `exclude`"
_UNLINKED = "no build file says what it is linked with: write a Makefile that names its libraries and files"
_UNREAD = "its own build command is run all the same; `bear -- make` writes a database that says more"
_INSTALL = "install it, or give its directory with -I; the port's own build shows the rest"
_INSTALL_LIBRARY = "install it; the translations themselves are compiled and judged without it"
_DEVICE_LIBRARY = re.compile(
    r"(?:cudnn|cublas|cusolver|cusparse|cutensor|nccl|npp|nvjpeg|NvInfer)|(?:torch|ATen|c10)/"
)
_OF_DEVICES = (
    "it is a library for GPUs, and its calls stay: in a port to the CPU they get memory of the host, and have"
    " to be replaced"
)
_IN_PART = "only what translations need of it is compiled here: mend it, or give its macros with -D"
OBJECTS = ("-r", "-Wl,-z,muldefs")
"""Takes what belongs to several programs, each of which may define the same."""


def without_broken(
    workshop: Workshop, source: Source, files: Mapping[str, bytes]
) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Return a source without what does not build as it stands, as its build was read, and what that is.

    Files are left out where the build was guessed, and in a collection with their projects. Programs of
    its own build files do not link where these do what was not read: their own build decides, and their runs
    are not compared.

    Args:
        workshop: Where to build.
        source: What is ported.
        files: Its files as its programs are built from them.
    """
    if not source.programs:
        return source, ()
    failure_of = partial(_failure, workshop, source, files)
    guessed = all(program.guessed for program in source.programs)
    apart = guessed or bool(source.projects)
    whole = [unit for unit in source.translation_units if unit.path not in source.absent]
    if not apart and whole and failure_of(whole, OBJECTS) is not None:
        return source, ()
    notes: list[Diagnostic] = []
    units: list[TranslationUnit] = [] if apart else list(source.translation_units)
    broken: set[str] = set()
    for unit in source.translation_units if apart else ():
        failure = failure_of([unit], ("-r",))
        if failure is None:
            units.append(unit)
        else:
            broken.add(unit.path)
            hint = _ALONE if guessed else _IN_PROJECT
            notes += complaint(failure, "the file does not compile as it stands", hint)
    linked: list[ProgramTarget] = []
    for program in (_of(program, units) for program in source.programs):
        own = [unit for unit in units if unit.path in program.translation_units]
        failure = failure_of(own, program.link_flags) if own else None
        if own and failure is None:
            linked.append(program)
        elif failure is not None:
            notes.append(_unlinked(program, failure))
    projects = tuple(folder for folder in source.projects if not _concerns(source, folder, broken))
    return (
        replace(source, translation_units=tuple(units), programs=tuple(linked), projects=projects),
        tuple(notes),
    )


def in_part(
    workshop: Workshop, source: Source, files: Mapping[str, bytes]
) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Return a source without the programs that do not compile as a whole, and what is not shown of these.

    The files of such programs stay: what was judged of them is compiled, in excerpts.

    Args:
        workshop: Where to build.
        source: What is ported.
        files: Its files as its programs are built from them.
    """
    absent = dict(source.absent)
    notes = [_lacks(path, headers) for path, headers in absent.items()]
    for unit in source.translation_units:
        missing = frozenset(lacking(source.files, unit.path, include_directories(unit.flags)))
        cut = bool(cut_files(source, unit.path))
        failure = (
            _failure(workshop, source, files, [unit], ("-r",))
            if unit.path not in absent and (missing or cut)
            else None
        )
        header = missing_header(failure.output) if failure is not None else ""
        if header in missing:
            absent[unit.path] = (header,)
            notes.append(_lacks(unit.path, (header,)))
        elif failure is not None and cut:
            absent[unit.path] = ()
            notes += complaint(failure, "the file does not compile as it stands", _IN_PART)
    programs = tuple(
        program for program in source.programs if absent.keys().isdisjoint(program.translation_units)
    )
    return replace(source, programs=programs, absent=absent), tuple(notes)


def _lacks(path: str, headers: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="TP504",
        severity=Severity.WARNING,
        path=path,
        line=1,
        message=f"`{'`, `'.join(headers)}` is not found: only what the translations need of the file is"
        " compiled here, and its programs are not run",
        hint=_OF_DEVICES if any(map(_DEVICE_LIBRARY.match, headers)) else _INSTALL,
    )


def _concerns(source: Source, folder: str, paths: Collection[str]) -> bool:
    """Tell whether a project has one of these files."""
    return any(
        program.project == folder and not set(program.translation_units).isdisjoint(paths)
        for program in source.programs
    ) or any(project_of(path, source.projects) == folder for path in paths)


def complaint(failure: BuildFailed, message: str, hint: str) -> tuple[Diagnostic, ...]:
    """Return where a compiler stopped; nothing where it names no line."""
    found = COMPLAINT.search(failure.output)
    if found is None:
        return ()
    return (
        Diagnostic(
            code="TP504",
            severity=Severity.ERROR,
            path=posixpath.normpath(found["path"]),
            line=int(found["line"]),
            message=f"{message}: {found['said']}",
            hint=hint,
        ),
    )


def _failure(
    workshop: Workshop,
    source: Source,
    files: Mapping[str, bytes],
    units: Sequence[TranslationUnit],
    flags: Sequence[str],
) -> BuildFailed | None:
    built = build_units(workshop, source, files, units, flags)
    return built if isinstance(built, BuildFailed) else None


def _unlinked(program: ProgramTarget, failure: BuildFailed) -> Diagnostic:
    """Return that a program of the source lacks a library, or something that no file of it defines."""
    absent = absent_libraries(failure.output)
    found = _UNDEFINED.search(failure.output)
    lacking = f": `{found[1]}` is not defined" if found is not None else ""
    if absent:
        said, hint = f"is not run: `-l{'`, `-l'.join(absent)}` is not found", _INSTALL_LIBRARY
    elif program.guessed:
        said, hint = f"does not link as it stands{lacking}", _UNLINKED
    else:
        said, hint = f"is not run, since its build files do more than was read{lacking}", _UNREAD
    return Diagnostic(
        code="TP504",
        severity=Severity.ERROR if program.guessed and not absent else Severity.WARNING,
        path=program.translation_units[0],
        line=1,
        message=f"the program {program.name} {said}",
        hint=hint,
    )


def _of(program: ProgramTarget, units: Sequence[TranslationUnit]) -> ProgramTarget:
    """Return a program of those of its files that are among these."""
    paths = {unit.path for unit in units}
    own = tuple(path for path in program.translation_units if path in paths)
    return replace(program, translation_units=own)
