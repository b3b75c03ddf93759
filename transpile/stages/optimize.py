"""Speed: models transform what is kept, the testers judge it, and the clock decides whether it stays."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

from transpile import faults
from transpile.core import (
    Attempt,
    Evidence,
    Falsified,
    Inconclusive,
    Optimization,
    Rejected,
    Speedup,
    Step,
    Transformation,
    Trial,
)
from transpile.faults import isolated
from transpile.keys import optimized_key
from transpile.stages.models import model_of
from transpile.stages.repair import Open, Result, repaired
from transpile.stages.work import Decided, Work
from transpile.testers import Judged, Proposal
from transpile.testers.checks.again import falsified
from transpile.testers.speed.benchmark_inputs import SHORT, Course, NotTimed
from transpile.testers.verdict.performance import Astray, Track
from transpile.translators.llm.change import Change, Variant
from transpile.translators.llm.feedback import feedback

_TOLD = 4
"""Earlier variants that a model is told of."""


def optimized(work: Work, kept: Iterable[Evidence]) -> Iterator[Decided]:
    """Yield the evidence of units that are kept, once models have tried to make them faster.

    Nothing that goes wrong here takes a translation away: the one that was kept stays, unless a call that
    takes long shows that it never was right.
    """
    fresh: list[Evidence] = []
    for before in kept:
        known = work.known(optimized_key(before, work.options))
        if known is None or _unanswered(known) or known.faults != before.faults:
            fresh.append(before)
        else:
            yield Decided(evidence=replace(known, unit=before.unit), known=True)
    if fresh:
        made = isolated(fresh, partial(faster, work), lambda before, why: before.despite(why), "optimising")
        for before, after in zip(fresh, made, strict=True):
            yield Decided(evidence=work.store.save(optimized_key(before, work.options), after))


def _unanswered(evidence: Evidence) -> bool:
    """Tell whether a model failed to answer: another day it may."""
    steps = evidence.optimization.steps if evidence.optimization is not None else ()
    return any(step.outcome == "no answer" for step in steps)


def faster(work: Work, kept: Sequence[Evidence]) -> list[Evidence]:
    """Return the evidence of units after every transformation was tried on each of them, in turn.

    All units are asked at once, and their answers are judged together; then they are timed, one by one.
    """
    begun = time.monotonic()
    contests = [Contest(work, item) for item in kept]
    for transformation in work.options.optimize:
        asked = [item.open(transformation) for item in contests if item.goes_on]
        results = dict(repaired(work, asked, model_of(work))) if asked else {}
        for item in contests:
            if item.unit in results:
                item.conclude(transformation, results[item.unit])
    share = (time.monotonic() - begun) / len(contests)
    return [item.concluded(share) for item in contests]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timed:
    """A variant that passed, and its speed beside the best so far."""

    attempt: Attempt
    judged: Judged
    proposal: Proposal
    speedup: Speedup


@dataclass(slots=True)
class _Tally:
    """What became of the answers of one transformation."""

    timed: list[_Timed] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    """Why variants that passed could not be timed."""
    refused: list[str] = field(default_factory=list)
    answered: bool = False


class Contest:
    """One unit on its way through the transformations."""

    def __init__(self, work: Work, evidence: Evidence) -> None:
        """Begin with the translation that is kept."""
        assert evidence.candidate is not None
        self._before = evidence
        self._faults: list[Inconclusive] = []
        self._first = self._best = Proposal(
            unit=evidence.unit,
            contracts=evidence.contracts,
            candidate=evidence.candidate,
            given=work.given.get(evidence.unit.id, ()),
        )
        self._work = work
        with closing(self._track()) as track:
            self._courses = self._first_courses = self._laid(track, evidence.pool)
            self._profile = self._profiled(track)
        self._attempts: list[Attempt] = []
        self._steps: list[Step] = []
        self._variants: list[Variant] = []
        self._since = ""
        """What was measured later than the calls were chosen."""
        self._chosen: _Timed | None = None
        self._wrong: Falsified | None = None
        """What has shown that the best translation so far is none."""

    @property
    def unit(self) -> str:
        """Return the unit's id."""
        return self._before.unit.id

    @property
    def goes_on(self) -> bool:
        """Tell whether it is of any use to ask for another variant."""
        return self._wrong is None and not isinstance(self._courses, NotTimed)

    def open(self, transformation: Transformation) -> Open:
        """Return what a model is asked."""
        best = self._best
        now = best.candidate.replacements[0].shown
        change = Change(
            base=best.candidate,
            transformation=transformation,
            facts=tuple(self._facts()),
            variants=tuple(item for item in self._variants if item.text != now)[-_TOLD:],
        )
        return Open(unit=best.unit, contracts=best.contracts, given=best.given, change=change)

    def _facts(self) -> Iterator[str]:
        """Yield what was measured of the best translation so far."""
        for course in () if isinstance(self._courses, NotTimed) else self._courses:
            yield _fact(course)
        if self._since:
            yield self._since
        yield from self._profile

    def conclude(self, transformation: Transformation, result: Result) -> None:
        """Note what came of a transformation; what is faster for certain is what the next one begins with."""
        passed = {id(attempt): judged for attempt, judged in result.passed}
        tally = _Tally()
        self._attempts += result.attempts
        with closing(self._track()) as track:
            for attempt in result.attempts:
                tally.answered |= not _silent(attempt)
                if id(attempt) in passed:
                    self._time(track, transformation, attempt, passed[id(attempt)], tally)
                else:
                    self._refuse(transformation, attempt, tally)
            self._steps.append(self._step(track, transformation, tally, result))

    def _track(self) -> Track:
        return Track(self._work.workshop, self._work.source, self._first)

    def _time(
        self,
        track: Track,
        transformation: Transformation,
        attempt: Attempt,
        judged: Judged,
        tally: _Tally,
    ) -> None:
        """Note how fast a variant is that passed its trials."""
        assert attempt.candidate is not None
        proposal = replace(self._best, candidate=attempt.candidate)
        if judged.contracts != self._best.contracts:
            tally.reasons.append("it asks more of its callers than the translation that is kept")
            return
        found = self._compare(track, self._courses, self._best, proposal)
        match found:
            case Speedup():
                tally.timed.append(_Timed(attempt=attempt, judged=judged, proposal=proposal, speedup=found))
            case NotTimed(reason=reason):
                tally.reasons.append(reason)
            case Falsified():
                self._refuse(transformation, self._fell(attempt, found), tally)

    def _refuse(self, transformation: Transformation, attempt: Attempt, tally: _Tally) -> None:
        """Note why an attempt fell, where that tells of its code."""
        said = feedback(attempt.verdict)
        if said is not None:
            tally.refused.append(said[0])
            self._tell(transformation, attempt, " ".join((said[0], *said[1][:2])))

    def _fell(self, attempt: Attempt, verdict: Falsified) -> Attempt:
        """Note what a call that takes long has shown of an attempt, and return it with that verdict."""
        fallen = replace(attempt, verdict=verdict)
        self._attempts = [fallen if item is attempt else item for item in self._attempts]
        return fallen

    def _compare(
        self, track: Track, courses: Sequence[Course] | NotTimed, before: Proposal, after: Proposal
    ) -> Speedup | NotTimed | Falsified:
        """Return how many times as fast the second is; Falsified where its results are not the source's."""
        if isinstance(courses, NotTimed):
            return courses
        try:
            found = track.compare(courses, before, after)
        except Exception as error:  # Our own bug takes nothing away.
            return NotTimed(reason=self._failed(error))
        if not isinstance(found, Astray):
            return found
        verdict = falsified(found.failure)
        if found.by is after:
            return verdict
        if found.failure.difference.check != "tolerance":
            self._wrong = verdict
            if self._chosen is not None:
                self._fell(self._chosen.attempt, verdict)
        return NotTimed(reason="the translation that is kept parts from its source in calls that take long")

    def _step(self, track: Track, transformation: Transformation, tally: _Tally, result: Result) -> Step:
        """Return what a transformation came to; the fastest is measured again, since its time chose it."""
        step = Step(transformation=transformation.name, digest=transformation.digest, outcome="refused")
        if not tally.timed:
            if tally.reasons:
                return replace(step, outcome="not timed", reason=tally.reasons[0])
            if result.attempts and not tally.answered:
                return replace(step, outcome="no answer", reason="the model did not answer")
            return replace(step, reason=tally.refused[-1] if tally.refused else "The model changed nothing.")
        best = max(tally.timed, key=lambda item: item.speedup.ratio)
        again: Speedup | NotTimed | Falsified = best.speedup
        if best.speedup.faster:
            again = self._compare(track, self._courses, self._best, best.proposal)
        if isinstance(again, Falsified):
            self._refuse(transformation, self._fell(best.attempt, again), tally)
            return replace(step, reason=tally.refused[-1])
        speedup = again if isinstance(again, Speedup) else best.speedup
        for item in tally.timed:
            self._tell(transformation, item.attempt, _pace(speedup if item is best else item.speedup))
        if isinstance(again, NotTimed) or not speedup.faster:
            return replace(step, outcome="not faster", speedup=speedup)
        self._apply(track, transformation, best, speedup)
        return replace(step, outcome="applied", speedup=speedup, made=best.proposal.candidate.digest)

    def _apply(self, track: Track, transformation: Transformation, best: _Timed, speedup: Speedup) -> None:
        """Go on with a variant; where its calls do not take long any more, with others."""
        self._best, self._chosen = best.proposal, best
        self._since = f"{transformation.name} was applied since: {_pace(speedup)}"
        if speedup.after < SHORT:
            self._courses, self._since = self._laid(track, best.judged.pool), ""
        self._profile = self._profiled(track)

    def _laid(self, track: Track, pool: Sequence[Trial]) -> tuple[Course, ...] | NotTimed:
        """Return calls that take the best translation long enough."""
        try:
            return track.courses(self._best, pool)
        except Exception as error:
            return NotTimed(reason=self._failed(error))

    def _failed(self, error: Exception) -> str:
        """Note that we failed ourselves, and return why."""
        fault = faults.own(error, f"timing {self.unit}")
        self._faults.append(fault)
        return fault.reason

    def _profiled(self, track: Track) -> tuple[str, ...]:
        """Return why the best translation takes the time that it takes, as far as tools know."""
        try:
            return () if isinstance(self._courses, NotTimed) else track.facts(self._best, self._courses)
        except Exception as error:  # Nothing depends on it.
            self._failed(error)
            return ()

    def _tell(self, transformation: Transformation, attempt: Attempt, fate: str) -> None:
        """Note what the model is to learn from an attempt, where there is code in it."""
        if attempt.candidate is not None:
            text = attempt.candidate.replacements[0].shown
            self._variants.append(Variant(text=text, fate=f"{transformation.name}: {fate}"))

    def concluded(self, seconds: float) -> Evidence:
        """Return all that is known of the unit now, with what we failed on ourselves."""
        found = self._found(seconds)
        for fault in self._faults:
            found = found.despite(fault)
        return found

    def _found(self, seconds: float) -> Evidence:
        before, kept, others = self._before, self._before.attempts[-1], self._before.attempts[:-1]
        speedup = self._in_all()
        reason = self._courses.reason if isinstance(self._courses, NotTimed) else ""
        tried = Optimization(steps=tuple(self._steps), speedup=speedup, reason=reason)
        noted = replace(before, seconds=before.seconds + seconds, optimization=tried)
        if self._wrong is not None and self._chosen is None:
            attempts = (*others, kept, *self._attempts, replace(kept, verdict=self._wrong))
            return replace(noted, attempts=attempts, optimization=tried.undone())
        if self._wrong is not None or self._chosen is None:
            return replace(noted, attempts=(*others, *self._attempts, kept), optimization=tried.undone())
        chosen = self._chosen.attempt
        rest = (item for item in self._attempts if item is not chosen)
        return replace(noted, attempts=(*before.attempts, *rest, chosen), pool=self._chosen.judged.pool)

    def _in_all(self) -> Speedup | None:
        """Return the speed-up of all that was applied, measured once more where it was more than one step."""
        applied = [step.speedup for step in self._steps if step.outcome == "applied"]
        if len(applied) < 2:
            return applied[0] if applied else None
        with closing(self._track()) as track:
            found = self._compare(track, self._first_courses, self._first, self._best)
        if isinstance(found, Falsified) and self._chosen is not None:
            self._wrong = found
            self._fell(self._chosen.attempt, found)
        return found if isinstance(found, Speedup) else None


def _silent(attempt: Attempt) -> bool:
    """Tell whether an attempt is that a model did not answer."""
    return isinstance(attempt.verdict, Rejected) and attempt.verdict.stage == "model"


def _fact(course: Course) -> str:
    """Return what was measured where calls were chosen that take long."""
    busy = course.seconds / max(course.elapsed, 1e-9)
    return (
        f"with {course.sizes or 'its only size'}: {1e3 * course.elapsed:.3g} ms a call, "
        f"{course.size / 1e6:.3g} MB of arguments, {busy:.1f} processors busy"
    )


def _pace(speedup: Speedup) -> str:
    """Return the time of a variant beside that of what it was made of."""
    times = f"{1e3 * speedup.after:.3g} ms instead of {1e3 * speedup.before:.3g} ms"
    certain = "" if speedup.faster else ", which is not faster for certain"
    return f"right, {times} ({speedup.ratio:.2f} times as fast{certain})"
