"""Files of a tree that a build may read: the others need not be written, and change nothing that is built."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from transpile.core import TranslationUnit
from transpile.toolchains.beside import INSTALLED, include_directories, outside

_SPLICE = re.compile(rb"\\\r?\n")
_DIRECTIVE = re.compile(
    rb"^[^\S\n]*(?:\#|%:|\?\?=)[^\n]*\b(?:include|include_next|import|embed|__has_\w+)\b[^\n]*", re.MULTILINE
)
_PLAIN = re.compile(
    rb"\s*\#[^\S\n]*(?:include|include_next|import)[^\S\n]*(?:\"(?P<quoted>[^\"\n]+)\"|<(?P<angled>[^>\n]+)>)"
)
_BY_ASSEMBLER = b".incbin"
_BY_FLAG = ("-include", "-imacros", "@")
_HEADERS = ("", ".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".def")


def needed(files: Mapping[str, bytes], units: Sequence[TranslationUnit]) -> Mapping[str, bytes]:
    """Return the files that compiling the units may read, by path; all where something hides their names.

    A name leads to every file that ends with its last part. What lies in a directory of ``-I`` may also be
    included by headers of the system, under names that are theirs.
    """
    flags = [flag for unit in units for flag in unit.flags]
    foreign = [path for path in outside(flags) if not str(path).startswith(INSTALLED)]
    if foreign or any(flag.startswith(_BY_FLAG) for flag in flags):
        return files
    places: dict[str, list[str]] = {}
    for path in files:
        places.setdefault(posixpath.basename(path), []).append(path)
    found: dict[str, bytes] = {}
    pending = [*(unit.path for unit in units), *_searched(files, flags)]
    while pending:
        path = pending.pop()
        if path in found:
            continue
        found[path] = files[path]
        names = _included(files[path])
        if names is None:
            return files
        pending += (place for name in names for place in places.get(name, ()))
    return found


def _searched(files: Mapping[str, bytes], flags: Sequence[str]) -> Iterator[str]:
    """Yield the headers in directories of ``-I``."""
    for directory in map(posixpath.normpath, include_directories(flags)):
        below = "" if directory == "." else f"{directory}/"
        for path in files:
            if path.startswith(below) and posixpath.splitext(path)[1] in _HEADERS:
                yield path


@lru_cache(maxsize=4096)
def _included(text: bytes) -> frozenset[str] | None:
    """Return the last parts of the names that a text includes; None where some are not written out."""
    if _BY_ASSEMBLER in text:
        return None
    names = set()
    for line in _DIRECTIVE.findall(_SPLICE.sub(b"", text)):
        plain = _PLAIN.match(line)
        if plain is None:
            return None
        name = (plain["quoted"] or plain["angled"]).decode("utf-8", "surrogateescape")
        names.add(posixpath.basename(name))
    return frozenset(names)
