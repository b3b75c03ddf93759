"""Our own C++ sources, compiled on first use and kept by content.

They are the trusted side of the sandbox (one of them is the sandbox), so they are compiled outside it.
"""

from __future__ import annotations

import signal
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from transpile.core import digest
from transpile.errors import InternalError, MachineFault, ToolMissing
from transpile.files import UNFINISHED
from transpile.toolchains import compilers
from transpile.toolchains.complaints import complaint
from transpile.toolchains.kept import is_kept, keep

SOURCES = Path(__file__).parent / "native"
CHECKED = "checked"
"""Folder of headers that take the place of the standard library's in builds under checkers."""
HINT = "Look at its disks (df), its memory (free) and its limits (ulimit -a). What was decided is kept."
"""Advice for a tool that fails on any text."""


def checked_headers() -> list[Path]:
    """Return those headers."""
    return sorted((SOURCES / CHECKED).iterdir())


def executable(
    directory: Path, name: str, sources: Sequence[str], compiler: str, flags: Sequence[str]
) -> Path:
    """Return the program made of these of our sources, building it where the cache lacks it."""
    tool = compilers.find().require(compiler)
    key = digest(_contents(), tool.path or "", tool.version, *sources, *flags)
    final = directory / "native" / key[:32]
    if not is_kept(final):
        _compile(final, name, [tool.path or compiler, *flags, "-o"], sources)
    return final / name


@cache
def _contents() -> str:
    files = sorted(path for path in SOURCES.iterdir() if path.is_file())
    return digest(*(part for path in files for part in (path.name, path.read_bytes())))


def _compile(final: Path, name: str, command: Sequence[str], sources: Sequence[str]) -> None:
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=final.parent, prefix=UNFINISHED, ignore_cleanup_errors=True
    ) as scratch:
        place = Path(scratch) / "built"
        place.mkdir()
        words = [*command, str(place / name), *(str(SOURCES / source) for source in sources)]
        try:
            done = subprocess.run(words, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise ToolMissing(f"{command[0]} is no longer there", hint="Run `transpile doctor`.") from error
        said = "killed by signal 9" if done.returncode == -signal.SIGKILL else complaint(done.stderr)
        if done.returncode != 0 and said:
            # The text is our own, so that it is none of its doing.
            raise MachineFault(f"{command[0]} fails on this machine: {said}", hint=HINT)
        if done.returncode != 0:
            raise InternalError(f"cannot build {name}: {done.stderr.decode(errors='replace')[-2000:]}")
        keep(place, final)
