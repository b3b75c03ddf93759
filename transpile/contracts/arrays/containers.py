"""Lengths of containers and of their rows, which sanitizers alone can check.

Behind the end of a row lies a gap that no trace tells from the row, and behind a copy of a vector the heap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from transpile.contracts.arrays.extents import brink
from transpile.contracts.arrays.ranges import Facts
from transpile.contracts.fitting.fit import fit
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Probe
from transpile.contracts.probing.relations import repaired, separating
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Launch, Origin, Range
from transpile.expressions import ExpressionError, evaluate

_ROWS = 24
_LACKING = (0, 1, 2, 5, 1000)
"""Columns that rows may lack; the last are more than there are."""
_RAGGED = 4


def widths(subject: Subject, known: Pilot, facts: Facts, rows: Sequence[Scalars]) -> Asking[dict[str, str]]:
    """Return how far rows are touched at most, by the scalar that is their distance.

    With rows that all begin at one place, the furthest element is that of the longest.
    """
    assembly = subject.signature.assembly
    pairs = [*assembly.strides, *((item.stride, item.data) for item in assembly.rows)] if assembly else []
    found: dict[str, str] = {}
    for stride, data in pairs:
        chosen = [{**row, stride: 0} for row in rows[-_ROWS:]]
        outcomes = yield [Probe(scalars=row, launch=Launch(), filling=known.filling) for row in chosen]
        reached = [
            (row, item.touched[data].high)
            for row, item in zip(chosen, outcomes, strict=True)
            if isinstance(item, Observed) and data in item.touched
        ]
        names = [name for name in subject.integers if name != stride]
        known_rows = [{name: int(row[name]) for name in subject.integers} for row, _ in reached]
        text = fit(known_rows, [high for _, high in reached], names)
        found |= {stride: text.text} if text is not None else {}
    return found


def settled(
    subject: Subject, known: Pilot, facts: Facts, contract: Contract, rows: Sequence[Scalars]
) -> Asking[Contract]:
    """Return the contract with relations between lengths, and with rows of several lengths, where it may."""
    assembly = contract.signature.assembly
    if assembly is None or not (assembly.rows or len(assembly.sizes) > 1):
        return contract
    contract = yield from _related(subject, known, facts, contract, rows[-_ROWS:])
    for item in assembly.rows:
        lacking = [{**row, item.ragged: columns} for row in rows[-_RAGGED:] for columns in _LACKING]
        borne = yield from _borne(subject, known, facts, contract, lacking)
        values = Range(low="0", high=item.columns if borne and all(borne) else "0")
        contract = replace(
            contract,
            scalars=tuple(
                replace(fact, values=values, size=False) if fact.name == item.ragged else fact
                for fact in contract.scalars
            ),
        )
    return contract


def _related(
    subject: Subject, known: Pilot, facts: Facts, contract: Contract, rows: Sequence[Scalars]
) -> Asking[Contract]:
    """Return the contract with the relation that keeps the source within what is there, if one does."""
    borne = yield from _borne(subject, known, facts, contract, rows)
    if all(borne):
        return contract
    for relation in separating(subject, rows, borne):
        closer = replace(contract, relations=(*contract.relations, relation), relations_from=Origin.TRACE)
        if all((yield from _borne(subject, known, facts, closer, rows))):
            return closer
    return contract


def _borne(
    subject: Subject, known: Pilot, facts: Facts, contract: Contract, rows: Sequence[Scalars]
) -> Asking[list[bool]]:
    """Tell under which rows, at the brink of what the contract admits, the sanitizers do not object."""
    probes = [_probe(subject, known, facts, contract, row) for row in rows]
    outcomes = yield [probe for probe in probes if probe is not None]
    answers = iter(outcomes)
    return [probe is not None and isinstance(next(answers), Observed) for probe in probes]


def _probe(subject: Subject, known: Pilot, facts: Facts, contract: Contract, row: Scalars) -> Probe | None:
    row = repaired(dict(row), contract.relations, 0)
    row |= _following(contract, row)
    try:
        return brink(subject, known, facts.intervals(subject, known, row), contract.arrays, row, Launch())
    except ExpressionError:
        return None


def _following(contract: Contract, row: Mapping[str, int | float]) -> dict[str, int]:
    """Return the values of the scalars that follow from others, in a row of those."""
    known = {name: int(value) for name, value in row.items() if float(value).is_integer()}
    followed: dict[str, int] = {}
    fixed = [fact for fact in contract.scalars if fact.values.low == fact.values.high]
    for _ in fixed:
        for fact in fixed:
            try:
                followed[fact.name] = known[fact.name] = evaluate(fact.values.low, known)
            except ExpressionError:
                continue
    return followed
