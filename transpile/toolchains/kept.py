"""Builds in the cache, each with the digests of its files: what was changed since is made again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

DIGESTS = "digests.json"
"""Lies in every directory that was kept."""
Stamps = tuple[tuple[str, int, int, int], ...]


def keep(place: Path, final: Path) -> None:
    """Move a finished directory to where it is kept. Whoever comes first wins: the others made the same."""
    digests = {name: _digest(place / name) for name in _names(place)}
    (place / DIGESTS).write_text(json.dumps(digests), encoding="utf-8")
    final.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.rename(place, final)
    except OSError:
        if not final.exists():
            raise


def is_kept(final: Path) -> bool:
    """Tell whether a directory is there as it was made; one that is not is thrown away."""
    try:
        if _is_whole(final, _stamps(final)):
            os.utime(final)  # What was used last goes last where the cache grows too large.
            return True
    except FileNotFoundError:  # Another process throws it away, too.
        pass
    _discard(final)
    return False


@cache
def _is_whole(final: Path, stamps: Stamps) -> bool:
    """Tell whether the files are those that were kept; their stamps tell when to look again."""
    try:
        digests = json.loads((final / DIGESTS).read_bytes())
    except (OSError, ValueError):
        return False
    there = {name for name, *_ in stamps}
    if not isinstance(digests, dict) or not digests:
        return False
    return all(name in there and _digest(final / name) == digest for name, digest in digests.items())


def _stamps(final: Path) -> Stamps:
    """Return what changes with the files of a directory."""
    found = ((name, (final / name).stat()) for name in (*_names(final), DIGESTS))
    return tuple((name, status.st_ino, status.st_size, status.st_mtime_ns) for name, status in found)


def _names(place: Path) -> list[str]:
    files = (path for path in sorted(place.rglob("*")) if path.is_file())
    return [str(path.relative_to(place)) for path in files if path.name != DIGESTS]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _discard(final: Path) -> None:
    """Remove a directory so that whoever looks for it finds all of it or nothing."""
    if not final.exists():
        return
    with tempfile.TemporaryDirectory(dir=final.parent, prefix="old-", ignore_cleanup_errors=True) as scratch:
        try:
            os.rename(final, Path(scratch) / "old")
        except OSError:
            shutil.rmtree(final, ignore_errors=True)
