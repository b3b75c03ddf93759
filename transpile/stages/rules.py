"""Translation by rules: a batch of units of one file at a time, from text to verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
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
    ProgrammingModel,
    Rejected,
    Trial,
    Unit,
    Verdict,
    reaches,
)
from transpile.faults import isolated
from transpile.stages.work import Decided, Work, refusal_of
from transpile.translators.rules.sequential import sequential

Item = TypeVar("Item")
Result = tuple[Candidate, testers.Judged]

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
        found = isolated(
            batch,
            lambda units: decide(shared, units, earlier),
            partial(shared.failed, earlier),
            "deciding",
        )
        return [store.save(keys[item.unit.id], item) for item in found]

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
        for candidate in proposed(work, unit, known):
            if not isinstance(candidate, Candidate):
                attempts[unit.id] = (Attempt(candidate=None, verdict=candidate),)
            else:
                own = work.given.get(unit.id, ())
                proposals.append(
                    testers.Proposal(
                        unit=unit,
                        contracts=known,
                        candidate=candidate,
                        given=own,
                        sequential=options.sequential,
                    )
                )
    pools: dict[str, tuple[Trial, ...]] = {}
    results: dict[str, list[Result]] = {}
    for proposal, result in judged_with_repair(work, proposals):
        results.setdefault(proposal.unit.id, []).append((proposal.candidate, result))
    for name, found in results.items():
        ranked = best_last(found, [one.candidate for one in proposals], options.required)
        tried = (Attempt(candidate=candidate, verdict=result.verdict) for candidate, result in ranked)
        attempts[name] = (*attempts.get(name, ()), *tried)
        pools[name] = shared_pool(result for _, result in ranked)
        learnt[name] = ranked[-1][1].contracts or learnt[name]
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
