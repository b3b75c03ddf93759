"""Tools that fail since the machine lacks something, which says nothing of the text they were given."""

from __future__ import annotations

import signal
import tempfile
from pathlib import Path

from transpile import machine
from transpile.errors import InternalError, MachineFault
from transpile.toolchains import compilers, sandbox
from transpile.toolchains.complaints import MEMORY, complaint
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.native import HINT
from transpile.toolchains.process import Finished
from transpile.toolchains.workshop import Workshop

_TEXT = "int main() { return 0; }\n"
_COMPILERS = ("g++", "clang++")
_PATIENCE = 120.0


def wants(finished: Finished) -> str:
    """Return what of the machine a tool that failed lacked; empty where nothing tells, or we ended it."""
    if finished.status == 0 or finished.timed_out or finished.out_of_memory or finished.exceeded:
        return ""
    if finished.status == 128 + signal.SIGKILL:
        return "killed by signal 9"
    return complaint(finished.stderr + finished.stdout)


def examine(workshop: Workshop, tool: str, said: str) -> None:
    """Return where a tool's complaint is due to its text, which may need more memory than a build may have.

    Texts can make a compiler say anything, so that the machine is asked as well.

    Raises:
        MachineFault: The machine is short of something, or the tool fails on any text.
        InternalError: It is not, and nothing tells why the tool failed.
    """
    lacking = machine.shortage(workshop.cache)
    if lacking is not None:
        raise lacking
    if not _works(workshop, tool):
        raise MachineFault(f"{tool} fails on this machine: {said}", hint=HINT)
    if MEMORY.search(said.encode()) and machine.available_memory() > workshop.memory:
        return
    raise InternalError(f"{tool} failed twice on a text, and does not on others: {said}")


def _works(workshop: Workshop, tool: str) -> bool:
    """Tell whether a tool does what it is for with a text of ours."""
    path = compilers.find().require(tool).path or tool
    scratch = workshop.scratch()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="build-", ignore_cleanup_errors=True) as directory:
        place = Path(directory)
        (place / "control.cpp").write_text(_TEXT)
        words = ["control.cpp", "-o", "control"] if tool in _COMPILERS else ["--version"]
        finished = sandbox.execute(
            [path, *words],
            profile=Profile.BUILD,
            mounts=Mounts(cwd=place, writable=[place]),
            quota=Quota(timeout=_PATIENCE, memory=workshop.memory),
            unsafe=workshop.unsafe,
        )
    return finished.status == 0
