"""EVIDENCE and PORT: everything known of one unit, and of a repository."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from transpile.core.candidate import ByModel, ByRules, Candidate
from transpile.core.contract import Contract
from transpile.core.dialect import Diagnostic, Dialect
from transpile.core.optimization import Optimization, Step
from transpile.core.selection import Selection
from transpile.core.source import Unit, UnitKind
from transpile.core.verdict import OUR_FAULT, Inconclusive, Level, Passed, Trial, Verdict, reaches


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A candidate and what became of it. No candidate where the translator refused."""

    candidate: Candidate | None
    verdict: Verdict
    asked: ByModel | None = None
    """Which model said what no candidate could be made of."""

    @property
    def origin(self) -> ByRules | ByModel | None:
        """Return who made the attempt; None where rules refused."""
        return self.candidate.origin if self.candidate is not None else self.asked

    @property
    def optimises(self) -> bool:
        """Tell whether it was made to be faster than a translation that was kept."""
        return isinstance(self.origin, ByModel) and bool(self.origin.transformation)

    @property
    def passed(self) -> bool:
        """Tell whether its candidate agreed with the source."""
        return isinstance(self.verdict, Passed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything known of one unit."""

    unit: Unit
    contracts: tuple[Contract, ...]
    attempts: tuple[Attempt, ...]
    pool: tuple[Trial, ...] = ()
    """The valid trials that the last attempt was judged on, and all that may take its place."""
    seconds: float = 0.0
    provenance: tuple[tuple[str, str], ...] = ()
    """Seed, tool and compiler versions, flags."""
    closure: tuple[Unit, ...] = ()
    """Units that the text calls, at any depth, callees first."""
    optimization: Optimization | None = None
    """None where nobody asked for speed, or there was nothing to begin with."""
    selection: Selection | None = None
    """None where no clock was asked which of several translations to keep."""
    context: tuple[str, ...] | None = None
    """Headers, macros, types and variables that the texts name; None where an earlier version decided."""
    id: str = ""
    """Name in the store, which gives it; empty until saved."""

    @property
    def verdict(self) -> Verdict:
        """Return the verdict of the last attempt."""
        if not self.attempts:
            return Inconclusive(reason="no attempt was made")
        return self.attempts[-1].verdict

    @property
    def candidate(self) -> Candidate | None:
        """Return the candidate of the last attempt."""
        return self.attempts[-1].candidate if self.attempts else None

    def kept(self, required: Level) -> bool:
        """Tell whether the last attempt passed at the required level."""
        return reaches(self.verdict, required)

    @property
    def faults(self) -> tuple[Inconclusive, ...]:
        """Return what transpile itself failed on."""
        verdicts = (item.verdict for item in self.attempts)
        return tuple(item for item in verdicts if isinstance(item, Inconclusive) and item.ours)

    def despite(self, fault: Inconclusive) -> Evidence:
        """Return what is known where our own failure takes nothing away: the last attempt stays."""
        return replace(self, attempts=(Attempt(candidate=None, verdict=fault), *self.attempts))

    def given_up(self, fault: Inconclusive) -> Evidence:
        """Return what is known where our own failure keeps the last candidate out of the port."""
        undone = self.optimization.undone() if self.optimization is not None else None
        attempts = (*self.attempts, Attempt(candidate=None, verdict=fault))
        return replace(self, attempts=attempts, optimization=undone)

    @property
    def unoptimized(self) -> Attempt:
        """Return the attempt that passed before anything was made faster; StopIteration where none did."""
        return next(item for item in reversed(self.attempts) if not item.optimises and item.passed)

    @property
    def applied(self) -> tuple[tuple[Step, Candidate], ...]:
        """Return what the kept translation has gone through, each step with the text that it led to."""
        texts = {item.candidate.digest: item.candidate for item in self.attempts if item.candidate}
        steps = self.optimization.steps if self.optimization is not None else ()
        return tuple(
            (step, texts[step.made]) for step in steps if step.outcome == "applied" and step.made in texts
        )

    def fallen(self, verdict: Verdict) -> Evidence:
        """Return what is known once the last candidate fell after all.

        One that was optimised gives way to the translation that it began with.
        """
        attempts = (*self.attempts, Attempt(candidate=self.candidate, verdict=verdict))
        if self.optimization is None or not self.optimization.applied:
            return replace(self, attempts=attempts)
        origin = self.unoptimized
        others = (item for item in attempts if item is not origin)
        return replace(self, attempts=(*others, origin), optimization=self.optimization.undone())


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramVerdict:
    """What a run of a whole program, source against port, showed."""

    command: str
    verdict: Verdict


class BuildOutcome(StrEnum):
    BUILDS = "builds"
    FAILS = "fails"
    NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBuild:
    """Result of the port's own build command, run on a copy of the port."""

    outcome: BuildOutcome = BuildOutcome.NOT_SHOWN
    reason: str = ""
    """Why nothing is shown, or the first error."""
    output: str = ""
    """Diagnostics, where it failed."""
    parallel: tuple[str, ...] = ()
    """Ids of kept units whose parallel regions are in what it made."""
    serial: tuple[str, ...] = ()
    """Ids of those that it compiled without their parallel regions."""
    absent: tuple[str, ...] = ()
    """Ids of those that nothing it made is seen to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The usage of models in one run; answers that were known before are free."""

    read: int
    """Tokens."""
    written: int
    cost: float | None = None
    """In the currency of the prices; None where there are none."""
    notes: tuple[str, ...] = ()
    """Remarks for the user on the way models were asked."""


NO_UNIT = "TP126"
"""Code of a source of plain C or C++ of which nothing can be ported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A repository's result."""

    source: Path
    out: Path
    dialect: Dialect
    required: Level
    evidence: tuple[Evidence, ...]
    programs: tuple[ProgramVerdict, ...] = ()
    build_command: str = ""
    built: bool = False
    """Every file compiles and every program links here, and its own build command does not fail."""
    in_part: bool = False
    """Of some files, only what translations need is compiled here, and their programs are not linked."""
    lacking: tuple[str, ...] = ()
    """Headers that such files include and that are not found."""
    built_by: str = ""
    """The compiler of devices that took it, or that none did; empty where it is for none."""
    own_build: OwnBuild = field(default_factory=OwnBuild)
    diagnostics: tuple[Diagnostic, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    """Path in the port of the file that holds each unit, by unit id."""
    store: Path | None = None
    """Where the evidence lies."""
    spent: Spent | None = None
    """None where no model was opened."""

    @property
    def exit_status(self) -> int:
        """Return 0 where every judged unit is kept, programs agree, it builds, and we did not fail; else 1.

        It is 1 where its own build leaves the parallel regions of a unit out.

        It is 1 as well where nothing of plain C or C++ could be judged.
        """
        judged = [item for item in self.evidence if item.unit.kind in (UnitKind.KERNEL, UnitKind.FUNCTION)]
        kept = all(item.kept(self.required) for item in judged)
        agree = all(isinstance(program.verdict, Passed | Inconclusive) for program in self.programs)
        failed = any(item.faults for item in self.evidence)
        failed |= any(item.code in (OUR_FAULT, NO_UNIT) for item in self.diagnostics)
        parallel = not self.own_build.serial
        return 0 if kept and agree and self.built and parallel and not failed else 1
