"""Rounded results: how far from a better reference may a candidate be?

The source itself is the measure. ``s`` is how much an output moves when the inputs move by one unit in the
last place, at least one roundoff of the output; ``q`` is the worst error of the source in that unit, over the
trials that take as much work for a result or less, and on which it errs as usual, against the same source in
wider arithmetic. A candidate may be four times as wrong. An output that jumps when inputs move by so little
says nothing about the candidate, and is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from transpile.core import Leaf, NumberRules, Scalar, Tolerance
from transpile.testers.compare.compare import USUAL, Column, Difference, Mask, columns, describe, same
from transpile.testers.trials.layout import (
    COMPLEX,
    EPSILON,
    LARGEST,
    SMALLEST,
    Bytes,
    Numbers,
    leaves,
    numbers,
    stored,
    view,
)
from transpile.testers.trials.materialise import Slot

SLACK = 4.0
"""A candidate may be this many times as wrong as the source."""

CREDIBLE = 256.0
"""Units. A source that is further off hides errors, or the reference is of something else."""

_SHARE = 1 / 64
"""Part of a number that the source may be off by: in 16 bits, few units are much."""

LEAST = 2.5
"""The source is taken to be at least this many units wrong: a lucky source is no measure."""

ORDER = 4.0
"""An error is of the common order up to this many times what most trials stay below."""

_MOST_TRIALS = 0.75

UNGUIDED = 8.0
"""The source's error in units, where there is no wide reference to measure it."""

PERTURBATIONS = 10
"""Fewer leave units too small by chance: good sums were refused once in some thousand trials."""

LOOKS = 10
"""Times that a trial is measured, by other perturbations each, before a candidate is refused by it."""

ENOUGH = 12
"""Inputs on which the source's usual error is measured at least: fewer may all be lucky ones."""

FAR = 2 * SLACK
"""From so far off on, units that chance has left too small are no excuse."""

_BLOCK = 1 << 14
"""Numbers that are measured at a time."""

_MOVED = 2 / 3
"""Part of the inputs that a perturbation moves: two that cancel might else be moved alike every time."""

_LOWER_HALF = {Scalar.FLOAT64: 26, Scalar.FLOAT32: 12, Scalar.FLOAT16: 5, Scalar.BFLOAT16: 3}
"""Digits, in bits, in which trials that are near to each other differ."""

Key = tuple[str, str]
"""Slot and leaf."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What one trial says of one floating leaf."""

    reference: Numbers
    """In wider arithmetic where that exists, else what the source computed."""
    unit: Numbers
    error: float
    """The source's worst error in units; 0 without a wide reference."""
    wide: bool
    credible: bool
    """The source is near enough to the wide reference for errors to show."""
    jump: float
    """How far the output moves under a perturbation, relative to its largest number."""
    steady: bool
    """False where it jumps: the trial decides nothing here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scales:
    """What one trial says of all its leaves."""

    of: Mapping[Key, Scale]
    steady: bool
    """False where whole numbers change under a perturbation, or a floating leaf jumps."""
    changed: str = ""
    """An output of whole numbers that changes."""

    @property
    def doubt(self) -> str:
        """Return in words what makes the trial decide nothing."""
        if self.changed:
            return f"`{self.changed}`, which holds whole numbers, changes with the last place of the inputs"
        name, worst = max(
            ((key[0], scale.jump) for key, scale in self.of.items() if not scale.steady),
            key=lambda item: item[1],
            default=("", 0.0),
        )
        return f"`{name}` changes by up to {worst:.2g} of its size with the last place of the inputs"


def perturbed(data: Bytes, slot: Slot, rng: np.random.Generator) -> Bytes:
    """Return a slot's data with most floating numbers moved by one unit in the last place.

    Zeros stay, and what is infinite or would be: the next number to that is no neighbour.
    """
    moved = data.copy()
    for leaf in leaves(slot.element):
        if not leaf.scalar.floating:
            continue
        values = view(moved, slot.element, leaf)
        chosen = rng.random(len(values)) < _MOVED
        if leaf.scalar is Scalar.BFLOAT16:
            moving = chosen & (values & 0x7FFF != 0) & (values & 0x7F80 != 0x7F80)
            values[:] = np.where(moving, values + rng.choice(np.asarray([1, -1]), len(values)), values)
        else:
            aim = rng.choice(np.asarray([np.inf, -np.inf]), len(values)).astype(values.dtype)
            with np.errstate(over="ignore"):
                following = np.nextafter(values, aim)
            moving = chosen & (values != 0) & np.isfinite(values) & np.isfinite(following)
            values[:] = np.where(moving, following, values)
    return moved


def drawn_near(data: Bytes, slot: Slot, rng: np.random.Generator) -> Bytes:
    """Return a slot's data with the lower half of every floating number's significand drawn anew.

    Zeros stay, and what is infinite; numbers that are equal stay equal.
    """
    drawn = data.copy()
    for leaf in leaves(slot.element):
        if leaf.scalar not in _LOWER_HALF:
            continue
        values = view(drawn, slot.element, leaf)
        free = _LOWER_HALF[leaf.scalar]
        whole = np.ascontiguousarray(values).view(f"u{values.itemsize}")
        _, place = np.unique(whole, return_inverse=True)
        bits = rng.integers(0, 1 << free, len(whole), dtype=np.uint64).astype(whole.dtype)[place]
        moving = np.isfinite(numbers(drawn, slot.element, leaf)) & (whole << 1 != 0)
        values[:] = np.where(moving, (whole >> free << free) | bits, whole).view(values.dtype)
    return drawn


def scales(
    slots: Sequence[Slot],
    source: Sequence[Bytes],
    others: Sequence[Sequence[Bytes]],
    wide: Mapping[Key, Numbers] | None,
) -> Scales:
    """Measure a trial.

    Args:
        slots: What is compared.
        source: What the source left there.
        others: What it left there for perturbed inputs, and under other schedules.
        wide: What it left there in wider arithmetic, by slot and leaf.
    """
    found: dict[Key, Scale] = {}
    steady, changed = True, ""
    for number, slot in enumerate(slots):
        for leaf in leaves(slot.element):
            mine = numbers(source[number], slot.element, leaf)
            theirs = [numbers(other[number], slot.element, leaf) for other in others]
            if leaf.scalar.floating:
                key = (slot.name, leaf.name)
                if slot.constant:
                    continue
                reference = None if wide is None else wide.get(key)
                found[key] = _scale(leaf, mine, theirs, reference, _parts(slot, leaf, source[number]))
                steady &= found[key].steady
            elif not slot.constant and not all(bool(same(mine, other).all()) for other in theirs):
                steady, changed = False, slot.name
    return Scales(of=found, steady=steady, changed=changed)


def joined(one: Scales, other: Scales) -> Scales:
    """Return what two measurements of a trial say together; the source's error is that of the first."""
    return Scales(
        of={key: _joined(scale, other.of[key]) for key, scale in one.of.items()},
        steady=one.steady and other.steady,
        changed=one.changed or other.changed,
    )


def _joined(one: Scale, other: Scale) -> Scale:
    return replace(
        one,
        unit=np.maximum(one.unit, other.unit),
        jump=max(one.jump, other.jump),
        steady=one.steady and other.steady,
    )


def _widened(values: Numbers, leaf: Leaf) -> Numbers:
    """Return numbers of a leaf in a type with twice its digits, or the widest: double computes far faster."""
    return values.astype(np.float64 if EPSILON[leaf.scalar] >= EPSILON[Scalar.FLOAT32] else np.longdouble)


def _parts(slot: Slot, leaf: Leaf, data: Bytes) -> list[Numbers]:
    """Return what makes the size of each number: itself, or both parts of a complex number."""
    base, _, part = leaf.name.rpartition(".")
    found = [leaf]
    if part in COMPLEX:
        found = [item for item in leaves(slot.element) if item.name.rpartition(".")[0] == base]
    return [numbers(data, slot.element, item) for item in found]


def _scale(
    leaf: Leaf, mine: Numbers, theirs: Sequence[Numbers], wide: Numbers | None, parts: Sequence[Numbers]
) -> Scale:
    usable = wide is not None and bool((np.isfinite(wide) == np.isfinite(mine)).all())
    better = wide if usable else None
    spans = [slice(start, start + _BLOCK) for start in range(0, max(1, len(mine)), _BLOCK)]
    blocks = [_measured(leaf, mine, theirs, better, parts, span=span) for span in spans]
    reference = np.concatenate([block.reference for block in blocks])
    unit = np.concatenate([block.unit for block in blocks])
    error, spread, largest = (
        float(item) for item in np.max([(one.error, one.spread, one.largest) for one in blocks], axis=0)
    )
    jumps = not all(_alike_beyond_numbers(mine, other) for other in theirs)
    jumps |= wide is not None and _overflows_on_the_way(mine, wide, LARGEST[leaf.scalar])
    margin = allowed(error)
    if largest + margin * float(np.max(unit, initial=0)) > LARGEST[leaf.scalar]:
        jumps |= _overflows_by_rounding(_widened(mine, leaf), margin * unit, LARGEST[leaf.scalar])
    jump = float("inf") if jumps else spread / (largest or 1.0)
    return Scale(
        reference=reference,
        unit=unit,
        error=error,
        wide=usable,
        credible=error <= _credible(leaf.scalar),
        jump=jump,
        steady=jump <= np.sqrt(EPSILON[leaf.scalar]),
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """Some numbers of a leaf as one trial measures them."""

    reference: Numbers
    unit: Numbers
    error: float
    spread: float
    largest: float


def _measured(
    leaf: Leaf,
    mine: Numbers,
    theirs: Sequence[Numbers],
    wide: Numbers | None,
    parts: Sequence[Numbers],
    *,
    span: slice,
) -> _Block:
    """Measure some numbers, so few that all that is computed of them stays in the cache."""
    with np.errstate(all="ignore"):
        value = _widened(mine[span], leaf)
        spread = np.zeros_like(value)
        for other in theirs:
            np.maximum(spread, np.abs(_widened(other[span], leaf) - value), out=spread)
        spread = np.where(np.isfinite(spread), spread, 0)
        reference = value if wide is None else _widened(wide[span], leaf)
        reference = np.where(np.isfinite(reference), reference, value)
        norm = np.max([np.abs(_widened(part[span], leaf)) for part in parts], axis=0)
        size = np.maximum(_size(reference), _size(norm))
        unit = np.maximum(spread, EPSILON[leaf.scalar] * np.maximum(size, SMALLEST[leaf.scalar]))
        off = np.where(np.isfinite(value), np.abs(value - reference), 0)
        error = float(np.max(off / unit, initial=0))
    largest = float(np.max(_size(value), initial=0.0))
    return _Block(reference, unit, error, float(np.max(spread, initial=0)), largest)


def _size(values: Numbers) -> Numbers:
    """Return how large numbers are: 0 for what is infinite or no number."""
    return np.where(np.isfinite(values), np.abs(values), 0)


def _overflows_on_the_way(value: Numbers, wide: Numbers, largest: float) -> bool:
    """Tell whether some result is infinite or NaN only for the way it was computed."""
    held = ~np.isfinite(value) & (np.abs(wide) <= largest)
    # Partial sums that leave the type on both sides are NaN, though the sum itself is just too large.
    return bool((held | (np.isnan(value) & ~np.isnan(wide))).any())


def _overflows_by_rounding(value: Numbers, margin: Numbers, largest: float) -> bool:
    """Tell whether some result is so near to the end of the type that another order may be infinite."""
    return bool((np.isfinite(value) & (np.abs(value) + margin > largest)).any())


def _credible(scalar: Scalar) -> float:
    return min(CREDIBLE, _SHARE / EPSILON[scalar])


def _alike_beyond_numbers(one: Numbers, other: Numbers) -> bool:
    """Tell whether what is infinite or NaN in one array is the same in the other."""
    if np.isfinite(one).all() and np.isfinite(other).all():
        return True
    return bool(same(_without_finite(one), _without_finite(other)).all())


def _without_finite(values: Numbers) -> Numbers:
    """Return what is infinite or NaN, with zeros in place of all else."""
    found: Numbers = np.where(np.isfinite(values), values.dtype.type(0), values)
    return found


def pooled(measured: Sequence[Scales]) -> dict[Key, float]:
    """Return the worst usual error of the source for each leaf over all steady trials, in units.

    A leaf whose wide reference is credible on less than half of them has the value 0: what the wide build
    computes there is something else. Otherwise the other trials decide nothing (``lost``).
    """
    found: dict[Key, float] = {}
    for key in {key: None for item in measured for key in item.of}:
        seen = [item.of[key] for item in measured if item.steady and key in item.of]
        wide = [scale for scale in seen if scale.wide]
        credible = [scale.error for scale in wide if scale.credible]
        trusted = credible and 2 * len(credible) >= len(wide)
        found[key] = usual(credible) if trusted else 0.0
    return found


def usual(errors: Sequence[float]) -> float:
    """Return the worst of the errors that are of the common order, at least :data:`LEAST`.

    On degenerate inputs, such as nearly equal numbers, a good source may be far off. That is no measure of
    what a candidate may do elsewhere; such trials decide nothing (``lost``).
    """
    common = ORDER * max(LEAST, float(np.quantile(errors, _MOST_TRIALS)))
    return max(LEAST, *(error for error in errors if error <= common))


def errors_of(
    measured: Scales, slots: Sequence[Slot], source: Sequence[Bytes], wide: Mapping[Key, Numbers]
) -> dict[Key, float]:
    """Return how far results of the source are from a wide reference at most, in the units of a trial near.

    Leaves that are further off than a trial may be are left out.
    """
    found: dict[Key, float] = {}
    for slot, data in zip(slots, source, strict=True):
        for leaf in leaves(slot.element):
            key = (slot.name, leaf.name)
            if key in wide and key in measured.of:
                value = _widened(numbers(data, slot.element, leaf), leaf)
                with np.errstate(all="ignore"):
                    off = np.abs(value - _widened(wide[key], leaf)) / measured.of[key].unit
                error = float(np.max(np.where(np.isfinite(off), off, 0), initial=0))
                if error <= _credible(leaf.scalar):
                    found[key] = error
    return found


def at_least(errors: Mapping[Key, float], others: Mapping[Key, float]) -> dict[Key, float]:
    """Return the larger error of each leaf; one that was not measured (0) stays so."""
    return {key: max(error, others.get(key, 0.0)) if error > 0 else error for key, error in errors.items()}


def lost(measured: Scales, errors: Mapping[Key, float]) -> str:
    """Return an output on which the source itself is further off than elsewhere; empty where none is."""
    for key, scale in measured.of.items():
        if scale.wide and scale.error > errors.get(key, 0.0) > 0:
            return key[0]
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What both sides made of one trial."""

    slots: Sequence[Slot]
    source: Sequence[Bytes]
    candidate: Sequence[Bytes]
    written: Sequence[Mask]
    """For each slot, the bytes that the source wrote: what it left alone has no tolerance."""
    poison: int | None = None
    """What outputs held before the call."""
    rules: NumberRules = USUAL


Near = Callable[[Column], "Mask | None"]
"""Tells which numbers of a floating leaf are as near as allowed; None where the leaf has no tolerance."""


def first_excess(
    pair: Pair, measured: Scales, errors: Mapping[Key, float], slack: float = SLACK
) -> Difference | None:
    """Return where a candidate is further away than the source's errors allow; None where nowhere.

    Args:
        pair: Both sides' results.
        measured: The scales of this trial.
        errors: The source's errors over all trials.
        slack: How many times as wrong as the source a candidate may be.
    """

    def near(column: Column) -> Mask | None:
        scale = measured.of.get(_key(column))
        if scale is None:
            return None
        return _distance(column, scale, errors) <= allowed(errors.get(_key(column), 0.0), slack)

    return _first(pair, near)


def first_beyond(pair: Pair, tolerance: Tolerance) -> Difference | None:
    """Return where a candidate is further away from the source than the user allows; None where nowhere."""

    def near(column: Column) -> Mask | None:
        if column.slot.constant or not column.leaf.scalar.floating:
            return None
        value = _widened(column.source, column.leaf)
        off = np.abs(_widened(column.candidate, column.leaf) - value)
        close: Mask = off <= tolerance.absolute + tolerance.relative * np.abs(value)
        return close

    return _first(pair, near)


def distances(pair: Pair, measured: Scales, errors: Mapping[Key, float]) -> dict[Key, float]:
    """Return how far each output is from its reference at most where the source writes it, in units."""
    found: dict[Key, float] = {}
    sides = columns(pair.slots, pair.source, pair.candidate)
    for column, touched in zip(sides, _touched(pair.slots, pair.written), strict=True):
        scale = measured.of.get(_key(column))
        if scale is not None:
            with np.errstate(all="ignore"):
                off = _distance(column, scale, errors)
            found[_key(column)] = float(np.max(np.where(np.isfinite(off) & touched, off, 0), initial=0))
    return found


def allowed(error: float, slack: float = SLACK) -> float:
    """Return how many units a candidate may be away, given the source's error (0: not measured)."""
    return slack * (error if error > 0 else UNGUIDED)


def _first(pair: Pair, near: Near) -> Difference | None:
    sides = columns(pair.slots, pair.source, pair.candidate)
    for column, touched in zip(sides, _touched(pair.slots, pair.written), strict=True):
        agree = same(column.source, column.candidate, pair.rules)
        with np.errstate(all="ignore"):
            close = near(column)
            if close is not None:
                finite = np.isfinite(column.source) & np.isfinite(column.candidate)
                agree |= close & finite & touched & ~_other_zero(column, pair.rules)
        if not agree.all():
            rule = "exact" if close is None else "tolerance"
            return describe(column, ~agree, rule, pair.poison)
    return None


def _other_zero(column: Column, rules: NumberRules) -> Mask:
    """Tell which numbers are zeros of different sign, where that is a difference."""
    zeros: Mask = (column.source == 0) & (column.candidate == 0)
    return zeros if rules.signed_zero == "distinct" else np.zeros_like(zeros)


def _touched(slots: Sequence[Slot], written: Sequence[Mask]) -> list[Mask]:
    """Return for every leaf which of its numbers the source wrote."""
    found: list[Mask] = []
    for slot, mask in zip(slots, written, strict=True):
        found += [numbers_written(slot, leaf, mask) for leaf in leaves(slot.element)]
    return found


def numbers_written(slot: Slot, leaf: Leaf, written: Mask) -> Mask:
    """Return which numbers of a leaf the source wrote, given the bytes of its slot that it wrote."""
    whole = written.reshape(-1, slot.element.size)
    found: Mask = np.any(whole[:, leaf.offset : leaf.offset + stored(leaf.scalar).itemsize], axis=1)
    return found


def _key(column: Column) -> Key:
    return (column.slot.name, column.leaf.name)


def _distance(column: Column, scale: Scale, errors: Mapping[Key, float]) -> Numbers:
    """Return how many units each number is away from the reference, else from the source."""
    away = np.abs(_widened(column.candidate, column.leaf) - _reference(column, scale, errors))
    found: Numbers = away / scale.unit
    return found


def _reference(column: Column, scale: Scale, errors: Mapping[Key, float]) -> Numbers:
    guided = errors.get(_key(column), 0.0) > 0
    return scale.reference if guided else _widened(column.source, column.leaf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How far the numbers of one leaf may be off on one trial."""

    reference: Numbers
    allowed: Numbers
    """Negative where only the source's own number will do."""


def allowances(
    slots: Sequence[Slot],
    source: Sequence[Bytes],
    measured: Scales,
    errors: Mapping[Key, float],
    written: Sequence[Mask],
) -> dict[Key, Allowance]:
    """Return by slot and leaf what :func:`first_excess` bears, as numbers."""
    found: dict[Key, Allowance] = {}
    for column, touched in zip(columns(slots, source, source), _touched(slots, written), strict=True):
        key = _key(column)
        scale = measured.of.get(key)
        if scale is not None:
            most = allowed(errors.get(key, 0.0)) * scale.unit
            usable = touched & np.isfinite(column.source) & np.isfinite(most)
            found[key] = Allowance(
                reference=_reference(column, scale, errors), allowed=np.where(usable, most, -1.0)
            )
    return found
