"""The emulator's headers, copied into a port that still needs them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from functools import cache

from transpile.parsers.files.includes import ending
from transpile.simt import include_directory, samples_directory
from transpile.toolchains.beside import INCLUDE

DIRECTORY = "simt"
_OF_C = "assert.h"
"""A header of ours by a name of C's. What needs ours includes the emulator, which includes it."""


def vendored(files: Mapping[str, bytes], *, forced: Iterable[str] = ()) -> dict[str, bytes]:
    """Return the headers of ours that files reach, by their path in the port.

    Args:
        files: The code of the port. A header that is among it is not ours, whatever it is called.
        forced: Headers that the compiler is told to include.
    """
    ours = _headers()
    asked = {name for text in files.values() for name in _included(text, "")}.intersection(ours) - {_OF_C}
    reached: dict[str, bytes] = {}
    pending = [*forced, *(name for name in asked if next(ending(files, name), None) is None)]
    while pending:
        name = pending.pop()
        if name in ours and name not in reached:
            reached[name] = ours[name]
            pending += _included(ours[name], posixpath.dirname(name))
    return {f"{DIRECTORY}/{name}": reached[name] for name in sorted(reached)}


def _included(text: bytes, directory: str) -> list[str]:
    """Return what a text may include: by the name alone, and from the directory of its file."""
    names = [
        (quoted or angled).decode("utf-8", "surrogateescape") for quoted, angled in INCLUDE.findall(text)
    ]
    return [*names, *(posixpath.normpath(posixpath.join(directory, name)) for name in names)]


@cache
def _headers() -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for directory in (include_directory(), samples_directory())
        for path in directory.rglob("*")
        if path.is_file()
    }
