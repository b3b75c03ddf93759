"""Flags that a configuration file gives for a source."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from transpile.errors import ConfigurationError
from transpile.parsers.building import commands, flags, outside


def configured(
    words: Sequence[str], file: Path | None, root: Path, opened: Sequence[Path]
) -> tuple[str, ...]:
    """Return the flags that the file states for a source, with paths as the copy of it needs them.

    Args:
        words: As they stand in the file.
        file: Which came with the repository; its relative paths are meant from there.
        root: Of the source.
        opened: Directories outside of both that the user lets the repository read.

    Raises:
        ConfigurationError: A flag is none that a repository may give, or leads out of it.
    """
    if file is None:
        return ()
    refused: list[str] = []
    place = file.parent
    known = flags.stated(commands.options(words), lambda path: os.path.join(place, path), refused)
    stated = tuple(known)
    if refused:
        raise ConfigurationError(
            f"{file}: flags: {', '.join(map(repr, refused))} may not be given",
            hint=f"What says what the code means is taken: {flags.TAKEN}.",
        )
    found = outside.located(stated, root, (place, *opened))
    if found.closed:
        path = found.closed[0]
        raise ConfigurationError(
            f"{file}: flags: {path} lies outside the repository",
            hint=f"--allow-read {path} opens it.",
        )
    return found.flags
