"""The trials a kernel is judged on: made, examined on the source, added to until its branches are taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from transpile.core import Contract, Inconclusive, Parameter, Trial
from transpile.testers.oracle.cover import Coverage, Meter
from transpile.testers.oracle.far_values import far
from transpile.testers.oracle.filed_values import at_zero
from transpile.testers.oracle.magnitudes import magnitudes
from transpile.testers.oracle.validity import Examiner, Flaw, Invalid, Reference
from transpile.testers.trials.aliases import pairs, twins, within, without
from transpile.testers.trials.combined import Asked, combined, crossed
from transpile.testers.trials.generate import FEW, Plan, as_launched, generate
from transpile.testers.trials.layout import Bytes
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.speed import WORK_A_SECOND

COVERED = 0.98
"""Share of the source's branches that the trials must take."""

FEWEST = 12
"""Trials below which nothing is concluded."""

_FICKLE = 0.1
"""Share of trials on which results may depend on the order of threads: more is the kernel's nature."""

_LANES = 32
"""Of a warp."""

_WHOLE_WARPS = "blocks of whole warps: results depend on the order of threads in others"

_BEHAVED = 0.25
"""Share of trials that must count: a source that misbehaves on most says little on the others."""

_BROAD = 3
"""Trials that must count among the half with the most threads."""

_ROUNDS = 4
_EXTREME = 20
"""Trials of tiny numbers, of infinities and NaN, where no others took all branches."""
_LEVEL, _MIDDLE = 2, (2, 3)
"""Trials of one number throughout, the first of which is 0, and their sizes."""
_BUDGET = 30 * WORK_A_SECOND
"""Work of traced calls after which no further round begins."""
_LARGE = Plan(seed=0, count=4, levels=(6, 5), elements=1 << 17)
_FAST = WORK_A_SECOND // 5
"""Work of a call below which a kernel is worth trying at large sizes too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What is known of a kernel's behaviour."""

    references: tuple[Reference, ...]
    """Small ones first."""
    invalid: tuple[Invalid, ...]
    coverage: Coverage
    requires: tuple[str, ...] = ()
    """What launches have to keep to beyond the contract: the source misbehaves on others."""
    apart: tuple[tuple[str, str], ...] = ()
    """Arrays that no trial has in one place: what a function gives there depends on its order alone."""

    @property
    def trials(self) -> tuple[Trial, ...]:
        """Return the trials that count."""
        return tuple(item.trial for item in self.references)


def gather(
    examiner: Examiner,
    meter: Meter,
    plan: Plan,
    compared: Sequence[float] = (),
    named: Sequence[Asked] = (),
) -> Pool | Inconclusive:
    """Return the trials that count; Inconclusive where there are none to speak of.

    Args:
        examiner: Who tells which trials count.
        meter: Counts the branches that they take.
        plan: What trials are wanted.
        compared: Numbers that the source asks something to equal.
        named: Names with numbers that the source asks them to equal, or compares them with.
    """
    references: list[Reference] = []
    invalid: list[Invalid] = []
    before = examiner.work
    failed = _examine(examiner, meter, plan.given, references, invalid)
    if failed is not None:
        return failed
    for number in range(_ROUNDS):
        more = replace(plan, seed=plan.seed + 7919 * number, count=plan.count // 2, fills=FEW)
        asked = plan if number == 0 else more
        failed = _examine(examiner, meter, generate(examiner.contract, asked), references, invalid)
        if failed is not None:
            return failed
        if _generated(references) >= FEWEST and meter.read().share >= COVERED:
            break
        if (not references and number) or examiner.work - before > _BUDGET:
            break
    untaken = meter.read().share < COVERED
    for further in _further(examiner.contract, plan, compared, named) if untaken else ():
        failed = _examine(examiner, meter, further, references, invalid)
        if failed is not None:
            return failed
        if meter.read().share >= COVERED:
            break
    if references and meter.read().share < COVERED:
        # What the source makes of numbers beyond a guessed range is no measure of how it behaves.
        failed = _examine(examiner, meter, far(examiner, plan), references, [])
        if failed is not None:
            return failed
    if references and max(item.work for item in references) < _FAST:
        asked = replace(_LARGE, seed=plan.seed, nonce=plan.nonce, literals=plan.literals)
        failed = _examine(examiner, meter, generate(examiner.contract, asked), references, invalid)
        if failed is not None:
            return failed
    again, apart = _aliased(examiner, references)
    references += again
    references += examiner.references(_left_out(meter.nullable, references))
    references.sort(key=lambda item: (item.prepared.size, item.trial.scalars, item.trial.seed))
    whole = needs_whole_warps(references, invalid)
    if whole:  # A translation may ask for them, even in calls in which nothing is done.
        references = [item for item in references if not _ragged(item)]
    counted = [item for item in invalid if not (whole and _fickle(item))]
    return _doubt(references, counted) or Pool(
        references=tuple(references),
        invalid=tuple(invalid),
        coverage=meter.read(),
        requires=(_WHOLE_WARPS,) if whole else (),
        apart=apart,
    )


def _further(
    contract: Contract, plan: Plan, compared: Sequence[float], named: Sequence[Asked]
) -> Iterator[Sequence[Trial]]:
    """Yield trials for branches that the usual ones do not take, one kind after the other."""
    more = replace(plan, seed=plan.seed + 7919 * _ROUNDS)
    yield combined(contract, more, named)
    yield from crossed(contract, more, named)
    yield _level(contract, plan, compared)
    # A flag ends the source early in all other trials.
    flags = replace(more, count=plan.count // 2, fills=FEW)
    yield at_zero(contract, generate(contract, flags))
    yield as_launched(contract, plan)
    if any(map(_has_fractions, contract.signature.parameters)):
        yield generate(contract, replace(more, count=_EXTREME, fills=("tiny", "special")))
    yield magnitudes(contract, plan)


def _level(contract: Contract, plan: Plan, numbers: Sequence[float]) -> tuple[Trial, ...]:
    """Return trials whose data are all one such number, as where nothing is valid."""
    asked = replace(plan, levels=_MIDDLE, count=_LEVEL, fills=("level",))
    return tuple(trial for n in numbers for trial in generate(contract, replace(asked, marks=(n,))))


def _has_fractions(parameter: Parameter) -> bool:
    """Tell whether a parameter leads to floating numbers."""
    return parameter.pointer and parameter.element is not None and parameter.element.has_fractions


def needs_whole_warps(references: Sequence[Reference], invalid: Sequence[Invalid]) -> bool:
    """Tell whether results depend on the order of threads only where the last warp of a block is not whole.

    Such a kernel reads from lanes that do not exist. The trials on which it does not have to be enough.
    """
    fickle = [item for item in invalid if _fickle(item)]
    whole = [item for item in references if not _ragged(item)]
    return bool(fickle) and all(map(_ragged, fickle)) and _generated(whole) >= FEWEST


def _fickle(item: Invalid) -> bool:
    return item.flaw is Flaw.ORDER


def _ragged(item: Reference | Invalid) -> bool:
    x, y, z = item.trial.launch.block
    return x * y * z % _LANES != 0


def _aliased(
    examiner: Examiner, references: Sequence[Reference]
) -> tuple[list[Reference], tuple[tuple[str, str], ...]]:
    """Return trials once more with two pointers to one array where the source bears it, and the other pairs.

    Threads of a kernel that meet in the array show as a race. A sequential function gives some result that
    depends on its order alone, so that calls in place are those in which it gives what it gives otherwise.
    """
    trials = [item.trial for item in references]
    found = examiner.references(twins(examiner.contract, trials))
    if examiner.contract.law is not None:
        return [*found, *_within(examiner, trials)], ()
    kept = in_place(found, references)
    borne = {frozenset(pair) for item in kept for pair in item.trial.aliases}
    known = ((output.name, other.name) for output, other in pairs(examiner.contract))
    return kept, tuple(pair for pair in known if frozenset(pair) not in borne)


def _left_out(pointers: Sequence[str], references: Sequence[Reference]) -> list[Trial]:
    """Return trials with null pointers: of one to an output, also some in which the source writes there."""
    telling = {name: [item.trial for item in references if _is_told(item, name)] for name in pointers}
    return without(pointers, [item.trial for item in references], telling)


def _is_told(item: Reference, name: str) -> bool:
    """Tell whether the source writes to what a pointer leads to."""
    slots = zip(item.prepared.slots, item.written, strict=True)
    return any(slot.name == name and bool(mask.any()) for slot, mask in slots)


def _within(examiner: Examiner, trials: Sequence[Trial]) -> list[Reference]:
    """Return trials with an output in the first elements of a longer input, if the source bears them all.

    A kernel that bears some of them may do so by chance: where there is one block, or one that does anything.
    """
    found = [(asked, examiner.references(asked)) for asked in within(examiner.contract, trials)]
    return [item for asked, borne in found if len(borne) == len(asked) for item in borne]


def in_place(calls: Sequence[Reference], references: Sequence[Reference]) -> list[Reference]:
    """Return the calls with two pointers to one array that leave there what other calls leave in two."""
    apart = {item.trial: item for item in references}
    strange: set[tuple[tuple[str, str], ...]] = set()
    for item in calls:
        [(output, other)] = item.trial.aliases
        separate = apart.get(replace(item.trial, aliases=()))
        if separate is None or not _gives_the_same(separate, item, output, other):
            strange.add(item.trial.aliases)
    return [item for item in calls if item.trial.aliases not in strange]


def _gives_the_same(separate: Reference, in_one: Reference, output: str, other: str) -> bool:
    """Tell whether a call in place leaves what one apart does: in the array that is shared, and in others."""
    own = {output: other}
    names = [slot.name for slot in separate.prepared.slots if slot.name != other]
    return all(
        np.array_equal(_left_in(separate, name), _left_in(in_one, own.get(name, name))) for name in names
    )


def _left_in(reference: Reference, name: str) -> Bytes:
    """Return what a call leaves in an array."""
    slots = reference.prepared.slots
    return next(data for slot, data in zip(slots, reference.results[0], strict=True) if slot.name == name)


def _examine(
    examiner: Examiner,
    meter: Meter,
    trials: Sequence[Trial],
    references: list[Reference],
    invalid: list[Invalid],
) -> Inconclusive | None:
    """Sort trials into those that count and others."""
    if not trials:
        return None
    # Lengths that were measured are no part of what was asked for.
    tried = [*(item.trial for item in references), *(item.trial for item in invalid)]
    known = {replace(trial, lengths=()) for trial in tried}
    found = examiner.examine([trial for trial in trials if trial not in known], meter)
    if isinstance(found, BuildFailed):
        reason = f"the source does not build on the emulator: {found.complaint}"
        return Inconclusive(reason=reason, code="TP403")
    references += [item for item in found if isinstance(item, Reference)]
    invalid += [item for item in found if isinstance(item, Invalid)]
    return None


def _doubt(references: Sequence[Reference], invalid: Sequence[Invalid]) -> Inconclusive | None:
    """Return why the trials that count are no base for a verdict, or None.

    What a kernel does with NaN and infinities is no measure of how it behaves.
    """
    references = [item for item in references if item.trial.fill != "special"]
    invalid = [item for item in invalid if item.trial.fill != "special"]
    tried = len(references) + len(invalid)
    if not tried:
        return Inconclusive(reason="the contract allows no trial", code="TP401")
    fickle = [item for item in invalid if _fickle(item)]
    if len(fickle) > _FICKLE * tried:
        return Inconclusive(reason=_blame(references, fickle), code="TP401")
    if _generated(references) < FEWEST or len(references) < _BEHAVED * tried:
        return Inconclusive(reason=_blame(references, invalid), code="TP401")
    if not any(item.effective for item in references):
        elsewhere = f" in valid trials; {_blame(references, invalid)}" if invalid else ""
        reason = f"the source writes nothing that could be compared{elsewhere}"
        return Inconclusive(reason=reason, code="TP401")
    if not any(_blocks(item) > 1 for item in references) and any(_blocks(item) > 1 for item in invalid):
        return Inconclusive(reason="no valid trial has several blocks: " + _blame(references, invalid))
    threads = sorted([*map(_threads, references), *map(_threads, invalid)])
    if sum(_threads(item) >= threads[tried // 2] for item in references) < _BROAD:
        return Inconclusive(reason="only small launches are valid: " + _blame(references, invalid))
    return None


def _generated(references: Sequence[Reference]) -> int:
    """Return how many were generated: what one run of a program did, or a tester chose, is no variety."""
    return sum(item.trial.generated for item in references)


def _blocks(item: Reference | Invalid) -> int:
    x, y, z = item.trial.launch.grid
    return x * y * z


def _threads(item: Reference | Invalid) -> int:
    x, y, z = item.trial.launch.block
    return _blocks(item) * x * y * z


def _blame(references: Sequence[Reference], invalid: Sequence[Invalid]) -> str:
    """Return the most frequent flaw in words."""
    if not invalid:
        return f"the contract allows only {len(references)} trials"
    flaw, count = Counter(item.flaw for item in invalid).most_common(1)[0]
    example = next(item.detail for item in invalid if item.flaw is flaw)
    tried = len(references) + len(invalid)
    counted = "no trial is valid" if not references else f"{len(references)} of {tried} trials are valid"
    detail = f" ({example})" if example else ""
    return f"{counted}: in {count} the source {flaw.value}{detail}"
