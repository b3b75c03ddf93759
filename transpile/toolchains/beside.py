"""Headers that a build takes from beside the source: no part of it, and yet verdicts depend on them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from transpile import foreign, machine

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
"""A line that includes a file: in quotes, or in angle brackets."""
INSTALLED = ("/usr/", "/opt/", "/lib/")
"""Directories of packages, which come and go: each key would read them from end to end."""


def outside(flags: Sequence[str]) -> list[Path]:
    """Return the directories and files that flags name by absolute paths and that exist."""
    words = [flag[2:] if flag.startswith(("-I", "-L")) else flag for flag in flags]
    return [path for path in (Path(word) for word in words if word.startswith("/")) if path.exists()]


def include_directories(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the directories that ``-I`` flags name."""
    found = []
    for index, flag in enumerate(flags):
        if flag in ("-I", "-isystem", "-iquote") and index + 1 < len(flags):
            found.append(flags[index + 1])
        elif flag.startswith("-I") and len(flag) > 2:
            found.append(flag[2:])
    return tuple(found)


def headers_beside(files: Mapping[str, bytes], flags: Sequence[str]) -> dict[str, bytes]:
    """Return the headers outside of the tree that its files may include, at any depth, by path."""
    places = [path for path in outside(flags) if not str(path).startswith(INSTALLED)]
    if not places:
        return {}
    directories = [path for path in places if path.is_dir()]

    def within(path: Path) -> bool:
        real = Path(os.path.realpath(path))
        return any(real.is_relative_to(os.path.realpath(place)) for place in places)

    found: dict[str, bytes] = {}
    pending = [path for path in places if path.is_file()]
    pending += _named(files.values(), directories)
    while pending:
        path = pending.pop()
        # An include may lead up and out again: no build sees that, and neither do we.
        if str(path) not in found and within(path):
            found[str(path)] = _content(path)
            pending += _named([found[str(path)]], [path.parent, *directories])
    return found


def _named(texts: Iterable[bytes], directories: Sequence[Path]) -> Iterator[Path]:
    """Yield the files in the directories that texts include."""
    names = {quoted or angled for text in texts for quoted, angled in INCLUDE.findall(text)}
    for name in sorted(names):
        for directory in directories:
            path = directory / name.decode("utf-8", "surrogateescape")
            if path.is_file():
                yield path


def _content(path: Path) -> bytes:
    try:
        return foreign.read(path.resolve().parent, path.resolve().name)
    except OSError as error:
        machine.raise_shortage(error)
        return b""
