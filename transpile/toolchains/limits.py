"""Limits of a command beside time, and counts that tell when it goes beyond them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transpile.toolchains import holdings
from transpile.toolchains.charges import Charges

TASKS = 1024
"""Processes and threads of a command: a build has few, and no trial asks for more than some hundreds."""
DISK = 8 << 30
"""Bytes that the folders of a command may hold."""
FILES = 100_000
_REST = 10
"""Times what a count of files took, before the next one."""
_BREATH = 0.25


@dataclass(slots=True, kw_only=True)
class Limits:
    """The limits of one command, and what it was last seen to use."""

    memory: int | None = None
    """Bytes that all processes together may have in memory."""
    tasks: int | None = None
    disk: int | None = None
    files: int = FILES
    places: Sequence[Path] = ()
    """The folders it may write in."""
    swamped: bool = False
    """Its folders may hold what ordinary means do not remove."""
    _next: float = field(default_factory=lambda: time.monotonic() + _BREATH)

    def exceeds_memory(self, charges: Charges) -> bool:
        """Tell whether its processes hold more than they may."""
        return self.memory is not None and charges.resident > self.memory

    def exceeded(self, charges: Charges, *, ended: bool = False) -> str:
        """Return what it has too much of; empty where nothing.

        Args:
            charges: Its processes, as they were last looked at.
            ended: Count its files, even if they were counted just now.
        """
        if self.tasks is not None and charges.tasks > self.tasks:
            return f"more than {self.tasks} processes and threads"
        start = time.monotonic()
        if self.disk is None or (start < self._next and not ended):
            return ""
        held = holdings.count(self.places, charges.processes, self.files)
        now = time.monotonic()
        self._next = now + max(_REST * (now - start), _BREATH)
        self.swamped = held.too_deep or held.files > self.files
        if held.files > self.files:
            return f"more than {self.files} files"
        if held.disk > self.disk:
            return f"more than {self.disk >> 20} MiB on disk"
        return f"more than {holdings.DEEPEST} folders within each other" if held.too_deep else ""
