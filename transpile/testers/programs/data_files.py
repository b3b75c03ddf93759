"""Data that programs read: files that are no text, where programs run as in their repository."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from transpile import foreign
from transpile.core import Source
from transpile.parsers.files.data import data_of

MOST = 512 << 20
"""Bytes of all files together, smallest ones first: a program that needs others says so itself."""
_CHUNK = 1 << 20


def place(source: Source, tree: Path) -> Mapping[str, str]:
    """Copy the data of a source into a directory; return their digests by path."""
    found: dict[str, str] = {}
    left = MOST
    for path in sorted(data_of(source), key=lambda path: (_size(source, path), path)):
        left -= _size(source, path)
        if left < 0:
            break
        found[path] = _copied(source.root, path, tree / path)
    return found


def _size(source: Source, path: str) -> int:
    return (source.root / path).stat().st_size


def _copied(root: Path, path: str, target: Path) -> str:
    """Copy a file in pieces, and return its digest."""
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with foreign.opened(root, path) as file, target.open("wb") as copy:
        while piece := file.read(_CHUNK):
            digest.update(piece)
            copy.write(piece)
    return digest.hexdigest()
