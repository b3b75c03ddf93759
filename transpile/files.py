"""Files that are there whole or not at all, whenever a run is killed, and nothing else of it for long."""

from __future__ import annotations

import fcntl
import glob
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

UNFINISHED = ".writing-"
"""The beginning of the names of files that are not written to their end."""


def write_whole(path: Path, data: bytes) -> None:
    """Put data on disk under a name, in place of what stood there.

    Raises:
        OSError: The disk does not take it; what stood there stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{UNFINISHED}{path.name}-{os.getpid()}-{threading.get_ident()}")
    try:
        write_synced(aside, data)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


def write_synced(path: Path, data: bytes) -> None:
    """Write a file, and return when it is on the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def held_directory(parent: Path, prefix: str) -> Iterator[Path]:
    """Make a directory for a while, and remove those that killed processes left beside it.

    Whoever uses one holds a lock on it, which ends with its process.
    """
    for path in parent.glob(f"{glob.escape(prefix)}*"):
        _discard(path)
    place, handle = _held(parent, prefix)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        os.close(handle)


def _held(parent: Path, prefix: str) -> tuple[Path, int]:
    """Return a new directory, and the open handle that its lock is on."""
    while True:
        place = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with suppress(FileNotFoundError):  # Another process was faster than our lock, and took it away.
            handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
            with suppress(OSError):  # Some file systems have no locks.
                fcntl.flock(handle, fcntl.LOCK_EX)
            if place.exists():
                return place, handle
            os.close(handle)


def _discard(place: Path) -> None:
    """Remove a directory of ours that nobody holds."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        if os.fstat(handle).st_uid == os.getuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(place, ignore_errors=True)
    except OSError:
        pass  # It is held, or nobody can tell whether it is.
    finally:
        os.close(handle)
