"""Limits of a command in the sandbox: what it may do, see and use, and who watches it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Profile(StrEnum):
    """What a command is allowed beyond its own directories."""

    BUILD = "build"
    """Start processes, and read the system's programs and headers."""
    RUN = "run"
    """Start threads, and read the system's shared libraries."""
    CALL = "call"
    """The same, but for removing files or giving them other names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounts:
    """The files that a command sees beside those of its profile."""

    cwd: Path
    """Where it starts. Its home, and its place for temporary files, unless it has writable directories."""
    readable: Sequence[Path] = ()
    """Files and directories; in the BUILD profile it may execute them as well."""
    writable: Sequence[Path] = ()
    """Directories. The first is its home and its place for temporary files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """How much a command may use of the machine."""

    timeout: float
    """Seconds until it is killed, of processors and asleep (see ``process.supervise``)."""
    memory: int
    """Bytes of each process; all of a build together may use twice as many."""
    resident: bool = False
    """Count memory in use instead of limiting what may be asked for, for sanitizers and sparse arenas,
    which reserve terabytes."""
    file_size: int | None = None
    """Bytes that a file may grow to, and all together to four times as many; 4 GiB, and ``limits.DISK``,
    where that is not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """How a command is watched from outside of the sandbox, and talks to whoever does that."""

    watch: Callable[[float], bool] | None = None
    """Asked every 50 ms with the seconds so far; true ends the command as if its time were up."""
    observer: Sequence[str] = ()
    """A program of ours that starts the sandbox, and counts from outside of it."""
    descriptors: Sequence[int] = ()
    """Open files that the command inherits."""


UNMONITORED = Monitor()
