"""``transpile units``: what was found in a source, of which kind, in which order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from transpile import parsers
from transpile.cli import arguments, places, render, trust
from transpile.cli.arguments import AllowRead, Defines, Format, Includes, OutputFormat
from transpile.cli.trust import TrustConfig
from transpile.core import Source
from transpile.report import data


def units(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="A repository, or a single file.")],
    include: Includes = None,
    define: Defines = None,
    allow_read: AllowRead = None,
    trust_config: TrustConfig = False,
    output_format: Format = OutputFormat.FULL,
) -> None:
    """List the units of SRC, callees first."""
    root = places.existing_source(source)
    settings = trust.settings(root, trusted=trust_config)
    flags = arguments.compile_flags(settings, include, define, root, allow_read, trusted=trust_config)
    opened = arguments.opened(include, allow_read)
    reader = parsers.IsolatedReader(opened=opened)
    found = parsers.read(root, exclude=settings.exclude, flags=flags, opened=opened, reader=reader)
    match output_format:
        case OutputFormat.JSON:
            render.data(data.source_data(found))
        case OutputFormat.JSONL:
            for unit in data.source_data(found)["units"]:
                render.data(unit, indent=None)
        case OutputFormat.CONCISE | OutputFormat.GITHUB:
            for item in found.units:
                render.data_line(f"{item.path}:{item.line}: {item.kind} {item.id}")
        case OutputFormat.FULL:
            _show(found)
        case OutputFormat.SARIF:
            raise arguments.no_sarif()


def _show(found: Source) -> None:
    launches = {unit.id: sum(site.unit == unit.id for site in found.launches) for unit in found.units}
    rows = [
        (
            str(number),
            unit.kind,
            unit.id,
            str(unit.line),
            str(launches[unit.id] or ""),
            _few([callee.rpartition("::")[2].partition("(")[0] for callee in unit.callees]),
            "" if unit.active else "inactive in this build",
        )
        for number, unit in enumerate(found.units, start=1)
    ]
    columns = ("", "Kind", "Unit", "Line", "Launches", "Calls", "")
    render.table(columns, rows, right=frozenset({"Line", "Launches"}))
    for item in found.diagnostics:
        render.warning(f"{item.path}:{item.line}: {item.code} {item.message}")


def _few(names: list[str], most: int = 4) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
