"""OPTIMIZATION: which transformations made a kept translation faster, and how that was measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from transpile.core.digests import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformation:
    """A way to make code faster, in words that a model reads."""

    name: str
    summary: str
    targets: tuple[str, ...]
    """Short names of the dialects that it makes sense in."""
    text: str

    @property
    def digest(self) -> str:
        """Return the digest of all that a model is told of it."""
        return digest(self.summary, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speedup:
    """How many times as fast as another a translation is, by the clock on the wall of one machine."""

    ratio: float
    """Of the shortest times."""
    low: float
    """From here to ``high`` the median of the measured blocks lies."""
    high: float
    before: float
    """Seconds of a call of the other one."""
    after: float
    blocks: int
    """In each, both were measured."""
    inputs: tuple[str, ...]
    """Sizes that were called, one for each form of the unit."""
    threads: int
    load: float
    """Of the machine as the measurement began: processes that ran or waited for a processor."""

    @property
    def faster(self) -> bool:
        """Tell whether the measurement leaves no other reading."""
        return self.low > 1.0 and self.ratio > 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A transformation that was tried on a kept translation."""

    transformation: str
    digest: str
    """Of what the model was told of it."""
    outcome: Literal["applied", "not faster", "refused", "not timed", "no answer", "undone"]
    speedup: Speedup | None = None
    """Over the translation before it; of what was not applied, the best of those that were measured."""
    reason: str = ""
    made: str = ""
    """Digest of the text that was applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimization:
    """What was tried to make a kept translation faster, in order."""

    steps: tuple[Step, ...]
    speedup: Speedup | None = None
    """Of all that was applied together, over the translation that it began with."""
    reason: str = ""
    """Why nothing was tried, or nothing more."""

    @property
    def applied(self) -> tuple[str, ...]:
        """Return the names of the transformations that the translation has gone through."""
        return tuple(step.transformation for step in self.steps if step.outcome == "applied")

    def undone(self) -> Optimization:
        """Return the same with nothing applied any more."""
        steps = (replace(s, outcome="undone") if s.outcome == "applied" else s for s in self.steps)
        return replace(self, steps=tuple(steps), speedup=None)
