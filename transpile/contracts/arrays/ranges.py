"""Ranges of scalars: probed one at a time, against what the facts found so far predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from transpile.contracts.arrays.extents import fillings, launched, with_shared
from transpile.contracts.arrays.index_arrays import Steering
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Failed, Observed, Outcome, Probe, Values
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import ScalarInput, Subject
from transpile.core import ArrayFact, Covers, Launch, Origin, Range, Scalar, ScalarFact
from transpile.expressions import ExpressionError, evaluate

_VALUES = (-100, -1, 0, 1, 2, 3, 5, 8, 16, 31, 33, 64, 100)
BITS: Mapping[Scalar, tuple[int, int]] = {
    Scalar.BOOL: (0, 1),
    Scalar.INT8: (-128, 127),
    Scalar.UINT8: (0, 255),
    Scalar.INT16: (-32768, 32767),
    Scalar.UINT16: (0, 65535),
    Scalar.INT32: (-(1 << 31), (1 << 31) - 1),
    Scalar.UINT32: (0, (1 << 32) - 1),
    Scalar.INT64: (-(1 << 63), (1 << 63) - 1),
    Scalar.UINT64: (0, (1 << 64) - 1),
}
_FILLS = 2
FREE = 10_000
"""Farthest value that a scalar without influence on any extent is said to take."""
_FARTHER = (200, 500, 1_000, 2_000, 5_000, FREE)
"""Values on the way there."""
FLOAT_RANGE = Range(low="-100", high="100")
_NATURAL = Range(low="0", high="100")
_FACTOR = 1.5
"""Trial values of a floating number, besides their negatives."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where scalars end because an array of a fixed length does."""

    base: Scalars | None = None
    """Scalars to which the sanitizers do not object."""
    ends: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)
    """Least and greatest value of a scalar; None where no array ends it."""

    def admit(self, name: str, value: int) -> bool:
        """Tell whether a value stays within the arrays."""
        low, high = self.ends.get(name, (None, None))
        return (low is None or value >= low) and (high is None or value <= high)

    def within(self, name: str, values: Range) -> Range:
        """Return the part of a range that stays within the arrays."""
        low, high = self.ends.get(name, (None, None))
        return Range(
            low=values.low if low is None else str(max(low, int(values.low))),
            high=values.high if high is None else str(min(high, int(values.high))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a kernel before its scalars are bounded."""

    law: Law
    arrays: tuple[ArrayFact, ...]
    sizes: frozenset[str]
    relations: tuple[str, ...] = ()
    steering: Steering = field(default_factory=Steering)
    modes: frozenset[tuple[str, int]] = frozenset()
    """Numbers at which the source takes another way, each of one scalar."""
    limits: Limits = field(default_factory=Limits)
    mirrored: frozenset[str] = frozenset()
    """Sizes that may be negative: extents name how far they are from zero."""

    def intervals(self, subject: Subject, known: Pilot, row: Scalars) -> dict[str, Values]:
        """Return what steering arrays hold in a row."""
        return self.steering.intervals(subject, known, row)


@dataclass(frozen=True, slots=True)
class _Case:
    item: ScalarInput
    value: int
    row: Scalars
    launch: Launch


def scalar_facts(subject: Subject, known: Pilot, facts: Facts) -> Asking[tuple[ScalarFact, ...]]:
    """Probe every integer scalar over a range of values while the others stay as they are."""
    known = replace(known, scalars=facts.limits.base or known.scalars)
    tried = [(item, value) for item in subject.scalars if item.integer for value in _values(item, facts)]
    good = yield from _borne(subject, known, facts, tried)
    below = yield from _leading_below(subject, known, facts)
    found = [
        replace(_fact(item, known, facts, good[item.name]), values=_NATURAL)
        if item.name in below
        else _fact(item, known, facts, good[item.name])
        for item in subject.scalars
    ]
    found = [replace(fact, values=facts.limits.within(fact.name, fact.values)) for fact in found]
    return (yield from _ended(subject, known, facts, found))


def _borne(
    subject: Subject, known: Pilot, facts: Facts, tried: Sequence[tuple[ScalarInput, int]]
) -> Asking[dict[str, set[int]]]:
    """Return the values of each scalar under which the source behaves, or that took too long to tell."""
    cases: list[_Case] = []
    good: dict[str, set[int]] = {item.name: set() for item in subject.scalars}
    for scalar, value in tried:
        row = repaired({**known.scalars, scalar.name: value}, facts.relations, 1)
        if row[scalar.name] != value:
            # A relation forbids it beside these other scalars; what the value itself would do stays open.
            good[scalar.name].add(value)
            continue
        for used, launch in launched(subject, facts.law, [row], 5):
            cases.append(_Case(scalar, value, used, launch))
    probes = [probe for case in cases for probe in _probes(subject, known, facts, case)]
    outcomes = yield probes
    for index, case in enumerate(cases):
        group = outcomes[index * _FILLS : (index + 1) * _FILLS]
        environment = {
            **numbers_of(subject, case.row),
            **quantities(case.launch),
        }
        mode = (case.item.name, case.value) in facts.modes
        if case.value == 0 and _works_for_nothing(facts.law, environment, group):
            continue
        late = abs(case.value) in _FARTHER and any(isinstance(one, Failed) and one.work for one in group)
        if mode or late or all(within(facts.arrays, environment, outcome) for outcome in group):
            good[case.item.name].add(case.value)
    return good


def _works_for_nothing(law: Law, environment: Mapping[str, int], outcomes: Sequence[Outcome]) -> bool:
    """Tell whether a thread writes something although no thread is needed: no launch has none of them."""
    if not isinstance(law.law, Covers):
        return False
    try:
        needed = min(evaluate(text, environment) for text in (law.law.x, law.law.y, law.law.z))
    except ExpressionError:
        return False
    writes = any(
        item.written
        for outcome in outcomes
        if isinstance(outcome, Observed)
        for item in outcome.touched.values()
    )
    return writes and needed < 1


def _ended(
    subject: Subject, known: Pilot, facts: Facts, found: Sequence[ScalarFact]
) -> Asking[tuple[ScalarFact, ...]]:
    """Return the facts, with ranges that nothing ended so far up to where the source behaves."""
    tried = [
        (item, sign * step)
        for item, fact in zip(subject.scalars, found, strict=True)
        if item.integer and item.ends is None and not fact.size
        for sign, end in ((-1, fact.values.low), (1, fact.values.high))
        if end == str(sign * FREE)
        for step in _FARTHER
    ]
    good = yield from _borne(subject, known, facts, tried)
    asked = {(item.name, value) for item, value in tried}
    ended: list[ScalarFact] = []
    for fact in found:
        low, high = fact.values.low, fact.values.high
        if (fact.name, -FREE) in asked:
            low = str(_reach(_VALUES[0], [-step for step in _FARTHER], good[fact.name]))
        if (fact.name, FREE) in asked:
            high = str(_reach(_VALUES[-1], _FARTHER, good[fact.name]))
        ended.append(replace(fact, values=Range(low=low, high=high)))
    return tuple(ended)


def _leading_below(subject: Subject, known: Pilot, facts: Facts) -> Asking[set[str]]:
    """Return the floating numbers that lead below a pointer where they are negative: factors of an index."""
    names = [item.name for item in subject.scalars if not item.integer]
    rows = [{**known.scalars, name: value} for name in names for value in (_FACTOR, -_FACTOR)]
    cases = [(row, launched(subject, facts.law, [row], 5)) for row in rows]
    outcomes = yield [
        Probe(scalars=row, launch=with_shared(launch, known), filling=known.filling)
        for _, pairs in cases
        for row, launch in pairs[:1]
    ]
    if len(outcomes) != len(rows):
        return set()
    lowest = [_lowest(outcome) for outcome in outcomes]
    pairs = zip(names, lowest[::2], lowest[1::2], strict=True)
    return {
        name for name, above, below in pairs if above is not None and (below is None or below < min(above, 0))
    }


def _lowest(outcome: Outcome) -> int | None:
    """Return how far below any pointer a call went; None where it failed."""
    if isinstance(outcome, Failed):
        return None
    return min((item.low for item in outcome.touched.values()), default=0)


def _probes(subject: Subject, known: Pilot, facts: Facts, case: _Case) -> list[Probe]:
    launch = with_shared(case.launch, known)
    fills = fillings(subject, known, facts.intervals(subject, known, case.row))[:_FILLS]
    return [Probe(scalars=case.row, launch=launch, filling=fill) for fill in fills]


def _values(item: ScalarInput, facts: Facts) -> list[int]:
    low, high = item.ends or BITS[item.scalar]
    multiple = facts.law.multiple_of(item.name)
    values = _VALUES if multiple == 1 else [multiple * value for value in range(6)]
    return [value for value in values if low <= value <= high and facts.limits.admit(item.name, value)]


def within(arrays: Sequence[ArrayFact], environment: Mapping[str, int], outcome: Outcome) -> bool:
    """Tell whether a call returned and behaved, and touched no more than the facts provide.

    Where data decides how far an array is reached, other scalars may lead further.
    """
    if isinstance(outcome, Failed) or not outcome.valid:
        return False
    for fact in arrays:
        touched = outcome.touched.get(fact.name)
        if touched is None or fact.origin is Origin.BOUND:
            continue
        try:
            extent, before = evaluate(fact.extent, environment), evaluate(fact.before, environment)
        except ExpressionError:
            return False
        if touched.high > max(extent, 0) or -touched.low > max(before, 0):
            return False
    return True


def _fact(item: ScalarInput, known: Pilot, facts: Facts, good: set[int]) -> ScalarFact:
    if not item.integer:
        return ScalarFact(name=item.name, values=FLOAT_RANGE)
    if item.ends is not None:
        low, high = item.ends
        return ScalarFact(name=item.name, values=Range(low=str(low), high=str(high)), origin=Origin.SYNTAX)
    size = item.name in facts.sizes
    least, most = BITS[item.scalar]
    base = int(known.scalars[item.name])
    below = [value for value in reversed(_values(item, facts)) if value < base]
    above = [value for value in _values(item, facts) if value > base]
    low, high = _reach(base, below, good), _reach(base, above, good)
    if high == above[-1] if above else True:
        high = most if size else min(most, FREE)
    if item.name in facts.mirrored and below and low == below[-1]:
        low = -most
    elif size:
        low = max(low, 0)
    elif not below or low == below[-1]:
        low = max(least, -FREE)
    return ScalarFact(name=item.name, values=Range(low=str(low), high=str(high)), size=size)


def _reach(base: int, values: Sequence[int], good: set[int]) -> int:
    """Return the last of the values, in order, before the first that is not good."""
    reached = base
    for value in values:
        if value not in good:
            break
        reached = value
    return reached
