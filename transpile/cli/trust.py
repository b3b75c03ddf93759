"""Settings of a command: the repository's, as far as it has a say, and the user's own."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from transpile import config
from transpile.cli import render
from transpile.config import Config

TrustConfig = Annotated[
    bool,
    typer.Option(
        "--trust-config",
        help="Obey all of SRC's transpile.toml: models, output, folders outside of SRC.",
    ),
]


def settings(root: Path, *, trusted: bool, asked: Collection[str] = ()) -> Config:
    """Return the settings for a source.

    Args:
        root: Of the source; the closest configuration at or above it came with it.
        trusted: Whether the user says that it is his own.
        asked: Those of ``config.USERS`` that the command goes by: of these it says what is ignored.
    """
    found = config.find(root)
    counts, ignored = config.obeyed(found, config.own(), trusted=trusted)
    told = [f"[{name}]" if name in ("models", "cache") else name for name in ignored if name in asked]
    if told:
        names = ", ".join(told)
        render.warning(
            f"{found.path}: ignored: {names}. A repository does not say where data goes or what is spent"
        )
        obeys = "" if trusted else "--trust-config obeys this file; "
        render.hint(f"  {obeys}settings of your own go into {config.own_file()}")
    return counts
