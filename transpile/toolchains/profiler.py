"""Counts of perf for a process, where this machine permits counting."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from transpile.toolchains import compilers

EVENTS = (
    "task-clock",
    "page-faults",
    "context-switches",
    "instructions",
    "cycles",
    "cache-references",
    "cache-misses",
    "branches",
    "branch-misses",
)
_SECONDS = 20


@cache
def here() -> bool:
    """Tell whether perf is on this machine and may count anything."""
    tool = compilers.find().get("perf")
    if tool.path is None:
        return False
    try:
        done = subprocess.run(
            [tool.path, "stat", "-x,", "-e", "page-faults", "true"],
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and bool(parsed(done.stderr.decode("utf-8", "replace")))


def observer(out: Path) -> tuple[str, ...]:
    """Return the words that go before a command whose process is to be counted into a file."""
    path = compilers.find().require("perf").path or "perf"
    return (path, "stat", "-x,", "-o", str(out), "-e", ",".join(EVENTS), "--")


def parsed(text: str) -> Mapping[str, float]:
    """Return what perf wrote, by event; what the machine does not count is left out.

    See perf-stat(1), "CSV FORMAT": the count, its unit, the event, and more.
    """
    found: dict[str, float] = {}
    for line in text.splitlines():
        count, _, rest = line.partition(",")
        event = rest.partition(",")[2].partition(",")[0].partition(":")[0]
        try:
            number = float(count)
        except ValueError:
            continue
        if event in EVENTS:
            found[event] = number
    return found
