"""Files of Fortran: told by their names, so that whoever ports something else waits for no front end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = (".f90", ".f95", ".f03", ".f08", ".f", ".for", ".ftn", ".f77")
C_SUFFIXES = (".c", ".cc", ".cpp", ".cxx")
_HEADERS = (".h", ".hh", ".hpp")
_KERNELS = (".cu", ".hip")


def sources(root: Path, *, mixed: bool = False) -> tuple[str, ...]:
    """Return the Fortran files of a folder, or the file itself; none where other sources lie beside them.

    Args:
        root: The folder or file.
        mixed: Tells that C and C++ may lie beside them, though no kernels.
    """
    if root.is_file():
        return (root.name,) if root.suffix.lower() in SUFFIXES else ()
    others = _KERNELS if mixed else (*C_SUFFIXES, *_KERNELS)
    found: list[str] = []
    for name in _files(root):
        if name.lower().endswith(others):
            return ()
        if name.lower().endswith(SUFFIXES):
            found.append(name)
    return tuple(found)


def beside(root: Path) -> tuple[str, ...]:
    """Return the files of C and C++ in a folder, with their headers."""
    if root.is_file():
        return ()
    names = [*_files(root)]
    if not any(name.lower().endswith(C_SUFFIXES) for name in names):
        return ()
    return tuple(name for name in names if name.lower().endswith((*C_SUFFIXES, *_HEADERS)))


def _files(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(item for item in folders if not item.startswith("."))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), root)
