"""A routine and its translation -> VERDICT: trials, held-out ones, a sanitizer, and what they ran of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile import core
from transpile.core import Counterexample, Falsified, Guarantee, Inconclusive, Level, Passed, Verdict
from transpile.core.verdict import UNTAKEN
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.unreachable import excused
from transpile.testers.fortran.calls import Bench, Trial, trials
from transpile.testers.fortran.compare import Difference, difference
from transpile.testers.fortran.coverage import Coverage, coverage
from transpile.testers.fortran.libraries import CANDIDATE, Side
from transpile.testers.fortran.outcome import RETURNED
from transpile.toolchains.calls import Placement
from transpile.toolchains.worker import Instrumentation

NOT_CALLED = "TP603"
NO_TRIAL = "TP604"
UNTAKEN_BY_CANDIDATE = "TP433"
_ROUNDS = (64, 64, 64, 64, 128, 256, 512, 1024)
"""Seeds of each round; a routine that is covered early has no later ones."""
_FEWEST_ROUNDS = 3
_HELD_OUT_TRIALS = 64
_HELD_OUT = 1_000_000
"""Seeds of trials that no decision on how many are made has seen."""
_FEWEST_RETURNED = 32
_BRANCHES = 0.98
_CHECKS = ("exact", "bounds", "held-out", "address", "undefined", "coverage", "candidate-coverage")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A routine in the libraries in which both sides are called."""

    bench: Bench
    interface: Interface
    number: int
    """Of its entries."""
    stem: str
    """Of the compiled file that it stands in."""
    folder: Path
    """Where counts of branches are left."""
    origins: Sequence[int]
    """Of each line of the translation the line of Fortran that it comes from."""

    def origin(self, line: int) -> int:
        """Return the line of Fortran that a line of the translation comes from; 0 where there is none."""
        return self.origins[line - 1] if 0 < line <= len(self.origins) else 0

    def counts(self, side: Side) -> Path:
        """Return the folder of counts of a side."""
        return self.folder / f"counts-{self.number}-{side}"


def judge(case: Case) -> Verdict:
    """Return what trials show of a routine's translation."""
    if case.interface.obstacle:
        return Inconclusive(reason=case.interface.obstacle, code=NOT_CALLED)
    reasons: Counter[str] = Counter()
    found: list[Trial] = []
    taken: Coverage | None = None
    counted = 0
    for turn, count in enumerate(_ROUNDS):
        first = sum(_ROUNDS[:turn])
        verdict = _tried(case, range(first, first + count), reasons, found)
        if verdict is not None:
            return verdict
        if turn + 1 < _FEWEST_ROUNDS or not found:
            continue
        taken = _covered(case, Side.COUNTED, found[counted:])
        counted = len(found)
        if _enough(found) and not _shortfall(case.interface, taken):
            break
    if taken is None or not found:
        why = reasons.most_common(1)[0][0] if reasons else "no call is valid"
        return Inconclusive(reason=f"no trial is valid: {why}", code=NO_TRIAL)
    return _held_out(case, reasons, found, taken)


def _held_out(case: Case, reasons: Counter[str], found: list[Trial], taken: Coverage) -> Verdict:
    """Return the verdict on a routine whose first trials agree."""
    verdict = _tried(case, range(_HELD_OUT, _HELD_OUT + _HELD_OUT_TRIALS), reasons, found)
    if verdict is not None:
        return verdict
    short = _shortfall(case.interface, taken)
    if short:
        return Inconclusive(reason=short, code=UNTAKEN)
    if not _enough(found):
        return Inconclusive(reason=f"only {_returned(found)} valid trials return", code=NO_TRIAL)
    verdict = _compared(case, found, Side.SANITIZED, Placement.HEAP)
    if verdict is not None:
        return verdict
    own = _covered(case, Side.CANDIDATE_COUNTED, found)
    untaken = [line for line in own.untaken if case.origin(line) not in taken.untaken]
    if own.missed or len(untaken) > (1 - _BRANCHES) * own.branches:
        lines = ", ".join(map(str, own.missed or dict.fromkeys(untaken)))
        return Inconclusive(
            reason=f"trials do not take all of the translation: lines {lines} of it",
            code=UNTAKEN_BY_CANDIDATE,
        )
    return Passed(
        guarantee=Guarantee(
            level=Level.TESTED,
            trials=len(found),
            checks=_CHECKS,
            coverage=taken.share,
            requires=_assumed(taken),
            built_by="gfortran and g++ -O0 -ffp-contract=off",
        )
    )


def _tried(case: Case, seeds: Sequence[int], reasons: Counter[str], found: list[Trial]) -> Verdict | None:
    """Make trials, add those that are valid, and return the verdict if the translation differs on one."""
    fresh = trials(case.bench, case.interface, case.number, seeds, reasons)
    found += fresh
    for placement in (Placement.GUARD_HIGH, Placement.GUARD_LOW):
        verdict = _compared(case, fresh, Side.CANDIDATE, placement)
        if verdict is not None:
            return verdict
    return None


def _compared(case: Case, tried: Sequence[Trial], side: Side, placement: Placement) -> Falsified | None:
    """Return the smallest trial on which a build of the translation differs."""
    got = case.bench.run(side, [item.call for item in tried], placement)
    unlike = [
        (trial, told)
        for trial, result in zip(tried, got, strict=True)
        if (told := difference(case.interface, trial.expected, result)) is not None
    ]
    if not unlike:
        return None
    trial, told = min(unlike, key=lambda item: sum(len(data) for data in item[0].call.arguments))
    return Falsified(counterexample=_example(trial, told), trials=len(tried))


def _example(trial: Trial, told: Difference) -> Counterexample:
    """Return a trial and a difference as all of transpile tells of them."""
    given = trial.drawn.scalars
    texts = ", ".join(f"{name}={value!r}" for name, value in given.items())
    numbers = tuple((name, value) for name, value in given.items() if isinstance(value, (int, float)))
    return Counterexample(
        trial=core.Trial(seed=trial.drawn.seed, fill="real", scalars=numbers, template_arguments=texts),
        where=told.where,
        expected=told.expected,
        got=told.got,
        check=told.check,
    )


def _returned(found: Sequence[Trial]) -> int:
    return sum(item.outcome.ending == RETURNED for item in found)


def _enough(found: Sequence[Trial]) -> bool:
    """Tell whether enough trials return, or all of many stop."""
    returned = _returned(found)
    return returned >= _FEWEST_RETURNED or (not returned and len(found) >= _FEWEST_RETURNED)


def _covered(case: Case, side: Side, found: Sequence[Trial]) -> Coverage:
    """Return what trials run of a side, with those that were counted before."""
    counts = case.counts(side)
    case.bench.run(
        side,
        [item.call for item in found],
        Placement.HEAP,
        instrumentation=Instrumentation(coverage=counts),
    )
    of_source = side is Side.COUNTED
    interface = case.interface
    dead = interface.unreachable
    names = [interface.symbol, interface.name.rpartition("::")[2]] if of_source else [interface.target]
    return coverage(
        case.bench.workshop,
        case.bench.libraries[side],
        counts,
        case.stem if of_source else Path(CANDIDATE).stem,
        names,
        lambda line: excused(line if of_source else case.origin(line), dead),
    )


def _shortfall(interface: Interface, taken: Coverage) -> str:
    """Return what trials do not take of the source, in words; nothing where they take enough."""
    if taken.missed:
        return f"no trial runs line {', '.join(map(str, taken.missed[:8]))} of the source"
    open_ways = [line for line in taken.untaken if line not in interface.one_way]
    if taken.lines == 0:
        return "nothing is known of what trials run"
    if len(open_ways) > (1 - _BRANCHES) * taken.branches:
        return f"trials leave out branches of lines {', '.join(map(str, dict.fromkeys(open_ways)))}"
    return ""


def _assumed(taken: Coverage) -> tuple[str, ...]:
    if not taken.untaken:
        return ()
    lines = ", ".join(map(str, dict.fromkeys(taken.untaken)))
    return (f"no call takes branches of lines {lines} of the source otherwise than the trials do",)
