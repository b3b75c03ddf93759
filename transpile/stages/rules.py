"""Translation by rules: a batch of units of one file at a time, from text to verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from transpile import faults, testers, translators
from transpile.core import (
    Attempt,
    Candidate,
    Contract,
    Evidence,
    Falsified,
    Inconclusive,
    Level,
    Passed,
    Rejected,
    Trial,
    Unit,
    Verdict,
    reaches,
)
from transpile.faults import streamed
from transpile.stages.once import numbered, once
from transpile.stages.work import Decided, Work, refusal_of
from transpile.translators.kernels.sequential import sequential

Item = TypeVar("Item")
Result = tuple[Candidate, testers.Judged]

BATCH = 8
"""Units judged together: one build of each flavour serves them."""


def by_rules(work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]) -> Iterator[Decided]:
    """Yield the evidence of every unit as it is decided, what the store knows first."""
    keys = work.keys(units, ("models", "rules") if earlier else ("rules",))
    known, fresh = work.recalled(units, keys)
    yield from known
    groups = batches(fresh)
    shared = work.sharing(len(groups))

    def decided(some: Sequence[Unit]) -> Iterator[Evidence]:
        def together(units: Sequence[Unit]) -> Iterator[tuple[int, Evidence]]:
            return numbered(units, decide(shared, units, earlier))

        return (item for _, item in streamed(some, together, partial(shared.failed, earlier), "deciding"))

    yield from once(work, groups, keys, decided)


def batches(units: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """Group units by translation unit, a bounded number at a time."""
    return batched(units, lambda unit: unit.translation_unit)


def batched(items: Iterable[Item], file: Callable[[Item], Hashable]) -> list[tuple[Item, ...]]:
    """Group what is built in one file, a bounded number at a time."""
    groups: dict[Hashable, list[Item]] = {}
    for item in items:
        groups.setdefault(file(item), []).append(item)
    return [
        tuple(group[start : start + BATCH])
        for group in groups.values()
        for start in range(0, len(group), BATCH)
    ]


def decide(work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]) -> Iterator[Evidence]:
    """Take units of one translation unit from text to verdict: contract, proposal, judgement.

    What needs no trial comes first, and every other unit as soon as its last candidate is judged.
    """
    begun = time.monotonic()
    pending = [PendingUnit.of(work, unit, earlier.get(unit.id), known) for unit, known in _known(work, units)]
    share = (time.monotonic() - begun) / max(len(units), 1)
    yield from (item.evidence(work, share) for item in pending if not item.proposals)
    waiting = {item.unit.id: item for item in pending if item.proposals}
    proposals = [proposal for item in waiting.values() for proposal in item.proposals]
    begun = time.monotonic()
    for number, result in judged_each(work, proposals):
        item = waiting[proposals[number].unit.id]
        item.results.append((proposals[number].candidate, result))
        if len(item.results) == len(item.proposals):
            item.repair(work)
            now = time.monotonic()
            yield item.evidence(work, share + now - begun)
            begun = now


Known = tuple[Contract, ...] | Inconclusive | Rejected
"""The contracts of a unit, or the reason why nothing is proposed for it."""


def _known(work: Work, units: Sequence[Unit]) -> Iterator[tuple[Unit, Known]]:
    """Yield units with their contracts, or why there are none: what is refused anyway is not run."""
    source, target = work.source, work.options.target
    refused: dict[str, Known] = {
        unit.id: refusal
        for unit in units
        if (refusal := refusal_of(source, unit) or translators.foreseen(source, unit, target))
    }
    found = refused | work.learnt([unit for unit in units if unit.id not in refused])
    return ((unit, found[unit.id]) for unit in units)


@dataclass(slots=True, kw_only=True)
class PendingUnit:
    """One unit on its way to its verdict."""

    unit: Unit
    earlier: Evidence | None
    contracts: tuple[Contract, ...] = ()
    refusals: tuple[Attempt, ...] = ()
    """The reason why there is no translation, or none that may be faster."""
    proposals: tuple[testers.Proposal, ...] = ()
    results: list[Result] = field(default_factory=list)

    @classmethod
    def of(cls, work: Work, unit: Unit, earlier: Evidence | None, known: Known) -> PendingUnit:
        """Begin with what is proposed for a unit."""
        if not isinstance(known, tuple):
            return cls(unit=unit, earlier=earlier, refusals=(Attempt(candidate=None, verdict=known),))
        found = list(proposed(work, unit, known))
        refusals = [item for item in found if not isinstance(item, Candidate)]
        return cls(
            unit=unit,
            earlier=earlier,
            contracts=known,
            refusals=tuple(Attempt(candidate=None, verdict=item) for item in refusals[-1:]),
            proposals=tuple(
                testers.Proposal(
                    unit=unit,
                    contracts=known,
                    candidate=item,
                    given=work.given.get(unit.id, ()),
                    sequential=work.options.sequential,
                )
                for item in found
                if isinstance(item, Candidate)
            ),
        )

    def repair(self, work: Work) -> None:
        """Try once more, without parallelism, what falls for that alone.

        Functions of C and C++ are not: without it they are their source.
        """
        if work.source.dialect.is_plain:
            return
        fallen = {candidate.digest for candidate, result in self.results if races(result.verdict)}
        plain = [(item, sequential(item.candidate)) for item in self.proposals]
        again = [
            replace(item, candidate=candidate)
            for item, candidate in plain
            if item.candidate.digest in fallen and candidate.digest != item.candidate.digest
        ]
        for number, result in judged_each(work, again):
            self.results.append((again[number].candidate, result))

    def evidence(self, work: Work, seconds: float) -> Evidence:
        """Return all that is known of the unit, its last attempt the one that counts."""
        before = self.earlier.attempts if self.earlier is not None else ()
        if not self.results:
            return work.evidence(self.unit, self.contracts, (*before, *self.refusals), (), seconds)
        ranked = best_last(self.results, [item.candidate for item in self.proposals], work.options.required)
        tried = (Attempt(candidate=candidate, verdict=result.verdict) for candidate, result in ranked)
        return work.evidence(
            self.unit,
            ranked[-1][1].contracts or self.contracts,
            (*before, *self.refusals, *tried),
            shared_pool(result for _, result in ranked),
            seconds,
        )


def proposed(
    work: Work, unit: Unit, contracts: Sequence[Contract]
) -> Iterator[Candidate | Rejected | Inconclusive]:
    """Yield the translation of a unit, or why there is none, and what may be faster."""
    target = work.options.target
    try:
        yield translators.propose(work.source, unit, contracts, target)
        yield from translators.variants(work.source, unit, contracts, target)
    except Exception as error:
        yield faults.own(error, f"translating {unit.id}")


def best_last(
    results: Iterable[Result], proposed: Sequence[Candidate], required: Level
) -> tuple[Result, ...]:
    """Return candidates of a unit with their judgements so that what counts comes last.

    Of those that are shown what is required, the last that was proposed; if none is, the first.
    """
    rank = {candidate.digest: number for number, candidate in enumerate(proposed, 1)}

    def weight(result: Result) -> tuple[bool, bool, int]:
        candidate, judged = result
        number, passed = rank.get(candidate.digest, 0), isinstance(judged.verdict, Passed)
        return reaches(judged.verdict, required), passed, number if passed else -number

    return tuple(sorted(results, key=weight))


def shared_pool(ranked: Iterable[testers.Judged]) -> tuple[Trial, ...]:
    """Return the trials of the last judgement that count for all that passed under the same contracts."""
    *others, last = ranked
    rivals = [item.pool for item in others if item.pool and item.contracts == last.contracts]
    return tuple(trial for trial in last.pool if all(trial in pool for pool in rivals))


def judged_each(work: Work, proposals: Sequence[testers.Proposal]) -> Iterator[tuple[int, testers.Judged]]:
    """Yield the number of each proposal and the verdict on it as soon as it is there, as the options ask."""
    options = work.options
    return testers.judged_each(
        work.workshop,
        work.source,
        proposals,
        seed=options.seed,
        level=options.required,
        prove=options.prove,
    )


def races(verdict: Verdict) -> bool:
    """Tell whether threads of a candidate were seen to race."""
    return isinstance(verdict, Falsified) and verdict.counterexample.check == "race"
