"""What a candidate is worth to whoever trains its author: a number, how far it came, and why no further."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log2

from transpile.core import Falsified, Inconclusive, Level, Passed, Rejected, Verdict, reaches
from transpile.errors import UsageError
from transpile.report.findings import reason_of
from transpile.testers.verdict.panel import Tally

_CHEATS = ("surroundings",)
"""Checks that no honest mistake falls to."""
_UNREAD = ("model", "answer", "translate")
"""Stages of refusals of what holds no code to judge."""
_OCTAVES = 3
"""Doublings of speed that are worth all that speed is worth."""


class Stage(StrEnum):
    """Where a candidate came to its end."""

    SOURCE = "source"
    """Nothing can be said of any candidate: the source cannot be judged, or we failed ourselves."""
    FORMAT = "format"
    POLICY = "policy"
    BUILD = "build"
    TRIALS = "trials"
    CHECKS = "checks"
    """It agrees on all trials of a plain build, and a checker refuses it or cannot clear it."""
    PASSED = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The value of each step; what is refused is worth less than what passes, however far it came."""

    form: float = 0.05
    """Code that defines what was asked for, and does not build."""
    build: float = 0.1
    trials: float = 0.3
    """On top of ``build`` for agreement on all trials; for agreement on some, a share of it."""
    passed: float = 1.0
    speed: float = 0.0
    """On top of ``passed``, at eight times the speed of the translation by rules; 0: no clock is asked."""

    def __post_init__(self) -> None:
        """Refuse a scale on which a wrong candidate is worth as much as a right one."""
        steps = (0.0, self.form, self.build, self.build + self.trials)
        if sorted(steps) != list(steps) or self.speed < 0 or not steps[-1] < self.passed:
            raise UsageError(
                "a reward has to rise from form to build to trials, and a pass is worth more than all of them"
            )


USUAL = Scale()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """The worth of one candidate."""

    value: float | None
    """None where nothing can be said: such an answer is no example of anything."""
    stage: Stage
    reason: str
    code: str = ""
    """Of the page that `transpile explain` shows; empty where there is none."""
    agreed: int = 0
    telling: int = 0
    """Trials on which the source changes something, and those of them on which the candidate agrees."""
    level: Level | None = None
    """Of a pass."""
    speedup: float | None = None
    """Over the translation by rules, where it was measured and leaves no other reading."""


def unsaid(verdict: Inconclusive | Rejected) -> Reward:
    """Return that nothing can be said of any candidate, and why."""
    return Reward(value=None, stage=Stage.SOURCE, reason=reason_of(verdict), code=_code(verdict))


def graded(tally: Tally, required: Level, scale: Scale = USUAL, speedup: float | None = None) -> Reward:
    """Return what a judged candidate is worth.

    Args:
        tally: What became of it.
        required: The level that a pass has to reach.
        scale: What each step is worth.
        speedup: Times as fast as the translation by rules, where that is certain.
    """
    verdict = tally.verdict
    if tally.source_alone or (isinstance(verdict, Inconclusive) and verdict.ours):
        assert isinstance(verdict, Inconclusive)
        return unsaid(verdict)
    stage = _stage(tally, required)
    return Reward(
        value=_value(stage, tally, scale, speedup),
        stage=stage,
        reason=reason_of(verdict),
        code=_code(verdict),
        agreed=tally.agreed,
        telling=tally.telling,
        level=verdict.guarantee.level if isinstance(verdict, Passed) else None,
        speedup=speedup,
    )


def _stage(tally: Tally, required: Level) -> Stage:
    match tally.verdict:
        case Passed():
            return Stage.PASSED if reaches(tally.verdict, required) else Stage.CHECKS
        case Rejected(stage=stage):
            return Stage.FORMAT if stage in _UNREAD else Stage.POLICY if stage == "policy" else Stage.BUILD
        case Falsified(counterexample=found) if found.check in _CHEATS:
            return Stage.POLICY
        case _:
            return Stage.CHECKS if tally.agreed == tally.telling else Stage.TRIALS


def _value(stage: Stage, tally: Tally, scale: Scale, speedup: float | None) -> float:
    match stage:
        case Stage.SOURCE | Stage.FORMAT | Stage.POLICY:
            return 0.0
        case Stage.BUILD:
            return scale.form
        case Stage.TRIALS | Stage.CHECKS:
            return scale.build + scale.trials * tally.agreed / max(tally.telling, 1)
        case Stage.PASSED:
            doublings = log2(speedup) if speedup is not None and speedup > 1 else 0.0
            return scale.passed + scale.speed * min(doublings / _OCTAVES, 1.0)


def _code(verdict: Verdict) -> str:
    match verdict:
        case Inconclusive(code=code):
            return code
        case Rejected(diagnostics=(first, *_)):
            return first.code
        case _:
            return ""
