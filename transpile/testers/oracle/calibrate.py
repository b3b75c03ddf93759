"""The source measured: how its rounded results move, and how far they are from a wider computation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from transpile.core import Scalar, Trial
from transpile.testers.compare.apart import ROUNDS, apart, nudged, settled
from transpile.testers.compare.compare import Difference, Mask
from transpile.testers.compare.firm import firm, jumping, may_be_firm, steadied
from transpile.testers.compare.tolerance import (
    ENOUGH,
    LOOKS,
    PERTURBATIONS,
    Key,
    Pair,
    Scales,
    drawn_near,
    errors_of,
    joined,
    numbers_written,
    perturbed,
    pooled,
    scales,
)
from transpile.testers.compare.wide import WIDER, references, widened
from transpile.testers.compare.wording import told
from transpile.testers.oracle.validity import SCHEDULES, Reference, overlaid
from transpile.testers.run.bench import Outcome, RunConfiguration, call
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.trials.layout import Bytes, Numbers, leaves, numbers
from transpile.testers.trials.materialise import POISONS, Prepared, Slot
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.worker import Crashed, Placement
from transpile.toolchains.workshop import Workshop

_CONFIGURATION = RunConfiguration(placement=Placement.GUARD_HIGH, poison=POISONS[0], seed=SCHEDULES[0])
_TRACED = RunConfiguration(placement=Placement.ARENA, seed=SCHEDULES[0])
_DIRECTED = (replace(_TRACED, rounding="up"), replace(_TRACED, rounding="down"))
_MOST = 24
"""Trials that are measured at once: the largest ones cost most and tell least."""
_LARGE = 1 << 20
_FEW = 2
"""Perturbations of trials with more bytes, at first: what they leave in doubt is looked at again."""

Moving = Callable[[Bytes, Slot, np.random.Generator], Bytes]
"""Makes other data of a slot's."""

_ALIKE = 2.0
"""Times the work for a result up to which a trial is as another."""


def work(reference: Reference) -> float:
    """Return how many bytes a call is given for each that it writes: the terms of a sum, where it is one."""
    written = sum(int(mask.sum()) for mask in reference.written)
    return reference.prepared.size / max(written, 1)


class Calibration:
    """Scales of the inexact trials of one kernel, measured when the first candidate differs in rounding."""

    def __init__(self, workshop: Workshop, bench: SourceBench) -> None:
        """Keep where the source is."""
        self._workshop = workshop
        self._bench = bench
        self._measured: dict[Trial, Scales | None] = {}
        self._near: dict[Trial, dict[Key, float]] = {}
        self._usual: dict[float, dict[Key, float]] = {}
        self._work: dict[Trial, float] = {}
        self._firm: dict[Trial, Mapping[Key, Mask] | None] = {}
        self._settled: dict[Trial, Mapping[Key, Mask] | None] = {}
        self.errors: dict[Key, float] = {}
        self._kinds: dict[Key, Scalar] = {}

    def anew(self) -> Calibration:
        """Return the same with nothing measured."""
        return Calibration(self._workshop, self._bench)

    def of(self, reference: Reference, pool: Sequence[Reference]) -> Scales | None:
        """Return the scales of one trial; None where the source cannot be measured there.

        The whole pool is measured with it, since the source's error is taken over many trials.
        """
        if reference.trial not in self._measured:
            rounded = {item.trial: item for item in pool if not item.exact}
            fresh = {reference.trial: reference, **rounded}
            for trial in self._measured:
                fresh.pop(trial, None)
            self._measure(list(fresh.values())[:_MOST])
        return self._measured[reference.trial]

    def looks(self, reference: Reference, pool: Sequence[Reference]) -> Iterator[Scales]:
        """Yield the scales of one trial, by more perturbations each time; nothing where it has none.

        Among many outputs some unit is too small by chance, and what is right seems to be too far off there.
        """
        measured = self.of(reference, pool)
        for look in range(1, LOOKS + 1):
            if measured is None:
                return
            self._note(reference.trial, measured)
            yield measured
            rounds = range(look * PERTURBATIONS, (look + 1) * PERTURBATIONS)
            [again] = self._scales([reference], rounds)
            measured = again and joined(measured, again)

    def apart(self, reference: Reference, pair: Pair) -> Difference | None:
        """Return where a candidate parts from whole numbers that the source has for all inputs nearby."""
        if self.is_rough(reference):
            return None
        if reference.trial not in self._settled:
            self._settled[reference.trial] = self._settled_in(reference)
        known = self._settled[reference.trial]
        return None if known is None else apart(pair, known)

    def _settled_in(self, reference: Reference) -> Mapping[Key, Mask] | None:
        """Return which whole numbers stay as inputs move; None where a call does not come back."""
        drawn = [
            _moved(reference.prepared, PERTURBATIONS + turn // 2, partial(nudged, round_=turn))
            for turn in range(ROUNDS)
        ]
        made = [item.results for item in self._run(drawn) if isinstance(item, Outcome)]
        if len(made) < ROUNDS:
            return None
        slots, (own, other) = reference.prepared.slots, reference.results
        return settled(slots, own, [overlaid(slots, own, other, reference.written), *made])

    def is_rough(self, reference: Reference) -> bool:
        """Tell whether the first look at a trial is by so few perturbations that they miss many numbers."""
        return reference.prepared.size > _LARGE

    def errors_at(self, reference: Reference) -> dict[Key, float]:
        """Return the source's errors over the trials that take little more work for a result than this one.

        The error of a sum grows with its terms: what long ones may be off by says nothing of short ones.
        """
        limit = _ALIKE * self._work[reference.trial]
        if limit not in self._usual:
            near = pooled([item for trial, item in self._telling() if self._work[trial] <= limit])
            self._usual[limit] = {
                key: min(near.get(key) or worst, worst) for key, worst in self.errors.items()
            }
        return self._usual[limit]

    def errors_near(self, reference: Reference) -> dict[Key, float]:
        """Return the source's worst errors on data that share the upper half of their digits with a trial's.

        Nothing where enough trials take about as much work. The errors of a sum of equal numbers do not
        even out but add up, to nothing or to much, as their last digits have it: few trials may all be lucky.
        """
        if self._alike(reference) >= ENOUGH:
            return {}
        if reference.trial not in self._near:
            self._near[reference.trial] = self._measured_near(reference)
        return self._near[reference.trial]

    def _alike(self, reference: Reference) -> int:
        """Return how many trials measure the source's usual error with about as much work."""
        most = _ALIKE * self._work[reference.trial]
        return sum(most / _ALIKE**2 <= self._work[trial] <= most for trial, _ in self._telling())

    def _note(self, trial: Trial, measured: Scales | None) -> None:
        """Keep the scales of a trial, and forget what was computed of others that it had."""
        if self._measured.get(trial) is not measured:
            self._usual.clear()
        self._measured[trial] = measured

    def _measured_near(self, reference: Reference) -> dict[Key, float]:
        measured = self._measured[reference.trial]
        drawn = [_moved(reference.prepared, round_, drawn_near) for round_ in range(PERTURBATIONS)]
        outcomes = zip(drawn, self._run(drawn), strict=True)
        near = [
            replace(reference, prepared=prepared, results=(outcome.results, outcome.results))
            for prepared, outcome in outcomes
            if isinstance(outcome, Outcome)
        ]
        found: dict[Key, float] = {}
        for item, wide in zip(near, self._wide(near), strict=True):
            if measured is not None and wide is not None:
                errors = errors_of(measured, item.prepared.slots, item.results[0], wide)
                found |= {key: max(error, found.get(key, 0.0)) for key, error in errors.items()}
        return found

    def _telling(self) -> Iterator[tuple[Trial, Scales]]:
        """Yield what measures usual errors: sums that cancel are there for sources that bear them."""
        for trial, item in self._measured.items():
            if item and trial.fill != "cancel":
                yield trial, item

    def told(self, made: Mapping[Key, float]) -> str:
        """Return the tolerance in words, given the distances of a candidate."""
        return told(self.errors, made, self._kinds)

    def _measure(self, pool: Sequence[Reference]) -> None:
        large = [item for item in pool if self.is_rough(item)]
        small = [item for item in pool if not self.is_rough(item)]
        for some, rounds in ((small, PERTURBATIONS), (large, _FEW)):
            for reference, measured in zip(some, self._scales(some, range(rounds)), strict=True):
                self._work[reference.trial] = work(reference)
                self._note(reference.trial, measured)
        self.errors = pooled([item for _, item in self._telling()])
        self._kinds = {
            (slot.name, leaf.name): leaf.scalar
            for slot in pool[0].prepared.slots
            for leaf in leaves(slot.element)
        }

    def _scales(self, pool: Sequence[Reference], rounds: Sequence[int]) -> list[Scales | None]:
        """Return what these perturbations say of each trial; None where the source does not bear them."""
        outcomes = self._run([_moved(item.prepared, round_, perturbed) for item in pool for round_ in rounds])
        found: list[Scales | None] = []
        for number, (reference, wide) in enumerate(zip(pool, self._wide(pool), strict=True)):
            slots = _held(reference)
            own = outcomes[number * len(rounds) : (number + 1) * len(rounds)]
            made = [item.results for item in own if isinstance(item, Outcome)]
            known = self._firm_in(reference)
            if known is not None:
                known = jumping(known, slots, reference.results[0], made)
                made = [tuple(steadied(slots, reference.results[0], item, known)) for item in made]
            again = overlaid(slots, reference.results[0], reference.results[1], reference.written)
            ended = len(made) < len(own)
            found.append(None if ended else scales(slots, reference.results[0], [again, *made], wide))
        return found

    def _firm_in(self, reference: Reference) -> Mapping[Key, Mask] | None:
        """Return which results of a trial were not rounded; None where nothing is known of that."""
        trial = reference.trial
        if trial not in self._firm:
            prepared = reference.prepared
            asked = may_be_firm(prepared.contract, trial)
            runs = [results for way in _DIRECTED if asked and (results := self._directed(prepared, way))]
            whole = len(runs) == len(_DIRECTED)
            self._firm[trial] = firm(prepared.slots, reference.results[0], runs) if whole else None
        return self._firm[trial]

    def _directed(self, prepared: Prepared, way: RunConfiguration) -> Sequence[Bytes]:
        """Return what the source leaves where all its operations round one way; nothing where it ends.

        In a build that is not optimised: others have rint() in line, which then rounds that way as well.
        """
        entry = self._bench.entry(prepared.contract.signature, Flavour.TRACE)
        if isinstance(entry, BuildFailed):
            return ()
        [outcome] = call(self._workshop, entry, [prepared], way)
        return outcome.results if isinstance(outcome, Outcome) else ()

    def _run(self, moved: Sequence[Prepared]) -> Sequence[Outcome | Crashed]:
        """Return what the source makes of data."""
        if not moved:
            return []
        plain = self._bench.entry(moved[0].contract.signature, Flavour.PLAIN)
        if isinstance(plain, BuildFailed):
            raise AssertionError("the source was built before")
        return call(self._workshop, plain, moved, _CONFIGURATION)

    def _wide(self, pool: Sequence[Reference]) -> list[dict[Key, Numbers] | None]:
        """Return what the wide build computed for each trial, where there is such a build."""
        found: list[dict[Key, Numbers] | None] = [None] * len(pool)
        for flavour, wider in WIDER.items():
            wide = [widened(item.prepared, wider) for item in pool]
            made = {number: item for number, item in enumerate(wide) if item is not None}
            if not made:
                continue
            entry = self._bench.entry(pool[0].prepared.contract.signature, flavour)
            if isinstance(entry, BuildFailed):
                continue
            results = call(self._workshop, entry, list(made.values()), _CONFIGURATION)
            for number, outcome in zip(made, results, strict=True):
                if isinstance(outcome, Outcome):
                    made_wide = references(pool[number].prepared, made[number], outcome.results)
                    found[number] = where_written(pool[number], made_wide)
            break
        return found


def _held(reference: Reference) -> list[Slot]:
    """Return the slots of a trial, those that the source does not write as what it may not write.

    What is perturbed in them is perturbed afterwards, and says nothing of the source.
    """
    slots = zip(reference.prepared.slots, reference.written, strict=True)
    return [slot if mask.any() else replace(slot, constant=True) for slot, mask in slots]


def where_written(reference: Reference, wide: Mapping[Key, Numbers]) -> dict[Key, Numbers]:
    """Return the wide results, with the source's own where it wrote nothing.

    What an output held before the call is other numbers in a wider type, and no error of the source.
    """
    found: dict[Key, Numbers] = {}
    slots = reference.prepared.slots
    for slot, data, mask in zip(slots, reference.results[0], reference.written, strict=True):
        for leaf in leaves(slot.element):
            key = (slot.name, leaf.name)
            if key in wide:
                own = numbers(data, slot.element, leaf)
                found[key] = np.where(numbers_written(slot, leaf, mask), wide[key], own)
    return found


def _moved(prepared: Prepared, round_: int, moving: Moving) -> Prepared:
    """Return the trial with other floating inputs, a little away."""
    rng = np.random.default_rng([prepared.trial.seed & 0xFFFFFFFF, round_])

    def moved(slot: Slot) -> Slot:
        return slot if slot.output else replace(slot, data=moving(slot.data, slot, rng))

    return replace(
        prepared,
        arguments=tuple(moved(slot) for slot in prepared.arguments),
        globals=tuple(moved(slot) for slot in prepared.globals),
    )
