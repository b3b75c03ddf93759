"""Files of Fortran: told by their names, so that whoever ports something else waits for no front end."""

from __future__ import annotations

import os
from pathlib import Path

SUFFIXES = (".f90", ".f95", ".f03", ".f08", ".f", ".for", ".ftn", ".f77")


def sources(root: Path) -> tuple[str, ...]:
    """Return the Fortran files of a folder, or the file itself; none where other sources lie beside them."""
    if root.is_file():
        return (root.name,) if root.suffix.lower() in SUFFIXES else ()
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(item for item in folders if not item.startswith("."))
        for name in sorted(names):
            suffix = Path(name).suffix.lower()
            if suffix in (".c", ".cc", ".cpp", ".cxx", ".cu", ".hip"):
                return ()
            if suffix in SUFFIXES:
                found.append(os.path.relpath(os.path.join(folder, name), root))
    return tuple(found)
