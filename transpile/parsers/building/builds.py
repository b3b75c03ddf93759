"""Builds: files, flags and programs, and small runs of those programs."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from transpile import foreign, machine
from transpile.code import cmake
from transpile.core import Diagnostic, ProgramTarget, Severity, TranslationUnit
from transpile.errors import TranspileError
from transpile.parsers.building import cmakes, commands, goals, makefiles, outside, projects
from transpile.parsers.building import flags as allowed
from transpile.parsers.building.commands import Command
from transpile.parsers.building.whole_programs import whole_programs
from transpile.parsers.files.discovery import is_source
from transpile.parsers.files.includes import closure, searched
from transpile.toolchains.beside import include_directories

_DATABASES = ("compile_commands.json", "build/compile_commands.json")
_LIBRARY = re.compile(r"lib(.+?)\.(?:a|so(?:\.\d+)*)")
_OF_RUNS = ("run", "test", "check")
"""Targets of Makefiles that run what was built."""
_CALLS = 3
"""Depth to which makes may call each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The translation units of a source and the programs linked from them."""

    translation_units: tuple[TranslationUnit, ...]
    programs: tuple[ProgramTarget, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    described_by: str = ""
    """The file that says so."""
    projects: tuple[str, ...] = ()
    """Folders that are built by themselves, where no build file in the root builds them."""
    goals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Targets of make besides the default one that the build takes, by the folder of their Makefile."""
    generated: Mapping[str, bytes] = field(default_factory=dict)
    """Headers that no checkout has, as the build writes them before it compiles anything."""


def describe(
    root: Path, files: Mapping[str, bytes], flags: Sequence[str], opened: Sequence[Path] = ()
) -> Build:
    """Return the build: from compile_commands.json, else the Makefile, else CMakeLists.txt, else a guess.

    Args:
        root: Of the source.
        files: Its code by path.
        flags: The user's own, which come after those of the build.
        opened: Directories outside of the root that the user lets it read.
    """
    unread = tuple(_unread_databases(root, opened))
    for way in (_database, _make, _cmake):
        found = way(root, files, opened)
        if found is not None and found.translation_units:
            located = _located(found, root, flags, opened)
            return replace(located, diagnostics=(*located.diagnostics, *unread))
    found = _apart(root, files, flags, opened) or guess(files, flags)
    return replace(found, diagnostics=(*found.diagnostics, *unread))


def _apart(
    root: Path, files: Mapping[str, bytes], flags: Sequence[str], opened: Sequence[Path]
) -> Build | None:
    """Ask each folder that is built by itself, and guess about the rest; None where none is."""
    folders = projects.folders(filter(is_source, files), lambda folder: _has_build_file(root / folder))
    if not folders or "" in folders:
        return None
    free = [path for path in files if is_source(path) and projects.project_of(path, folders) is None]
    found = [_located(_project(root, files, opened, folder, free), root, flags, opened) for folder in folders]
    units = {unit.path: unit for build in reversed(found) for unit in build.translation_units}
    rest = {
        path: data
        for path, data in files.items()
        if path not in units and projects.project_of(path, folders) is None
    }
    left = guess(rest, flags)
    return Build(
        translation_units=(*units.values(), *left.translation_units),
        programs=(*(program for build in found for program in build.programs), *left.programs),
        diagnostics=tuple(told for build in found for told in build.diagnostics),
        projects=folders,
        goals={folder: asked for build in found for folder, asked in build.goals.items()},
        generated={path: data for build in found for path, data in build.generated.items()},
    )


def _has_build_file(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (*projects.MAKEFILES, projects.CMAKE))


def _project(
    root: Path, files: Mapping[str, bytes], opened: Sequence[Path], folder: str, free: Sequence[str]
) -> Build:
    """Return the build of a folder that is built by itself; its programs are called by their paths.

    Where it is guessed, its programs may be made of sources in no such folder (``free``), too.
    """
    found = _make(root, files, opened, folder) or _cmake(root, files, opened, folder)
    if found is None:
        found = guess(_below(files, folder), ())
    if any(program.guessed for program in found.programs):
        found = _with_sources_beside(found, files, free)
    prefix = f"{folder}/"
    return replace(
        found,
        programs=tuple(
            replace(program, name=f"{prefix}{program.name.removeprefix(prefix)}", project=folder)
            for program in found.programs
        ),
    )


def _with_sources_beside(found: Build, files: Mapping[str, bytes], free: Sequence[str]) -> Build:
    """Return a guessed build with the sources of other folders that its programs name functions of."""
    own = {unit.path: unit for unit in found.translation_units}
    found_all = whole_programs(files, [*own, *free])
    programs = tuple(item for item in found_all if item.translation_units[0] in own)
    if not programs or all(own.keys() >= set(item.translation_units) for item in programs):
        return found
    paths = dict.fromkeys(path for item in programs for path in item.translation_units)
    units = (replace(unit, flags=searched(files, unit.path, unit.flags)) for unit in own.values())
    more = (TranslationUnit(path=path, flags=searched(files, path, ())) for path in paths if path not in own)
    return replace(found, translation_units=(*units, *more), programs=programs)


def _below(files: Mapping[str, bytes], folder: str) -> Mapping[str, bytes]:
    """Return the files of a folder; all of them are those of the root."""
    return {path: data for path, data in files.items() if path.startswith(f"{folder}/")} if folder else files


def _unread_databases(root: Path, opened: Sequence[Path]) -> Iterator[Diagnostic]:
    """Yield that a database is not read since links lead out of the root to it."""
    for name in _DATABASES:
        place = root / name
        if place.exists() and not outside.may_open(place, root, opened):
            yield outside.not_opened(name, place.resolve(), name)


def _located(found: Build, root: Path, flags: Sequence[str], opened: Sequence[Path]) -> Build:
    """Return the build with the directories that it may read, and the user's flags."""
    located = [outside.located(unit.flags, root, opened) for unit in found.translation_units]
    named = tuple(dict.fromkeys(flag for item in located for flag in item.flags))
    closed = tuple(dict.fromkeys(path for item in located for path in item.closed))
    return replace(
        found,
        translation_units=tuple(
            replace(unit, flags=(*item.flags, *flags))
            for unit, item in zip(found.translation_units, located, strict=True)
        ),
        diagnostics=(*found.diagnostics, *outside.diagnostics(named, closed, root, found.described_by)),
    )


def _refused(found: Sequence[Command], described_by: str) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each option that no build of ours takes."""
    return tuple(
        Diagnostic(
            code="TP132",
            severity=Severity.WARNING,
            path=described_by,
            line=1,
            message=f"the flag `{name}` is refused: it could run programs, load code or read files",
            hint="give what the code needs of it with -I and -D",
        )
        for name in dict.fromkeys(name for command in found for name in command.refused)
    )


def guess(files: Mapping[str, bytes], flags: Sequence[str]) -> Build:
    """Return a build where none is described: every source file that no other includes, one program."""
    sources = {path: searched(files, path, flags) for path in files if is_source(path)}
    included = {
        inner
        for path, own in sources.items()
        for inner in closure(files, path, include_directories(own))
        if inner != path
    }
    units = tuple(
        TranslationUnit(path=path, flags=own) for path, own in sources.items() if path not in included
    )
    return Build(translation_units=units, programs=whole_programs(files, [unit.path for unit in units]))


def _database(root: Path, files: Mapping[str, bytes], opened: Sequence[Path]) -> Build | None:
    """Read compile_commands.json, in the root or in a build directory below it."""
    for name in _DATABASES:
        try:
            entries = json.loads(_opened(root, name, opened))
        except OSError as error:
            machine.raise_shortage(error)
            continue
        except (ValueError, RecursionError):
            continue
        found = []
        for entry in entries if isinstance(entries, list) else ():
            words = entry.get("arguments") or shlex.split(entry.get("command", ""))
            directory = os.path.relpath(str(entry.get("directory", root)), root)
            command = commands.parse(words, directory)
            if command is not None:
                found.append(_within(command, root))
        build = from_commands(found, files, ())
        return None if build is None else replace(build, described_by=name, diagnostics=_refused(found, name))
    return None


def _opened(root: Path, name: str, opened: Sequence[Path]) -> bytes:
    """Read a file below the root, or one that links lead to and that may be read."""
    real = (root / name).resolve()
    if not real.is_relative_to(root.resolve()) and outside.may_open(real, root, opened):
        return foreign.read(real.parent, real.name)
    return foreign.read(root, name)


def _make(root: Path, files: Mapping[str, bytes], opened: Sequence[Path], folder: str = "") -> Build | None:
    """Ask make what it would do in a folder."""
    within = root / folder
    makefile = next((name for name in projects.MAKEFILES if (within / name).is_file()), None)
    if makefile is None:
        return None
    name = posixpath.join(folder, makefile)
    try:
        answer = makefiles.ask(root, makefile, [], opened, within)
        said = foreign.read(root, name)
        asking = [goal for goal in _OF_RUNS if re.search(rb"^%s\s*:" % goal.encode(), said, re.MULTILINE)]
        run_texts = [makefiles.ask(root, makefile, [goal], opened, within).text for goal in asking]
    except (TranspileError, foreign.Refused) as error:
        return replace(guess(_below(files, folder), ()), diagnostics=(_unasked(name, str(error)),))
    found = list(_commands(root, answer.text, opened))
    asked: list[str] = []
    left = goals.left_out(_below(files, folder), _compiled(found))
    wanted = left and not answer.complaint
    for goal, text in goals.texts(root, makefile, said, opened, within) if wanted else ():
        more = list(_commands(root, text, opened))
        if left & _compiled(more):
            asked.append(goal)
            found += more
            left -= _compiled(more)
    runs = [
        _run_in(os.path.relpath(root / place, root), words)
        for run_text in run_texts
        for place, words in commands.lines(run_text)
        if commands.parse(words) is None
    ]
    build = from_commands(found, files, runs)
    told = (*_refused(found, name), *outside.diagnostics((), answer.closed, root, name))
    if not answer.complaint:
        beside = {folder: tuple(asked)} if asked else {}
        return build and replace(build, described_by=name, diagnostics=told, goals=beside)
    linked = any(not command.compiles_only for command in found)
    if build is None or not linked:
        build = guess(_below(files, folder), _common_flags(build))
    return replace(build, described_by=name, diagnostics=(*told, _unasked(name, answer.complaint)))


def _commands(root: Path, text: str, opened: Sequence[Path]) -> Iterator[Command]:
    """Yield the calls of compilers and archivers that make would make."""
    for directory, words in _make_lines(root, text, opened):
        place = os.path.relpath(root / directory, root)
        command = commands.parse(words, place) or commands.archive(words, place)
        if command is not None:
            yield _within(command, root)


def _compiled(found: Sequence[Command]) -> frozenset[str]:
    return frozenset(source for command in found for source in command.sources)


def _make_lines(
    root: Path, text: str, opened: Sequence[Path], depth: int = 0
) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands that make would run, and those of the makes that it calls by their plain name."""
    for directory, words in commands.lines(text):
        yield directory, words
        place = (root / directory).resolve()
        inside = place.is_relative_to(root.resolve()) and place.is_dir()
        if words[0] in ("make", "gmake") and inside and depth < _CALLS:
            inner = makefiles.ask(root, "", words[1:], opened, place=place)
            yield from _make_lines(root, inner.text, opened, depth + 1)


def _run_in(folder: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return a run in a folder as one from the root."""
    if folder == "." or not words[0].startswith("./"):
        return tuple(words)
    return (f"./{posixpath.normpath(posixpath.join(folder, words[0]))}", *words[1:])


def _unasked(name: str, reason: str) -> Diagnostic:
    return Diagnostic(
        code="TP130",
        severity=Severity.WARNING,
        path=name,
        line=1,
        message=f"`make -Bn` failed, so flags and programs are partly guessed: {reason}",
        hint="mend that, or write a compile_commands.json, which is read instead: `bear -- make`",
    )


_UNREAD = Diagnostic(
    code="TP130",
    severity=Severity.WARNING,
    path="CMakeLists.txt",
    line=1,
    message="no program could be read from CMakeLists.txt",
    hint="`cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes a file that is read instead",
)


def _common_flags(build: Build | None) -> tuple[str, ...]:
    """Return what all translation units of a part of a build are compiled with."""
    units = build.translation_units if build else ()
    return (
        tuple(flag for flag in units[0].flags if all(flag in unit.flags for unit in units)) if units else ()
    )


def _within(command: Command, root: Path) -> Command:
    """Make the sources relative to the root."""
    sources = tuple(os.path.relpath(path, root) if path.startswith("/") else path for path in command.sources)
    return replace(command, sources=sources)


def from_commands(
    found: Sequence[Command], files: Mapping[str, bytes], runs: Sequence[tuple[str, ...]]
) -> Build | None:
    """Return the build that compiler calls describe; None where they compile nothing of the source."""
    units: dict[str, TranslationUnit] = {}
    made: dict[str, tuple[str, ...]] = {}
    for command in found:
        for source in command.sources:
            if source in files:
                units.setdefault(source, TranslationUnit(path=source, flags=command.flags))
                made[_object(command, source)] = (source,)
    for command in found:
        if command.library and command.output:
            made[command.output] = tuple(_parts(command, units, made, _made_libraries(made)))
    libraries = _made_libraries(made)
    programs: dict[str, ProgramTarget] = {}
    for command in found:
        if command.compiles_only or command.library:
            continue
        parts = list(_parts(command, units, made, libraries))
        name = command.output or "a.out"
        if parts:
            rest = tuple(flag for flag in command.link_flags if flag not in libraries)
            programs.setdefault(name, _program(name, parts, replace(command, link_flags=rest), runs))
    if not units:
        return None
    if not programs:
        own = tuple(run for run in runs if run[0].startswith("./"))
        programs |= {whole.name: replace(whole, runs=own) for whole in whole_programs(files, list(units))}
    return Build(translation_units=tuple(units.values()), programs=tuple(programs.values()))


def _object(command: Command, source: str) -> str:
    """Return the object file that a command makes of a source."""
    if command.compiles_only and command.output:
        return command.output
    stem = posixpath.splitext(posixpath.basename(source))[0]
    return posixpath.normpath(posixpath.join(command.directory, f"{stem}.o"))


def _parts(
    command: Command,
    units: Mapping[str, TranslationUnit],
    made: Mapping[str, tuple[str, ...]],
    libraries: Mapping[str, tuple[str, ...]],
) -> Iterator[str]:
    """Yield the sources of what a command links: its own, and those of objects and libraries of the build."""
    yield from (path for path in command.sources if path in units)
    for path in command.objects:
        yield from made.get(path, ())
    for flag in command.link_flags:
        yield from libraries.get(flag, ())


def _made_libraries(made: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the sources of the libraries that a build makes, by the flags that link them."""
    names = ((_LIBRARY.fullmatch(posixpath.basename(path)), parts) for path, parts in made.items())
    return {f"-l{name[1]}": parts for name, parts in names if name is not None}


def _program(
    name: str, parts: Sequence[str], command: Command, runs: Sequence[tuple[str, ...]]
) -> ProgramTarget:
    own = [
        run[index:]
        for run in runs
        for index, word in enumerate(run)
        if posixpath.normpath(word) == name and ("/" in word or not index)
    ]
    return ProgramTarget(
        name=name,
        translation_units=tuple(dict.fromkeys(parts)),
        link_flags=command.link_flags,
        runs=tuple(dict.fromkeys(own)),
    )


def _cmake(root: Path, files: Mapping[str, bytes], opened: Sequence[Path], folder: str = "") -> Build | None:
    """Ask CMake what it would build in a folder.

    Where it says nothing, the plain commands of a CMakeLists.txt in the root are read.
    """
    name = posixpath.join(folder, projects.CMAKE)
    if not (root / name).is_file():
        return None
    answer = cmakes.ask(root, opened, folder)
    parsed = (commands.parse(words, folder) for words in answer.commands)
    found = [_within(command, root.resolve()) for command in parsed if command is not None]
    build = from_commands(found, files, ())
    if build is None:
        told = (
            replace(_UNREAD, message=f"{_UNREAD.message}: {answer.complaint}")
            if answer.complaint
            else _UNREAD
        )
        told = replace(told, path=name)
        plain = (
            _plain_cmake(root, files, told)
            if not folder
            else replace(guess(_below(files, folder), ()), diagnostics=(told,))
        )
        return replace(plain, generated=answer.generated) if plain is not None else None
    tests = [_run_in(folder or ".", words) for words in _cmake_tests(root / folder)]
    programs = tuple(
        replace(program, runs=tuple(run for run in tests if run[0] == f"./{program.name}"))
        for program in build.programs
    )
    return replace(
        build,
        programs=programs,
        described_by=name,
        diagnostics=(*_refused(found, name), *_without(answer.missing, name)),
        generated=answer.generated,
    )


def _without(missing: Sequence[str], described_by: str) -> Iterator[Diagnostic]:
    """Yield what CMake was asked without."""
    if missing:
        yield Diagnostic(
            code="TP134",
            severity=Severity.WARNING,
            path=described_by,
            line=1,
            message=f"this machine lacks what the build requires: {', '.join(missing)}",
            hint="the build is read without; install them to judge what needs them, and to build the port",
        )


def _cmake_tests(root: Path) -> Iterator[tuple[str, ...]]:
    """Yield the commands of tests that CMakeLists.txt in the root names."""
    text = foreign.read(root, "CMakeLists.txt").decode("utf-8", "replace")
    for command in cmake.commands(text):
        words = command.words
        if command.name == "add_test" and "COMMAND" in words:
            name, *arguments = words[words.index("COMMAND") + 1 :] or ("",)
            if name and not any("$" in word for word in arguments):
                yield (f"./{name}", *arguments)


def _plain_cmake(root: Path, files: Mapping[str, bytes], told: Diagnostic) -> Build | None:
    """Read the plain commands of a CMakeLists.txt in the root: flags alone, where they name no source."""
    try:
        text = foreign.read(root, "CMakeLists.txt").decode("utf-8", "replace")
    except OSError as error:
        machine.raise_shortage(error)
        return None
    text = re.sub(r"#[^\n]*", "", text)
    calls = [(name.lower(), shlex_words(body)) for name, body in re.findall(r"(\w+)\s*\(([^()]*)\)", text)]
    flags: list[str] = []
    libraries: list[str] = []
    for name, words in calls:
        values = [
            word for word in words if word not in ("PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE")
        ]
        given = [word for word in map(_variable, values[name.startswith("target") :]) if "$" not in word]
        if name in ("include_directories", "target_include_directories"):
            flags += _meant("-I", given)
        elif name in ("add_definitions", "add_compile_definitions", "target_compile_definitions"):
            flags += _meant("-D", [word.removeprefix("-D") for word in given])
        elif name == "target_link_libraries":
            libraries += ["-l" + word for word in values[1:] if word in ("m", "pthread")]
    standard = re.search(r"(?:CUDA|CXX)_STANDARD\s+(\d+)", text)
    flags += [f"-std=c++{standard[1]}"] if standard else []
    programs = []
    units: dict[str, TranslationUnit] = {}
    for name, words in calls:
        if name in ("add_executable", "cuda_add_executable") and words:
            sources = [posixpath.normpath(_variable(word)) for word in words[1:]]
            sources = [path for path in sources if path in files and is_source(path)]
            units |= {path: TranslationUnit(path=path, flags=tuple(flags)) for path in sources}
            if sources:
                programs.append(
                    ProgramTarget(
                        name=words[0],
                        translation_units=tuple(sources),
                        link_flags=tuple(dict.fromkeys(libraries)),
                    )
                )
    if units:
        return Build(translation_units=tuple(units.values()), programs=tuple(programs))
    return replace(guess(files, flags), described_by="CMakeLists.txt", diagnostics=(told,))


def _meant(name: str, values: Sequence[str]) -> list[str]:
    """Return an option with each of the values that it may have."""
    return [flag for value in values for flag in allowed.meaning(name, value, posixpath.normpath) or ()]


def _variable(word: str) -> str:
    """Resolve the variables that name the source directory."""
    return (
        re.sub(r"\$\{(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR)\}/?", "", word) or "."
    )


def shlex_words(text: str) -> list[str]:
    """Split as the shell does; where quotes do not match, at white space."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
