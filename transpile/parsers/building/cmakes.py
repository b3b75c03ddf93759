"""CMake, asked what it would build: run in the sandbox, and read by its File API (cmake-file-api(7))."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from transpile import foreign
from transpile.parsers.files.discovery import HEADERS
from transpile.toolchains import sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.visible import has_controls

_HOOKS = "cuda.cmake"
_REPLY = "build/.cmake/api/v1/reply"
_TREE = "tree"
_BUILD = "build"
_MISSING = f"{_BUILD}/transpile-missing"
"""Packages that the project requires, one a line: cuda.cmake goes on without them."""
_OWN = frozenset(("CMakeFiles", ".cmake"))
"""Folders in which CMake keeps what concerns nobody else."""
_MOST_GENERATED = 64
_LARGEST_GENERATED = 1 << 20
_SECONDS = 120
_MEMORY = 2 << 30
_LISTS = "CMakeLists.txt"
_FIRST = b'cmake_minimum_required(VERSION 3.18)\ninclude("$ENV{TRANSPILE_HOOKS}")\n'
"""Comes before all that a project says, so that its commands are ours where CUDA is concerned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The compiler's command lines that CMake would make, or why it makes none."""

    commands: tuple[tuple[str, ...], ...] = ()
    complaint: str = ""
    generated: Mapping[str, bytes] = field(default_factory=dict)
    """Headers that it writes (``configure_file``), by their paths in the root."""
    missing: tuple[str, ...] = ()
    """Packages that the project requires and that are neither here nor fetched."""


class _Project:
    """A folder of a source with a CMakeLists.txt, and how its paths are spelled where CMake runs."""

    def __init__(self, root: Path, folder: str) -> None:
        self.root = root.resolve()
        self.folder = folder

    def overlay(self, tree: Path) -> None:
        """Make a tree of links to the folder and to what lies beside it, with a first line of ours."""
        self._link_beside(tree)
        top = self.root / self.folder
        for parent, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != ".git"]
            here = tree / os.path.relpath(parent, self.root)
            here.mkdir(parents=True, exist_ok=True)
            for name in names:
                (here / name).symlink_to(Path(parent) / name)
        lists = os.path.join(self.folder, _LISTS)
        text = foreign.read(self.root, lists)
        (tree / lists).unlink()
        (tree / lists).write_bytes(_FIRST + text)

    def _link_beside(self, tree: Path) -> None:
        """Link what lies beside the folder and beside each folder above it, up to the root."""
        above = self.root
        for part in Path(self.folder).parts:
            here = tree / above.relative_to(self.root)
            here.mkdir(parents=True, exist_ok=True)
            for entry in above.iterdir():
                if entry.name not in (part, ".git"):
                    (here / entry.name).symlink_to(entry)
            above /= part

    def at(self, place: Path, word: str) -> str:
        """Return a word with the paths of the overlay, and of its build, as those of the source."""
        build = self.root / self.folder / _BUILD
        return word.replace(str(place / _TREE), str(self.root)).replace(str(place / _BUILD), str(build))


def ask(root: Path, opened: Sequence[Path], folder: str = "") -> Answer:
    """Return what CMake would compile and link, in a folder of the root.

    Args:
        root: Of the source.
        opened: Directories outside of it that it may read.
        folder: In which the CMakeLists.txt lies that is asked; what is beside it can be read, too.
    """
    project = _Project(root, folder)
    if shutil.which("cmake") is None:
        return Answer(complaint="cmake is not installed")
    with tempfile.TemporaryDirectory(prefix="transpile-", ignore_cleanup_errors=True) as directory:
        place = Path(directory)
        try:
            project.overlay(place / _TREE)
        except OSError as error:
            return Answer(complaint=f"the source cannot be read: {error.strerror}")
        query = place / "build/.cmake/api/v1/query"
        query.mkdir(parents=True)
        (query / "codemodel-v2").touch()
        finished = _configured(place, project, opened)
        answer = _answer(place, project, finished)
        return replace(answer, generated=dict(_generated(place, project)), missing=_missing(place))


def _answer(place: Path, project: _Project, finished: Finished) -> Answer:
    """Return what a run of CMake says of its targets."""
    if finished.status != 0:
        return Answer(complaint=_reason(finished.stderr.decode("utf-8", "replace")))
    try:
        found = tuple(_commands(_targets(place)))
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return Answer(complaint="what CMake says of its targets cannot be read")
    return Answer(commands=tuple(tuple(project.at(place, word) for word in words) for words in found))


def _missing(place: Path) -> tuple[str, ...]:
    try:
        text = foreign.read(place, _MISSING, most=_LARGEST_GENERATED).decode("utf-8", "replace")
    except OSError:
        return ()
    names = (line for line in text.splitlines() if line and not has_controls(line))
    return tuple(dict.fromkeys(names))[:_MOST_GENERATED]


def _generated(place: Path, project: _Project) -> Iterator[tuple[str, bytes]]:
    """Yield the headers that a run of CMake has written: text of the source that is in no checkout."""
    names = [
        (os.path.relpath(project.at(place, name), project.root), name)
        for top in (_TREE, _BUILD)
        for name in _headers(place / top)
        if top == _BUILD or not os.path.lexists(project.root / os.path.relpath(name, place / top))
    ]
    for path, name in names[:_MOST_GENERATED]:
        try:
            data = foreign.read(place, os.path.relpath(name, place), most=_LARGEST_GENERATED)
        except OSError:
            continue
        text = project.at(place, data.decode("utf-8", "surrogateescape"))
        yield path, text.encode("utf-8", "surrogateescape")


def _headers(top: Path) -> Iterator[str]:
    """Yield the headers below a folder that are no links, in the order of their names."""
    for parent, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in _OWN)
        for name in sorted(names):
            place = os.path.join(parent, name)
            header = os.path.splitext(name)[1].lower() in HEADERS and not has_controls(place)
            if header and not os.path.islink(place):
                yield place


def _configured(place: Path, project: _Project, opened: Sequence[Path]) -> Finished:
    hooks = Path(__file__).resolve().with_name(_HOOKS)
    return sandbox.execute(
        ["cmake", "-S", os.path.join(_TREE, project.folder), "-B", _BUILD, "-Wno-dev"],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=place, readable=[project.root, hooks.parent, *opened], writable=[place]),
        quota=Quota(timeout=_SECONDS, memory=_MEMORY),
        environment={"TRANSPILE_HOOKS": str(hooks)},
    )


def _reason(said: str) -> str:
    """Return the first error in one line, with its place in the project."""
    lines = [line.strip() for line in said.splitlines()]
    at = next((number for number, line in enumerate(lines) if line.startswith("CMake Error")), None)
    if at is None:
        return (lines[0] if lines else "it gives no reason")[:200]
    rest = lines[at + 1 :]
    ends = (number for number, line in enumerate(rest) if line.startswith(_NEXT))
    message = " ".join(filter(None, rest[: next(ends, len(rest))]))
    callers = (line for line in rest if _CALLER.fullmatch(line) and _HOOKS not in line)
    place = lines[at].replace("CMake Error at ", "").removesuffix(":")
    place = next(callers, place) if _HOOKS in place else place
    return f"{_PLACE.sub(_as_written, place)}: {message}"[:200]


_NEXT = ("Call Stack", "CMake Error", "CMake Warning", "-- ")
_CALLER = re.compile(r"[^:]+:\d+ \(\w+\)")
_PLACE = re.compile(rf"^{_LISTS}:(\d+)")


def _as_written(place: re.Match[str]) -> str:
    """Return a place in the first CMakeLists.txt without the lines that stand ahead of it."""
    ahead = _FIRST.count(b"\n")
    return f"{_LISTS}:{int(place[1]) - ahead}"


def _targets(place: Path) -> dict[str, dict[str, Any]]:
    """Return every target by its id."""
    index = next(name for name in sorted((place / _REPLY).iterdir()) if name.name.startswith("index-"))
    known = _read(place, index.name)["reply"]["codemodel-v2"]["jsonFile"]
    configurations = _read(place, known)["configurations"]
    return {item["id"]: _read(place, item["jsonFile"]) for item in configurations[0]["targets"]}


def _read(place: Path, name: str) -> Any:
    return json.loads(foreign.read(place, f"{_REPLY}/{name}"))


def _commands(targets: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield one command line for each file that is compiled, and one for each program."""
    for target in targets.values():
        for source, words in _compiled(target):
            yield ("c++", *words, "-c", source, "-o", f"{target['name']}/{source}.o")
    for target in targets.values():
        if target["type"] == "EXECUTABLE":
            objects = dict.fromkeys(_objects(target, targets))
            yield ("c++", *objects, "-o", target["nameOnDisk"], *dict.fromkeys(_linked(target)))


def _compiled(target: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the files that a target compiles, and the flags of each."""
    for group in target.get("compileGroups", ()):
        words: list[str] = []
        for part in group.get("compileCommandFragments", ()):
            words += shlex.split(part["fragment"])
        words += [f"-D{item['define']}" for item in group.get("defines", ())]
        words += [f"-I{item['path']}" for item in group.get("includes", ())]
        for index in group["sourceIndexes"]:
            yield target["sources"][index]["path"], words


def _objects(target: Mapping[str, Any], targets: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the objects of a target and of all targets that it depends on."""
    waiting, seen = [target["id"]], set()
    while waiting:
        identifier = waiting.pop()
        if identifier in seen or identifier not in targets:
            continue
        seen.add(identifier)
        found = targets[identifier]
        if found["type"] == "EXECUTABLE" and found is not target:
            continue
        for source, _ in _compiled(found):
            yield f"{found['name']}/{source}.o"
        waiting += [item["id"] for item in found.get("dependencies", ())]


def _linked(target: Mapping[str, Any]) -> Iterator[str]:
    """Yield the libraries that a program is linked with and that no target makes."""
    for part in target.get("link", {}).get("commandFragments", ()):
        for word in shlex.split(part["fragment"]):
            path = Path(word)
            if word.startswith("-l"):
                yield word
            elif path.is_absolute() and path.name.startswith("lib"):
                yield f"-l{path.name.removeprefix('lib').split('.')[0]}"
