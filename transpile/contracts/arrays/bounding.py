"""Bounds of all arrays of a kernel, once the values of its index arrays are bounded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.contracts.arrays.extents import (
    Bounds,
    Sample,
    beside,
    bounds,
    fillings,
    launched,
    loose_bounds,
    merged,
    samples,
    with_shared,
)
from transpile.contracts.arrays.index_arrays import Steering, drawn, freely, structured, uniform
from transpile.contracts.arrays.law_products import makings
from transpile.contracts.arrays.preconditions import Tamed
from transpile.contracts.fitting.fit import Row, fit
from transpile.contracts.fitting.subscript_terms import Makings
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Failed, Filling, Observed, Outcome, Probe, Style, Values
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.shared_bounds import stray
from transpile.contracts.probing.subject import Subject
from transpile.core import Covers, Launch, array_of
from transpile.expressions import names as names_of

_STEERED = 7
"""Elements of steering arrays stay below this while nothing better is known."""
_MEASURED = 24
"""Rows in which values are raised until they lead further; the first rows are small."""
_FURTHEST = 14
"""More than the sizes of those rows."""
_USUAL = 0.5
"""Share of rows that keep to what lies behind pointers, from which on the others are calls nobody makes."""
_OPERATORS = re.compile(r"[-+*/]")
_CREDIBLE = 3
"""Operators of a bound; one with more is taken where no other array goes as far."""
_LIMITS = (15, 31, 63, 99, 127, 255, 511, 1023, 4095)


@dataclass(frozen=True, slots=True)
class Bounded:
    """What was fitted, from which samples, and the arrays that no expression was found for."""

    bounds: Mapping[str, Bounds]
    samples: tuple[Sample, ...]
    missing: tuple[str, ...]


def bounded_by(
    subject: Subject, tamed: Tamed, law: Law, rows: Sequence[Scalars], seed: int
) -> Asking[tuple[Bounded, Steering]]:
    """Fit the bounds, and return what elements of steering arrays keep to."""
    known, within = tamed.pilot, makings(subject.text, law)
    pairs = launched(subject, law, rows, seed)
    first = yield from _fitted(subject, known, within, pairs, uniform(known, str(_STEERED)))
    if not known.filling.own:
        return _loosened(subject, within, first), Steering()
    limit = yield from _limit(subject, known, pairs)
    if not limit:
        extents = {name: found.extent for name, found in first.bounds.items()}
        steering = freely(subject, known, extents)
        if steering is not None:
            fresh = drawn(subject, known, steering.free, extents, [row for row, _ in pairs], seed)
            drawn_pairs = [(row, launch) for row, (_, launch) in zip(fresh, pairs, strict=True)]
            freed = yield from _fitted(subject, known, within, drawn_pairs, steering)
            freed = _loosened(subject, within, freed)
            # Elements that lead into the next row, say, are no reason to race: callers keep to rows.
            if not freed.missing and not any(sample.racing for sample in freed.samples):
                return freed, steering
    if tamed.width:
        full, place = tamed.bounds
        steering = uniform(known, full)
        again = yield from _fitted(subject, known, within, pairs, steering)
        if not again.missing and not any(sample.racing for sample in again.samples):
            return again, steering
        plain = [place]
    else:
        harmless = yield from _harmless(subject, known, pairs)
        plain = list(dict.fromkeys([*harmless, *_candidates(subject, tamed, law, first)]))
    extents = {name: found.extent for name, found in first.bounds.items()}
    candidates = [] if tamed.distinct else structured(subject, known, extents, plain)
    candidates += [uniform(known, text) for text in plain]
    for steering in [uniform(known, str(limit))] if limit else candidates:
        again = yield from _fitted(subject, known, within, pairs, steering)
        if not again.missing:
            return again, steering
    return _loosened(subject, within, first), uniform(known, str(_STEERED))


def _loosened(subject: Subject, within: Makings | None, found: Bounded) -> Bounded:
    """Bound the arrays from above that no expression was found for."""
    fits = dict(found.bounds)
    missing: list[str] = []
    for item in subject.arrays:
        if item.name in found.missing:
            named = _named(subject, found.samples)
            loose = loose_bounds(subject, within, item, found.samples, named)
            if loose is None or len(_OPERATORS.findall(loose.extent)) > _CREDIBLE:
                loose = beside(item.name, found.bounds, found.samples) or loose
            if loose is None:
                missing.append(item.name)
            else:
                fits[item.name] = loose
    return Bounded(fits, found.samples, tuple(missing))


def _candidates(subject: Subject, tamed: Tamed, law: Law, first: Bounded) -> list[str]:
    """Return what may bound the elements of steering arrays, best first: extents that are plain names."""
    bounding = tamed.distinct or tamed.pilot.steering
    own = [first.bounds[name].extent for name in bounding if name in first.bounds]
    others = Counter(item.extent for item in first.bounds.values())
    texts = [*own, *(text for text, _ in others.most_common())]
    texts += [law.law.x] if isinstance(law.law, Covers) else []
    names = set(subject.integers)
    usable = [text for text in dict.fromkeys(texts) if names_of(text) and names_of(text) <= names]
    if tamed.distinct:
        return [text for text in own if text in usable][:1]
    return [*sorted(usable, key=lambda text: not text.isidentifier())[:2], str(_STEERED)]


def _limit(subject: Subject, known: Pilot, pairs: Sequence[tuple[Scalars, Launch]]) -> Asking[int]:
    """Return the number of values that shared memory has room for, 0 where any number will do."""
    if not subject.shared or not pairs:
        return 0
    row, launch = pairs[0]
    probes = [
        Probe(scalars=row, launch=with_shared(launch, known), filling=_constant(known, high))
        for high in _LIMITS
    ]
    traced = yield probes
    bad = yield from stray(subject, probes, traced)
    fitting = [high for high, wrong in zip(_LIMITS, bad, strict=True) if not wrong]
    return max(fitting, default=0) + 1 if any(bad) else 0


def _harmless(subject: Subject, known: Pilot, pairs: Sequence[tuple[Scalars, Launch]]) -> Asking[list[str]]:
    """Return expressions below which elements lead no further than the kernel goes without them.

    Columns of a matrix that is read anyway are such elements.
    """
    chosen = pairs[:_MEASURED]
    outcomes = yield [
        Probe(scalars=row, launch=with_shared(launch, known), filling=_constant(known, high))
        for row, launch in chosen
        for high in range(_FURTHEST)
    ]
    texts: list[str] = []
    for item in subject.arrays:
        rows: list[Row] = []
        limits: list[int] = []
        for turn, (row, _) in enumerate(chosen):
            limit = _limit_of(item.name, outcomes[turn * _FURTHEST : (turn + 1) * _FURTHEST])
            if limit:
                rows.append({name: int(row[name]) for name in subject.integers})
                limits.append(limit)
        found = fit(rows, limits, subject.integers) if max(limits, default=1) > 1 else None
        texts += [found.text] if found is not None else []
    return texts


def _limit_of(name: str, outcomes: Sequence[Outcome]) -> int:
    """Return the value from which on an array is touched further than by 0; 0 where none is."""
    if any(isinstance(outcome, Failed) or name not in outcome.touched for outcome in outcomes[:1]):
        return 0
    highs = [
        outcome.touched[name].high if isinstance(outcome, Observed) and name in outcome.touched else 0
        for outcome in outcomes
    ]
    return next((value for value, high in enumerate(highs) if high > highs[0]), 0)


def _constant(known: Pilot, high: int) -> Filling:
    """Return the filling with equal elements, but for offsets, which would lead nowhere."""
    own = {
        name: values if name in known.offsets else Values(Style.CONSTANT, 0, high)
        for name, values in known.filling.own.items()
    }
    return replace(known.filling, own=own)


def _fitted(
    subject: Subject,
    known: Pilot,
    within: Makings | None,
    pairs: Sequence[tuple[Scalars, Launch]],
    steering: Steering,
) -> Asking[Bounded]:
    """Trace all rows, fit every array; once more with further data where guards on values hide the ends."""
    found: list[Sample] = []
    for further in (False, True):
        fills = [
            fillings(subject, known, steering.intervals(subject, known, row), further=further)
            for row, _ in pairs
        ]
        more = yield from samples(subject, known, pairs, fills)
        found = merged(found, more) if further else more
        result = _fit_all(subject, within, found)
        if not result.missing:
            break
    behind = [sample for sample in found if not _begins_before(sample)]
    if result.missing and _USUAL * len(found) <= len(behind) < len(found):
        return _fit_all(subject, within, behind)
    return result


def _named(subject: Subject, found: Sequence[Sample]) -> list[str]:
    """Return what lengths may follow from: numbers that the text mentions, and greatest elements."""
    greatest = [name for name in found[0].scalars if array_of(name)] if found else []
    idle = subject.unused.union(subject.unmentioned)
    return [*(name for name in subject.integers if name not in idle), *greatest]


def _begins_before(sample: Sample) -> bool:
    """Tell whether elements below a pointer were touched, as by ``a[n - 3]`` where ``n`` is 2."""
    return any(item.low < 0 for item in sample.touched.values())


def _fit_all(subject: Subject, within: Makings | None, found: Sequence[Sample]) -> Bounded:
    fits: dict[str, Bounds] = {}
    missing: list[str] = []
    for item in subject.arrays:
        if not any(item.name in sample.touched for sample in found):
            continue
        fitted = bounds(subject, within, item, found, _named(subject, found))
        if fitted is None:
            missing.append(item.name)
        else:
            fits[item.name] = fitted
    return Bounded(fits, tuple(found), tuple(missing))
