"""One trial by itself, in processes of its own: what shows only once is no counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from transpile.core import Counterexample, Falsified, Inconclusive, Rejected, Trial
from transpile.testers.checks.case import Case
from transpile.testers.checks.races import MORE_THREADS, race_check
from transpile.testers.differential.differential_run import (
    CONFIGURATIONS,
    Differential,
    Failure,
    Undecided,
    teams_of,
)
from transpile.testers.oracle.validity import Invalid, Reference
from transpile.testers.run.teams import is_parallel
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.trials.inputs import inputs_shown
from transpile.toolchains.build import BuildFailed

_MEASURED = 12
"""Trials beside one that rounds, on which its tolerance is measured."""
_LIKE = 2
"""Calls with other data ahead of one that agrees alone: what is kept between calls shows then."""
_CHANCES = 3
"""Times that a race is looked for: which threads meet is chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Result of one trial."""

    differential: Differential
    reference: Reference
    found: Failure | Inconclusive | None
    """None where the candidate agrees and no checker objects."""


def again(
    case: Case, trial: Trial, before: Sequence[Trial] = (), *, crowded: bool = False
) -> Again | Inconclusive | Rejected:
    """Return what one trial shows of a candidate under every check.

    Args:
        case: The candidate and the signature.
        trial: What to try.
        before: Calls that are made ahead of it, in the same process.
        crowded: Races are looked for on as many threads as the level ``hardened`` asks for, too.
    """
    entry = case.entry()
    if isinstance(entry, Rejected):
        return entry
    examined = case.baseline.examiner.examine([*before, trial])
    if isinstance(examined, BuildFailed):
        reason = f"the source does not build on the emulator: {examined.complaint}"
        return Inconclusive(reason=reason, code="TP403")
    reference = examined[-1]
    if isinstance(reference, Invalid):
        return Inconclusive(reason=f"the source {reference.flaw.value}: {reference.detail}")
    earlier = [item for item in examined[:-1] if isinstance(item, Reference)]
    workshop = case.bench.workshop
    calibration = case.baseline.calibration.anew()
    differential = Differential(workshop, entry, calibration, _company(case, reference))
    hidden = False
    for found in differential.once(reference, earlier, (*CONFIGURATIONS, *teams_of(case.proposal.candidate))):
        hidden |= isinstance(found, Undecided)
        if isinstance(found, Failure):
            return Again(differential=differential, reference=reference, found=found)
    checking = Differential(workshop, entry, calibration, [*earlier, reference])
    checked = case.checked(checking)
    if checked is None and crowded and is_parallel(case.proposal.candidate):
        checked = race_check(case.bench.candidates, case.proposal, checking, threads=MORE_THREADS)
    if checked is None and hidden:
        return Inconclusive(reason="rounding hides errors on this trial", code="TP413")
    return Again(differential=differential, reference=reference, found=checked)


def _company(case: Case, reference: Reference) -> list[Reference]:
    """Return trials of the same kernel, where rounding makes the verdict depend on more than one."""
    if reference.exact:
        return [reference]
    trials = generate(case.contract, Plan(seed=0, count=_MEASURED, literals=case.baseline.literals))
    return [reference, *case.baseline.examiner.references(trials)]


def reproduced(
    case: Case, example: Counterexample, failure: Failure, pool: Sequence[Reference]
) -> Falsified | Inconclusive:
    """Return a counterexample that shows again, alone or among other calls; else that nothing is shown.

    Args:
        case: The candidate and the signature.
        example: The failure, its trial as small as it could be made.
        failure: What was found first.
        pool: All that was tried when it was found.
    """
    first = failure.reference.trial
    ways: list[tuple[Trial, tuple[Trial, ...]]] = [(example.trial, ())]
    if example.check == "race":
        ways *= _CHANCES
    ways += [(example.trial, _like(example.trial))]
    trials = [item.trial for item in pool]
    ahead = tuple(trials[: trials.index(first)]) if first in trials else ()
    ways += [(first, before) for before in ((), ahead) if (first, before) not in ways]
    for trial, before in ways:
        shown = again(case, trial, before, crowded=True)
        if isinstance(shown, Again) and isinstance(shown.found, Failure):
            if (trial, before) == (example.trial, ()):
                return Falsified(counterexample=example)
            return falsified(shown.found, trial, before)
    return unreproduced(example)


def _like(trial: Trial) -> tuple[Trial, ...]:
    """Return calls of the same sizes with other data; none where data are what they are."""
    if not trial.generated:
        return ()
    return tuple(replace(trial, seed=trial.seed + number) for number in range(1, _LIKE + 1))


def falsified(failure: Failure, trial: Trial | None = None, before: Sequence[Trial] = ()) -> Falsified:
    """Return a failure as it is, as a verdict: on its own trial, or one that it shows on after others."""
    found = failure.difference
    example = Counterexample(
        trial=trial or failure.reference.trial,
        where=found.where,
        expected=found.expected,
        got=found.got,
        check=found.check,
        before=tuple(before),
        others=found.others,
        inputs=inputs_shown(failure.reference.prepared, found.where),
    )
    return Falsified(counterexample=example)


def unreproduced(example: Counterexample) -> Inconclusive:
    """Return that a failure did not show again."""
    difference = f"expected {example.expected}, got {example.got}"
    reason = (
        f"the translation differed once, and agreed when the same call was repeated: {example.where}: "
        f"{difference} ({example.check})"
    )
    return Inconclusive(reason=reason, code="TP419")
