"""Our own C++ sources, compiled on first use and kept by content.

They are the trusted side of the sandbox (one of them is the sandbox), so they are compiled outside it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from transpile.core import digest
from transpile.errors import InternalError
from transpile.toolchains import compilers

SOURCES = Path(__file__).parent / "native"
CHECKED = "checked"
"""Folder of headers that take the place of the standard library's in builds under checkers."""


def checked_headers() -> list[Path]:
    """Return those headers."""
    return sorted((SOURCES / CHECKED).iterdir())


def executable(
    directory: Path, name: str, sources: Sequence[str], compiler: str, flags: Sequence[str]
) -> Path:
    """Return the program made of these of our sources, building it where the cache lacks it."""
    tool = compilers.find().require(compiler)
    key = digest(_contents(), tool.path or "", tool.version, *sources, *flags)
    path = directory / "native" / key[:32] / name
    if not path.exists():
        _compile(path, [tool.path or compiler, *flags, "-o"], sources)
    return path


@cache
def _contents() -> str:
    files = sorted(path for path in SOURCES.iterdir() if path.is_file())
    return digest(*(part for path in files for part in (path.name, path.read_bytes())))


def _compile(path: Path, command: Sequence[str], sources: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Others may be building the same file: whoever is last replaces an equal one.
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        built = Path(scratch) / path.name
        words = [*command, str(built), *(str(SOURCES / source) for source in sources)]
        done = subprocess.run(words, capture_output=True, check=False)
        if done.returncode != 0:
            raise InternalError(f"cannot build {path.name}: {done.stderr.decode(errors='replace')[-2000:]}")
        os.replace(built, path)
