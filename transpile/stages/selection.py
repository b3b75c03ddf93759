"""Choice by clocks: where several translations of a unit passed, the fastest for certain is kept."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from transpile import faults
from transpile.core import (
    Attempt,
    ByRules,
    Evidence,
    Falsified,
    Inconclusive,
    Passed,
    Rival,
    Selection,
    Speedup,
    UnitKind,
    Verdict,
)
from transpile.keys import selected_key
from transpile.options import PortOptions
from transpile.stages.work import Decided, Work
from transpile.testers import Proposal
from transpile.testers.checks.again import falsified
from transpile.testers.speed.benchmark_inputs import SHORT, Course, NotTimed
from transpile.testers.speed.speedup import BRIEF
from transpile.testers.verdict.performance import Astray, Track
from transpile.translators.kernels.sequential import as_written


def selected(work: Work, several: Iterable[Evidence]) -> Iterator[Decided]:
    """Yield the evidence of units with rivals once they were timed, one after the other."""
    for before in several:
        key = selected_key(before, rivals(before, work.options))
        known = work.known(key)
        if known is not None and known.faults == before.faults:
            yield Decided(evidence=replace(known, unit=before.unit), known=True)
        else:
            yield Decided(evidence=work.store.save(key, fastest(work, before)))


def rivals(evidence: Evidence, options: PortOptions) -> tuple[Attempt, ...]:
    """Return what may be kept in place of the last attempt, in the order of preference.

    That is what rules made as well, that is parallel on this machine, and that was shown no less under the
    same requirements.
    """
    if not evidence.kept(options.required) or options.target.traits.emulated:
        return ()
    *others, kept = evidence.attempts
    return tuple(item for item in reversed(others) if _may_replace(item, kept))


def _may_replace(rival: Attempt, kept: Attempt) -> bool:
    if rival.candidate is None or not rival.candidate.parallel or not isinstance(rival.origin, ByRules):
        return False
    return isinstance(kept.origin, ByRules) and _shown(rival.verdict) == _shown(kept.verdict)


def _shown(verdict: Verdict) -> object:
    """Return what a pass claims and what it rests on."""
    return (verdict.guarantee.level, verdict.guarantee.requires) if isinstance(verdict, Passed) else None


def fastest(work: Work, before: Evidence) -> Evidence:
    """Return the evidence of a unit whose last attempt is the fastest for certain; else it stays."""
    begun = time.monotonic()
    fault: Inconclusive | None = None
    try:
        race = Race(work, before)
    except Exception as error:  # Our own bug takes nothing away.
        return before.despite(faults.own(error, f"timing {before.unit.id}"))
    with closing(race.track) as track:
        try:
            race.run(track)
        except Exception as error:
            fault = faults.own(error, f"timing {before.unit.id}")
            race.reason = fault.reason
    found = race.concluded(time.monotonic() - begun)
    return found if fault is None else found.despite(fault)


@dataclass(frozen=True, slots=True, eq=False)
class _Entrant:
    """A translation that passed, as a track takes it."""

    attempt: Attempt
    proposal: Proposal


class Race:
    """Translations of one unit beside each other, and the fastest beside its source."""

    def __init__(self, work: Work, before: Evidence) -> None:
        """Begin with the translation that is preferred where clocks say nothing."""
        self._before = before
        self._best, *self._others = [
            _Entrant(attempt, _proposal(work, before, attempt))
            for attempt in (before.attempts[-1], *rivals(before, work.options))
        ]
        self.track = Track(work.workshop, work.source, self._best.proposal, BRIEF)
        self.reason = ""
        """Why it ended early."""
        self._rivals: list[Rival] = []
        self._source: Speedup | None = None
        self._fallen: dict[int, Falsified] = {}
        """What calls that take long have shown of attempts, by their identity."""

    def run(self, track: Track) -> None:
        """Time each rival beside the best so far, in calls that take that one long enough."""
        courses = track.courses(self._best.proposal, self._before.pool)
        for rival in self._others:
            if isinstance(courses, NotTimed):
                break
            found = self._timed(track, courses, rival)
            self._rivals.append(found)
            if found.speedup is not None and found.outcome == "taken" and found.speedup.after < SHORT:
                courses = track.courses(self._best.proposal, self._before.pool)
        if isinstance(courses, NotTimed):
            self.reason = courses.reason
        elif self._before.unit.kind is UnitKind.FUNCTION:
            self._beside_source(track, courses)

    def _timed(self, track: Track, courses: Sequence[Course], rival: _Entrant) -> Rival:
        """Return what becomes of a rival, which is the best from now on if it is faster for certain."""
        before, candidate = self._best, rival.proposal.candidate
        rules = candidate.origin.rules if isinstance(candidate.origin, ByRules) else ()
        told = Rival(rules=rules, made=candidate.digest, outcome="not faster")
        match track.compare(courses, before.proposal, rival.proposal):
            case Speedup(faster=True) as found:
                self._best = rival
                return replace(told, outcome="taken", speedup=found)
            case Speedup() as found:
                return replace(told, speedup=found)
            case NotTimed(reason=reason):
                return replace(told, outcome="not timed", reason=reason)
            case Astray(by=by) as astray if by is rival.proposal:
                return replace(told, outcome="refused", reason=self._fell(rival, astray))
            case astray:
                self._best = rival
                return replace(
                    told, outcome="taken", reason=f"the best before it: {self._fell(before, astray)}"
                )

    def _beside_source(self, track: Track, courses: Sequence[Course]) -> None:
        """Note how fast the source's own text is beside the best."""
        best = self._best
        written = replace(best.proposal, candidate=as_written(best.proposal.unit, best.proposal.candidate))
        found = track.compare(courses, best.proposal, written)
        if isinstance(found, Speedup):
            self._source = found
        elif isinstance(found, Astray) and found.by is best.proposal:
            self.reason = f"what was the fastest: {self._fell(best, found)}"
            self._best = next((item for item in self._others if id(item.attempt) not in self._fallen), best)

    def _fell(self, entrant: _Entrant, astray: Astray) -> str:
        """Note that a translation is wrong after all, and return how in words."""
        self._fallen[id(entrant.attempt)] = falsified(astray.failure)
        found = astray.failure.difference
        return f"{found.where} is {found.got}, not {found.expected}, in a call that takes long"

    def concluded(self, seconds: float) -> Evidence:
        """Return what is known of the unit now, with what is kept as its last attempt."""
        kept = self._best.attempt
        order = (*(item for item in self._before.attempts if item is not kept), kept)
        return replace(
            self._before,
            attempts=tuple(replace(item, verdict=self._fallen.get(id(item), item.verdict)) for item in order),
            seconds=self._before.seconds + seconds,
            selection=Selection(rivals=tuple(self._rivals), source=self._source, reason=self.reason),
        )


def _proposal(work: Work, evidence: Evidence, attempt: Attempt) -> Proposal:
    assert attempt.candidate is not None
    return Proposal(
        unit=evidence.unit,
        contracts=evidence.contracts,
        candidate=attempt.candidate,
        given=work.given.get(evidence.unit.id, ()),
    )
