"""The build files of a port."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from transpile.assemble import cmake, hip_cmake, makefile
from transpile.assemble.makefile import GXX, Driver
from transpile.assemble.vendor import DIRECTORY
from transpile.core import Source, arguments_of
from transpile.parsers.building.outside import of_toolkit
from transpile.parsers.building.projects import CMAKE, MAKEFILES, is_makefile, run_in
from transpile.parsers.files.discovery import is_source
from transpile.parsers.files.includes import compiled
from transpile.parsers.text.hosts import is_c
from transpile.toolchains.beside import headers_beside
from transpile.toolchains.recipes import SHIPPED_FLAGS

_OLD_STANDARD = re.compile(r"-std=(?:c|gnu)\+\+(?:98|03|0x|11|1y|14|1z|17)")
_ASKS_FOR_OPENMP = re.compile(rb"^[ \t]*#.*\b_OPENMP\b", re.MULTILINE)
_WORKING_DIRECTORY = re.compile(rb"\$[({]PWD[)}]")
"""The folder of the shell that calls make, which ``make -C`` does not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """Build files by path, and the command that uses them."""

    files: Mapping[str, bytes]
    command: str
    otherwise: str = ""
    """Another way to build it, in words."""


def own_command(files: Iterable[str], source: Source) -> str:
    """Return the command of the build files in the root, or of those of each project; empty where none are.

    Args:
        files: Of the port, or of its source.
        source: What is ported: its projects, and what make is asked for.
    """
    names = frozenset(files)
    if names.intersection(MAKEFILES):
        return _made("make", source.goals.get("", ()))
    if CMAKE in names:
        return "cmake -S . -B build && cmake --build build"
    return " && ".join(_command_in(folder, names, source) for folder in source.projects)


def _command_in(folder: str, names: frozenset[str], source: Source) -> str:
    """Return the command that builds a folder from the root."""
    place = shlex.quote(folder)
    made = [path for name in MAKEFILES if (path := posixpath.join(folder, name)) in names]
    goals = source.goals.get(folder, ())
    if any(_WORKING_DIRECTORY.search(source.files.get(path, b"")) for path in made):
        return f"(cd {place} && {_made('make', goals)})"
    if made:
        return _made(f"make -C {place}", goals)
    return f"cmake -S {place} -B {place}/build && cmake --build {place}/build"


def _made(make: str, goals: Sequence[str]) -> str:
    """Return what makes the default target of a Makefile, and these."""
    return f"{make} && {make} {shlex.join(goals)}" if goals else make


def openmp_hidden(source: Source) -> tuple[str, ...]:
    """Return the flag that hides OpenMP from a source that asks for it and is built without it."""
    code = compiled(source.files)
    flags = dict.fromkeys(flag for unit in source.translation_units for flag in unit.flags)
    texts = chain(code.values(), headers_beside(code, tuple(flags)).values())
    asked, without = any(map(_ASKS_FOR_OPENMP.search, texts)), "-fopenmp" not in flags
    return ("-U_OPENMP",) if asked and without else ()


def ported(
    source: Source,
    names: Mapping[str, str],
    others: Mapping[str, bytes],
    gone: Sequence[str],
    *,
    emulated: bool = False,
    driver: Driver = GXX,
) -> Build:
    """Return the build files of the port: the source's own rewritten, or a small Makefile where it has none.

    ``gone`` names the headers that the port has no use for.
    """
    more = (*SHIPPED_FLAGS, *openmp_hidden(source)) if driver is GXX else ()
    texts = {path: data.decode("utf-8", "surrogateescape") for path, data in others.items()}
    made = dict(_makefiles(source, names, others, more, emulated=emulated, driver=driver))
    for path, text in texts.items():
        base, directory = posixpath.basename(path), posixpath.dirname(path)
        if base == "CMakeLists.txt" and driver is not GXX:
            made[path] = hip_cmake.ported(text, names)
        elif base == "CMakeLists.txt" or (base.endswith(".cmake") and driver is GXX):
            include = _of_emulator(directory) if emulated else ()
            own = directory if base == "CMakeLists.txt" else None
            made[path] = cmake.ported(text, names, include=include, more=more, folder=own)
    files: dict[str, bytes] = {}
    for path, new in made.items():
        if new:
            place = run_in(others, path)[0] if is_makefile(path) else posixpath.dirname(path)
            spelled = anchored(_without(new, gone), source.root, place)
            files[path] = spelled.encode("utf-8", "surrogateescape")
    if command := own_command(files, source):
        return Build(files=files, command=command)
    if len(source.programs) > 1:
        paths = [path for program in source.programs for path in program.translation_units]
        text = makefile.generated_for(
            programs_of(source, names),
            include=(DIRECTORY,) if emulated else (),
            more=(*more, *_flags(source, paths)),
            driver=driver,
        )
        return Build(files={**files, "Makefile": text.encode()}, command="make")
    program = source.programs[0] if source.programs else None
    units = program.translation_units if program else tuple(unit.path for unit in source.translation_units)
    text = makefile.generated(
        program.name if program else None,
        [names[path] for path in units],
        include=(DIRECTORY,) if emulated else (),
        more=(*more, *_flags(source, units)),
        libraries=program.link_flags if program else (),
        arguments=" ".join(arguments_of(program.runs[0])) if program and program.runs else "",
        driver=driver,
    )
    return Build(files={**files, "Makefile": text.encode()}, command="make")


def _makefiles(
    source: Source,
    names: Mapping[str, str],
    others: Mapping[str, bytes],
    more: Sequence[str],
    *,
    emulated: bool,
    driver: Driver,
) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each Makefile of the port."""
    translated = {
        path: makefile.translated(data.decode("utf-8", "surrogateescape"), names, driver)
        for path, data in others.items()
        if is_makefile(path)
    }
    languages = languages_of(names.values())
    beside = _beside(source)
    for path, text in translated.items():
        places = run_in(others, path)
        # Some are named by a Makefile outside of the source, or by the user.
        spelled = anchored(text, source.root, places[0])
        lost = [place for place in beside if not re.search(rf"-I\s*{re.escape(place)}/?(?=\s|$)", spelled)]
        yield (
            path,
            makefile.flagged(
                text,
                include=(*(_of_emulator(*places) if emulated else ()), *lost),
                more=more,
                driver=driver,
                others=[(name, other) for name, other in translated.items() if name != path],
                languages=languages,
            ),
        )


def languages_of(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the languages of files, by the names that make's variables and CMake have for them."""
    spoken = {is_c(path) for path in paths if is_source(path)}
    return tuple(name for name, own in (("C", True), ("CXX", False)) if own in spoken)


def _of_emulator(*directories: str) -> tuple[str, ...]:
    """Return the directory of the emulator's headers, as seen from others."""
    return tuple(dict.fromkeys(posixpath.relpath(DIRECTORY, place or ".") for place in directories))


def programs_of(source: Source, names: Mapping[str, str]) -> list[makefile.Program]:
    """Return what is made: programs of one name are told apart by the folders of their files."""
    known = Counter(program.name for program in source.programs)
    return [
        makefile.Program(
            name=program.name
            if known[program.name] == 1
            else posixpath.join(posixpath.dirname(program.translation_units[0]), program.name),
            files=tuple(names[path] for path in program.translation_units),
            libraries=tuple(program.link_flags),
        )
        for program in source.programs
    ]


def _beside(source: Source) -> tuple[str, ...]:
    """Return the include directories outside of the source that exist, without those of a toolkit."""
    named = (flag[2:] for unit in source.translation_units for flag in unit.flags if flag.startswith("-I/"))
    return tuple(place for place in dict.fromkeys(named) if Path(place).is_dir() and not of_toolkit(place))


def _flags(source: Source, units: Sequence[str]) -> tuple[str, ...]:
    """Return what the files are compiled with: all of it, as one Makefile rule compiles all."""
    found: dict[tuple[str, ...], None] = {}
    for unit in source.translation_units:
        words = iter(unit.flags if unit.path in units else ())
        for word in words:
            if word == "-include":
                found[word, next(words, "")] = None
            elif not _OLD_STANDARD.fullmatch(word) and not of_toolkit(word[2:]):
                found[(word,)] = None
    return tuple(word for pair in found for word in pair)


def anchored(text: str, root: Path, directory: str) -> str:
    """Spell out paths that lead out of the source: the port stands somewhere else."""
    base = root if root.is_dir() else root.parent

    def absolute(match: re.Match[str]) -> str:
        place = (base / directory / match.group()).resolve()
        inside = place.is_relative_to(base.resolve())
        return match.group() if inside or not place.exists() else str(place)

    return re.sub(r"(?:(?<=-I)|(?<![\w./)}]))\.\./[\w./\-]*", absolute, text)


def _without(text: str, gone: Sequence[str]) -> str:
    """Drop the names of files that are not in the port."""
    for name in gone:
        text = re.sub(
            rf"[ \t]*(?:(?<=\s)|(?<=[:=]))[\w./\-]*(?<![\w.\-]){re.escape(name)}(?![\w.])", "", text
        )
    return text
