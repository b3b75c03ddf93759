"""The emulator's headers, copied into a port that still needs them."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from transpile.parsers.files.includes import ending
from transpile.simt import include_directory, samples_directory
from transpile.toolchains.beside import INCLUDE

DIRECTORY = "simt"
_OF_C = "assert.h"
"""A header of ours by a name of C's. What needs ours includes the emulator, which includes it."""


def vendored(
    files: Mapping[str, bytes], *, forced: Iterable[str] = (), directories: Collection[str] | None = None
) -> dict[str, bytes]:
    """Return the headers of ours that files reach, by their path in the port.

    Args:
        files: The code of the port. A header that an include line leads to there is not ours.
        forced: Headers that the compiler is told to include.
        directories: In which it looks for headers. None where that is not known: any of the name may be.
    """
    ours = _headers()
    asked = (
        name
        for path, text in files.items()
        for quoted, angled in INCLUDE.findall(text)
        for name in _spelled(quoted or angled, "")
        if name in ours and not _is_own(files, name, directories, beside=path if quoted else "")
    )
    reached: dict[str, bytes] = {}
    pending = [*forced, *dict.fromkeys(name for name in asked if name != _OF_C)]
    while pending:
        name = pending.pop()
        if name in ours and name not in reached:
            reached[name] = ours[name]
            pending += _included(ours[name], posixpath.dirname(name))
    return {f"{DIRECTORY}/{name}": reached[name] for name in sorted(reached)}


def _is_own(
    files: Mapping[str, bytes], name: str, directories: Collection[str] | None, *, beside: str
) -> bool:
    """Tell whether an include line may lead to a file of the port, from one that it stands ``beside``."""
    if directories is None:
        return next(ending(files, name), None) is not None
    places = [*directories, *([posixpath.dirname(beside)] if beside else [])]
    return any(posixpath.normpath(posixpath.join(place, name)) in files for place in places)


def _included(text: bytes, directory: str) -> list[str]:
    """Return what a text may include: by the name alone, and from the directory of its file."""
    found = (quoted or angled for quoted, angled in INCLUDE.findall(text))
    return [name for written in found for name in _spelled(written, directory)]


def _spelled(written: bytes, directory: str) -> tuple[str, str]:
    """Return a header's name alone, and from a directory."""
    name = written.decode("utf-8", "surrogateescape")
    return name, posixpath.normpath(posixpath.join(directory, name))


@cache
def _headers() -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for directory in (include_directory(), samples_directory())
        for path in directory.rglob("*")
        if path.is_file()
    }
