"""Translation by rules: a batch of units of one file at a time, from text to verdict."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from transpile import testers, translators
from transpile.core import (
    Attempt,
    Candidate,
    Contract,
    Evidence,
    Falsified,
    Inconclusive,
    ProgrammingModel,
    Rejected,
    Trial,
    Unit,
    Verdict,
)
from transpile.stages.work import Decided, Work, refusal_of
from transpile.translators.rules.sequential import sequential

Item = TypeVar("Item")

BATCH = 8
"""Units judged together: one build of each flavour serves them, and a kill loses no more than these."""


def by_rules(work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]) -> Iterator[Decided]:
    """Yield the evidence of every unit as it is decided, what the store knows first."""
    stages = ("models", "rules") if earlier else ("rules",)
    keys, store = work.keys(units, stages), work.store
    known, fresh = work.recalled(units, keys)
    yield from known
    groups = batches(fresh)
    shared = work.sharing(len(groups))

    def saved(batch: Sequence[Unit]) -> list[Evidence]:
        # On disk before anyone hears of it.
        return [store.save(keys[item.unit.id], item) for item in decide(shared, batch, earlier)]

    with ThreadPoolExecutor(max_workers=work.options.jobs) as pool:
        for batch in pool.map(saved, groups):
            yield from (Decided(evidence=item) for item in batch)


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


def decide(work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]) -> tuple[Evidence, ...]:
    """Take units of one translation unit from text to verdict: contract, proposal, judgement."""
    begun = time.monotonic()
    source, options = work.source, work.options
    refused = {
        unit.id: refusal
        for unit in units
        if (refusal := refusal_of(source, unit) or translators.foreseen(source, unit, options.target))
    }
    able = [unit for unit in units if unit.id not in refused]
    contracts = work.learnt(able)
    attempts: dict[str, tuple[Attempt, ...]] = {
        unit: (Attempt(candidate=None, verdict=why),) for unit, why in refused.items()
    }
    proposals: list[testers.Proposal] = []
    learnt: dict[str, tuple[Contract, ...]] = {}
    for unit in able:
        known = contracts[unit.id]
        if isinstance(known, Inconclusive):
            attempts[unit.id] = (Attempt(candidate=None, verdict=known),)
            continue
        learnt[unit.id] = known
        proposed = translators.propose(source, unit, known, options.target)
        if isinstance(proposed, Rejected):
            attempts[unit.id] = (Attempt(candidate=None, verdict=proposed),)
        for candidate in (proposed, translators.variant(source, unit, known, options.target)):
            if isinstance(candidate, Candidate):
                own = work.given.get(unit.id, ())
                proposals.append(testers.Proposal(unit=unit, contracts=known, candidate=candidate, given=own))
    pools: dict[str, tuple[Trial, ...]] = {}
    for proposal, result in judged_with_repair(work, proposals):
        before = attempts.get(proposal.unit.id, ())
        attempts[proposal.unit.id] = (*before, Attempt(candidate=proposal.candidate, verdict=result.verdict))
        pools[proposal.unit.id] = result.pool
        learnt[proposal.unit.id] = result.contracts or learnt[proposal.unit.id]
    for name, number in Counter(one.unit.id for one in proposals).items():
        if number > 1:
            attempts[name] = best_last(
                attempts[name], [one.candidate for one in proposals if one.unit.id == name]
            )
    share = (time.monotonic() - begun) / max(len(units), 1)
    return tuple(
        work.evidence(
            unit,
            learnt.get(unit.id, ()),
            (*(earlier[unit.id].attempts if unit.id in earlier else ()), *attempts[unit.id]),
            pools.get(unit.id, ()),
            share,
        )
        for unit in units
    )


def best_last(attempts: Sequence[Attempt], proposed: Sequence[Candidate]) -> tuple[Attempt, ...]:
    """Return attempts so that what counts comes last.

    Of those that passed the last that was proposed; if none did, the first.
    """
    rank = {candidate.digest: number for number, candidate in enumerate(proposed, 1)}

    def weight(attempt: Attempt) -> tuple[bool, int]:
        number = rank.get(attempt.candidate.digest, 0) if attempt.candidate else 0
        return attempt.passed, number if attempt.passed else -number

    return tuple(sorted(attempts, key=weight))


def judged_with_repair(
    work: Work, proposals: Sequence[testers.Proposal]
) -> Iterator[tuple[testers.Proposal, testers.Judged]]:
    """Yield every judgement; what falls for its parallelism alone is tried once more without.

    Functions of C and C++ are not: without it they are their source.
    """
    ported = work.source.dialect.model is not ProgrammingModel.NONE
    again: list[testers.Proposal] = []
    for proposal, result in zip(proposals, judged(work, proposals), strict=True):
        yield proposal, result
        plain = sequential(proposal.candidate)
        if ported and races(result.verdict) and plain.digest != proposal.candidate.digest:
            again.append(replace(proposal, candidate=plain))
    yield from zip(again, judged(work, again), strict=True)


def judged(work: Work, proposals: Sequence[testers.Proposal]) -> list[testers.Judged]:
    """Return the verdicts on proposals, as the options ask."""
    options = work.options
    return testers.judge(
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
