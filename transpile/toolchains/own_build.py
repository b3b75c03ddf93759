"""A build by its own command, in the sandbox: whether it succeeds, and what its products hold."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transpile import foreign
from transpile.toolchains import sandbox, speed, starved
from transpile.toolchains.build import BuildFailed, printed, shortened
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.kept import is_kept, keep
from transpile.toolchains.process import Finished
from transpile.toolchains.workshop import Workshop

SECONDS = 900.0
"""Of processors, and asleep, that a build may take on a machine at rest."""
_MOST_JOBS = 8
_RECORD = "build.json"
_PROGRAM = "program"
"""As other builds of ours call theirs: programs may print what they are called."""
_ELF, _ARCHIVE = b"\x7fELF", b"!<arch>\n"
_RUNNABLE = (2, 3)
"""Types of ELF files that may be programs."""
_SHARED = re.compile(r"\.so(?:\.\d+)*$")
_AT_ONCE = 200
"""Files whose symbols are listed by one command."""
_SYMBOL = re.compile(r"^(?:[0-9a-f]+)? +([A-Za-z]) (.+)$", re.MULTILINE)
_UNDEFINED = "Uvw"
_NAME = re.compile(r"\w+")
_OF_OPENMP = re.compile(r"omp_fn|omp_outlined|omp_offloading|\bGOMP_|\b__kmpc_|\b__tgt_")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRun:
    """Result of a build by its own command."""

    failure: BuildFailed | None = None
    symbols: frozenset[str] = frozenset()
    """Demangled names in its products, each behind ``def`` where one of them defines it, else ``use``."""
    programs: Mapping[str, Path] = field(default_factory=dict)
    """Those that were asked for and that it made, by name; their shared libraries lie beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOrder:
    """A build that is wanted, and of which files."""

    command: str
    """For the shell, in the root of the files."""
    fill: Callable[[Path], None] = Path.mkdir
    """Writes the files into a directory that does not exist yet."""
    key: str = ""
    """Digest of the files and of what is wanted of them."""
    tools: Sequence[str] = ("g++",)
    """Compilers whose versions count."""
    readable: Sequence[Path] = ()
    """Directories and files that the build may read beside its own."""
    environment: Mapping[str, str] = field(default_factory=dict)
    programs: Collection[str] = ()
    """Names of programs that are wanted afterwards."""
    functions: Collection[str] = ()
    """Names of functions whose symbols are wanted, besides those of OpenMP."""


def run(workshop: Workshop, order: BuildOrder) -> BuildRun:
    """Build a tree by its own command. The same tree is not built twice."""
    final = workshop.cache / "own-builds" / order.key[:40]
    if is_kept(final):
        return _recorded(final, order)
    scratch = workshop.scratch()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="build-", ignore_cleanup_errors=True) as directory:
        tree, finished = _built(workshop, order, Path(directory))
        failure = BuildFailed(command=order.command, output=_said(finished, tree))
        # Whoever is short of time, memory or room may have it the next time.
        passing = finished.timed_out or finished.out_of_memory or finished.exceeded
        if passing or starved.wants(finished):
            return BuildRun(failure=failure)
        place = Path(directory) / "kept"
        place.mkdir()
        if finished.status != 0:
            _record(place, output=failure.output)
        else:
            products = list(_products(tree))
            made = _programs(tree, products, order)
            symbols = sorted(_symbols(workshop, tree, products, frozenset(order.functions)))
            _record(place, symbols=symbols, programs=list(made))
            _keep_programs(tree, place, [path for path, _ in products], list(made.values()))
        keep(place, final)
    return _recorded(final, order)


def _built(workshop: Workshop, order: BuildOrder, place: Path) -> tuple[Path, Finished]:
    """Run the command with several jobs; where that fails, anew with one, as its owner would.

    Returns the tree of the last run, and how that ended. What a build that failed leaves is never built upon.
    """
    jobs = min(os.cpu_count() or 1, _MOST_JOBS)
    many = {"MAKEFLAGS": f"-j{jobs}", "CMAKE_BUILD_PARALLEL_LEVEL": str(jobs)}
    tree = place / "tree"
    order.fill(tree)
    finished = _execute(workshop, order, tree, many)
    if finished.status != 0 and not finished.timed_out:
        tree = place / "again"
        order.fill(tree)
        finished = _execute(workshop, order, tree, {})
    return tree, finished


def _execute(workshop: Workshop, order: BuildOrder, tree: Path, more: Mapping[str, str]) -> Finished:
    return sandbox.execute(
        ["sh", "-c", order.command],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=tree, readable=order.readable, writable=[tree]),
        quota=Quota(timeout=SECONDS * speed.slowdown(workshop.cache), memory=workshop.memory),
        environment={**order.environment, **more},
        unsafe=workshop.unsafe,
    )


def _said(finished: Finished, tree: Path) -> str:
    text = printed(finished, tree)
    if finished.timed_out:
        text = f"error: it takes more than {finished.charged:.0f} s\n{text}"
    if finished.out_of_memory:
        text = f"error: it needs too much memory\n{text}"
    if finished.exceeded:
        text = f"error: it makes {finished.exceeded}\n{text}"
    return shortened(text)


def _products(tree: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the objects, libraries and programs below a tree, and their first bytes."""
    for parent, folders, names in os.walk(tree):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(parent, name), tree)
            try:
                with foreign.opened(tree, path) as file:
                    head = file.read(18)
            except OSError:  # no file, or one that a link leads to
                continue
            if head.startswith((_ELF, _ARCHIVE)):
                yield path, head


def _symbols(
    workshop: Workshop, tree: Path, products: Sequence[tuple[str, bytes]], functions: frozenset[str]
) -> set[str]:
    """Return the symbols of OpenMP and of these functions, and whether some product defines them."""
    paths = [posixpath.join(".", path) for path, _ in products]
    seen: set[str] = set()
    for start in range(0, len(paths), _AT_ONCE):
        finished = sandbox.execute(
            ["nm", "--demangle", *paths[start : start + _AT_ONCE]],
            profile=Profile.BUILD,
            mounts=Mounts(cwd=tree, readable=[tree]),
            quota=Quota(timeout=SECONDS, memory=workshop.memory),
            unsafe=workshop.unsafe,
        )
        for kind, name in _SYMBOL.findall(finished.stdout.decode("utf-8", "replace")):
            if _OF_OPENMP.search(name) or not functions.isdisjoint(_NAME.findall(name)):
                seen.add(f"{'use' if kind in _UNDEFINED else 'def'} {name}")
    return seen


def _programs(tree: Path, products: Sequence[tuple[str, bytes]], order: BuildOrder) -> dict[str, str]:
    """Return the path of each wanted program: the one of its path, else the only one of its name."""
    runnable = [
        path for path, head in products if head.startswith(_ELF) and len(head) > 16 and head[16] in _RUNNABLE
    ]
    found: dict[str, str] = {}
    for name in order.programs:
        plain = posixpath.normpath(name)
        alike = [path for path in runnable if posixpath.basename(path) == posixpath.basename(plain)]
        if plain in runnable or len(alike) == 1:
            found[name] = plain if plain in runnable else alike[0]
    return found


def _keep_programs(tree: Path, place: Path, products: Sequence[str], programs: Sequence[str]) -> None:
    """Move each program to a folder of its own, and the shared libraries among the products beside it."""
    libraries = [path for path in products if _SHARED.search(path)]
    for number, path in enumerate(programs):
        folder = place / str(number)
        folder.mkdir()
        foreign.move(tree, path, folder / _PROGRAM)
        for library in libraries:
            with (
                foreign.opened(tree, library) as file,
                (folder / posixpath.basename(library)).open("wb") as copy,
            ):
                shutil.copyfileobj(file, copy)


def _record(place: Path, **data: object) -> None:
    (place / _RECORD).write_text(json.dumps(data), encoding="utf-8")


def _recorded(final: Path, order: BuildOrder) -> BuildRun:
    """Read what was kept of a build."""
    data = json.loads((final / _RECORD).read_text(encoding="utf-8"))
    if "output" in data:
        return BuildRun(failure=BuildFailed(command=order.command, output=data["output"]))
    return BuildRun(
        symbols=frozenset(data["symbols"]),
        programs={name: final / str(number) / _PROGRAM for number, name in enumerate(data["programs"])},
    )
