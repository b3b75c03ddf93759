"""Patterns of ``file(GLOB)``: files of CUDA and of the host that become alike are still told apart."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase

from transpile.code.cmake import Command
from transpile.code.edits import Edit

_SUFFIXES = frozenset((".cu", ".cpp", ".cc", ".cxx"))
"""Suffixes of files that have, or may get, the name of a port's."""
_HERE = re.compile(r"(?:\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}/|\./)*")
_TOP = re.compile(r"\$\{(?:PROJECT|CMAKE)_SOURCE_DIR\}/")


def narrowed(command: Command, names: Mapping[str, str], folder: str, *, top: bool) -> list[Edit[str]]:
    """Return the edits by which a ``file(GLOB)`` finds what it found in the source, and nothing else.

    None are needed where the patterns, with the suffix of the port, do.

    Args:
        command: Any.
        names: The port's path of each file.
        folder: Of the CMakeLists.txt.
        top: Whether a project begins in it.
    """
    if command.name != "file" or command.words[:1] not in (("GLOB",), ("GLOB_RECURSE",)):
        return []
    deep = command.words[0] == "GLOB_RECURSE"
    read = [_Pattern.of(word, top=top) for word in command.words]
    patterns = [item for item in read if item is not None]
    before = {names[path] for item in patterns for path in item.found(names, folder, deep=deep)}
    ported = [item.renamed() for item in patterns]
    after = {path for item in ported for path in item.found(names.values(), folder, deep=deep)}
    if before == after:
        return []
    edits = []
    for argument, word, pattern in zip(command.arguments, command.words, read, strict=True):
        if pattern is not None:
            found = [names[path] for path in pattern.found(names, folder, deep=deep)]
            text = " ".join(pattern.naming(found, folder)) or word
            edits.append(Edit(argument.start, argument.end, text))
    return edits


class _Pattern:
    """A pattern of file names in a folder of the source."""

    def __init__(self, ahead: str, below: str, name: str) -> None:
        self._ahead = ahead
        self._below = below
        self._name = name

    @classmethod
    def of(cls, word: str, *, top: bool) -> _Pattern | None:
        """Return the pattern of a word; None for what is none, or leads nobody knows where."""
        here = (_TOP.match(word) if top else None) or _HERE.match(word)
        ahead = here[0] if here is not None else ""
        below, name = posixpath.split(word[len(ahead) :])
        known = posixpath.splitext(name)[1] in _SUFFIXES and not re.search(r"[$*?\[]", below)
        return cls(ahead, below, name) if known and re.search(r"[*?\[]", name) else None

    def renamed(self) -> _Pattern:
        """Return what becomes of it in a port."""
        stem, suffix = posixpath.splitext(self._name)
        return _Pattern(self._ahead, self._below, stem + (".cpp" if suffix == ".cu" else suffix))

    def found(self, paths: Collection[str], folder: str, *, deep: bool) -> Iterator[str]:
        """Yield the paths that it matches, as CMake sorts them."""
        top = posixpath.normpath(posixpath.join(folder, self._below))
        for path in sorted(paths):
            place, name = posixpath.split(path)
            inside = place == ("" if top == "." else top) or (deep and _is_below(place, top))
            if inside and fnmatchcase(name, self._name):
                yield path

    def naming(self, paths: Collection[str], folder: str) -> Iterator[str]:
        """Yield words that match these paths alone."""
        for path in paths:
            word = self._ahead + posixpath.relpath(path, folder or ".")
            yield f'"{word}"' if re.search(r"[\s;]", word) else word


def _is_below(place: str, top: str) -> bool:
    return top == "." or place.startswith(f"{top}/")
