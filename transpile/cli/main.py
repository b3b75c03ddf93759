"""``transpile``: the list of commands."""

from __future__ import annotations

import gc
import io
import sys
from typing import Annotated

import typer

from transpile import __version__
from transpile.cli import (
    cache,
    check,
    contract,
    corpus,
    dialogue,
    doctor,
    edge,
    eval,
    evolve,
    explain,
    pairs,
    port,
    render,
    replay,
    report,
    serve,
    units,
)
from transpile.parsers import DEEPEST_CALLS

COMMANDS = (
    port.port,
    units.units,
    contract.contract,
    check.check,
    replay.replay,
    dialogue.dialogue,
    report.report,
    pairs.pairs,
    evolve.evolve,
    eval.eval_,
    corpus.corpus,
    serve.serve,
    cache.cache,
    doctor.doctor,
    explain.explain,
)

app = typer.Typer(
    name="transpile",
    help="Port CUDA to OpenMP C++, and keep only what trials have shown to behave like its source.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    # ``eval`` is a function of Python's own, so that ours has an underscore more.
    app.command(command.__name__.rstrip("_"))(edge.guarded(command))


def _version(wanted: bool) -> None:
    if wanted:
        render.data_line(f"transpile {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Options that come before a command."""


def main() -> None:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Source text and paths need not be UTF-8: what is no text goes out as the bytes that it is.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.setrecursionlimit(DEEPEST_CALLS)
    gc.freeze()  # What was imported stays.
    app()
