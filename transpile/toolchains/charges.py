"""Time charged to a command: running and sleeping, but not waiting for a processor."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

_TICK = os.sysconf("SC_CLK_TCK")
_ASLEEP = 0.1
"""Seconds at most that one look at sleepers charges: we may have waited for a processor ourselves."""


@dataclass(frozen=True, slots=True)
class _Process:
    seconds: float
    """Of processors, with those of children that have ended."""
    awake: bool
    """Some thread runs, waits for a processor, or for a disk."""


@dataclass(slots=True)
class Charges:
    """The charges of a process and of all that it started, so far."""

    process: int
    seconds: float = 0.0
    _used: float = 0.0
    _seen: float = field(default_factory=time.monotonic)

    def look(self) -> float:
        """Return the charges, after another look at the processes."""
        now = time.monotonic()
        found = list(_family(self.process))
        used = sum(item.seconds for item in found)
        slept = 0.0 if any(item.awake for item in found) else min(now - self._seen, _ASLEEP)
        self.seconds += max(used - self._used, slept)
        self._used, self._seen = max(used, self._used), now
        return self.seconds


def _family(process: int) -> Iterator[_Process]:
    """Yield a process and its descendants, as far as the system tells of them."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
        with open(f"/proc/{process}/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return
    yield _Process(
        seconds=sum(map(int, words[11:15])) / _TICK,
        awake=words[0] in b"RD" or (len(threads) > 1 and any(_awake(process, thread) for thread in threads)),
    )
    for thread in threads:
        try:
            with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                children = file.read().split()
        except OSError:
            continue
        for child in children:
            yield from _family(int(child))


def _awake(process: int, thread: str) -> bool:
    try:
        with open(f"/proc/{process}/task/{thread}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"RD"
    except (OSError, IndexError):
        return False
