"""Which values a scalar may take: probed one at a time, against what the facts found so far predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from transpile.contracts.extents import fillings, launches
from transpile.contracts.ladder import quantities
from transpile.contracts.law import Law
from transpile.contracts.pilot import Pilot
from transpile.contracts.probe import Asking, Failed, Outcome, Probe
from transpile.contracts.rows import Scalars
from transpile.contracts.subject import ScalarInput, Subject
from transpile.core import ArrayFact, Launch, Range, Scalar, ScalarFact
from transpile.expressions import ExpressionError, evaluate

_VALUES = (-100, -1, 0, 1, 2, 3, 5, 8, 16, 31, 33, 64, 100)
_BITS: Mapping[Scalar, tuple[int, int]] = {
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
_FREE = 10_000
"""Farthest value that a scalar without influence on any extent is said to take."""
_FLOAT_RANGE = Range(low="-100", high="100")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a kernel before its scalars are bounded."""

    law: Law
    arrays: tuple[ArrayFact, ...]
    sizes: frozenset[str]


def scalar_facts(subject: Subject, known: Pilot, facts: Facts) -> Asking[tuple[ScalarFact, ...]]:
    """Probe every integer scalar over a range of values while the others stay as they are."""
    tried = [(item, value) for item in subject.scalars if item.integer for value in _values(item)]
    cases: list[tuple[ScalarInput, int, Scalars, Launch]] = []
    for item, value in tried:
        row: Scalars = {**known.scalars, item.name: value}
        # Where a law has no value (a division by zero) the scalar may not be so.
        with suppress(ExpressionError):
            cases.append((item, value, row, launches(subject, facts.law, [row], 5)[0]))
    fills = fillings(subject, known, 3)[:2]
    outcomes = yield [
        Probe(scalars=row, launch=replace(launch, shared=known.shared), filling=fill)
        for _, _, row, launch in cases
        for fill in fills
    ]
    good: dict[str, set[int]] = {}
    for index, (item, value, row, launch) in enumerate(cases):
        group = outcomes[index * len(fills) : (index + 1) * len(fills)]
        environment = {**{name: int(row[name]) for name in subject.integers}, **quantities(launch)}
        if all(within(facts.arrays, environment, outcome) for outcome in group):
            good.setdefault(item.name, set()).add(value)
    return tuple(_fact(item, known, facts, good.get(item.name, set())) for item in subject.scalars)


def _values(item: ScalarInput) -> list[int]:
    low, high = _BITS[item.scalar]
    return [value for value in _VALUES if low <= value <= high]


def within(arrays: Sequence[ArrayFact], environment: Mapping[str, int], outcome: Outcome) -> bool:
    """Tell whether a call returned, without a race, and touched no more than the facts provide."""
    if isinstance(outcome, Failed) or outcome.race:
        return False
    for fact in arrays:
        touched = outcome.touched.get(fact.name)
        if touched is None:
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
        return ScalarFact(name=item.name, values=_FLOAT_RANGE)
    size = item.name in facts.sizes
    least, most = _BITS[item.scalar]
    base = int(known.scalars[item.name])
    below = [value for value in reversed(_values(item)) if value < base]
    above = [value for value in _values(item) if value > base]
    low, high = _reach(base, below, good), _reach(base, above, good)
    if high == above[-1] if above else True:
        high = most if size else min(most, _FREE)
    if size:
        low = max(low, 0)
    elif not below or low == below[-1]:
        low = max(least, -_FREE)
    return ScalarFact(name=item.name, values=Range(low=str(low), high=str(high)), size=size)


def _reach(base: int, values: Sequence[int], good: set[int]) -> int:
    """Return the last of the values, in order, before the first that is not good."""
    reached = base
    for value in values:
        if value not in good:
            break
        reached = value
    return reached
