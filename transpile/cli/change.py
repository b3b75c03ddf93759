"""``transpile port --diff`` and ``--in-place``: a port as a change of its source."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from transpile import origin, patch
from transpile.cli import render, report, tables
from transpile.cli.arguments import OutputFormat
from transpile.core import Port
from transpile.errors import UsageError
from transpile.files import held_directory
from transpile.options import PortOptions

_FOLDERS = "change-"


def refuse(root: Path, options: PortOptions, output_format: OutputFormat, *, in_place: bool) -> None:
    """Raise a UsageError for what cannot be a change, before anything is run."""
    if output_format is not OutputFormat.FULL:
        raise UsageError(
            f"--output-format {output_format} says nothing of a change",
            hint="Leave it out, or write the port with --out DIR.",
        )
    if in_place:
        _refuse_unclean(root, unsafe=options.unsafe)


def _refuse_unclean(root: Path, *, unsafe: bool) -> None:
    """Raise a UsageError where git could not bring the source back as it was."""
    if not origin.is_clean(root, unsafe=unsafe):
        raise UsageError(
            f"{root}: no clean work tree of git",
            hint="Commit or stash what changed there, or write the port with --out DIR.",
        )


def made(root: Path, options: PortOptions, run: Callable[[PortOptions], Port], *, in_place: bool) -> Port:
    """Make a port aside; print it as a patch of its source, or make the change there."""
    options.cache.mkdir(parents=True, exist_ok=True)
    with held_directory(options.cache, _FOLDERS) as place:
        result = run(replace(options, out=place / "port"))
        found = patch.changes(root, place / "port", exclude=options.exclude_files, left=(report.FILE,))
        if in_place:
            _refuse_unclean(root, unsafe=options.unsafe)
            top = root if root.is_dir() else root.parent
            patch.apply(top, found)
            tables.concise(result)
            render.hint(f"{_counted(len(found))} of {top} changed: `git diff` shows how.")
        else:
            _print(patch.unified(found))
            render.hint(f"{tables.counts(result)}; nothing was written.")
    return result


def _print(text: bytes) -> None:
    """Write a patch: byte for byte for a program, with controls spelled out for a person."""
    if sys.stdout.isatty():
        render.data_text(os.fsdecode(text).rstrip("\n"))
    else:
        render.data_bytes(text)


def _counted(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"
