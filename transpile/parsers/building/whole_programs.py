"""Programs of files of which no build file says what is linked with what."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from transpile.core import ProgramTarget
from transpile.parsers.files.discovery import is_code, is_source

_MAIN = re.compile(rb"\bmain\s*\(")
_DEFINED = re.compile(rb"\b([A-Za-z_]\w*)\s*\((?:[^;{}()]|\([^;{}()]*\))*\)[\w\s]*\{")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CONTROL = frozenset((b"if", b"for", b"while", b"switch", b"catch", b"main"))


def whole_programs(files: Mapping[str, bytes], units: Sequence[str]) -> tuple[ProgramTarget, ...]:
    """Return a program for each file that begins one, with those that it is linked with.

    One of all files where a header does; none where nothing that is compiled looks like a beginning.

    Args:
        files: Texts by path.
        units: Paths of what is compiled.
    """
    if not any(_MAIN.search(data) for path, data in files.items() if _is_read(files, path, units)):
        return ()
    begins = [path for path in units if _MAIN.search(files[path])]
    if len(begins) < 2:
        return (ProgramTarget(name="main", translation_units=tuple(units), guessed=True),)
    rest = {path: _defined(files[path]) for path in units if path not in begins}
    near = {path: _nearest(path, begins) for path in rest}
    stems = [posixpath.splitext(path)[0] for path in begins]
    names = [_plain(posixpath.basename(stem)) for stem in stems]
    return tuple(
        ProgramTarget(
            name=name if names.count(name) == 1 else _plain(stem),
            translation_units=(path, *_linked(files, path, near, rest)),
            guessed=True,
        )
        for path, name, stem in zip(begins, names, stems, strict=True)
    )


def _is_read(files: Mapping[str, bytes], path: str, units: Sequence[str]) -> bool:
    """Tell whether compilers may see a file: tests beside a library are compiled by other builds."""
    if path in units or not is_source(path):
        return is_code(path)
    name = posixpath.basename(path).encode("utf-8", "surrogateescape")
    return any(name in files[unit] for unit in units)


def _plain(name: str) -> str:
    """Return a name that a makefile takes for one word, and that lies in no folder."""
    return re.sub(r"[^\w.+-]+", "_", name)


def _linked(
    files: Mapping[str, bytes],
    begin: str,
    near: Mapping[str, frozenset[str]],
    defined: Mapping[str, frozenset[bytes]],
) -> list[str]:
    """Return the other files of a program: those beside it, and of others what it names functions of."""
    found = {path for path in near if begin in near[path]}
    waiting = [begin, *found]
    while waiting:
        words = frozenset(_WORD.findall(files[waiting.pop()]))
        asked = (path for path in near if path not in found and not near[path])
        reached = [path for path in asked if not words.isdisjoint(defined[path])]
        found.update(reached)
        waiting += reached
    return [path for path in near if path in found]


def _nearest(path: str, begins: Sequence[str]) -> frozenset[str]:
    """Return what begins programs in the folder of a file, or in the nearest one above it that has any."""
    folder = posixpath.dirname(path)
    while True:
        found = frozenset(begin for begin in begins if posixpath.dirname(begin) == folder)
        if found or not folder:
            return found
        folder = posixpath.dirname(folder)


def _defined(data: bytes) -> frozenset[bytes]:
    return frozenset(_DEFINED.findall(data)) - _CONTROL
