"""Folders that are built by themselves: projects of a collection, in whose root no build file lies."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
CMAKE = "CMakeLists.txt"
_INCLUDE = re.compile(rb"^[ ]*(?:-|s)?include[ \t]+(?P<names>[^#\n]+)", re.MULTILINE)


def folders(paths: Iterable[str], holds: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the topmost folders above these files that hold a build file; the root is the empty name."""
    known: dict[str, bool] = {}
    found: dict[str, None] = {}
    for path in sorted(paths):
        for folder in _above(path):
            if folder not in known:
                known[folder] = holds(folder)
            if known[folder]:
                found[folder] = None
                break
    return tuple(found)


def project_of(path: str, projects: Iterable[str]) -> str | None:
    """Return the project whose folder a file lies in; None where it lies in none."""
    return next((folder for folder in _above(path) if folder in projects), None)


def is_makefile(path: str) -> bool:
    """Tell whether a file is read by make."""
    return posixpath.basename(path) in MAKEFILES or path.endswith(".mk")


def is_build_file(path: str) -> bool:
    """Tell whether a file is read by make or by CMake."""
    return is_makefile(path) or posixpath.basename(path) == CMAKE or path.endswith(".cmake")


def build_files(files: Mapping[str, bytes], project: str) -> frozenset[str]:
    """Return the build files below a folder, and the Makefiles that these include from elsewhere."""
    return _with_included(files, [path for path in files if path.startswith(f"{project}/")], project)


def run_in(files: Mapping[str, bytes], path: str) -> tuple[str, ...]:
    """Return the folders in which make reads a Makefile: its own, or those of all that include it."""
    own = posixpath.dirname(path)
    if posixpath.basename(path) in MAKEFILES:
        return (own,)
    makefiles = [name for name in files if posixpath.basename(name) in MAKEFILES]
    reading = (
        posixpath.dirname(name)
        for name in makefiles
        if path in _with_included(files, [name], posixpath.dirname(name))
    )
    return tuple(sorted(set(reading))) or (own,)


def _with_included(files: Mapping[str, bytes], paths: Iterable[str], place: str) -> frozenset[str]:
    """Return the build files among some, and the Makefiles that these include where make runs in a folder."""
    pending = list(filter(is_build_file, paths))
    found: set[str] = set()
    while pending:
        path = pending.pop()
        if path not in found:
            found.add(path)
            pending += _included(files, path, place) if is_makefile(path) else ()
    return frozenset(found)


def _included(files: Mapping[str, bytes], path: str, place: str) -> Iterator[str]:
    """Yield what a Makefile includes, as seen from where make runs or from the Makefile's own folder."""
    for names in _INCLUDE.findall(files[path]):
        for name in names.decode("utf-8", "surrogateescape").split():
            for folder in dict.fromkeys((place, posixpath.dirname(path))):
                found = posixpath.normpath(posixpath.join(folder, name))
                if found in files:
                    yield found


def _above(path: str) -> Iterator[str]:
    """Yield the folders above a file, the root first."""
    yield ""
    parts = posixpath.dirname(path).split("/")
    yield from ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1) if parts[0])
