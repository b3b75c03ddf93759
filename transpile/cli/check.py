"""``transpile check``: is every port still what its source was shown to be?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import lock
from transpile.cli import arguments, edge, explain, places, render, trust
from transpile.cli.arguments import AllowRead, Carve, Defines, Format, Includes, OutputFormat, Unsafe
from transpile.cli.trust import TrustConfig
from transpile.core import Passed
from transpile.errors import UsageError
from transpile.lock import Change
from transpile.options import PortOptions
from transpile.report import github, sarif
from transpile.report.findings import STALE, Finding, reason_of
from transpile.toolchains.workshop import cache_directory

if TYPE_CHECKING:
    from transpile.recheck import Standing

BUDGET = 20.0
"""Seconds for new trials of each unit, unless the user says otherwise."""
PASSED_OVER = frozenset({"node_modules", "__pycache__", "build", "dist"})
"""Directories that are not searched for locks below a repository's root, as hidden ones are not."""


def check(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A port, or a repository with ports in it.")
    ] = Path("."),
    source: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the source is, if not where the lock says.")
    ] = None,
    rerun: Annotated[
        bool, typer.Option("--rerun", help="Run the trials of what changed again, and judge by them.")
    ] = False,
    strength: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Tell how strong the trials are: FILE of a source or port, or a unit pattern.",
        ),
    ] = None,
    budget: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="With --strength: for new trials of each unit.")
    ] = BUDGET,
    carve: Carve = None,
    include: Includes = None,
    define: Defines = None,
    allow_read: AllowRead = None,
    trust_config: TrustConfig = False,
    output_format: Format = OutputFormat.FULL,
    unsafe: Unsafe = False,
) -> None:
    """Compare source and port with transpile.lock, offline; exit status 1 where either has changed."""
    if strength is not None:
        from transpile.cli import strength as measuring  # a commit does not wait for what this loads

        asked = measuring.Asked(
            what=strength,
            path=path,
            source=source,
            include=include,
            define=define,
            allow_read=allow_read,
            trusted=trust_config,
            budget=budget,
            carve=arguments.runs(carve or ()),
        )
        measuring.show(asked, output_format, unsafe=unsafe)
        return
    found = locks(path)
    if not found:
        hint = "Name a port, or make one with `transpile port`."
        raise UsageError(f"{path}: no {lock.FILE} in or below it", hint=hint)
    results = []
    for place in found:
        changes = lock.check(place, source)
        root = lock.source_root(lock.load(place), place, source)
        if rerun and changes and root is not None:
            # Only here: the check itself, which a commit waits for, needs no compiler and no worker.
            from transpile import recheck

            options = _options(root, include, define, allow_read, trusted=trust_config, unsafe=unsafe)
            standings = recheck.rerun(
                lock.load(place), changes, source=root, port=place.parent, options=options
            )
            results.append(Result(place=place, changes=changes, source=root, standings=tuple(standings)))
        else:
            results.append(Result(place=place, changes=changes, source=root))
    _show(results, output_format)
    if any(result.stale for result in results):
        raise typer.Exit(edge.ExitStatus.FINDINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found of one lock."""

    place: Path
    changes: tuple[Change, ...]
    source: Path | None = None
    """Root of the source; None where it is not at hand."""
    standings: tuple[Standing, ...] | None = None
    """What the trials say of the units that the changes reach; None where they were not run."""

    @property
    def stale(self) -> bool:
        """Tell whether something changed that the trials do not clear."""
        if self.standings is None:
            return bool(self.changes)
        beyond_trials = any(not change.unit and change.reason != lock.AROUND for change in self.changes)
        return beyond_trials or not all(isinstance(item.verdict, Passed) for item in self.standings)


def _options(
    root: Path,
    include: list[str] | None,
    define: list[str] | None,
    allow_read: list[Path] | None,
    *,
    trusted: bool,
    unsafe: bool,
) -> PortOptions:
    settings = trust.settings(root, trusted=trusted)
    return PortOptions(
        extract=True,
        cache=cache_directory(),
        exclude_files=settings.exclude,
        flags=arguments.compile_flags(settings, include, define, root, allow_read, trusted=trusted),
        opened=arguments.opened(include, allow_read),
        units=settings.units,
        settings=settings.path,
        unsafe=unsafe,
    )


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


def _show(results: list[Result], output_format: OutputFormat) -> None:
    match output_format:
        case OutputFormat.JSON | OutputFormat.JSONL:
            render.data(
                {
                    "schema": 1,
                    "command": "check",
                    "exit_status": int(any(result.stale for result in results)),
                    "locks": [_data(result) for result in results],
                },
                indent=1 if output_format is OutputFormat.JSON else None,
            )
        case OutputFormat.GITHUB:
            for line in github.lines(_findings(results), Path.cwd(), places.checkout()):
                render.data_line(line)
        case OutputFormat.SARIF:
            status = int(any(result.stale for result in results))
            render.data(sarif.log(_findings(results), Path.cwd(), status, explain.explanations()))
        case OutputFormat.FULL | OutputFormat.CONCISE:
            for result in results:
                _show_lock(result)


def _data(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = {
        "path": str(result.place),
        "stale": result.stale,
        "changes": [asdict(change) for change in result.changes],
    }
    if result.standings is not None:
        found["rerun"] = [
            {"unit": item.unit, "verdict": item.verdict.kind, "reason": reason_of(item.verdict)}
            for item in result.standings
        ]
    return found


def _show_lock(result: Result) -> None:
    for change in result.changes:
        render.data_line(f"{change.side}: {change.unit or change.path}: {change.reason}")
    for item in result.standings or ():
        render.data_line(f"trials: {item.unit}: {item.verdict.kind}: {reason_of(item.verdict)}")
    if result.stale:
        count = len(result.changes)
        render.data_line(f"{result.place}: stale, {count} change{'s' * (count != 1)}")
        more = "" if result.standings is not None else "; --rerun judges by the trials of what changed"
        render.hint(f"Port again, or restore what changed{more}.")
    elif result.changes:
        render.data_line(f"{result.place}: changed, and the trials still agree")
        render.hint("Port again to renew the lock.")
    else:
        render.data_line(f"{result.place}: as agreed")


def _findings(results: list[Result]) -> list[Finding]:
    return [_finding(result, change) for result in results for change in result.changes]


def _finding(result: Result, change: Change) -> Finding:
    root = result.place.parent
    if change.side == "source":
        root = result.source or root / lock.load(result.place).source.path
    return Finding(
        code=STALE,
        path=os.path.relpath(root / change.path),
        line=1,
        unit=change.unit,
        reason=f"{change.unit or change.path}: {change.reason}",
        hint="Port again, or restore what changed.",
    )
