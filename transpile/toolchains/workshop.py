"""Everything needed to build and run, made once per command."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TextIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Where builds are kept and how far a build or a run may go."""

    cache: Path
    """Content-addressed: may be shared by commands that run at the same time, and deleted at any time."""
    unsafe: bool = False
    """Run without the sandbox."""
    timeout: float = 10.0
    """Seconds of a processor for a call or a run of a program, on a machine at rest (see ``speed``)."""
    memory: int = 4 << 30
    """Bytes a single process may hold."""
    jobs: int = 1
    """Processes that may work off one batch of calls side by side."""

    def __post_init__(self) -> None:
        """Hold the cache by its absolute path: commands run in other directories."""
        object.__setattr__(self, "cache", self.cache.absolute())

    def scratch(self) -> Path:
        """Return where builds and runs have directories of their own; nobody makes room there any more."""
        hold(self.cache)
        place = self.cache / "scratch"
        place.mkdir(parents=True, exist_ok=True)
        return place


def lock_of(builds: Path) -> TextIO:
    """Open the file in a cache of builds that its lock is on."""
    builds.mkdir(parents=True, exist_ok=True)
    return (builds / ".in-use").open("a", encoding="utf-8")


@cache
def hold(builds: Path) -> TextIO:
    """Share the lock of a cache of builds for as long as this process lives. Some file systems have none."""
    lock = lock_of(builds)
    with suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_SH)
    return lock


def cache_directory() -> Path:
    """Return where builds, evidence and logs are kept: ``$TRANSPILE_CACHE``, or below the user's cache."""
    own = os.environ.get("TRANSPILE_CACHE")
    if own:
        return Path(own).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "transpile"
