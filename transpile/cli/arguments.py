"""Options that several commands share, and how they become settings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from transpile.config import Config, closest, split
from transpile.core import (
    CPP,
    CUDA,
    HIP,
    HIP_OR_CUDA,
    Dialect,
    Interface,
    ProgrammingModel,
)
from transpile.errors import UsageError
from transpile.parsers.building import given
from transpile.parsers.building.outside import may_open, placed

TARGETS: Mapping[str, Dialect] = {
    dialect.name: dialect for dialect in (replace(CPP, model=model) for model in ProgrammingModel)
}


class OutputFormat(StrEnum):
    """How results are written to standard output."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"
    SARIF = "sarif"


class Fallback(StrEnum):
    """What becomes of a kernel that is not kept."""

    SIMT = "simt"
    NONE = "none"


Format = Annotated[
    OutputFormat, typer.Option("--output-format", help="How results are written to standard output.")
]
Includes = Annotated[
    list[str] | None,
    typer.Option("-I", metavar="DIR", help="Add a directory to the include path (repeatable)."),
]
Defines = Annotated[
    list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro (repeatable).")
]
AllowRead = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow-read", metavar="DIR", help="Let the build of SRC read DIR, outside of SRC (repeatable)."
    ),
]
Unsafe = Annotated[
    bool, typer.Option("--unsafe-no-sandbox", help="Compile and run foreign code without a sandbox.")
]
Carve = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CMD", help='Run the program, such as "./main 64", and try what it calls too (repeatable).'
    ),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the trials.")]


def no_sarif() -> UsageError:
    """Return the error of a command that has no findings, which is all that SARIF holds."""
    return UsageError("there are no findings to be written as SARIF", hint="`port` and `check` write it.")


def target(name: str, *, single_source: bool = False, interface: Interface = Interface.HOST) -> Dialect:
    """Return the dialect of a short name; UsageError for what we cannot write.

    Args:
        name: As ``--to`` takes it.
        single_source: The compilers of CUDA are to take the port as well.
        interface: Whose memory ported functions take.
    """
    if name not in TARGETS:
        raise UsageError(f"unknown target '{name}'", hint=closest(name, tuple(TARGETS)))
    if interface is Interface.DEVICE and TARGETS[name] not in (CUDA, HIP):
        raise UsageError(
            f"--interface device is for ports to cuda and hip, not to {name}",
            hint="Leave it out, or say --interface host where transpile.toml asks for it.",
        )
    if not single_source:
        return replace(TARGETS[name], interface=interface)
    if TARGETS[name] != HIP:
        raise UsageError(
            f"--single-source is for ports to hip, not to {name}",
            hint="Leave it out, or say --no-single-source where transpile.toml asks for it.",
        )
    return replace(HIP_OR_CUDA, interface=interface)


def runs(commands: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the command lines of ``--carve`` split into words."""
    try:
        return split(commands)
    except ValueError as error:
        raise UsageError(f"--carve cannot be read: {error}", hint="Close every quote.") from error


def opened(includes: Sequence[str] | None, allowed: Sequence[Path] | None) -> tuple[Path, ...]:
    """Return the directories outside of the source that the command line opens."""
    return tuple(place.resolve() for place in (*map(Path, includes or ()), *(allowed or ())))


def compile_flags(
    settings: Config,
    includes: Sequence[str] | None,
    defines: Sequence[str] | None,
    root: Path,
    allowed: Sequence[Path] | None,
    *,
    trusted: bool,
) -> tuple[str, ...]:
    """Return the flags of file and command line, include directories as the build sees them.

    Args:
        settings: Of the configuration file, whose relative paths are meant from its directory.
        includes: Directories of ``-I``, meant from the working directory.
        defines: Macros of ``-D``.
        root: The source root, which paths inside it become relative to.
        allowed: Directories outside of the source that the user opens.
        trusted: The configuration file may open directories as well.
    """
    may_read = (Path("/"),) if trusted else opened(includes, allowed)
    flags = list(given.configured(settings.flags, settings.path, root, may_read))
    flags += [f"-I{_included(Path(place), root, opened((), allowed))}" for place in includes or ()]
    flags += [f"-D{macro}" for macro in defines or ()]
    return tuple(flags)


def _included(place: Path, root: Path, readable: Sequence[Path]) -> str:
    """Return a directory of ``-I``; UsageError where a link in the repository leads it elsewhere."""
    named = Path(os.path.abspath(place))
    repository = root if root.is_dir() else root.parent
    if named.is_relative_to(repository) and not may_open(named, repository, readable):
        raise UsageError(
            f"-I {place}: a symbolic link of the repository leads to {named.resolve()}",
            hint="Name that directory itself if it is to be read.",
        )
    return placed(named.resolve(), root)
