"""Directories that a command reads and writes, checked before anything is touched."""

from __future__ import annotations

import os
from pathlib import Path

from transpile import foreign
from transpile.errors import UsageError


def existing_source(source: Path) -> Path:
    """Return the source as an absolute path; UsageError where there is nothing to read."""
    resolved = source.resolve()
    if not resolved.exists():
        raise UsageError(
            f"{source}: no such file or directory", hint="Name a repository or a single .cu file."
        )
    if not os.access(resolved, os.R_OK | (os.X_OK if resolved.is_dir() else 0)):
        raise UsageError(f"{source}: cannot be read", hint="Check its permissions.")
    return resolved


def writable_out(out: Path, source: Path, *, force: bool) -> Path:
    """Return the output directory as an absolute path; UsageError where it is unfit; nothing is touched."""
    resolved = out.resolve()
    if source.is_dir() and resolved.is_relative_to(source):
        raise UsageError(
            f"{out}: the output directory lies inside the source",
            hint="The source tree is never written. Choose a directory outside of it.",
        )
    if source.is_relative_to(resolved):
        raise UsageError(
            f"{out}: the output directory contains the source",
            hint="The source tree is never written. Choose a directory beside it.",
        )
    if resolved.exists() and not resolved.is_dir():
        raise UsageError(f"{out}: exists and is not a directory", hint="Choose another --out.")
    if resolved.is_dir() and any(resolved.iterdir()) and not force:
        raise UsageError(
            f"{out}: the output directory is not empty",
            hint="Choose another, or add --force to write over what an earlier port left there.",
        )
    parent = next(place for place in (resolved, *resolved.parents) if place.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        raise UsageError(f"{out}: cannot be written", hint=f"Check the permissions of {parent}.")
    return resolved


def checkout() -> Path:
    """Return the directory that annotations of continuous integration count paths from."""
    given = os.environ.get("GITHUB_WORKSPACE")
    return Path(given) if given else foreign.work_tree(Path.cwd()) or Path.cwd()


def holds(root: Path, path: str, text: bytes) -> bool:
    """Tell whether a text still stands in a file below a root."""
    try:
        return text in foreign.read(root, path)
    except (OSError, ValueError):
        return False
