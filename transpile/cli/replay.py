"""``transpile replay``: the trials behind a verdict once more, from its id."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from transpile import pipeline, testers
from transpile.cli import edge, places, render
from transpile.cli.arguments import Unsafe
from transpile.cli.steps import replay_steps
from transpile.core import Companion, Evidence, Falsified, Passed, Source, Trial
from transpile.errors import UsageError
from transpile.options import PortOptions
from transpile.report.findings import describe_trial, reason_of
from transpile.store import Store
from transpile.testers.reproduction.directory import is_reproduction, reproduction, write
from transpile.testers.reproduction.scene import Scene
from transpile.toolchains.workshop import cache_directory

_EXPORTED = 3
"""Trials of what passed that are written as tests."""


def replay(
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Evidence, or the beginning of its id.")],
    source: Annotated[Path | None, typer.Option(help="Where the source is now, if it was moved.")] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a C++ test there that needs no transpile, also for a pass."),
    ] = None,
    most: Annotated[int | None, typer.Option("--trials", min=1, help="Run at most this many.")] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="Judge and time again what made the translation faster.")
    ] = False,
    unsafe: Unsafe = False,
) -> None:
    """Run the trials of evidence ID again: the counterexample where there is one, else those that passed.

    A counterexample is written as a C++ test that needs no transpile; its commands are printed. With --steps,
    the transformations that made a translation faster are judged and timed again, in their order.
    """
    evidence = Store(cache_directory() / "evidence").get(identifier)
    trials = trials_of(evidence)[:most]
    if evidence.candidate is None or not trials:
        raise UsageError(
            f"{evidence.id}: no trial was run of {evidence.unit.id}",
            hint=f"It is {evidence.verdict.kind}: {reason_of(evidence.verdict)}",
        )
    options = _options(evidence, unsafe=unsafe)
    found = _source(evidence, source, options)
    proposal = testers.Proposal(
        unit=found.unit(evidence.unit.id), contracts=evidence.contracts, candidate=evidence.candidate
    )
    workshop = pipeline.make_workshop(options)
    if steps:
        if not replay_steps(workshop, found, evidence, proposal, seed=options.seed):
            raise typer.Exit(edge.ExitStatus.FINDINGS)
        return
    render.hint(f"{len(trials)} trial{'s' * (len(trials) != 1)} of {evidence.unit.id}")
    agreed = True
    scenes: list[Scene] = []
    before = evidence.verdict.counterexample.before if isinstance(evidence.verdict, Falsified) else None
    for trial in trials:
        replayed = testers.replay(workshop, found, proposal, trial, before)
        verdict = replayed.verdict
        render.data_line(f"{verdict.kind}: {describe_trial(trial)}")
        if replayed.scene is not None and len(scenes) < _EXPORTED:
            scenes.append(replayed.scene)
        if not isinstance(verdict, Passed):
            render.data_line(f"    {reason_of(verdict)}")
            agreed = False
    if isinstance(evidence.verdict, Falsified):
        _export_failure(evidence, scenes, export, agreed=agreed)
    elif export is not None and scenes:
        _export(scenes, export)
    if not agreed:
        raise typer.Exit(edge.ExitStatus.FINDINGS)


def _export_failure(
    evidence: Evidence, scenes: Sequence[Scene], export: Path | None, *, agreed: bool
) -> None:
    """Write the counterexample as a test, where it is one on its own."""
    if agreed:
        render.hint("It fails only among other calls: alone, this one agrees.")
    elif scenes:
        _export(scenes, export or Store(cache_directory() / "evidence").path(evidence.id) / "reproduce")
    else:
        render.hint("Only transpile can show this failure: there is no test of it that stands alone.")


def _export(scenes: Sequence[Scene], place: Path) -> None:
    """Write tests that stand alone, and say how they are built and run."""
    if place.exists() and not is_reproduction(place) and any(place.iterdir()):
        raise UsageError(f"{place} is not empty", hint="Name a new directory with --export.")
    made = reproduction(scenes)
    write(made, place)
    tests = "A C++ test" if len(scenes) == 1 else f"{len(scenes)} C++ tests"
    render.data_text(f"\n{tests} of it, without transpile (or run.sh):\n")
    for command in (f"cd {shlex.quote(str(place))}", *made.commands):
        render.data_line(f"    {command}")
    others = [item.unit.path for item in _beside(scenes[0])]
    if others:
        render.hint(f"It names what other files define, which have to be linked: {', '.join(others)}.")


def _beside(scene: Scene) -> tuple[Companion, ...]:
    return scene.source.companions(scene.proposal.unit.translation_unit)


def trials_of(evidence: Evidence) -> tuple[Trial, ...]:
    """Return what there is to run again."""
    verdict = evidence.verdict
    return (verdict.counterexample.trial,) if isinstance(verdict, Falsified) else evidence.pool


def _options(evidence: Evidence, *, unsafe: bool) -> PortOptions:
    """Return the options that the source was read with."""
    facts = dict(evidence.provenance)
    return PortOptions(
        cache=cache_directory(),
        flags=tuple(shlex.split(facts.get("flags", ""))),
        opened=tuple(map(Path, shlex.split(facts.get("opened", "")))),
        exclude_files=tuple(shlex.split(facts.get("exclude", ""))),
        seed=int(facts.get("seed", "0")),
        unsafe=unsafe,
    )


def _source(evidence: Evidence, given: Path | None, options: PortOptions) -> Source:
    """Read the source again; UsageError where the unit is no longer what was judged."""
    recorded = dict(evidence.provenance).get("source", "")
    root = places.existing_source(given or Path(recorded))
    found = pipeline.read(root, options)
    unit = next((item for item in found.units if item.id == evidence.unit.id), None)
    if unit is None or unit.digest != evidence.unit.digest:
        change = "is no longer there" if unit is None else "has changed since"
        raise UsageError(
            f"{root}: {evidence.unit.id} {change}",
            hint="Port again, or name a checkout of the source as it was with --source.",
        )
    return found
