"""``transpile report``: the page of a port once more, from its lock and what is stored of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from transpile import lock
from transpile.cli import explain, render
from transpile.core import Port
from transpile.errors import UsageError
from transpile.publish import PORTS
from transpile.store import Ports
from transpile.toolchains.workshop import cache_directory

FILE = "transpile-report.html"
"""Beside the lock of a port."""


def report(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The directory of a port.")] = Path("."),
) -> None:
    """Write the HTML page of the port in OUT again: what was shown of each unit, and what was not."""
    place = out / lock.FILE
    try:
        text = place.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{place}: cannot be read", hint="Name the directory of a port; `transpile port` makes one."
        ) from error
    found = Ports(cache_directory() / PORTS).get(text)
    try:
        page = write(replace(found, out=out.resolve()))
    except OSError as error:
        raise UsageError(
            f"{out / FILE}: {error.strerror}", hint="Check the permissions of the port."
        ) from error
    render.data_line(str(page))


def write(port: Port) -> Path:
    """Write the page of a port into its directory and return where it is."""
    from transpile.report import html  # most commands need no templates

    place = port.out / FILE
    place.write_bytes(html.page(port, explain.explanations()))
    return place
