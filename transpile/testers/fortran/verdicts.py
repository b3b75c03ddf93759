"""A routine and its translation -> VERDICT: trials, held-out ones, a sanitizer, and what they ran of both."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from transpile import core
from transpile.core import Counterexample, Falsified, Guarantee, Inconclusive, Level, Passed, Verdict
from transpile.core.verdict import UNTAKEN
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.unreachable import excused
from transpile.testers.fortran.calls import Bench, Trial, made_again, trials
from transpile.testers.fortran.compare import Difference, difference
from transpile.testers.fortran.conformance import broken
from transpile.testers.fortran.coverage import Coverage, coverage, ran
from transpile.testers.fortran.extremes import Reversed, settled
from transpile.testers.fortran.libraries import CANDIDATE, Side, Texts
from transpile.testers.fortran.outcome import RETURNED
from transpile.testers.fortran.strength import measure
from transpile.toolchains.calls import Placement
from transpile.toolchains.worker import Instrumentation

NOT_CALLED = "TP603"
NO_TRIAL = "TP604"
UNTAKEN_BY_CANDIDATE = "TP433"
WEAK = "TP417"
_ROUNDS = (64, 128, 256, 256, 512, 1024, 2048)
"""Seeds of each round; a routine that is covered early has no later ones."""
_FEWEST_ROUNDS = 3
_HELD_OUT_TRIALS = 128
_HELD_OUT = 1_000_000
"""Seeds of trials that no decision on how many are made has seen."""
_FEWEST_RETURNED = 32
_PAST = "default: break;"
"""Line behind the labels of a computed jump; the way to it is a branch of the jump, which counts as one."""
_BRANCHES = 0.98
_NOTICED = 0.5
"""Share of planted mistakes that trials have to notice. Many a change of a literal text is none."""
_MOST_OPEN, _FEWEST_TAKEN = 2, 0.9
"""Ways out of conditions that may stay untaken where all lines run, and the share that is taken then."""
_CHECKS = (
    "exact",
    "bounds",
    "held-out",
    "address",
    "undefined",
    "optimised",
    "coverage",
    "candidate-coverage",
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A routine in the libraries in which both sides are called."""

    bench: Bench
    interface: Interface
    number: int
    """Of its entries."""
    stem: str
    """Of the compiled file that it stands in."""
    folder: Path
    """Folder in which counts of branches are left."""
    texts: Texts
    other: Reversed
    """Its translation with extremes that take the other operand where Fortran leaves that open."""
    origins: Sequence[int]
    """Of each line of the translation the line of Fortran that it comes from."""

    def origin(self, line: int) -> int:
        """Return the line of Fortran that a line of the translation comes from; 0 where there is none."""
        return self.origins[line - 1] if 0 < line <= len(self.origins) else 0

    def idle(self, line: int) -> bool:
        """Tell whether a line of the translation does nothing, as the way past a computed jump does."""
        return self.lines[line - 1].strip() == _PAST if 0 < line <= len(self.lines) else False

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines of the translation."""
        return self.texts.candidate.split("\n")

    def counts(self, side: Side) -> Path:
        """Return the folder of counts of a side."""
        return self.folder / f"counts-{self.number}-{side}"


def judge(case: Case) -> Verdict:
    """Return what trials show of a routine's translation."""
    if case.interface.obstacle:
        return Inconclusive(reason=case.interface.obstacle, code=NOT_CALLED)
    reasons: Counter[str] = Counter()
    rounds: list[list[Trial]] = []
    taken: Coverage | None = None
    counted = 0
    for turn, count in enumerate(_ROUNDS):
        first = sum(_ROUNDS[:turn])
        verdict = _tried(case, range(first, first + count), reasons, rounds)
        if verdict is not None:
            return verdict
        taken = _covered(case, Side.COUNTED, rounds[-1:]) if rounds[-1] else taken
        if taken is None or turn + 1 < _FEWEST_ROUNDS or not _enough(rounds):
            continue
        if not _shortfall(case.interface, taken):
            own = _covered(case, Side.CANDIDATE_COUNTED, rounds[counted:])
            counted = len(rounds)
            if not _own_shortfall(case, taken, own):
                break
    if taken is None:
        return Inconclusive(reason=f"no trial is valid: {_most_common(reasons)}", code=NO_TRIAL)
    return _held_out(case, reasons, rounds, counted, taken)


def _held_out(
    case: Case, reasons: Counter[str], rounds: list[list[Trial]], counted: int, taken: Coverage
) -> Verdict:
    """Return the verdict on a routine whose first trials agree.

    Args:
        case: The routine.
        reasons: Why other calls are no trials.
        rounds: Its trials.
        counted: Rounds of which it is known what they run of the translation.
        taken: What they run of the source.
    """
    verdict = _tried(case, range(_HELD_OUT, _HELD_OUT + _HELD_OUT_TRIALS), reasons, rounds)
    if verdict is not None:
        return verdict
    short = _shortfall(case.interface, taken)
    if short:
        return Inconclusive(reason=short, code=UNTAKEN)
    if not _enough(rounds):
        few = f"only {_returned(rounds)} valid trials return, of others {_most_common(reasons)}"
        return Inconclusive(reason=few, code=NO_TRIAL)
    for tried in rounds:
        for side in (Side.SANITIZED, Side.SHIPPED):
            verdict = _compared(case, tried, side, Placement.HEAP)
            if verdict is not None:
                return verdict
    own = _covered(case, Side.CANDIDATE_COUNTED, rounds[counted:])
    lacking = _own_shortfall(case, taken, own)
    if lacking:
        return Inconclusive(reason=lacking, code=UNTAKEN_BY_CANDIDATE)
    return _weighed(case, rounds, taken, own)


def _weighed(case: Case, rounds: Sequence[Sequence[Trial]], taken: Coverage, own: Coverage) -> Verdict:
    """Return the verdict on a routine that passed: its trials have to notice most mistakes."""
    folder = case.folder / f"mistakes-{case.number}"
    folder.mkdir()
    found = measure(case.bench.workshop, case.texts, case.interface, case.origins, rounds, folder)
    shutil.rmtree(folder)
    strength = None if isinstance(found, str) else found
    score = strength.score if strength is not None else None
    if strength is not None and score is not None and score < _NOTICED:
        few = f"its trials notice {strength.killed} of {strength.real} planted mistakes"
        return Inconclusive(reason=f"{few}, not {strength.survivors[0]}", code=WEAK)
    return Passed(
        guarantee=Guarantee(
            level=Level.TESTED,
            trials=sum(map(len, rounds)),
            checks=_CHECKS,
            coverage=taken.share,
            strength=strength,
            shortfall=found if isinstance(found, str) else "",
            requires=_assumed(case, taken, own),
            built_by="gfortran and g++ -O0 -ffp-contract=off",
        )
    )


def _tried(
    case: Case, seeds: Sequence[int], reasons: Counter[str], rounds: list[list[Trial]]
) -> Verdict | None:
    """Make a round of trials, and return the verdict if the translation differs on one of them.

    The calls of a round are made in order in one process on each side: what a routine keeps between calls is
    the same for both.
    """
    fresh = _defined(case, trials(case.bench, case.interface, case.number, seeds, reasons), reasons)
    verdict = _differing(case, fresh)
    if verdict is not None:
        left = settled(case.bench, case.other, case.interface, fresh)
        if len(left) == len(fresh):
            return verdict
        reasons["Fortran leaves open which operand an extreme is"] += len(fresh) - len(left)
        # What a call leaves may depend on those before it.
        fresh = made_again(case.bench, case.interface, left, reasons)
        verdict = _differing(case, fresh)
    rounds.append(fresh)
    return verdict


def _defined(case: Case, tried: list[Trial], reasons: Counter[str]) -> list[Trial]:
    """Return trials without those on which the source assigns an array of another shape.

    Its checks do not see all of them. A call whose extents do not conform is none where the assignment runs.
    """
    left = [item for item in tried if not _runs(case, item, _broken(case, item))]
    if len(left) == len(tried):
        return tried
    reasons["the source assigns an array of another shape"] += len(tried) - len(left)
    return made_again(case.bench, case.interface, left, reasons)


def _broken(case: Case, trial: Trial) -> frozenset[int]:
    drawn = trial.drawn
    whole = {name: value for name, value in drawn.given.items() if isinstance(value, int)}
    return broken(case.interface.relations, drawn.shapes, whole)


def _runs(case: Case, trial: Trial, lines: frozenset[int]) -> bool:
    """Tell whether a call of the source runs one of some lines."""
    if not lines:
        return False
    counts = case.folder / f"conforming-{case.number}"
    instrumentation = Instrumentation(coverage=counts)
    case.bench.run(Side.COUNTED, [trial.call], Placement.HEAP, instrumentation=instrumentation)
    library = case.bench.libraries[Side.COUNTED]
    found = ran(case.bench.workshop, library, counts, case.stem, lines)
    shutil.rmtree(counts)
    return found


def _differing(case: Case, tried: Sequence[Trial]) -> Falsified | None:
    """Return a trial of a round on which the translation differs, at either end of its pages."""
    for placement in (Placement.GUARD_HIGH, Placement.GUARD_LOW):
        verdict = _compared(case, tried, Side.CANDIDATE, placement)
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
    given = trial.drawn.given
    texts = ", ".join(f"{name}={value!r}" for name, value in given.items())
    if trial.drawn.absent:
        texts = f"{texts} without {', '.join(sorted(trial.drawn.absent))}".strip()
    numbers = tuple((name, value) for name, value in given.items() if isinstance(value, (int, float)))
    return Counterexample(
        trial=core.Trial(seed=trial.drawn.seed, fill="real", scalars=numbers, template_arguments=texts),
        where=told.where,
        expected=told.expected,
        got=told.got,
        check=told.check,
    )


def _returned(rounds: Sequence[Sequence[Trial]]) -> int:
    return sum(item.outcome.ending == RETURNED for tried in rounds for item in tried)


def _enough(rounds: Sequence[Sequence[Trial]]) -> bool:
    """Tell whether enough trials return, or all of many stop."""
    returned = _returned(rounds)
    return returned >= _FEWEST_RETURNED or (not returned and sum(map(len, rounds)) >= _FEWEST_RETURNED)


def _most_common(reasons: Counter[str]) -> str:
    return reasons.most_common(1)[0][0] if reasons else "no call ends"


def _covered(case: Case, side: Side, rounds: Sequence[Sequence[Trial]]) -> Coverage:
    """Return what trials run of a side, with those that were counted before."""
    counts = case.counts(side)
    for tried in rounds:
        case.bench.run(
            side,
            [item.call for item in tried],
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
        lambda line: (
            excused(line, dead) if of_source else case.idle(line) or excused(case.origin(line), dead)
        ),
    )


def _shortfall(interface: Interface, taken: Coverage) -> str:
    """Return what trials do not take of the source, in words; nothing where they take enough."""
    if taken.missed:
        return f"no trial runs line {', '.join(map(str, taken.missed[:8]))} of the source"
    if taken.lines == 0:
        return "nothing is known of what trials run"
    open_ways = [line for line in taken.untaken if line not in interface.one_way]
    if _too_many(open_ways, taken):
        return f"trials leave out branches of lines {_lines(open_ways)}"
    return ""


def _own_shortfall(case: Case, taken: Coverage, own: Coverage) -> str:
    """Return the same of the translation: what the source's own lines leave open, its lines may as well."""
    if own.missed:
        return f"no trial runs lines {_lines(own.missed[:8])} of the translation"
    if own.lines == 0:
        return "nothing is known of what trials run of the translation"
    open_ways = _own_ways(case, taken, own)
    if _too_many(open_ways, own):
        return f"trials leave out branches of lines {_lines(open_ways)} of the translation"
    return ""


def _own_ways(case: Case, taken: Coverage, own: Coverage) -> list[int]:
    return [line for line in own.untaken if case.origin(line) not in taken.untaken]


def _too_many(ways: Sequence[int], of: Coverage) -> bool:
    """Tell whether more ways are open than a text by rules may leave: two where nine of ten are taken."""
    few = len(ways) <= _MOST_OPEN and len(ways) <= (1 - _FEWEST_TAKEN) * of.branches
    return not few and len(ways) > (1 - _BRANCHES) * of.branches


def _lines(ways: Sequence[int]) -> str:
    return ", ".join(map(str, dict.fromkeys(ways)))


def _assumed(case: Case, taken: Coverage, own: Coverage) -> tuple[str, ...]:
    """Say which branches no trial has taken."""
    places = {*taken.untaken, *(case.origin(line) for line in _own_ways(case, taken, own))} - {0}
    if not places:
        return ()
    return (f"no call takes branches of lines {_lines(sorted(places))} otherwise than the trials do",)
