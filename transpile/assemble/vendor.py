"""The emulator's headers, copied into a port that still needs them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from transpile.parsers.files.includes import ending
from transpile.simt import include_directory, samples_directory
from transpile.toolchains.beside import INCLUDE

DIRECTORY = "simt"
_OF_C = "assert.h"
"""A header of ours by a name of C's. What needs ours includes the emulator, which includes it."""


def vendored(files: Mapping[str, bytes], *, forced: Iterable[str] = ()) -> dict[str, bytes]:
    """Return the headers of ours that files reach, by their path in the port.

    Args:
        files: All texts of the port. A helper of CUDA's samples that is among them is not ours.
        forced: Headers that the compiler is told to include.
    """
    own = {name: text for name, text in _headers().items() if name not in _samples() or not _has(files, name)}
    reached: dict[str, bytes] = {}
    pending = [*forced, *(name for text in files.values() for name in _included(text, "") if name != _OF_C)]
    while pending:
        name = pending.pop()
        if name in own and name not in reached:
            reached[name] = own[name]
            pending += _included(own[name], posixpath.dirname(name))
    return {f"{DIRECTORY}/{name}": reached[name] for name in sorted(reached)}


def _has(files: Mapping[str, bytes], name: str) -> bool:
    return next(ending(files, name), None) is not None


def _included(text: bytes, directory: str) -> list[str]:
    """Return what a text may include: by the name alone, and from the directory of its file."""
    names = [
        (quoted or angled).decode("utf-8", "surrogateescape") for quoted, angled in INCLUDE.findall(text)
    ]
    return [*names, *(posixpath.normpath(posixpath.join(directory, name)) for name in names)]


@cache
def _headers() -> dict[str, bytes]:
    return _read(include_directory()) | _samples()


@cache
def _samples() -> dict[str, bytes]:
    return _read(samples_directory())


def _read(directory: Path) -> dict[str, bytes]:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}
