"""``transpile replay --steps``: what made a translation faster, judged and timed once more."""

from __future__ import annotations

from dataclasses import replace

from transpile.cli import render
from transpile.core import Evidence, Passed, Source, Speedup
from transpile.errors import UsageError
from transpile.report import wording
from transpile.report.findings import reason_of
from transpile.testers import Proposal
from transpile.testers.verdict.sequence import Repeated, repeated
from transpile.toolchains.workshop import Workshop


def replay_steps(
    workshop: Workshop, source: Source, evidence: Evidence, proposal: Proposal, *, seed: int
) -> bool:
    """Print what every step comes to here, and tell whether all are right and faster still.

    Raises:
        UsageError: Nothing was made faster.
    """
    if not evidence.applied or not isinstance(evidence.verdict, Passed):
        raise UsageError(
            f"{evidence.id}: no transformation was applied to {evidence.unit.id}",
            hint="`transpile port --optimize` applies them; without --steps, its trials are run again.",
        )
    began = evidence.unoptimized.candidate
    assert began is not None
    first = replace(proposal, candidate=began)
    holds = True
    for item in repeated(
        workshop,
        source,
        first,
        [(step.transformation, candidate) for step, candidate in evidence.applied],
        pool=evidence.pool,
        level=evidence.verdict.guarantee.level,
        seed=seed,
    ):
        render.data_line(f"{item.name}: {_told(item)}")
        holds = holds and isinstance(item.pace, Speedup) and item.pace.faster
    return holds


def _told(item: Repeated) -> str:
    """Return what a step comes to in words."""
    if not isinstance(item.verdict, Passed):
        return f"{item.verdict.kind}: {reason_of(item.verdict)}"
    if not isinstance(item.pace, Speedup):
        return f"passed, not timed: {item.pace.reason if item.pace else ''}"
    certain = "" if item.pace.faster else "not faster for certain: "
    return f"passed, {certain}{wording.pace(item.pace)}"
