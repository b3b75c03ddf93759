"""A translator on the items of a suite: what it answers, what is kept, and what the items' own tests say."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from transpile import faults, pipeline
from transpile.core import (
    Attempt,
    ByModel,
    Evidence,
    Rejected,
    Source,
    Speedup,
    UnitKind,
    reaches,
)
from transpile.eval.items import Item, Written
from transpile.eval.metrics import Answer, Outcome
from transpile.options import PortOptions, Silent
from transpile.report.findings import reason_of
from transpile.stages import Work
from transpile.stages.asked import Asked
from transpile.testers import Proposal
from transpile.testers.speed.speedup import BRIEF
from transpile.testers.verdict.performance import Track
from transpile.toolchains.workshop import Workshop
from transpile.translators.kernels.sequential import as_written


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """How items are translated, and what is measured of them."""

    options: PortOptions
    asked: Asked
    speed: bool = False
    """Time what is kept beside its source."""

    def outcomes(self, items: Sequence[Item], told: Callable[[Outcome], None]) -> list[Outcome]:
        """Return what became of each item, in order; ``told`` hears of each as it is decided."""
        workshop = pipeline.make_workshop(self.options)

        def one(item: Item) -> Outcome:
            found = self._outcome(workshop, item)
            told(found)
            return found

        with ThreadPoolExecutor(max_workers=self.options.jobs) as pool:
            return list(pool.map(one, items))

    def _outcome(self, workshop: Workshop, item: Item) -> Outcome:
        """Return what became of an item; our own failure is that of one item."""
        try:
            with tempfile.TemporaryDirectory(prefix="item-", dir=workshop.scratch()) as scratch:
                return self._translated(workshop, item, Path(scratch))
        except Exception as error:
            why = reason_of(faults.own(error, f"translating {item.id}"))
            return Outcome(id=item.id, why=why, untested=item.untested)

    def _translated(self, workshop: Workshop, item: Item, place: Path) -> Outcome:
        # Items know nothing of each other: a caller elsewhere would tell how long arrays are.
        file = place / f"item{item.suffix}"
        file.write_text(item.text, encoding="utf-8")
        options = self.options
        source = pipeline.read(file, options)
        pipeline.refuse_without_translator(source, options)
        units = pipeline.chosen(source, options, pipeline.judged_kinds(source))
        wanted = [unit for unit in units if item.unit in ("", unit.name)]
        if not wanted:
            return Outcome(id=item.id, why="it holds no unit that is judged", untested=item.untested)
        work = Work(workshop=workshop, source=source, options=options, asked=self.asked)
        [evidence, *_] = pipeline.judged_units(work, wanted[:1], Silent())
        return self._scored(workshop, item, source, evidence)

    def _scored(self, workshop: Workshop, item: Item, source: Source, evidence: Evidence) -> Outcome:
        tests: dict[str, bool | None] = {}

        def right(attempt: Attempt) -> bool | None:
            candidate = attempt.candidate
            if item.test is None or candidate is None or not evidence.contracts:
                return None
            if candidate.digest not in tests:
                written = Written(candidate=candidate, signature=evidence.contracts[0].signature)
                tests[candidate.digest] = item.test(workshop, written)
            return tests[candidate.digest]

        kept = evidence.kept(self.options.required)
        last = evidence.attempts[-1]
        pace = self._pace(workshop, source, evidence) if kept and self.speed else None
        answers = tuple(
            Answer(
                built=not isinstance(attempt.verdict, Rejected),
                judged=reaches(attempt.verdict, self.options.required),
                right=right(attempt) if not isinstance(attempt.verdict, Rejected) else None,
                speedup=pace if attempt is last else None,
            )
            for attempt, count in drawn(evidence, models_alone=self.options.models.only)
            for _ in range(count)
        )
        found = right(last) if kept else None
        untested = item.untested
        if kept and found is None and not untested:
            untested = "its test cannot call what takes the launch"
        return Outcome(
            id=item.id,
            answers=answers,
            kept=kept,
            kept_right=found,
            why="" if kept else reason_of(evidence.verdict),
            untested=untested,
            made=Written(candidate=last.candidate, signature=evidence.contracts[0].signature).text
            if kept and last.candidate is not None
            else "",
        )

    def _pace(self, workshop: Workshop, source: Source, evidence: Evidence) -> float | None:
        """Return how many times as fast as its source a function is; None where that is not measured."""
        unit, candidate = evidence.unit, evidence.candidate
        if unit.kind is not UnitKind.FUNCTION or candidate is None or candidate.dialect.traits.emulated:
            return None
        own = Proposal(unit=unit, contracts=evidence.contracts, candidate=candidate)
        plain = replace(own, candidate=as_written(unit, candidate))
        with closing(Track(workshop, source, own, BRIEF)) as track:
            courses = track.courses(own, evidence.pool)
            found = track.compare(courses, plain, own) if isinstance(courses, tuple) else courses
        return found.ratio if isinstance(found, Speedup) else None


def drawn(evidence: Evidence, *, models_alone: bool) -> Iterator[tuple[Attempt, int]]:
    """Yield the answers to count and how often each was given.

    Of models alone all first answers count, drafts aside. Else there is one answer: what counts in the end.
    """
    if not models_alone:
        yield evidence.attempts[-1], 1
        return
    for attempt in evidence.attempts:
        origin = attempt.origin
        silent = isinstance(attempt.verdict, Rejected) and attempt.verdict.stage == "model"
        if isinstance(origin, ByModel) and not (origin.draft or origin.round or silent):
            yield attempt, origin.alike
