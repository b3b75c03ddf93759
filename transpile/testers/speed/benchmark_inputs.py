"""Inputs for timings: trials of the contract, with sizes doubled until a call takes long enough."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.core import Contract, Trial
from transpile.testers.oracle.baseline import Baseline
from transpile.testers.oracle.validity import Invalid, Reference
from transpile.testers.run.bench import Entry, Outcome, RunConfiguration, call
from transpile.testers.trials.generate import Plan, pinned
from transpile.testers.trials.materialise import POISONS, Prepared, Unmakeable, materialise
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.worker import Crashed, Placement
from transpile.toolchains.workshop import Workshop

LONG = 1e-3
"""Seconds from which on a call is long enough to be timed."""
_LONGEST = 0.05
"""Seconds beyond which a smaller call is looked for: each is made some hundred times."""
SHORT = LONG / 4
"""Seconds below which longer calls are looked for."""
FEWEST = 3
"""Calls that a course has at least."""
_TRIES = 5
"""Calls by which it is found how long one takes; the first of them warms up."""
_GROWTH = 24
"""Times that sizes are doubled."""
_LARGEST = 8 << 20
"""Bytes of an array: what lies further apart, the tracer takes for a stray access."""
_PLAN = Plan(seed=0, count=1, elements=1 << 22, threads=1 << 22, fills=("exact",))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTimed:
    """Nothing can be said of the speed."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Calls of one form that take a translation long enough, and how it made one."""

    contract: Contract
    trials: tuple[Trial, ...]
    smaller: tuple[Trial, ...]
    """On the way to these: sizes between them and those that translations were judged on."""
    size: int
    """Bytes behind the pointers of a call."""
    elapsed: float
    """Seconds by the clock on the wall."""
    seconds: float
    """Of processors."""

    @property
    def sizes(self) -> str:
        """Return what makes these calls large."""
        form, known = self.contract.signature.form, dict(self.trials[0].scalars)
        names = [fact.name for fact in self.contract.scalars if fact.size]
        return ", ".join([*([f"<{form}>"] if form else []), *(f"{name} = {known[name]}" for name in names)])


def threads() -> int:
    """Return how many threads a timed call has: a processor for each."""
    return len(os.sched_getaffinity(0))


def timed(
    workshop: Workshop, entry: Entry, calls: Sequence[Prepared], poison: int
) -> list[Outcome | Crashed]:
    """Make calls as a user's program would, in one process of their own."""
    return call(workshop, entry, calls, configuration(poison))


def configuration(poison: int) -> RunConfiguration:
    """Return how timed calls are made."""
    return RunConfiguration(placement=Placement.HEAP, poison=poison, threads=threads())


def course(
    workshop: Workshop, baseline: Baseline, entry: Entry, pool: Sequence[Trial], calls: int
) -> tuple[Course, tuple[Reference, ...]] | NotTimed:
    """Return the calls that translations of one form are timed on, and what the source makes of them.

    Args:
        workshop: Where calls are made.
        baseline: The source, on which only calls count that it bears.
        entry: A translation.
        pool: Trials that it passed.
        calls: How many to look for.
    """
    grown = _grown(workshop, baseline, entry, pool)
    if isinstance(grown, NotTimed):
        return grown
    prepared, took, smaller = grown
    trials = [replace(prepared.trial, seed=prepared.trial.seed ^ number) for number in range(calls)]
    examined = baseline.examiner.examine(trials[:1])
    if isinstance(examined, BuildFailed):
        return NotTimed(reason="the source does not build on the emulator")
    if isinstance(examined[0], Reference):  # else the others would cost as much, and tell no more
        others = baseline.examiner.examine(trials[1:])
        examined += [] if isinstance(others, BuildFailed) else others
    valid = tuple(item for item in examined if isinstance(item, Reference))
    if len(valid) < FEWEST:
        flaw = next(item for item in examined if isinstance(item, Invalid))
        return NotTimed(reason=f"in calls that take long, the source {flaw.flaw.value} ({flaw.detail})")
    found = Course(
        contract=baseline.contract,
        trials=tuple(item.trial for item in valid),
        smaller=smaller,
        size=prepared.size,
        elapsed=took.elapsed,
        seconds=took.seconds,
    )
    return found, valid


def _grown(
    workshop: Workshop, baseline: Baseline, entry: Entry, pool: Sequence[Trial]
) -> tuple[Prepared, Outcome, tuple[Trial, ...]] | NotTimed:
    """Return a call that takes long enough and smaller ones, found by doubling sizes of the largest trial."""
    sizes, longest = _largest(baseline.contract, pool), 0.0
    found = _tried(workshop, baseline, entry, sizes)
    while any(sizes.values()) and (found is None or _lasted(found[1]) > _LONGEST):
        sizes = {name: size // 2 for name, size in sizes.items()}
        found = _tried(workshop, baseline, entry, sizes)
    smaller: list[Trial] = []
    for _ in range(_GROWTH):
        lasted = _lasted(found[1]) if found is not None else 0.0
        if found is not None and lasted >= LONG:
            return *found, tuple(smaller)
        smaller += [found[0].trial] if found is not None else []
        longest = max(longest, lasted)
        for larger in _enlarged(sizes):
            tried = _tried(workshop, baseline, entry, larger)
            if tried is not None and (found is None or tried[0].trial.scalars != found[0].trial.scalars):
                sizes, found = larger, tried
                break
        else:
            break
    return NotTimed(reason=f"no call takes {1e3 * LONG:g} ms; the longest took {1e3 * longest:.2g} ms")


def _largest(contract: Contract, pool: Sequence[Trial]) -> dict[str, int]:
    """Return the sizes of the trial in which they have the greatest product."""
    names = [fact.name for fact in contract.scalars if fact.size]
    found: dict[str, int] = {}
    for trial in pool:
        sizes = {name: int(value) for name, value in trial.scalars if name in names}
        if trial.template_arguments == contract.signature.form and _volume(sizes) >= _volume(found):
            found = sizes
    return found


def _volume(sizes: Mapping[str, int]) -> int:
    product = 1
    for size in sizes.values():
        product *= max(size, 1)
    return product


def _enlarged(sizes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Yield all sizes doubled, each one alone, and all by half; odd, since tails are where errors are."""
    if sizes:
        yield {name: 2 * size + 1 for name, size in sizes.items()}
    if len(sizes) > 1:
        yield from ({**sizes, name: 2 * size + 1} for name, size in sizes.items())
    if sizes:
        yield {name: (3 * size // 2) | 1 for name, size in sizes.items()}


def _tried(
    workshop: Workshop, baseline: Baseline, entry: Entry, sizes: Mapping[str, int]
) -> tuple[Prepared, Outcome] | None:
    """Return a call of these sizes with the shortest of its times but the first; None where it fails."""
    trial = pinned(baseline.contract, replace(_PLAN, literals=baseline.literals), sizes)
    if trial is None:
        return None
    try:
        prepared = materialise(baseline.contract, trial, baseline.literals)
    except Unmakeable:
        return None
    if any(len(slot.data) > _LARGEST for slot in prepared.slots):
        return None
    outcomes = timed(workshop, entry, [prepared] * _TRIES, POISONS[0])
    made = [item for item in outcomes[1:] if isinstance(item, Outcome)]
    return (prepared, min(made, key=_lasted)) if len(made) == _TRIES - 1 else None


def _lasted(outcome: Outcome) -> float:
    """Return how long a call took, of work: where the machine is busy, threads wait for each other."""
    return min(outcome.elapsed, outcome.seconds)
