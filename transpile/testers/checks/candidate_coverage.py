"""Coverage of a candidate: a branch that no trial takes gets trials made for it, or nothing is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, log
from pathlib import Path

import numpy as np

from transpile.core import Contract, Inconclusive, Trial
from transpile.testers.checks.candidate_branches import Known, Reading, Untaken, never_taken
from transpile.testers.checks.case import Case
from transpile.testers.checks.checked import Check
from transpile.testers.differential.differential_run import CONFIGURATIONS, TEAMS, Differential, Failure
from transpile.testers.oracle.cover import Coverage, executed, report, rows_of, scratch
from transpile.testers.oracle.filed_values import filed
from transpile.testers.oracle.validity import Reference
from transpile.testers.prove.ways import Ways
from transpile.testers.run.bench import Entry, RunConfiguration, call
from transpile.testers.run.compilation import Standing
from transpile.testers.run.teams import counts_threads, has_teams
from transpile.testers.text.folding import folded
from transpile.testers.trials.aliases import twins
from transpile.testers.trials.boundary_values import (
    beside,
    counted,
    full,
    huge,
    large,
    lone,
    marked,
    own_marks,
    own_numbers,
    together,
    usual_numbers,
    valued,
)
from transpile.testers.trials.fills import literals_of
from transpile.testers.trials.generate import Plan, elements_of
from transpile.testers.trials.materialise import POISONS
from transpile.toolchains.build import Flavour
from transpile.toolchains.calls import Site
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import Placement

ALONE = RunConfiguration(placement=Placement.HEAP, poison=POISONS[1], threads=1)
CROWDED = replace(ALONE, threads=17)
MOBBED = replace(ALONE, threads=65)
"""As many as in any trial: what asks for the number of threads may have a bound of 64."""
MANY = replace(TEAMS[2], threads=520)
"""So many that their number times the largest size leaves 32 bits."""
_COUNTED = Check("branches", Flavour.COVER, "branches counted")
_CONFIGURATIONS = (CONFIGURATIONS[0], CONFIGURATIONS[2])
_FAST = WORK_A_SECOND // 100
"""Work of a call up to which it is made again for its branches."""
_SLOWER = 20 * WORK_A_SECOND
"""Work of slower calls together, which are made only where quick ones leave a branch untaken."""
_MOST_USUAL = 24
"""Trials beside usual sizes that a text mentions."""
_BEARABLE = WORK_A_SECOND // 2
"""Work of a large call, and of one that was made for a branch."""
_AFFORDABLE = 2 * WORK_A_SECOND
"""Work of a call beside a number of the text: few have such numbers."""
_STEEPEST = 4.0
_TELLING = 6
"""Trials at least by which growth is measured."""
_MOST_LAUNCHES = 1 << 16
_LAUNCHES = 8
"""Runs of one kernel that need not grow with sizes."""
_MOST_THREADS = (1 << 22) + (1 << 17)
_THREADS = 2048
"""Threads of one launch that need not grow with sizes."""
_NAMED = 4
"""Lines that a verdict names."""


class CandidateCoverage:
    """Counts the branches of one candidate that trials take."""

    def __init__(self, case: Case, entry: Entry, differential: Differential, source: Coverage) -> None:
        """Count in a directory that lives as long as this object.

        Args:
            case: The candidate.
            entry: Of the build that counts its branches.
            differential: How its results are compared.
            source: Of the source by the same trials, before anything was shown to be unreachable.
        """
        self._case, self._entry, self._source = case, entry, source
        self._differential = differential.against(entry)
        self._directory = scratch(case.bench.workshop)
        self._counts = Path(self._directory.name) / "counts"

    def close(self) -> None:
        """Remove the counts."""
        self._directory.cleanup()

    def run(self, references: Sequence[Reference], most: int) -> Failure | None:
        """Count what quick trials take, on one thread and on many; return how one of them fails."""
        teams = has_teams(self._case.proposal.candidate)
        return self._run(references, most, (ALONE, CROWDED) if teams else (ALONE,))

    def mob(self, references: Sequence[Reference], most: int) -> Failure | None:
        """Count what quick trials take on as many threads as there ever are; return how one of them fails."""
        teams = has_teams(self._case.proposal.candidate)
        return self._run(references, most, (MOBBED,)) if teams else None

    def _run(
        self, references: Sequence[Reference], most: int, configurations: Sequence[RunConfiguration]
    ) -> Failure | None:
        quick = [item for item in references if item.work <= most]
        made = [item.prepared for item in quick]
        for configuration in configurations:
            outcomes = call(
                self._case.bench.workshop, self._entry, made, configuration, coverage=self._counts
            )
            for found in self._differential.compare_all(quick, outcomes, configuration):
                if isinstance(found, Failure):
                    return found
        return None

    @property
    def counted(self) -> bool:
        """Tell whether there was any call yet."""
        return self._counts.exists()

    def untaken(self) -> list[Untaken]:
        """Return the lines with branches that no counted call took."""
        if not self.counted:
            return []
        found = report(self._case.bench.workshop, self._entry.library, self._counts, regions=True)
        path = self._standing.path
        rows = [row for row in rows_of(found) if row.path == path]
        ran = executed(found, path)
        left = self._reading.untaken(rows, ran)
        return self._reading.untaken(rows, ran, self._unreached) if left else left

    @cached_property
    def _unreached(self) -> Mapping[int, Ways]:
        """Return the ways out of the candidate's conditions that are shown to be taken by nothing."""
        # z3 takes longer to load than most commands run
        from transpile.testers.prove import attempt_unreached
        from transpile.testers.prove.reach import Text

        standing, made = self._standing, self._standing.made
        text = Text(
            root=self._case.bench.source.root,
            files=made.files,
            unit=made.unit,
            plain=not made.emulated,
            path=standing.path,
            namespace=standing.namespace,
            name=standing.name,
            arguments=self._case.proposal.candidate.binding.arguments,
        )
        found = attempt_unreached(text, self._case.contract)
        return {line - standing.before: ways for line, ways in found.items()}

    @cached_property
    def _standing(self) -> Standing:
        return self._case.bench.candidates.place(self._case.proposal)

    @cached_property
    def _reading(self) -> Reading:
        case, candidate = self._case, self._case.proposal.candidate
        known = Known(
            parts=case.baseline.parts,
            never=never_taken(case.bench.source.files, self._source.never),
            pointers=frozenset(item.name for item in case.contract.signature.parameters if item.pointer),
            least={
                fact.name: int(low) for fact in case.contract.scalars if _is_whole(low := fact.values.low)
            },
            trusted=candidate.by_rules,
        )
        return Reading(self._standing.data, self._standing.namespace, candidate, known)


def large_trials(case: Case, differential: Differential, plan: Plan) -> Differential:
    """Return the run on larger sizes, beside numbers of the candidate's text, and on unusual ones."""
    candidate, known = case.proposal.candidate, case.baseline.literals
    trials = marked(case.contract, plan, own_marks(candidate, known))
    few = _few(differential)
    own = own_numbers(candidate, known)
    trials += beside(case.contract, plan, own, few)
    trials += large(
        case.contract,
        plan,
        lambda elements: foreseen(differential.pool, elements) <= _BEARABLE and few(elements),
    )
    usual = usual_numbers(candidate, known)
    trials += beside(case.contract, replace(plan, seed=plan.seed + 67), usual, few, _MOST_USUAL)
    trials += together(case.contract, plan, usual)
    trials += lone(case.contract, plan, few)
    trials += full(case.contract, plan, few)
    trials += counted(case.contract, plan, own, few)
    trials += huge(case.contract, plan, own, few)
    found = case.baseline.examiner.references(affordable(case.contract, differential.pool, trials))
    tried = {item.trial for item in found}
    return differential.on(
        [*found, *(item for item in case.baseline.unusual(plan) if item.trial not in tried)]
    )


def affordable(contract: Contract, pool: Sequence[Reference], trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials whose work can be borne, small ones first: one that takes too long ends the rest.

    Sizes count as well as elements: loops may go round where arrays are empty.
    """
    known = max((item.prepared.size for item in pool), default=0)
    sizes = [fact.name for fact in contract.scalars if fact.size]
    reaches = {trial: _reach(contract, trial, sizes) for trial in trials}
    borne = [
        trial
        for trial, (reach, _) in reaches.items()
        if reach <= known or foreseen(pool, reach) <= _AFFORDABLE
    ]
    return sorted(borne, key=reaches.__getitem__)


def _reach(contract: Contract, trial: Trial, sizes: Sequence[str]) -> tuple[int, float]:
    """Return the elements or the largest size of a trial, whichever is more, and its largest number."""
    scalars = dict(trial.scalars)
    largest = max((int(scalars.get(name, 0)) for name in sizes), default=0)
    return max(elements_of(contract, trial), largest), max(map(abs, scalars.values()), default=0)


def _few(differential: Differential) -> Callable[[int], bool]:
    """Return what tells whether a call of so many elements starts few kernels and threads on the emulator."""
    launches = _share(differential, lambda site: site.runs - _LAUNCHES)
    threads = _share(differential, lambda site: site.threads - _THREADS)
    return lambda elements: launches * elements <= _MOST_LAUNCHES and threads * elements <= _MOST_THREADS


def _share(differential: Differential, excess: Callable[[Site], int]) -> float:
    """Return how much of something an element costs at most, beyond what every call may have of it."""
    sizes = {item.trial: item.prepared.size for item in differential.pool}
    shares = (
        excess(site) / max(sizes.get(trial, 0), 1)
        for trial, sites in differential.ran.items()
        for site in sites
        if site.kernel
    )
    return max(shares, default=0.0)


def configurations_of(case: Case) -> tuple[RunConfiguration, ...]:
    """Return how such trials are made: each costs much."""
    candidate = case.proposal.candidate
    if not has_teams(candidate):
        return _CONFIGURATIONS
    return (*_CONFIGURATIONS, TEAMS[2], MANY) if counts_threads(candidate) else (*_CONFIGURATIONS, TEAMS[2])


def foreseen(pool: Sequence[Reference], elements: int) -> float:
    """Return the work of a call with so many elements, by how it grew from trial to trial."""
    known = sorted((item.prepared.size, item.work) for item in pool if item.prepared.size and item.work)
    if not known:
        return inf
    known = known[-max(len(known) // 4, _TELLING) :]  # Small calls have more of what does not grow.
    sizes, works = np.log(np.asarray(known, dtype=np.float64)).T
    spread = sizes - sizes.mean()
    slope = float(spread @ works / (spread @ spread)) if spread.any() else 1.0
    steepness = min(max(slope, 1.0), _STEEPEST)
    return float(np.exp(max(works - steepness * sizes) + steepness * log(max(elements, 1))))


def untried(
    case: Case, differential: Differential, plan: Plan, source: Coverage
) -> Failure | Inconclusive | None:
    """Return how a candidate fails where trials take all its branches, or that some stay untaken."""
    entry = _COUNTED.entry(case.bench.candidates, case.proposal, differential)
    if isinstance(entry, Inconclusive):
        return entry
    coverage = CandidateCoverage(case, entry, differential, source)
    try:
        failure = coverage.run(differential.pool, _FAST)
        left = coverage.untaken() if failure is None else []
        if left:
            failure = coverage.mob(differential.pool, _FAST)
            left = coverage.untaken() if failure is None else []
        slower = _slower(differential.pool) if failure is None and (left or not coverage.counted) else []
        if slower:
            failure = coverage.run(slower, slower[-1].work)
            left = coverage.untaken() if failure is None else []
        for made in _rounds(case, differential, plan):
            if not left:
                break
            fresh = case.baseline.examiner.references(made(left))
            failure = differential.on(fresh).run_all(_CONFIGURATIONS) or coverage.run(fresh, _BEARABLE)
            if failure is not None:
                break
            differential.pool += [item for item in fresh if item.work <= _FAST]
            left = coverage.untaken()
    finally:
        coverage.close()
    return failure or (_inconclusive(left) if left else None)


def _slower(pool: Sequence[Reference]) -> list[Reference]:
    """Return the quickest of the trials that were too slow to be made again at first, as time allows."""
    found: list[Reference] = []
    work = 0
    for item in sorted((item for item in pool if item.work > _FAST), key=lambda item: item.work):
        work += item.work
        if found and work > _SLOWER:
            break
        found.append(item)
    return found


def _rounds(
    case: Case, differential: Differential, plan: Plan
) -> Iterator[Callable[[Sequence[Untaken]], list[Trial]]]:
    """Yield what makes trials for untaken branches, in order of cost."""
    known = replace(plan, literals=case.baseline.literals)

    def numbers(left: Sequence[Untaken]) -> tuple[float, ...]:
        words = (word for item in left for word in (item.text, *item.labels))
        text = "\n".join(words).encode("utf-8", "surrogateescape")
        return (*literals_of(text), *folded(text))

    yield lambda left: valued(case.contract, known, numbers(left))
    yield (
        lambda left: (
            twins(case.contract, [item.trial for item in differential.pool])
            if _asks_places(case, left)
            else []
        )
    )
    yield lambda left: filed(case.baseline.examiner, replace(plan, given=()))
    more = replace(known, seed=plan.seed + 1)
    few = _few(differential)
    yield lambda left: affordable(
        case.contract, differential.pool, beside(case.contract, more, numbers(left), few)
    )


def _is_whole(number: str) -> bool:
    return number.removeprefix("-").isdigit()


def _asks_places(case: Case, left: Sequence[Untaken]) -> bool:
    """Tell whether a line looks at where arrays are, and so says that they may overlap."""
    names = [re.escape(item.name) for item in case.contract.signature.parameters if item.pointer]
    array = re.compile(rf"\b(?:{'|'.join(names)})\b(?!\s*\[)")
    return bool(names) and any(len(set(array.findall(item.text))) > 1 for item in left)


def _inconclusive(left: Sequence[Untaken]) -> Inconclusive:
    named = "; ".join(f"`{item.text}`" for item in left[:_NAMED])
    more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
    reason = f"no trial takes every branch of these lines of the translation: {named}{more}"
    return Inconclusive(reason=reason, code="TP433")
