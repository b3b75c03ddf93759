"""Launches that runs of the program made, as families of launches over the scalars of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod

from transpile.code.syntax import squeeze
from transpile.contracts.arrays.ranges import FREE
from transpile.contracts.fitting.fit import predicts
from transpile.contracts.launches.launch_families import QUANTITIES
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.probing.relations import holds
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Covers, RecordedLaunch, ScalarFact, ShapeDependent, Signature, Unit
from transpile.expressions import names as names_of
from transpile.parsers.text.launches import bare_name

_QUANTITIES = (*QUANTITIES, "dynamicShared")
_MOST_FAMILIES = 3
_MOST_THREADS = 1 << 19
"""Threads of a launch up to which others are traced beside the smallest one."""
_MOST_CONSTANT = 4096
"""Value of a scalar up to which it may be that the kernel is for this value alone."""
_BYTES = (1, 2, 4, 8)
_SHARED_OUT = re.compile(r"gridDim\.\w == \((\w+)(?: \+ \d+)?\) / (\d+)")
"""A grid of a block for so many elements of a size each."""
_UNROLLED = (1, 2, 4, 8, 16)
"""Elements that a thread works on."""

Row = Mapping[str, int]
"""Scalars and quantities of one launch, by the names that expressions have for them."""


def rows_of(unit: Unit, subject: Subject, observed: Sequence[RecordedLaunch]) -> tuple[Row, ...]:
    """Return the launches of an instantiation; where there are none, those of the others.

    None count where a scalar is not known, as those of large structs are not.
    """
    own = made_of(unit, subject.signature, observed)
    exact = [item for item in own if _instance(item.kernel) == _instance(subject.signature.callable)]
    rows = [
        {**{name: int(value) for name, value in item.scalars}, **quantities(item.launch)}
        for item in exact or own
    ]
    if not all(name in row for row in rows for name in subject.integers):
        return ()
    wanted = (*subject.integers, *_QUANTITIES)
    known = dict.fromkeys(tuple(row[name] for name in wanted) for row in rows)
    return tuple(dict(zip(wanted, values, strict=True)) for values in known)


def made_of(unit: Unit, signature: Signature, observed: Sequence[RecordedLaunch]) -> list[RecordedLaunch]:
    """Return the launches of a kernel, and not of another of its name."""
    names = {unit.name, unit.name.rpartition("::")[2], signature.callable}
    named = (item for item in observed if bare_name(item.kernel) in names)
    return [item for item in named if not item.units or unit.id in item.units]


def _instance(kernel: str) -> tuple[str, str]:
    """Return a kernel's name without namespaces, and its template arguments."""
    name, _, arguments = squeeze(kernel).strip("(&)").partition("<")
    return bare_name(name), arguments


def contradicting(contract: Contract, rows: Sequence[Row]) -> str:
    """Return what a contract says of launches that one of these does not keep to; empty where all do."""
    law = contract.law
    relations = (*contract.relations, *(law.relations if isinstance(law, ShapeDependent) else ()))
    known = rows[0].keys() if rows else ()
    ends = (text for fact in contract.scalars if fact.name in known for text in _ends(fact))
    asked = (*relations, *(reached(law) if isinstance(law, Covers) else ()), *ends)
    return next((text for text in asked for row in rows if is_broken(text, row)), "")


def is_broken(relation: str, row: Row) -> bool:
    """Tell whether a relation is about known numbers, and does not hold."""
    return names_of(relation) <= row.keys() and not holds(relation, row)


def _ends(fact: ScalarFact) -> Iterator[str]:
    """Yield that a scalar lies within the range that a contract gives it, and that it is a multiple.

    One that bears whatever was tried has no end.
    """
    yield f"{fact.name} >= {fact.values.low}"
    if fact.values.high != str(FREE):
        yield f"{fact.name} <= {fact.values.high}"
    if fact.multiple_of != "1":
        yield f"{fact.name} % ({fact.multiple_of}) == 0"


def reached(law: Covers) -> Iterator[str]:
    """Yield that there are as many threads as a law says."""
    if law.joint:
        yield f"{' * '.join(QUANTITIES)} >= {law.x}"
        return
    for axis, needed in zip("xyz", (law.x, law.y, law.z), strict=True):
        if needed != "1":
            yield f"gridDim.{axis} * blockDim.{axis} >= {needed}"


def as_recorded(subject: Subject, rows: Sequence[Row]) -> Iterator[Subject]:
    """Yield the subject under the launches that were recorded, with ever fewer scalars.

    First with any, then with those alone that are equal where they always were, and multiples of what a block
    works on, or of the block, then with the very values. A number that goes with the scalars is an expression
    of them.
    """
    law = _law(subject, rows)
    if subject.stated is not None or law is None:
        return
    closer = replace(subject, stated=law)
    yield closer
    equal = tuple(_equal(subject, rows))
    multiples = tuple(_multiples(subject, rows, equal))
    shares = tuple(_full_blocks(law, rows))
    named = {name for text in shares for name in names_of(text)}
    whole = (*equal, *multiples)
    full = (*equal, *shares, *(text for text in multiples if names_of(text).isdisjoint(named)))
    for kept in dict.fromkeys((equal, full, whole, tuple(_constant(subject, rows)))):
        if kept:
            yield replace(closer, kept=kept, stated=replace(law, relations=(*law.relations, *kept)))


def _equal(subject: Subject, rows: Sequence[Row]) -> Iterator[str]:
    """Yield that a scalar is the first of those that had its value in every launch: sizes, not flags."""
    first: dict[tuple[int, ...], str] = {}
    for name in subject.used:
        values = tuple(row[name] for row in rows)
        if min(values) > 1 and first.setdefault(values, name) != name:
            yield f"{name} == {first[values]}"


def _multiples(subject: Subject, rows: Sequence[Row], equal: Sequence[str]) -> Iterator[str]:
    """Yield that what decides over others is a multiple of the block's side where it always was."""
    sides = {row[f"blockDim.{axis}"] for row in rows for axis in "xy"} - {1}
    side = max(sides, default=1)
    for name in subject.used if len(sides) == 1 else ():
        follows = any(text.startswith(f"{name} ==") for text in equal)
        if not follows and all(row[name] >= side and row[name] % side == 0 for row in rows):
            yield f"{name} % {side} == 0"


def _full_blocks(law: ShapeDependent, rows: Sequence[Row]) -> Iterator[str]:
    """Yield that every block has as much to work on as the first where it always had."""
    for relation in law.relations:
        found = _SHARED_OUT.fullmatch(relation)
        if found is not None:
            size, share = found.groups()
            if all(row[size] >= int(share) and row[size] % int(share) == 0 for row in rows):
                yield f"{size} % {share} == 0"


def _constant(subject: Subject, rows: Sequence[Row]) -> Iterator[str]:
    for name in subject.used:
        values = {row[name] for row in rows}
        if len(values) == 1 and 0 <= min(values) <= _MOST_CONSTANT:
            yield f"{name} == {values.pop()}"


def _law(subject: Subject, rows: Sequence[Row]) -> ShapeDependent | None:
    """Return the law that all of these launches keep to, and a few small ones; None where there are none.

    What goes with no scalar and was seen with several values may have others.
    """
    written = dict(zip(_QUANTITIES, zip(*subject.families, strict=True), strict=False))
    fitted = {
        name: _constant_at(written.get(name, ()), rows, name) or _expression(subject, rows, name)
        for name in _QUANTITIES
    }
    relations = [f"{name} == {text}" for name, text in fitted.items() if text and "Dim" in name]
    smallest = sorted(rows, key=_threads)
    few = [row for row in smallest if _threads(row) <= _MOST_THREADS] or smallest[:1]
    families = dict.fromkeys(tuple(fitted[name] or str(row[name]) for name in _QUANTITIES) for row in few)
    if not families:
        return None
    return ShapeDependent(relations=tuple(relations), launches=tuple(families)[:_MOST_FAMILIES])


def _threads(row: Row) -> int:
    return prod(row[name] for name in QUANTITIES)


def _constant_at(written: Sequence[str], rows: Sequence[Row], quantity: str) -> str | None:
    """Return the number that all launch sites give for a quantity; none where a launch has another."""
    seen = {*written} | {str(row[quantity]) for row in rows}
    return seen.pop() if written and len(seen) == 1 else None


def _expression(subject: Subject, rows: Sequence[Row], quantity: str) -> str | None:
    """Return an expression of the scalars that gives a quantity of all launches; None where none does."""
    values = [row[quantity] for row in rows]
    if len({*values}) == 1 and (quantity.startswith("block") or values[0] in (0, 1)):
        return str(values[0])
    names = subject.used
    sizes = [*names, *(f"{one} * {other}" for one, other in combinations(names, 2))]
    if quantity == "dynamicShared":
        tried: Iterator[str] = (f"{count} * {size}" for count, size in product(_BYTES, sizes))
    else:
        tried = _counts(sizes, {row[f"blockDim.{quantity[-1]}"] for row in rows})
    found = next((text for text in tried if predicts(text, rows, values)), None)
    return found or (str(values[0]) if len({*values}) == 1 else None)


def _counts(sizes: Sequence[str], blocks: set[int]) -> Iterator[str]:
    """Yield what numbers of blocks usually are: a size, or as many as it takes for one."""
    yield from sizes
    for block, unrolled in product(sorted(blocks) if len(blocks) == 1 else (), _UNROLLED):
        share = block * unrolled
        for size in sizes if block > 1 else ():
            yield f"({size} + {share - 1}) / {share}"
            yield f"({size}) / {share}"
