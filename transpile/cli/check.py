"""``transpile check``: is every port still what its source was shown to be?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from transpile import lock
from transpile.cli import edge, render
from transpile.cli.arguments import Format, OutputFormat
from transpile.core import Severity
from transpile.errors import UsageError
from transpile.lock import Change
from transpile.report import github
from transpile.report.findings import STALE, Finding

PASSED_OVER = frozenset({"node_modules", "__pycache__", "build", "dist"})
"""Directories that are not searched for locks below a repository's root, as hidden ones are not."""


def check(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A port, or a repository with ports in it.")
    ] = Path("."),
    source: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the source is, if not where the lock says.")
    ] = None,
    output_format: Format = OutputFormat.FULL,
) -> None:
    """Compare source and port with transpile.lock, offline; exit status 1 where either has changed."""
    found = {place: lock.check(place, source) for place in locks(path)}
    if not found:
        hint = "Name a port, or make one with `transpile port`."
        raise UsageError(f"{path}: no {lock.FILE} in or below it", hint=hint)
    _show(found, output_format)
    if any(found.values()):
        raise typer.Exit(edge.ExitStatus.FINDINGS)


def locks(path: Path) -> list[Path]:
    """Return the locks in a directory and below it."""
    if path.is_file():
        return [path]
    if (path / lock.FILE).is_file():
        return [path / lock.FILE]
    return sorted(_search(path))


def _search(path: Path) -> Iterator[Path]:
    for directory, below, files in os.walk(path):
        below[:] = [name for name in below if not name.startswith(".") and name not in PASSED_OVER]
        if lock.FILE in files:
            yield Path(directory) / lock.FILE


def _show(found: dict[Path, tuple[Change, ...]], output_format: OutputFormat) -> None:
    match output_format:
        case OutputFormat.JSON | OutputFormat.JSONL:
            render.data(
                {
                    "schema": 1,
                    "command": "check",
                    "exit_status": int(any(found.values())),
                    "locks": [
                        {"path": str(place), "changes": [asdict(change) for change in changes]}
                        for place, changes in found.items()
                    ],
                },
                indent=1 if output_format is OutputFormat.JSON else None,
            )
        case OutputFormat.GITHUB:
            findings = [_finding(place, change) for place, changes in found.items() for change in changes]
            for line in github.lines(findings):
                render.data_line(line)
        case OutputFormat.FULL | OutputFormat.CONCISE:
            for place, changes in found.items():
                _show_lock(place, changes)


def _show_lock(place: Path, changes: tuple[Change, ...]) -> None:
    for change in changes:
        about = change.unit or change.path
        render.data_line(f"{change.side}: {about}: {change.reason}")
    if changes:
        render.data_line(f"{place}: stale, {len(changes)} change{'s' * (len(changes) != 1)}")
        render.hint("Port again, or restore what changed; --rerun runs the trials of what changed again.")
    else:
        render.data_line(f"{place}: as agreed")


def _finding(place: Path, change: Change) -> Finding:
    root = place.parent
    if change.side == "source":
        root = root / lock.load(place).source.path
    return Finding(
        code=STALE,
        severity=Severity.ERROR,
        path=os.path.relpath(root / change.path),
        line=1,
        unit=change.unit,
        reason=f"{change.unit or change.path}: {change.reason}",
        hint="Port again, or restore what changed.",
    )
