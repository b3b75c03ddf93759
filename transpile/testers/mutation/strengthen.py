"""Trials made stronger: new ones until the mutants fall or enough was tried, then few of equal power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from transpile.core import Source, Strength, TranslationUnit, Trial, Unit
from transpile.testers.mutation.campaign import Campaign, Front, Unsound, spread
from transpile.testers.mutation.mutants import Mutant, plant
from transpile.testers.oracle.validity import Reference
from transpile.testers.trials.alike import alike
from transpile.testers.trials.generate import Plan, generate
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.workshop import Workshop

ENOUGH = 0.95
"""Share of the mutants, without those shown to be equivalent, that the trials must kill."""

DEPTH = 3
"""Trials of the few that every mutant falls to, where it falls to so many at all."""

_WITNESSES = 12
_ROUNDS = 4
BUDGET = 20.0
"""Seconds' worth of calls after which no further round of new trials begins."""
_STRIDE = 104729
"""Between the seeds of the rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strengthened:
    """Trials of one unit with what they can tell apart."""

    strength: Strength
    added: tuple[tuple[Reference, ...], ...]
    """For each signature, the new trials that killed what the others left alive."""
    essential: tuple[Trial, ...]
    """Few of all trials that kill the same mutants and take the same branches."""
    survivors: tuple[Mutant, ...] = ()
    """Those that nothing noticed and that nothing shows to be equivalent."""


def strengthen(
    workshop: Workshop,
    source: Source,
    unit: Unit,
    compiled: TranslationUnit,
    fronts: Sequence[Front],
    plan: Plan,
    budget: float = BUDGET,
) -> Strengthened | str:
    """Plant faults in a unit and see which of them its trials notice; else say why that cannot be seen.

    Args:
        workshop: Where to build and run.
        source: What the unit is of.
        unit: A kernel.
        compiled: The file it is compiled in.
        fronts: Its signatures with the trials that count; new ones are added to theirs.
        plan: How the trials were made.
        budget: Seconds' worth of calls after which no further round of new trials begins.
    """
    planting = plant(source, unit)
    before = [len(front.references) for front in fronts]
    with closing(Campaign(workshop, source, unit, compiled, planting.mutants, fronts)) as campaign:
        try:
            equivalent = _hunt(campaign, plan, budget)
            told = campaign.told_by_text() - equivalent
            essential = _essential(campaign)
        except Unsound as doubt:
            return str(doubt)
    return Strengthened(
        strength=_strength(campaign, equivalent, told, planting.possible),
        added=tuple(
            tuple(front.references[known:]) for front, known in zip(campaign.fronts, before, strict=True)
        ),
        essential=essential,
        survivors=_survivors(campaign, equivalent | told),
    )


def _hunt(campaign: Campaign, plan: Plan, budget: float) -> frozenset[int]:
    """Run the mutants on the trials, then on new ones; return the live ones that are shown equivalent."""
    for front in campaign.fronts:
        campaign.attack(front, front.references)
    for front in campaign.fronts:
        campaign.watch(front, front.references)
    equivalent = campaign.equivalents() if campaign.live else frozenset[int]()
    for number in range(1, _ROUNDS + 1):
        if not set(campaign.live) - equivalent or campaign.work > budget * WORK_A_SECOND:
            break
        for front in campaign.fronts:
            asked = replace(plan, seed=plan.seed + _STRIDE * number, literals=front.baseline.literals)
            _reinforce(campaign, front, (*alike(front.contract, asked), *generate(front.contract, asked)))
    return equivalent & frozenset(campaign.live)


def _reinforce(campaign: Campaign, front: Front, trials: Sequence[Trial]) -> None:
    """Try new trials on the live mutants, and keep those that kill one."""
    known = {item.trial for item in front.references}
    fresh = [trial for trial in trials if trial not in known]
    examined = front.baseline.examiner.examine(fresh)
    if isinstance(examined, BuildFailed):
        return
    references = [item for item in examined if isinstance(item, Reference)]
    before = set(campaign.kills)
    campaign.attack(front, references)
    campaign.watch(front, references)
    useful = {trial for number, trial in campaign.kills.items() if number not in before}
    front.references += [item for item in references if item.trial in useful]


def _strength(
    campaign: Campaign, equivalent: frozenset[int], told: frozenset[int], possible: int
) -> Strength:
    return Strength(
        mutants=len(campaign.mutants) - len(campaign.invalid),
        killed=len(campaign.kills) + len(told),
        equivalent=len(equivalent),
        survivors=tuple(map(str, _survivors(campaign, equivalent | told))),
        possible=possible,
    )


def _survivors(campaign: Campaign, known: frozenset[int]) -> tuple[Mutant, ...]:
    return tuple(campaign.mutants[number] for number in campaign.live if number not in known)


def _essential(campaign: Campaign) -> tuple[Trial, ...]:
    """Return few trials that kill what all kill, and take the branches that all take."""
    chosen: list[Trial] = []
    for front in campaign.fronts:
        own = {item.trial: item for item in front.references}
        first = {trial: own[trial] for trial in campaign.kills.values() if trial in own}
        # Beside the trials that killed first, some that may kill a second time.
        first |= {item.trial: item for item in spread(front.references)[:_WITNESSES]}
        mine = cover(campaign.killers(front, list(first.values())), campaign.kills, list(first))
        chosen += _covering(front, mine)
    return tuple(chosen)


def cover(
    killers: Mapping[int, frozenset[Trial]], kills: Mapping[int, Trial], trials: Sequence[Trial]
) -> list[Trial]:
    """Return few of the trials, in their order, so that every mutant falls to some of them.

    A mutant falls to as many as :data:`DEPTH` where so many kill it: one may kill by luck.

    Args:
        killers: For each mutant, the trials that kill it in the plain run.
        kills: For each mutant, the trial that killed it in whatever way.
        trials: What to choose from.
    """
    # A mutant that falls in no plain run needs the trial that it fell to.
    needed = {trial for number, trial in kills.items() if not killers.get(number) and trial in trials}
    lacking = {number: _lack(found, needed) for number, found in killers.items()}
    while any(lacking.values()):
        rest = [trial for trial in trials if trial not in needed]
        best = max(
            rest, key=lambda trial: sum(lacking[n] > 0 for n, found in killers.items() if trial in found)
        )
        needed.add(best)
        lacking = {number: _lack(found, needed) for number, found in killers.items()}
    return [trial for trial in trials if trial in needed]


def _lack(killers: frozenset[Trial], chosen: set[Trial]) -> int:
    """Return how many more of its killers a mutant needs."""
    return max(min(DEPTH, len(killers)) - len(killers & chosen), 0)


def _covering(front: Front, chosen: list[Trial]) -> list[Trial]:
    """Return the trials with as many others as it takes to go through the same branches."""

    def taken(trials: Sequence[Trial]) -> int:
        meter = front.baseline.meter()
        front.baseline.examiner.examine(trials, meter)
        return meter.read().taken

    aim = taken([item.trial for item in front.references])
    others = [item.trial for item in spread(front.references) if item.trial not in chosen]
    size = 1
    while others and taken(chosen) < aim:
        chosen, others, size = [*chosen, *others[:size]], others[size:], 2 * size
    return chosen
