"""``transpile replay``: the trials behind a verdict once more, from its id."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from transpile import pipeline, testers
from transpile.cli import edge, places, render
from transpile.cli.arguments import Unsafe
from transpile.core import Evidence, Falsified, Passed, Source, Trial
from transpile.errors import UsageError
from transpile.options import PortOptions
from transpile.report.findings import describe_trial, reason_of
from transpile.store import Store
from transpile.toolchains.workshop import cache_directory


def replay(
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Evidence, or the beginning of its id.")],
    source: Annotated[Path | None, typer.Option(help="Where the source is now, if it was moved.")] = None,
    most: Annotated[int | None, typer.Option("--trials", min=1, help="Run no more than so many.")] = None,
    unsafe: Unsafe = False,
) -> None:
    """Run the trials of evidence ID again: the counterexample where there is one, else those that passed."""
    evidence = Store(cache_directory() / "evidence").get(identifier)
    trials = trials_of(evidence)[:most]
    if evidence.candidate is None or not trials:
        raise UsageError(
            f"{evidence.id}: no trial was run of {evidence.unit.id}",
            hint=f"It is {evidence.verdict.kind}: see its evidence.json.",
        )
    options = _options(evidence, unsafe=unsafe)
    found = _source(evidence, source, options)
    proposal = testers.Proposal(
        unit=found.unit(evidence.unit.id), contracts=evidence.contracts, candidate=evidence.candidate
    )
    workshop = pipeline.make_workshop(options)
    render.hint(f"{len(trials)} trial{'s' * (len(trials) != 1)} of {evidence.unit.id}")
    agreed = True
    for trial in trials:
        verdict = testers.replay(workshop, found, proposal, trial)
        render.data_line(f"{verdict.kind}: {describe_trial(trial)}")
        if not isinstance(verdict, Passed):
            render.data_line(f"    {reason_of(verdict)}")
            agreed = False
    if not agreed:
        raise typer.Exit(edge.ExitStatus.FINDINGS)


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
