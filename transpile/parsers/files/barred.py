"""Places that includes lead to and that no parser may open: what is no file, and what lies out of the source.

Out of it, files of the system and of folders that the build names are open: the same that a build finds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from transpile import foreign
from transpile.parsers.files.includes import closure
from transpile.toolchains.beside import INCLUDE, INSTALLED


def barred(root: Path, files: Mapping[str, bytes], path: str, directories: Sequence[str]) -> frozenset[str]:
    """Return the places that a file's ``#include`` lines lead to, at any depth, and where none may be opened.

    Args:
        root: Where the files lie in name.
        files: Texts by path; what is among them is not looked up.
        path: Of the file.
        directories: Those in which includes are looked up, beside that of the file.
    """
    return frozenset(
        place
        for reader in closure(files, path, directories)
        for quoted, angled in INCLUDE.findall(files[reader])
        for place in _places(root, (quoted or angled).decode("utf-8", "surrogateescape"), reader, directories)
        if _closed(root, place, files, directories)
    )


def _places(root: Path, name: str, path: str, directories: Sequence[str]) -> Iterator[str]:
    """Yield where a name is looked up, spelled as a compiler spells it."""
    for directory in (os.path.dirname(path), *directories):
        yield os.path.join(root, directory, name)


def _closed(root: Path, place: str, files: Mapping[str, bytes], directories: Sequence[str]) -> bool:
    real = os.path.normpath(place)
    if not os.path.lexists(real) or os.path.relpath(real, root) in files:
        return False
    top, name = root, os.path.relpath(real, root)
    if not Path(real).is_relative_to(root):
        named = [directory for directory in directories if os.path.isabs(directory)]
        if not real.startswith(INSTALLED) and not any(Path(real).is_relative_to(item) for item in named):
            return True
        top, name = (resolved := Path(os.path.realpath(real))).parent, resolved.name
    try:
        with foreign.opened(top, name, most=foreign.LARGEST):
            return False
    except OSError:
        return True
