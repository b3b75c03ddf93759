"""Data that programs read: files that are no text, where programs run as in their repository."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path

from transpile import foreign
from transpile.core import Source
from transpile.parsers.files.data import data_of

MOST = 512 << 20
"""Bytes of all files together, smallest ones first: a program that needs others says so itself."""


def place(source: Source, tree: Path) -> Mapping[str, str]:
    """Copy the data of a source into a directory; return their digests by path."""
    found: dict[str, str] = {}
    left = MOST
    for size, path in sorted(((source.root / path).stat().st_size, path) for path in data_of(source)):
        left -= size
        if left < 0:
            break
        found[path] = _copied(source.root, path, tree / path)
    return found


def _copied(root: Path, path: str, target: Path) -> str:
    """Copy a file, and return its digest."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with foreign.opened(root, path) as file, target.open("w+b") as copy:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        return hashlib.file_digest(copy, "sha256").hexdigest()
