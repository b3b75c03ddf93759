"""Messages of tools that tell of a shortage of the machine."""

from __future__ import annotations

import re

MEMORY = re.compile(rb"cannot allocate memory|out of memory|(?:virtual )?memory exhausted|bad_alloc", re.I)
_OTHERS = re.compile(
    rb"no space left on device|disk quota exceeded|too many open files|read-only file system"
    rb"|input/output error|file too large|resource temporarily unavailable|killed signal"
    rb"|signal 9|killed \(program",
    re.I,
)


def complaint(output: bytes) -> str:
    """Return the first line that complains of the machine; empty where none does."""
    for line in output.splitlines():
        if MEMORY.search(line) or _OTHERS.search(line):
            return line.decode("utf-8", "replace").strip()[:300]
    return ""
