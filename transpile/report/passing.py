"""Share of the answers of models that are right: the unbiased estimate of pass@k, of first answers alone."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from transpile.core import ByModel, Evidence, Passed, Rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Answers to one question, and how many of them are right."""

    right: int = 0
    drawn: int = 0

    def __add__(self, other: Drawn) -> Drawn:
        return Drawn(right=self.right + other.right, drawn=self.drawn + other.drawn)


def pass_at(k: int, right: int, drawn: int) -> float:
    """Return the chance that one of k answers is right, estimated from some that were drawn (Chen et al.)."""
    return 1.0 - comb(drawn - right, k) / comb(drawn, k)


def answers_of(evidence: Evidence, model: str | None = None) -> Drawn:
    """Return the answers of a model, or of all, to every question about a unit.

    An answer is what it means: a draft in it that was judged as well is none of its own. Answers that mean
    the same count each. One that did not come, since a server failed, is no answer.
    """
    return _count(evidence, model, first=False)


def first_answers_of(evidence: Evidence, model: str | None = None) -> Drawn:
    """Return the answers to the first question alone: later ones were told what was wrong."""
    return _count(evidence, model, first=True)


def _count(evidence: Evidence, model: str | None, *, first: bool) -> Drawn:
    right = drawn = 0
    for attempt in evidence.attempts:
        origin = attempt.origin
        if not isinstance(origin, ByModel) or origin.transformation or origin.draft:
            continue
        silent = isinstance(attempt.verdict, Rejected) and attempt.verdict.stage == "model"
        if silent or (first and origin.round) or model not in (None, origin.model):
            continue
        drawn += origin.alike
        right += origin.alike * isinstance(attempt.verdict, Passed)
    return Drawn(right=right, drawn=drawn)


def mean_pass_at(k: int, found: list[Drawn]) -> float | None:
    """Return the mean over units that have as many answers; None where none has."""
    values = [pass_at(k, item.right, item.drawn) for item in found if item.drawn >= k]
    return sum(values) / len(values) if values else None
