"""Files that are there whole or not at all, whenever a run is killed."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Put data on disk under a name, in place of what stood there.

    Raises:
        OSError: The disk does not take it; what stood there stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
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
