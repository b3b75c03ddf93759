"""Current slowdown of this machine against an idle one: time limits grow by it."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from transpile.toolchains import native

WORK_A_SECOND = 250_000_000
"""Work of traced calls that takes about a second: accesses and branches, counted by ``native/trace.cpp``."""
_AT_REST = 0.02
"""Seconds of a processor that ``native/gauge.cpp`` takes on the machine that all limits were chosen on."""
_MOST = 32.0
"""No machine is so much slower: whatever was measured, calls come to an end."""


@cache
def slowdown(directory: Path) -> float:
    """Return by how much limits of time are to be multiplied, at least 1; measured once a process.

    Args:
        directory: Where our own programs are kept.
    """
    gauge = native.executable(directory, "gauge", ("gauge.cpp",), "g++", ("-std=c++17", "-O2"))
    done = subprocess.run([gauge], capture_output=True, check=True)
    return min(max(int(done.stdout) * 1e-9 / _AT_REST, 1.0), _MOST)
