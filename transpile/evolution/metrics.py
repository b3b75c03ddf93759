"""Figures of a round: how often the Translator is right, and what the tests are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from transpile.evolution.records import UnitRound
from transpile.report.passing import pass_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """One round. Shares are None where there is nothing to take a share of."""

    round: int
    units: int
    """Those that models were asked of."""
    asked: int
    """Answers that were wanted."""
    answered: int
    samples: int
    """Answers wanted of each unit: the k of Pass@k."""
    pass_at_1: float | None
    pass_at_k: float | None
    kept: int
    """Units with a translation that is kept after the round."""
    candidates: int
    """Different ones that met the tests."""
    fallen: int
    """Translations kept before, and no longer."""
    silent: int
    """Units for which the Tester was asked and did not answer."""
    written: int
    """Tests."""
    validity: float | None
    """Share of them that the source takes."""
    admitted: int
    discriminating: float | None
    """Share of those admitted that tell some candidate of the round from its source."""
    mutation_score: float | None
    """Share of planted faults that the trials notice: the mean over units where it was measured."""
    seconds: float
    """Of matrices and judgements, over all units."""


def measure(number: int, records: Sequence[UnitRound], samples: int) -> Metrics:
    """Return the figures of a round."""
    answered = [record for record in records if record.samples]
    tests = [test for record in records for test in record.tests.written]
    telling = [trial in record.matrix.telling for record in records for trial in record.tests.admitted]
    scores = (record.tests.strength.score for record in records if record.tests.strength is not None)
    return Metrics(
        round=number,
        units=len(records),
        asked=sum(len(record.samples) + len(record.unanswered) for record in records),
        answered=sum(len(record.samples) for record in records),
        samples=samples,
        pass_at_1=_mean(_passing(record, 1) for record in answered),
        pass_at_k=_mean(_passing(record, samples) for record in answered if len(record.samples) >= samples),
        kept=sum(bool(record.standing) for record in records),
        candidates=sum(len(record.matrix.rows) for record in records),
        fallen=sum(len(record.fallen) for record in records),
        silent=sum(bool(record.tests.unanswered) for record in records),
        written=len(tests),
        validity=_mean(test.valid for test in tests),
        admitted=len(telling),
        discriminating=_mean(telling),
        mutation_score=_mean(score for score in scores if score is not None),
        seconds=sum(record.seconds for record in records),
    )


def _passing(record: UnitRound, k: int) -> float:
    return pass_at(k, sum(sample.kept for sample in record.samples), len(record.samples))


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None
