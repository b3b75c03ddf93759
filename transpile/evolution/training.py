"""The user's own command between two rounds, and the models that it may leave for the next."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from transpile.errors import UsageError
from transpile.evolution.records import Chronicle
from transpile.files import write_whole

_DONE = "trained"
"""File that says that the command has ended well."""
MODELS = "models.json"


@dataclass(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Models:
    """Who is asked from the next round on."""

    translator: tuple[str, ...]
    tester: tuple[str, ...]


def train(command: str, chronicle: Chronicle, number: int) -> None:
    """Run the command behind a round, unless it has run.

    Raises:
        UsageError: It cannot be run, or did not end well.
    """
    directory = chronicle.directory(number).absolute()
    if not command or (directory / _DONE).exists():
        return
    environment = os.environ | {"TRANSPILE_ROUND": str(number), "TRANSPILE_ROUND_DIR": str(directory)}
    try:
        # The user's own command, as trusted as a shell; its output is theirs, and ours is data.
        ended = subprocess.run(shlex.split(command), env=environment, stdout=2, check=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"--train cannot be run: {error}") from error
    if ended.returncode:
        raise UsageError(
            f"--train ended with status {ended.returncode} after round {number}",
            hint="The round is on disk: the same command goes on with the training.",
        )
    write_whole(directory / _DONE, b"")


def models_for(chronicle: Chronicle, number: int, given: Models) -> Models:
    """Return who is asked in a round: what the last training said, or what the user did."""
    for earlier in range(number - 1, 0, -1):
        path = chronicle.directory(earlier) / MODELS
        if path.exists():
            return _read(path)
    return given


def _read(path: Path) -> Models:
    try:
        return TypeAdapter(Models).validate_json(path.read_bytes())
    except (OSError, ValidationError, json.JSONDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read",
            hint='It is {"translator": ["MODEL", …], "tester": ["MODEL", …]}.',
        ) from error
