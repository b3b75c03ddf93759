"""``transpile cache``: what is kept between runs, how large it is, and how to be rid of it."""

from __future__ import annotations

from typing import Annotated

import typer

from transpile import cache as kept
from transpile import config
from transpile.cli import render
from transpile.cli.arguments import Format, OutputFormat, no_sarif
from transpile.toolchains.workshop import cache_directory

_MEGABYTE = 10**6


def cache(
    clear: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="Remove all of a kind, such as builds (repeatable)."),
    ] = None,
    output_format: Format = OutputFormat.FULL,
) -> None:
    """Show what is kept between runs. If it grows too large, the oldest builds are removed."""
    if output_format is OutputFormat.SARIF:
        raise no_sarif()
    root, most = cache_directory(), kept.limit()
    if clear:
        kept.clear(root, clear)
    found = kept.kinds(root)
    size = sum(kind.size for kind in found)
    if output_format in (OutputFormat.JSON, OutputFormat.JSONL):
        render.data(
            {
                "schema": 1,
                "command": "cache",
                "directory": str(root),
                "size": size,
                "limit": most,
                "kinds": [{"name": kind.name, "files": kind.files, "size": kind.size} for kind in found],
            },
            indent=1 if output_format is OutputFormat.JSON else None,
        )
        return
    rows = [(kind.name, str(kind.files), _megabytes(kind.size)) for kind in found]
    total = ("total", str(sum(kind.files for kind in found)), _megabytes(size))
    render.table(("Kind", "Files", "MB"), [*rows, total], right=frozenset({"Files", "MB"}))
    render.hint(
        f"All of it is in {root}. Its limit is {_megabytes(most)} MB: {kept.LIMIT} sets it, or `limit` under"
        f" [cache] in {config.own_file()}."
    )


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f}"
