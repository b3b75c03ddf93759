"""Candidates that reach further into arrays than their source does, perhaps no further than callers go.

A source may leave the last elements of an array alone: the border of a stencil, the end of the last row. A
candidate that copies the whole array is right wherever callers provide it. What it needs is read from a trace
of all that it touches; whether it is there, from every call that the source makes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from transpile.contracts.fitting.fit import bound, fit
from transpile.contracts.text.callers import Passed
from transpile.core import ArrayFact, Contract, Inconclusive, Origin, Role
from transpile.expressions import ExpressionError, evaluate, names
from transpile.testers.oracle.validity import Reference
from transpile.testers.run.bench import Entry, RunConfiguration, call
from transpile.testers.trials.materialise import Prepared, Slot, Unmakeable, environment, extent_of
from transpile.toolchains.worker import ArrayTrace, Crashed, Placement
from transpile.toolchains.workshop import Workshop

CHECKS = ("bounds", "crash", "address")
"""Refusals that an array which is too short may explain."""
_SAMPLES = (0, 1, 2, 3, 7, 10, 64, 100, 1000)
_TRIED = 48
"""Values of what a caller does not say, drawn from those samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """How long arrays have to be for a candidate, where the source asks for less."""

    contract: Contract
    """With those lengths."""
    touched: Mapping[str, str]
    """What the source touches of each."""
    written: bool
    """The candidate also writes there."""

    def told(self) -> tuple[str, ...]:
        """Return the needs in words."""
        return tuple(
            f"`{name}` has {_extent(self.contract, name)} elements, of which the source touches {extent}"
            for name, extent in self.touched.items()
        )


def need(
    workshop: Workshop, traced: Entry, references: Sequence[Reference], contract: Contract
) -> Need | None:
    """Return what a candidate needs beyond its contract; None where it needs nothing, or nobody can say what.

    Args:
        workshop: Where to run.
        traced: The candidate, built for tracing.
        references: Trials that count.
        contract: What calls provide by what the source touches.
    """
    made = [item.prepared for item in references if not item.trial.carved]
    outcomes = call(workshop, traced, made, RunConfiguration(placement=Placement.ARENA))
    reached: dict[str, list[int]] = {}
    written = False
    for prepared, outcome in zip(made, outcomes, strict=True):
        if isinstance(outcome, Crashed) or outcome.trace is None:
            return None
        for slot, seen in zip(prepared.arguments, outcome.trace.arrays, strict=True):
            if slot.pointer:
                if seen is not None and seen.high > seen.low and seen.low < -slot.before:
                    return None
                reached.setdefault(slot.name, []).append(_elements(slot, seen))
                written |= _writes_beyond(slot, seen)
    return _longer(contract, made, reached, written=written)


def _elements(slot: Slot, seen: ArrayTrace | None) -> int:
    """Return the elements above the pointer that a call needs: those of the trial, or more."""
    own = (len(slot.data) - slot.before) // slot.element.size
    return own if seen is None else max(own, -(-seen.high // slot.element.size))


def _writes_beyond(slot: Slot, seen: ArrayTrace | None) -> bool:
    if seen is None:
        return False
    end = len(slot.data) - slot.before
    return bool(np.any(seen.written[max(end - seen.low, 0) :]))


def _longer(
    contract: Contract, made: Sequence[Prepared], reached: Mapping[str, Sequence[int]], *, written: bool
) -> Need | None:
    """Fit what was reached where it is more than is provided."""
    rows = [environment(contract, item.trial.scalars, item.trial.launch) for item in made]
    known = [fact.name for fact in contract.scalars if all(fact.name in row for row in rows)]
    arrays: list[ArrayFact] = []
    touched: dict[str, str] = {}
    for fact in contract.arrays:
        ends = list(reached.get(fact.name, ()))
        own = [_given(fact, item, row) for item, row in zip(made, rows, strict=True)]
        if not ends or ends == own:
            arrays.append(fact)
            continue
        if fact.origin is Origin.BOUND:
            return None
        text = _fitted(rows, own, ends, known)
        if text is None:
            return None
        role = Role.IN if fact.role is Role.UNUSED else fact.role
        arrays.append(replace(fact, extent=text, role=role, origin=Origin.CALLERS))
        touched[fact.name] = "none" if fact.role is Role.UNUSED else fact.extent
    longer = replace(contract, arrays=tuple(arrays))
    return Need(contract=longer, touched=touched, written=written) if touched else None


def _fitted(
    rows: Sequence[Mapping[str, int]], own: Sequence[int], ends: Sequence[int], known: Sequence[str]
) -> str | None:
    """Return an expression of the ends: exact where they lie beyond what is provided, enough elsewhere."""
    beyond = [index for index, end in enumerate(ends) if end > own[index]]
    found = fit([rows[index] for index in beyond], [ends[index] for index in beyond], known)
    if found is not None and all(_value(found.text, row) >= end for row, end in zip(rows, ends, strict=True)):
        return found.text
    loose = bound(rows, ends, known)
    return None if loose is None else loose.text


def _value(text: str, row: Mapping[str, int]) -> int:
    try:
        return evaluate(text, row)
    except ExpressionError:
        return -1


def _given(fact: ArrayFact, prepared: Prepared, row: Mapping[str, int]) -> int:
    """Return the elements that a trial provides: as many as were measured, or as the contract says."""
    return dict(prepared.trial.lengths).get(fact.name, _provided(fact, row))


def _provided(fact: ArrayFact, row: Mapping[str, int]) -> int:
    try:
        return 0 if fact.role is Role.UNUSED else extent_of(fact, row)[1]
    except Unmakeable:
        return -1


def met(wanted: Need, calls: Sequence[Passed]) -> bool:
    """Tell whether every call that the source makes provides what a candidate needs."""
    return bool(calls) and all(
        _meets(_extent(wanted.contract, name), name, item) for name in wanted.touched for item in calls
    )


def _extent(contract: Contract, name: str) -> str:
    fact = contract.array(name)
    assert fact is not None
    return fact.extent


def _meets(extent: str, name: str, passed: Passed) -> bool:
    """Tell whether one call passes an array of that length, whatever its unknowns are."""
    if name not in passed.lengths or not names(extent) <= passed.scalars.keys():
        return False
    needed = {item: passed.scalars[item] for item in names(extent)}
    try:
        return all(
            evaluate(passed.lengths[name], row)
            >= evaluate(extent, {item: evaluate(text, row) for item, text in needed.items()})
            for row in _unknowns((*needed.values(), passed.lengths[name]))
        )
    except ExpressionError:
        return False


def _unknowns(texts: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yield values for all that a caller does not say."""
    unknown = sorted({item for text in texts for item in names(text)})
    generator = random.Random(1)
    for _ in range(_TRIED if unknown else 1):
        yield {item: generator.choice(_SAMPLES) for item in unknown}


def unsettled(wanted: Need) -> Inconclusive:
    """Return that nothing tells whether callers provide what a candidate needs, and what to state."""
    stated = ", ".join(f'{name} = "{_extent(wanted.contract, name)}"' for name in wanted.touched)
    reason = (
        f"the translation is right only where {'; '.join(wanted.told())}, and the calls in the source do not"
        " show that all callers provide that; if they do, state"
        f" `extents = {{ {stated} }}` for this unit in transpile.toml"
    )
    return Inconclusive(reason=reason, code="TP416")
