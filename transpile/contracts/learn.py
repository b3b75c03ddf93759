"""From no knowledge to a contract: the order in which a kernel's facts are learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf, prod

from transpile.contracts.arrays.alignment import aligned
from transpile.contracts.arrays.bounding import Bounded, bounded_by
from transpile.contracts.arrays.containers import settled, widths
from transpile.contracts.arrays.extents import accesses, brink, fillings, launched, role_of, with_shared
from transpile.contracts.arrays.index_arrays import Steering
from transpile.contracts.arrays.larger import enlarged, exceeding, loosened
from transpile.contracts.arrays.limits import limits
from transpile.contracts.arrays.mirrored import with_mirrored
from transpile.contracts.arrays.modes import with_modes
from transpile.contracts.arrays.preconditions import Tamed, tame
from transpile.contracts.arrays.ranges import BITS, Facts, scalar_facts, within
from transpile.contracts.arrays.sentinels import with_sentinels
from transpile.contracts.fitting.derived_scalars import with_lengths
from transpile.contracts.launches.block_shapes import shape_law
from transpile.contracts.launches.launch_families import block_of
from transpile.contracts.launches.launch_ladder import RUNGS, Split, launch_of, quantities
from transpile.contracts.launches.law import Law, launch_law, stated_law
from transpile.contracts.launches.seed_inputs import Pilot, pilot
from transpile.contracts.probing.probe import Asking, Failed, Floats, Observed, Probe, Style, Values, unknown
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, around, different, numbers_of, shrunk, spread
from transpile.contracts.probing.subject import Subject
from transpile.contracts.probing.trace import CALL_TIMEOUT
from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    Inconclusive,
    Origin,
    Range,
    Role,
    ScalarFact,
    greatest_of,
)
from transpile.expressions import divisors
from transpile.expressions import names as names_of
from transpile.toolchains.speed import WORK_A_SECOND

_CLIMBS = 3
_CLIMB_TOPS = (3, 7, 12)
"""Greatest integers in rows whose whole ladder is climbed: even sums and products of few threads cover.

Larger ones serve where a kernel does nothing with small ones, as a wide stencil does.
"""
_LAW_ROWS = 14
_FEWEST_ROWS = 8
"""Rows under which a kernel has to do something, for the others to be left out."""
_LAW_TOP = {0: 12, 1: 12, 2: 8, 3: 5}
"""Greatest integer in the rows that thresholds are measured with, by number of axes."""
_ROWS = 24
_ROWS_A_SCALAR = 9
_MOST_ROWS = 72
_FED_TOP = 4
"""Greatest integer in rows whose arrays hold data to their ends, where larger ones did not."""
_LARGER = ((3, 8), (3, 20), (12, 8), (3, 11), (3, 40))
"""Where one size may count what others divide: what these end at, and by how much the one exceeds that."""
_ASKED = 4
"""Rows for each number that the text asks an integer to equal."""
_ROWS_AT_ONCE = 6
_MOST_TILES = 4
"""Times that sizes hold what they have to be multiples of."""
_FEW_TILES = 2
_LARGE_TILES = 1 << 17
"""Product of such numbers beyond which few of each are traced: a call may do as much work as that."""
_AFFORDED = WORK_A_SECOND // 2
"""Work for one call of every row that needs several blocks; each will be called a dozen times."""
_ENDLESS = CALL_TIMEOUT * WORK_A_SECOND
"""Work of a call that would be ended before it is done."""


def learn(
    subject: Subject, pinned: Scalars, seed: int, hints: Sequence[tuple[int, int, int]] = ()
) -> Asking[Contract | Inconclusive]:
    """Learn the contract of one instantiation; Inconclusive says what could not be established.

    Args:
        subject: The kernel.
        pinned: Scalars that keep their value.
        seed: Of every random choice.
        hints: Shapes of blocks that launch sites and recorded runs use.
    """
    first = yield from pilot(subject, pinned, hints)
    if isinstance(first, Inconclusive):
        return first
    varied = [name for name in subject.integers if name not in pinned]
    rows = _telling(subject, spread(subject, first.scalars, varied, _LAW_ROWS, seed, floors=first.floors))
    tamed = yield from tame(subject, first, rows[2:])
    known = tamed.pilot
    small = shrunk(subject, known.scalars, tamed.relations, pinned, first.floors)
    top = _top(first, _LAW_TOP[len(subject.axes)])
    law: Law | Inconclusive | None = stated_law(subject)
    if law is None:
        law = yield from _found_law(subject, tamed, varied, small, top, seed, hints)
    elif tamed.race:
        law = unknown(tamed.race)
    if isinstance(law, Inconclusive):
        if tamed.race:
            reason = f"the source misbehaves under all launches and data tried: {tamed.race}"
            return Inconclusive(reason=reason)
        return law
    known = replace(known, scalars=_scaled(law, [dict(known.scalars)])[0])
    count = min(_ROWS + _ROWS_A_SCALAR * len(varied), _MOST_ROWS)
    base = small if first.slow else known.scalars
    rows = spread(subject, base, varied, count, seed + 1, tamed.relations, _top(first, 12), first.floors)
    rows = [*_telling(subject, rows), *_chosen(subject, rows, pinned)]
    relations = (*tamed.relations, *law.scalars)
    further = [repaired(row, relations, 0) for row in _beyond(subject, law, rows)]
    further = yield from _affordable(subject, known, law, further)
    rows = [*(repaired(row, relations, 0) for row in _scaled(law, rows)), *further]
    bounded, steering = yield from bounded_by(subject, tamed, law, rows, seed)
    if bounded.missing and not all(sample.fed for sample in bounded.samples):
        smaller = spread(subject, small, varied, count, seed + 2, relations, _FED_TOP, first.floors)
        rows = _scaled(law, smaller)
        bounded, steering = yield from bounded_by(subject, tamed, law, rows, seed)
    if bounded.missing and bounded.samples:
        base = max(bounded.samples, key=accesses).scalars
        nearby = around(subject, base, varied, count, seed + 3, relations, _top(first, 12), first.floors)
        rows = _scaled(law, nearby)
        bounded, steering = yield from bounded_by(subject, tamed, law, rows, seed)
    if subject.launched and (subject.remainders or not all(i.exact for i in bounded.bounds.values())):
        larger = [repaired(row, relations, 0) for row in _larger(subject, rows)]
        larger = [*rows, *(yield from _affordable(subject, known, law, _scaled(law, larger)))]
        again, keeping = yield from bounded_by(subject, tamed, law, larger, seed)
        if not again.missing:
            bounded, steering, rows = again, keeping, larger
    if bounded.missing:
        names = ", ".join(f"`{name}`" for name in bounded.missing)
        return unknown(f"no expression of the scalars and the launch gives the extent of {names}")
    tried = yield from _affordable(subject, known, law, enlarged(subject, rows[0], varied, relations))
    beyond, left = yield from exceeding(subject, known, law, (bounded, steering), _scaled(law, tried))
    if beyond:
        again, keeping = yield from bounded_by(subject, tamed, law, [*rows, *beyond], seed)
        if not again.missing:
            bounded, steering = again, keeping
            _, left = yield from exceeding(subject, known, law, (bounded, steering), beyond)
        bounded = loosened(bounded, left)
    if {*tamed.bounds} & {*steering.below.values()}:
        relations = tuple(text for text in relations if text != tamed.provisional)
    rows = [dict(sample.scalars) for sample in bounded.samples]
    if not rows:
        return unknown("the source fails in all calls that were made to see what it accesses")
    greatest = {greatest_of(name): value for name, value in steering.free.items()}
    known = replace(known, scalars={**known.scalars, **greatest})
    arrays = tuple(_fact(item.name, tamed, bounded, steering) for item in subject.arrays)
    facts = Facts(
        law=law,
        arrays=arrays,
        sizes=_sizes(law, arrays, relations),
        relations=relations,
        steering=steering,
    )
    short = yield from _too_short(subject, known, facts, rows)
    if short:
        told = "which may depend on data: state it in transpile.toml"
        return unknown(f"`{short}` is accessed beyond its inferred extent, {told}")
    arrays = yield from _wide(subject, known, facts, rows)
    facts = replace(facts, arrays=arrays)
    arrays = yield from with_sentinels(subject, known, facts, rows)
    facts = yield from with_modes(subject, known, replace(facts, arrays=arrays))
    facts = replace(facts, limits=(yield from limits(subject, known, facts)))
    facts = yield from with_mirrored(subject, known, facts)
    arrays = facts.arrays
    scalars = yield from scalar_facts(subject, known, facts)
    scalars = yield from aligned(subject, known, facts, scalars)
    scalars = tuple(
        replace(fact, multiple_of=str(law.multiples[fact.name])) if fact.name in law.multiples else fact
        for fact in scalars
    )
    needed = (*relations, *law.relations)
    found = Contract(
        signature=subject.signature,
        arrays=arrays,
        scalars=(*scalars, *_greatest(subject, arrays)),
        law=law.law if subject.launched else None,
        used_axes="".join(axis.letter for axis in subject.axes),
        relations=needed,
        relations_from=Origin.CALLERS if needed and all(map(subject.says, needed)) else Origin.TRACE,
        launches=subject.families,
        samples=len(bounded.samples) + law.samples,
        held_out=min([item.held_out for item in bounded.bounds.values()], default=law.held_out),
    )
    found = with_lengths(found, (yield from widths(subject, known, facts, rows)))
    return (yield from settled(subject, known, facts, found, rows))


def _found_law(
    subject: Subject,
    tamed: Tamed,
    varied: Sequence[str],
    small: Scalars,
    top: int,
    seed: int,
    hints: Sequence[tuple[int, int, int]],
) -> Asking[Law | Inconclusive]:
    """Find the launches under which the source behaves and does the same."""
    known = tamed.pilot
    rows = spread(subject, small, varied, 2 * _LAW_ROWS, seed, tamed.relations, top, known.floors)
    ordered: list[Scalars] = [rows[0], *rows[:2:-1]]
    busy = yield from _busy(subject, known, ordered)
    ordered = (ordered if len(busy) < _FEWEST_ROWS else busy)[:_LAW_ROWS]
    law: Law | Inconclusive | None = None
    if not tamed.race:
        climbed = yield from _climbed(subject, known, varied, small, tamed.relations, seed)
        law = yield from launch_law(subject, known, climbed, ordered)
    if law is None:
        law = yield from shape_law(subject, known, ordered, hints, related=bool(tamed.relations))
    return law


def _telling(subject: Subject, rows: list[dict[str, int | float]]) -> list[dict[str, int | float]]:
    """Return no more rows than a fit needs where all of them, launch and all, ask for the same call."""
    alike = subject.stated is not None and len(different(rows)) == 1
    return rows[:_FEWEST_ROWS] if alike else rows


def _top(first: Pilot, top: int) -> int:
    return min(top, 5) if first.slow else top


def _busy(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[list[Scalars]]:
    """Return the rows under which the kernel touches anything: the others tell nothing of its threads."""
    axes = {axis.letter: RUNGS[len(subject.axes)][-1] for axis in subject.axes}
    launch = launch_of(subject, axes, Split.ONE, known.shared)
    outcomes = yield [Probe(scalars=row, launch=launch, filling=known.filling) for row in rows]
    return [
        row
        for row, item in zip(rows, outcomes, strict=True)
        if not isinstance(item, Observed) or item.touched
    ]


def _climbed(
    subject: Subject, known: Pilot, varied: Sequence[str], base: Scalars, relations: Sequence[str], seed: int
) -> Asking[list[Scalars]]:
    """Return rows whose whole ladder is climbed: as small as the kernel does something with them."""
    rows: list[Scalars] = []
    for most in _CLIMB_TOPS:
        rows = [*spread(subject, base, varied, _CLIMBS, seed, relations, most, known.floors)[-2:]]
        if (yield from _busy(subject, known, rows)):
            break
    return [base, *rows]


def _chosen(
    subject: Subject, rows: Sequence[dict[str, int | float]], pinned: Scalars
) -> list[dict[str, int | float]]:
    """Return rows in which integers equal what the text compares them with: it may do something else then."""
    return [
        {**row, name: number}
        for name, number in subject.asked
        if name not in pinned
        for row in rows[-_ASKED:]
    ]


def _scaled(law: Law, rows: Sequence[dict[str, int | float]]) -> list[dict[str, int | float]]:
    """Return rows whose integers are multiples, where the law asks for that."""
    most = _FEW_TILES if prod(law.multiples.values()) > _LARGE_TILES else _MOST_TILES
    return [
        {**row, **{name: number * (1 + int(row[name]) % most) for name, number in law.multiples.items()}}
        for row in rows
    ]


def _beyond(
    subject: Subject, law: Law, rows: Sequence[dict[str, int | float]]
) -> list[dict[str, int | float]]:
    """Return rows that need several blocks, where blocks have certain shapes: one size at a time, and all.

    Or several threads, where launches have so many as a size comes to when it is divided.
    """
    stated = subject.stated.launches if subject.stated is not None else ()
    families = (law.family,) if law.family else stated
    blocks = [block_of(law.family)] if law.family else list(law.blocks)
    parts = (number for family in families for text in family[:6] for number in divisors(text))
    size = max((*(max(block) for block in blocks), *parts), default=1)
    if size == 1 or law.multiples:
        return []
    result: list[dict[str, int | float]] = []
    for row in (rows[0], rows[-1]):
        for name in subject.integers:
            values = (size - 1, size + 1, 2 * size, 2 * size + 3, 4 * size + 7)
            result += [{**row, name: value} for value in values]
    for row in rows[-6:]:
        spread_out = {name: size * (int(row[name]) % 4) + int(row[name]) for name in subject.integers}
        result.append({**row, **spread_out})
    return result


def _larger(subject: Subject, rows: Sequence[dict[str, int | float]]) -> list[dict[str, int | float]]:
    """Return rows in which one size is large beside the others, which may divide it."""
    turns = [(name, most, factor) for most, factor in _LARGER for name in subject.integers]
    return [
        {**row, **{other: min(int(row[other]), most) for other in subject.integers}, name: factor * most}
        for (name, most, factor), row in zip(turns, rows[::-1], strict=False)
    ]


def _affordable(
    subject: Subject, known: Pilot, law: Law, rows: Sequence[dict[str, int | float]]
) -> Asking[list[dict[str, int | float]]]:
    """Return rows in ascending order of work, as many as can be called with little work, and at least one."""
    waiting = sorted(rows, key=partial(_volume, subject))
    kept: list[dict[str, int | float]] = []
    spent, rate = 0, 0.0
    while waiting:
        asked, waiting = waiting[:_ROWS_AT_ONCE], waiting[_ROWS_AT_ONCE:]
        pairs = launched(subject, law, [row for row in asked if rate * _volume(subject, row) < _ENDLESS], 13)
        outcomes = yield [
            Probe(scalars=row, launch=with_shared(launch, known), filling=known.filling)
            for row, launch in pairs
        ]
        for (row, _), outcome in zip(pairs, outcomes, strict=True):
            spent += outcome.work
            rate = min(rate or inf, outcome.work / _volume(subject, row))
            if spent > _AFFORDED and kept:
                return kept
            kept.append(dict(row))
    return kept


def _volume(subject: Subject, row: Scalars) -> int:
    """Return the product of the integers of a row, by which work mostly goes."""
    return prod(max(int(row[name]), 1) for name in subject.integers)


def _fact(name: str, tamed: Tamed, bounded: Bounded, steering: Steering) -> ArrayFact:
    fitted = bounded.bounds.get(name)
    if fitted is None:
        return ArrayFact(name=name, role=Role.UNUSED, extent="0")
    steers = name in tamed.pilot.steering or name in tamed.distinct or name in tamed.ascending
    lowest = str(tamed.pilot.lowest.get(name, 0))
    values = None
    if name in tamed.pilot.steering or name in steering.free:
        values = steering.range_of(name, lowest)
    elif lowest != "0":
        values = Range(low=lowest, high="1000")
    return ArrayFact(
        name=name,
        role=role_of(name, bounded.samples),
        extent=fitted.extent,
        before=fitted.before,
        values=values,
        distinct=steers and name in tamed.distinct,
        ascending=steers and name in tamed.ascending,
        origin=Origin.TRACE if fitted.exact else Origin.BOUND,
        atomic=any(name in sample.touched and sample.touched[name].atomic for sample in bounded.samples),
    )


def _greatest(subject: Subject, arrays: Sequence[ArrayFact]) -> Iterator[ScalarFact]:
    """Yield how great the elements may be that steer others: as great as the type allows."""
    for item in subject.arrays:
        fact = next((fact for fact in arrays if fact.name == item.name and fact.free), None)
        if fact is not None and fact.values is not None and item.element.scalar is not None:
            low = f"max({fact.extent} - 1, {fact.values.low})" if fact.distinct else fact.values.low
            values = Range(low=low, high=str(BITS[item.element.scalar][1]))
            yield ScalarFact(name=greatest_of(item.name), values=values, size=True)


def _sizes(law: Law, arrays: Sequence[ArrayFact], relations: Sequence[str]) -> frozenset[str]:
    """Return the names that any expression depends on."""
    texts = [text for fact in arrays for text in (fact.extent, fact.before)]
    texts += [*law.relations, *relations, *law.family[:6]]
    if isinstance(law.law, Covers):
        texts += [law.law.x, law.law.y, law.law.z]
    return frozenset(name for text in texts for name in names_of(text))


def _too_short(subject: Subject, known: Pilot, facts: Facts, rows: Sequence[Scalars]) -> Asking[str]:
    """Return the array whose accesses leave the extents found: compilers do not report every access."""
    probes: list[Probe] = []
    if any(fact.before != "0" for fact in facts.arrays):
        return ""
    for row, launch in launched(subject, facts.law, [*rows[3:9], *rows[-6:]], 11):
        intervals = facts.intervals(subject, known, row)
        probe = brink(subject, known, intervals, facts.arrays, row, launch)
        probes.append(replace(probe, launch=with_shared(launch, known), guarded=True))
    outcomes = yield probes
    for outcome in outcomes:
        if isinstance(outcome, Failed) and outcome.argument:
            return outcome.argument
    return ""


def _wide(
    subject: Subject, known: Pilot, facts: Facts, rows: Sequence[Scalars]
) -> Asking[tuple[ArrayFact, ...]]:
    """Bound the integers of free arrays where arbitrary ones turn out to lead elsewhere after all."""
    free = [item.name for item in subject.arrays if item.integer and item.name not in known.filling.own]
    if not free:
        return facts.arrays
    pairs = launched(subject, facts.law, [rows[0], *rows[-3:]], 9)
    outcomes = yield [
        Probe(
            scalars=row,
            launch=with_shared(launch, known),
            filling=replace(fill, integers=Values(Style.RANDOM, -(1 << 30), 1 << 30), floats=Floats.REAL),
        )
        for row, launch in pairs
        for fill in fillings(subject, known, facts.intervals(subject, known, row))[:2]
    ]
    for index, outcome in enumerate(outcomes):
        row, launch = pairs[index // 2]
        environment = {**numbers_of(subject, row), **quantities(launch)}
        if not within(facts.arrays, environment, outcome):
            bound = Range(low="0", high="40")
            return tuple(
                replace(fact, values=bound) if fact.name in free and fact.values is None else fact
                for fact in facts.arrays
            )
    return facts.arrays
