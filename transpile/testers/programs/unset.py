"""Runs that depend on variables which nothing has set, such as those of a program that lacks its input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.core import ProgramTarget, Source
from transpile.testers.programs.output import difference
from transpile.testers.programs.runs import SEEDS, Run, build_source, built_from, run_program
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.workshop import Workshop

_ZERO = "-ftrivial-auto-var-init=zero"
"""Variables that are not set begin with zeros; in other builds of ours, with a pattern."""


def is_unasked(program: ProgramTarget, command: Sequence[str]) -> bool:
    """Tell whether nobody says that a program is run like this."""
    return program.unasked and tuple(command) in program.runs


def depends_on_unset(
    workshop: Workshop, source: Source, program: ProgramTarget, command: Sequence[str], run: Run
) -> bool:
    """Tell whether a run of a source's program goes otherwise where variables begin with other values."""
    units = tuple(replace(unit, flags=(*unit.flags, _ZERO)) for unit in source.translation_units)
    built = build_source(workshop, replace(source, translation_units=units), program, built_from(source))
    if isinstance(built, BuildFailed):
        return False
    environment = {"SIMT_SEED": SEEDS[0]}
    other = run_program(workshop, source, built.path, command, environment, workshop.timeout)
    printed = difference([run.finished.stdout], other.finished.stdout)
    return other.finished.status != run.finished.status or printed is not None
