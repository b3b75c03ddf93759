"""VERDICT: what trials, checks and proofs showed of a candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from transpile.core.contract import Launch
from transpile.core.dialect import Diagnostic
from transpile.core.example import Example
from transpile.core.proof import Proof

Fill = Literal[
    "exact",
    "real",
    "edge",
    "cancel",
    "first",
    "last",
    "special",
    "few",
    "wide",
    "marked",
    "linear",
    "akin",
    "part",
    "level",
    "grid",
    "ramp",
    "tiny",
]
"""Distributions of the numbers in the arrays of a trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One input, replayable: arrays are made again from the contract, the seed and the fill."""

    seed: int
    fill: Fill
    scalars: tuple[tuple[str, int | float], ...]
    launch: Launch = field(default_factory=Launch)
    template_arguments: str | None = None
    """Which of the unit's signatures it is for: its form, such as ``float`` or ``f = square``."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Pairs of pointers of which the first points to what the second does."""
    null: tuple[str, ...] = ()
    """Pointers that lead nowhere."""
    carved: str = ""
    """Digest of data that was recorded while the source's own program ran; empty where the seed makes it."""
    written: tuple[tuple[str, tuple[int | float, ...]], ...] | None = None
    """Elements of arrays as a tester wrote them, from the first again where more are needed; the seed makes
    the other arrays. None for a trial that no tester wrote."""
    lengths: tuple[tuple[str, int], ...] = ()
    """Elements of arrays that no expression gives the extent of: as many as the source reaches here."""
    marks: tuple[float, ...] = ()
    """Numbers that some elements equal or are beside where the fill is ``marked``."""
    variables: tuple[tuple[str, int, int], ...] = ()
    """Least and greatest whole number in variables at file scope, or members of such, where not as usual."""

    @property
    def generated(self) -> bool:
        """Tell whether it was made from a contract and a seed alone."""
        return not self.carved and self.written is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """A trial on which source and candidate part, as small as shrinking made it."""

    trial: Trial
    where: str
    """Such as ``out[17]``."""
    expected: str
    got: str
    check: str
    """The check that found it: exact, tolerance, address, race, timeout …"""
    before: tuple[Trial, ...] = ()
    """Calls ahead of it in the same process without which it agrees: something is kept between calls."""
    others: tuple[str, ...] = ()
    """More places on which they part, such as ``out[18]: expected 3, got 0``, and how many there are."""
    inputs: tuple[str, ...] = ()
    """The arrays that the call reads: small ones whole, of long ones what is around the difference."""


class Level(StrEnum):
    BUILT = "built"
    TESTED = "tested"
    HARDENED = "hardened"

    @property
    def rank(self) -> int:
        """Return the order of strength."""
        return (Level.BUILT, Level.TESTED, Level.HARDENED).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The share of faults, planted in the source one at a time, that is noticed."""

    mutants: int
    """Those that compile."""
    killed: int
    """Those that trials notice, or a look at the arithmetic of sizes: no trial is large enough for these."""
    equivalent: int
    """Shown to be no fault at all."""
    survivors: tuple[str, ...] = ()
    """Those that nothing noticed and that nothing shows to be equivalent."""
    possible: int = 0
    """All that could be planted, where a sample was taken of them."""

    @property
    def real(self) -> int:
        """Return how many of the mutants are faults, as far as is known."""
        return self.mutants - self.equivalent

    @property
    def score(self) -> float | None:
        """Return the share of the faults that is noticed; None where there is none to notice."""
        return self.killed / self.real if self.real else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What was shown, and by what."""

    level: Level
    trials: int
    checks: tuple[str, ...]
    coverage: float | None = None
    """Share of the source's branches that valid trials took; None where it has none to take."""
    unreachable: int = 0
    strength: Strength | None = None
    """Of the trials; None where it was not measured."""
    shortfall: str = ""
    """Why the next level was not reached, where it was asked for."""
    tolerance: str = ""
    requires: tuple[str, ...] = ()
    """What callers provide beyond what the source touches: all do that the source shows."""
    parallel: int | None = None
    """Trials that ran it on several threads; None where that is not told, as where each trial is a launch."""
    single: tuple[str, ...] = ()
    """Kernels that are the work of one thread of the device."""
    judged_on: Literal["emulator", "device"] = "emulator"
    built_by: str = ""
    proof: Proof | None = None
    examples: tuple[Example, ...] = ()
    """Some small calls, with what the source made of them."""

    @property
    def mutation_score(self) -> float | None:
        """Return the share of planted faults that the trials notice."""
        return self.strength.score if self.strength is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Agreed with its source on every valid trial."""

    guarantee: Guarantee
    kind: Literal["passed"] = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsified:
    """Behaves unlike its source on a valid trial."""

    counterexample: Counterexample
    trials: int = 0
    kind: Literal["falsified"] = "falsified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Refused before any trial: by a translator, or by the target compiler."""

    stage: str
    diagnostics: tuple[Diagnostic, ...]
    kind: Literal["rejected"] = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inconclusive:
    """Not shown either way; the reason says what is missing."""

    reason: str
    code: str = "TP401"
    kind: Literal["inconclusive"] = "inconclusive"

    @property
    def ours(self) -> bool:
        """Tell whether nothing is shown because transpile itself failed."""
        return self.code == OUR_FAULT


UNTAKEN = "TP411"
"""Code of branches of the source that no trial takes."""
OUR_FAULT = "TP414"
"""Code of what transpile itself failed on."""

Verdict = Passed | Falsified | Rejected | Inconclusive


def reaches(verdict: Verdict, required: Level) -> bool:
    """Tell whether a verdict is a pass at the level that is required, or above."""
    return isinstance(verdict, Passed) and verdict.guarantee.level.rank >= required.rank
