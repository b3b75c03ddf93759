"""Who includes whom, by ``#include`` lines that lead to files of the source."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from transpile.code.identity import Same
from transpile.code.lexer import closing, tokenize
from transpile.core import Source
from transpile.parsers.files.discovery import is_code
from transpile.simt import include_directory, samples_directory
from transpile.toolchains.beside import INCLUDE, include_directories
from transpile.toolchains.compilers import header_directories

_MOST_KNOWN = 4096
"""Files whose includes are kept in mind."""
_OF_MACRO = re.compile(rb"^[ \t]*#[ \t]*include[ \t]+[A-Za-z_]", re.MULTILINE)
_C_LINKAGE = re.compile(rb'\bextern\s*"C"')


def included(files: Mapping[str, bytes], path: str, directories: Sequence[str]) -> tuple[str, ...]:
    """Return the files of the source that a file includes directly, looked up as a compiler does."""
    found = (place for _, place in lookups(files, path, directories) if place is not None)
    return tuple(dict.fromkeys(found))


def foreign(files: Mapping[str, bytes], path: str, directories: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a file includes directly and that lead to no file of the source."""
    return tuple(name for name, place in lookups(files, path, directories) if place is None)


def lookups(
    files: Mapping[str, bytes], path: str, directories: Sequence[str]
) -> Iterator[tuple[str, str | None]]:
    """Yield what a file includes, in order, each with the first file of the source that it leads to."""
    for quoted, angled in _lines(files[path]):
        name = (quoted or angled).decode("utf-8", "surrogateescape")
        places = [posixpath.dirname(path)] if quoted else []
        candidates = (posixpath.normpath(posixpath.join(place, name)) for place in (*places, *directories))
        yield name, next((candidate for candidate in candidates if candidate in files), None)


@lru_cache(maxsize=_MOST_KNOWN)
def _lines(data: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return what a text includes, in quotes and in angles: headers are asked by all that include them."""
    return tuple(INCLUDE.findall(data))


def searched(files: Mapping[str, bytes], path: str, flags: Sequence[str]) -> tuple[str, ...]:
    """Return flags with the directories behind them in which headers are that nothing else leads to.

    A header counts that one file of the source alone can be, and that is not installed: whoever builds names
    the directory by hand.
    """
    found = tuple(flags)
    while True:
        directories = include_directories(found)
        added = {
            f"-I{place.removesuffix(name).rstrip('/') or '.'}": None
            for current in closure(files, path, directories)
            for name, place in _astray(files, current, directories)
        }
        if not added:
            return found
        found = (*found, *added)


def _astray(files: Mapping[str, bytes], path: str, directories: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names that lead nowhere, each with the only file of the source that ends with it."""
    quoted = {name.decode("utf-8", "surrogateescape") for name, _ in INCLUDE.findall(files[path])}
    for name in foreign(files, path, directories):
        places = list(ending(files, name))
        if len(places) == 1 and (name in quoted or not _is_installed(name)):
            yield name, places[0]


def lacking(files: Mapping[str, bytes], path: str, directories: Sequence[str]) -> Iterator[str]:
    """Yield the headers of a translation unit that nothing leads to: neither flags nor what is installed."""
    beside = [Path(place) for place in directories if place.startswith("/")]
    for current in closure(files, path, directories):
        for name in foreign(files, current, directories):
            if not _is_installed(name) and not any((place / name).is_file() for place in beside):
                yield name


@cache
def _is_installed(name: str) -> bool:
    """Tell whether a compiler finds a header without a flag."""
    places = (*header_directories(), include_directory(), samples_directory())
    return any((place / name).is_file() for place in places)


def ending(files: Iterable[str], name: str) -> Iterator[str]:
    """Yield the files that a name leads to from one of the directories above them."""
    return (place for place in files if f"/{place}".endswith(f"/{name}"))


def closure(files: Mapping[str, bytes], path: str, directories: Sequence[str]) -> tuple[str, ...]:
    """Return a file and everything of the source that it includes, in the order of first inclusion."""
    seen: dict[str, None] = {}
    pending = [path]
    while pending:
        current = pending.pop(0)
        if current not in seen and current in files:
            seen[current] = None
            pending += included(files, current, directories)
    return tuple(seen)


def compiled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that compilers may read: those with names of code, and whatever these include.

    All are returned where an include is the name of a macro.
    """
    found = {path: data for path, data in files.items() if is_code(path)}
    if any(map(_OF_MACRO.search, found.values())):
        return dict(files)
    others = {path: data for path, data in files.items() if path not in found}
    fresh = found
    while fresh and others:
        named = {
            posixpath.basename((quoted or angled).decode("utf-8", "surrogateescape"))
            for data in fresh.values()
            for quoted, angled in _lines(data)
        }
        fresh = {path: data for path, data in others.items() if posixpath.basename(path) in named}
        found |= fresh
        others = {path: data for path, data in others.items() if path not in fresh}
    return found


def with_c_linkage(source: Source) -> frozenset[str]:
    """Return the files that others include within ``extern "C" {``, and all that these include."""
    flags = [flag for unit in source.translation_units for flag in unit.flags]
    directories = include_directories(flags)
    first = {
        place
        for path, data in source.files.items()
        if _C_LINKAGE.search(data)
        for block in _c_blocks(data)
        for _, place in lookups({**source.files, path: block}, path, directories)
        if place is not None
    }
    return frozenset(item for path in first for item in closure(source.files, path, directories))


def shared_with_c(source: Source) -> frozenset[str]:
    """Return the headers that files of C include, at any depth."""
    return frozenset(
        path
        for unit in source.translation_units
        if unit.path.endswith(".c")
        for path in closure(source.files, unit.path, include_directories(unit.flags))
        if path != unit.path
    )


def _c_blocks(data: bytes) -> Iterator[bytes]:
    """Yield what stands between the braces of ``extern "C"``."""
    tokens = tokenize(data).text
    for index in range(len(tokens) - 2):
        if [token.text for token in tokens[index : index + 2]] != [b"extern", b'"C"']:
            continue
        if tokens[index + 2].text == b"{":
            end = closing(tokens, index + 2)
            yield data[tokens[index + 2].end : tokens[end].start if end is not None else len(data)]


@lru_cache(maxsize=8)
def readings(same: Same) -> Mapping[str, frozenset[str]]:
    """Return the files of a source that each of its translation units reads, by its path."""
    return {unit.path: frozenset(read_by(same.source, unit.path)) for unit in same.source.translation_units}


def read_by(source: Source, path: str) -> tuple[str, ...]:
    """Return the files of a source that a translation unit of it reads, itself first."""
    flags = next((unit.flags for unit in source.translation_units if unit.path == path), ())
    return closure(source.files, path, include_directories(flags))
