"""The transformations that a kept translation has gone through, once more: each judged, each timed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from transpile.core import Candidate, Level, Passed, Source, Speedup, Trial, Verdict
from transpile.testers.checks.again import falsified
from transpile.testers.proposal import Proposal
from transpile.testers.speed.benchmark_inputs import SHORT, Course, NotTimed
from transpile.testers.verdict.performance import Astray, Track
from transpile.testers.verdict.session import judge
from transpile.toolchains.workshop import Workshop

TOGETHER = "together"
"""Name of the last line, where there was more than one step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """What a step comes to today."""

    name: str
    verdict: Verdict
    pace: Speedup | NotTimed | None = None
    """Beside the translation before it; None where it is right no more."""


def repeated(
    workshop: Workshop,
    source: Source,
    first: Proposal,
    steps: Sequence[tuple[str, Candidate]],
    *,
    pool: Sequence[Trial],
    level: Level = Level.TESTED,
    seed: int = 0,
) -> Iterator[Repeated]:
    """Yield what each step comes to, then all together; nothing more after one that does not pass.

    Args:
        workshop: Where to build and run.
        source: What the translations were made from.
        first: The translation that all began with.
        steps: Names of transformations with the texts that they led to, in order.
        pool: Trials that say which calls to begin with.
        level: What a step has to reach.
        seed: Of the trials.
    """
    with closing(Track(workshop, source, first)) as track:
        begun = courses = track.courses(first, pool)
        last, verdict = first, None
        for name, candidate in steps:
            after = replace(last, candidate=candidate)
            [judged] = judge(workshop, source, [after], seed=seed, level=level)
            verdict = judged.verdict
            found = _compared(track, name, courses, last, after, verdict)
            yield found
            if not isinstance(found.verdict, Passed):
                return
            last = after
            if isinstance(found.pace, Speedup) and found.pace.after < SHORT:
                courses = track.courses(last, judged.pool)
        if verdict is not None and len(steps) > 1:
            yield _compared(track, TOGETHER, begun, first, last, verdict)


def _compared(
    track: Track,
    name: str,
    courses: Sequence[Course] | NotTimed,
    before: Proposal,
    after: Proposal,
    verdict: Verdict,
) -> Repeated:
    """Return a step with its speed; falsified where a long call shows that one of both is wrong."""
    if not isinstance(verdict, Passed):
        return Repeated(name=name, verdict=verdict)
    found = courses if isinstance(courses, NotTimed) else track.compare(courses, before, after)
    if isinstance(found, Astray):
        return Repeated(name=name, verdict=falsified(found.failure))
    return Repeated(name=name, verdict=verdict, pace=found)
