"""The charges of a command: running and sleeping, but not waiting for a processor; memory and processes."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

_TICK = os.sysconf("SC_CLK_TCK")
_ASLEEP = 0.1
"""Seconds at most that one look at sleepers charges: we may have waited for a processor ourselves."""

_HELD = re.compile(rb"^(?:VmRSS|VmSwap|VmPTE|HugetlbPages):\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Process:
    number: int
    tasks: int
    """Its threads."""
    resident: int
    """Bytes in memory or swapped out, and of the tables that say where."""
    seconds: float
    """Of processors, with those of children that have ended."""
    awake: bool
    """Some thread runs, waits for a processor, or for a disk."""


@dataclass(slots=True)
class Charges:
    """The charges of a process and of all that it started, so far."""

    process: int
    most: int = 1 << 20
    """Tasks beyond which nobody looks on."""
    seconds: float = 0.0
    tasks: int = 0
    """Processes and their threads at the last look."""
    resident: int = 0
    processes: tuple[int, ...] = ()
    _used: float = 0.0
    _seen: float = field(default_factory=time.monotonic)

    def look(self) -> float:
        """Return the charges, after another look at the processes."""
        now = time.monotonic()
        found = self._found()
        used = sum(item.seconds for item in found)
        slept = 0.0 if any(item.awake for item in found) else min(now - self._seen, _ASLEEP)
        self.seconds += max(used - self._used, slept)
        self._used, self._seen = max(used, self._used), now
        self.tasks = sum(item.tasks for item in found)
        self.resident = sum(item.resident for item in found)
        self.processes = tuple(item.number for item in found)
        return self.seconds

    def _found(self) -> list[_Process]:
        found: list[_Process] = []
        tasks = 0
        for item in _family(self.process):
            found.append(item)
            tasks += item.tasks
            if tasks > self.most:
                break
        return found


def _family(process: int) -> Iterator[_Process]:
    """Yield a process and its descendants, as far as the system tells of them."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
        with open(f"/proc/{process}/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return
    yield _Process(
        number=process,
        tasks=len(threads),
        resident=_resident(process),
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


def _resident(process: int) -> int:
    try:
        with open(f"/proc/{process}/status", "rb") as file:
            return sum(int(number) for number in _HELD.findall(file.read())) << 10
    except OSError:
        return 0


def _awake(process: int, thread: str) -> bool:
    try:
        with open(f"/proc/{process}/task/{thread}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"RD"
    except (OSError, IndexError):
        return False
