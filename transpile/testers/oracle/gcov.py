"""Counts of lines and branches, as gcov tells of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transpile import foreign
from transpile.errors import InternalError
from transpile.toolchains import compilers, sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.workshop import Workshop


def report(workshop: Workshop, notes: bytes, counts: Path, stem: str = "library") -> dict[str, Any]:
    """Return what gcov says of a compiled file.

    Args:
        workshop: Where to run it.
        notes: What the compiler noted of the file's functions.
        counts: The directory with the counts, which calls may write in.
        stem: What the file is called there, without its ending.

    Raises:
        InternalError: Its answer is no report.
    """
    foreign.write(counts, f"{stem}.gcno", notes)
    finished = sandbox.execute(
        [
            compilers.find().require("gcov").path or "gcov",
            *("--json-format", "--stdout", "--branch-probabilities"),
            f"{stem}.gcda",
        ],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=counts, writable=[counts]),
        quota=Quota(timeout=120.0, memory=workshop.memory),
        unsafe=workshop.unsafe,
    )
    try:
        found: dict[str, Any] = json.loads(finished.stdout)
    except ValueError as error:
        raise InternalError(f"gcov: {finished.stderr.decode(errors='replace')[-500:]}") from error
    return found
