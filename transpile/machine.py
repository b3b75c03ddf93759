"""Shortages of the machine: neither verdicts on a translation nor bugs of ours."""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import tempfile
from pathlib import Path

from transpile.errors import InternalError, MachineFault

ROOM = 64 << 20
"""Bytes below which a disk counts as full: one build may need as much."""
FILES = 64
_PROBE = bytes(4096)
_ROOM = "Free some space, or name other places (TRANSPILE_CACHE, --out). What was decided is kept."
_MEMORY = "Give it more memory, or use fewer --jobs. What was decided is kept."
_PERMISSIONS = "Check who may write there. TRANSPILE_CACHE and --out name other places."
HINTS = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EFBIG: "Raise the limit on the size of files (ulimit -f).",
    errno.EROFS: _PERMISSIONS,
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    errno.EMFILE: "Raise the limit on open files (ulimit -n), or use fewer --jobs.",
    errno.ENFILE: "Too many files are open on the whole machine: try again when it does less.",
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: "Raise the limit on processes (ulimit -u), or use fewer --jobs.",
    errno.EIO: "The disk fails: look into the system's log.",
}
"""Advice on errors of the system, by their numbers."""
_NOT_OF_A_FILE = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO)
_NO_THREAD = "can't start new thread"
"""Python's message where the system has no thread left: its exception has no number."""


def fault_of(error: BaseException) -> MachineFault | None:
    """Return what an exception says of the machine; None where it says nothing."""
    if isinstance(error, MachineFault):
        return error
    if isinstance(error, OSError) and error.errno in HINTS:
        where = f"{error.filename}: " if error.filename is not None else ""
        return MachineFault(f"{where}{os.strerror(error.errno)}", hint=HINTS[error.errno])
    if isinstance(error, MemoryError) and not _beyond_all(error):
        return MachineFault("this machine ran out of memory", hint=_MEMORY)
    if isinstance(error, RuntimeError) and str(error) == _NO_THREAD:
        return MachineFault("this machine has no thread left for us", hint=HINTS[errno.EAGAIN])
    return None


def raise_shortage(error: OSError) -> None:
    """Raise what lacks where a file could not be read, and that is not about the file.

    Raises:
        MachineFault: The machine is short of something, or its disk fails.
    """
    found = fault_of(error) if error.errno in _NOT_OF_A_FILE else None
    if found is not None:
        raise found from error


def behind(error: BaseException, cache: Path) -> MachineFault | None:
    """Return what of the machine is behind an exception: what it says, or what lacks where a tool failed."""
    found = fault_of(error)
    if found is None and isinstance(error, InternalError | OSError):
        return shortage(cache)
    return found


def _beyond_all(error: MemoryError) -> bool:
    """Tell whether an array was asked for that no machine of this kind holds: whoever asks is wrong."""
    asked = getattr(error, "_total_size", 0)
    return bool(asked > os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))


def available_memory() -> int:
    """Return how many bytes programs could get now without others losing theirs."""
    return _number(Path("/proc/meminfo"), "MemAvailable:") << 10


def release_memory() -> None:
    """Give the system back what large arrays held.

    The garbage collector counts objects and not their bytes, and the allocator keeps what is freed.
    """
    gc.collect()
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)


def memory_kills() -> int:
    """Return how many programs the system has killed for want of memory since it started."""
    return _number(Path("/proc/vmstat"), "oom_kill")


def _number(file: Path, name: str) -> int:
    """Return the number behind a name in a file of the kernel's; 0 where there is none."""
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [name]), 0)


def shortage(place: Path) -> MachineFault | None:
    """Return what is lacking to write below a directory, which may be one that is not there yet."""
    there = next((parent for parent in (place, *place.parents) if parent.exists()), place)
    try:
        room = os.statvfs(there)
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(_PROBE)
            file.flush()
    except OSError as error:
        number = error.errno or errno.EIO
        return MachineFault(
            f"{place} cannot be written: {os.strerror(number)}", hint=HINTS.get(number, _PERMISSIONS)
        )
    left = room.f_bavail * room.f_frsize
    if left < ROOM:
        return MachineFault(f"the disk of {place} is full: {left >> 20} MiB are left", hint=_ROOM)
    if room.f_files and room.f_favail < FILES:
        return MachineFault(f"the disk of {place} takes no more files", hint=_ROOM)
    return None
