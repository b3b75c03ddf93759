"""From no knowledge to a contract: the order in which a kernel's facts are learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.contracts.extents import Bounds, Sample, bounds, fillings, launches, role_of, samples
from transpile.contracts.ladder import quantities
from transpile.contracts.law import Law, launch_law
from transpile.contracts.pilot import Pilot, pilot
from transpile.contracts.probe import Asking, Floats, Probe, Style, Values
from transpile.contracts.ranges import Facts, scalar_facts, within
from transpile.contracts.relations import repaired
from transpile.contracts.rows import Scalars, shrunk, spread
from transpile.contracts.shape import shape_law
from transpile.contracts.subject import Subject
from transpile.contracts.tame import Tamed, tame
from transpile.core import ArrayFact, Contract, Covers, Inconclusive, Range, Role
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

_CLIMBS = 3
_CLIMB_TOP = 3
"""Greatest integer in rows whose whole ladder is climbed: even sums and products of few threads cover."""
_LAW_ROWS = 14
_LAW_TOP = {0: 12, 1: 12, 2: 8, 3: 5}
"""Greatest integer in the rows that thresholds are measured with, by number of axes."""
_ROWS = 24
_ROWS_A_SCALAR = 9
_MOST_ROWS = 72
_STEERED = 7
"""Elements of steering arrays stay below this while nothing better is known."""


@dataclass(frozen=True, slots=True)
class _Bounded:
    bounds: Mapping[str, Bounds]
    samples: tuple[Sample, ...]
    missing: tuple[str, ...]


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
    rows = spread(subject, first.scalars, varied, _LAW_ROWS, seed)
    tamed = yield from tame(subject, first, rows[2:])
    known = tamed.pilot
    small = shrunk(subject, known.scalars, tamed.relations)
    top = _top(first, _LAW_TOP[len(subject.axes)])
    rows = spread(subject, small, varied, _LAW_ROWS, seed, tamed.relations, top)
    ordered = [rows[0], *rows[:2:-1]]
    few = spread(subject, small, varied, _CLIMBS, seed, tamed.relations, _CLIMB_TOP)
    law = None if tamed.race else (yield from launch_law(subject, known, [small, *few[-2:]], ordered))
    if law is None:
        law = yield from shape_law(subject, known, ordered, hints)
    if isinstance(law, Inconclusive):
        if tamed.race:
            return Inconclusive(reason=f"the source is racy under all launches and data tried: {tamed.race}")
        return law
    count = min(_ROWS + _ROWS_A_SCALAR * len(varied), _MOST_ROWS)
    base = small if first.slow else known.scalars
    rows = spread(subject, base, varied, count, seed + 1, tamed.relations, _top(first, 12))
    relations = (*tamed.relations, *law.scalars)
    rows = [repaired(row, relations, 0) for row in _scaled(subject, law, rows)]
    bounded, value_text = yield from _bounds(subject, tamed, law, rows, seed)
    if bounded.missing:
        names = ", ".join(f"`{name}`" for name in bounded.missing)
        return Inconclusive(reason=f"no expression of the scalars and the launch gives the extent of {names}")
    arrays = tuple(_fact(item.name, tamed, bounded, value_text) for item in subject.arrays)
    facts = Facts(
        law=law,
        arrays=arrays,
        sizes=_sizes(law, arrays, relations),
        relations=relations,
        bound=value_text or "1",
    )
    arrays = yield from _wide(subject, known, facts, rows)
    facts = replace(facts, arrays=arrays)
    scalars = yield from scalar_facts(subject, known, facts)
    if law.multiple != 1:
        scalars = tuple(
            replace(fact, multiple_of=str(law.multiple)) if fact.name in subject.integers else fact
            for fact in scalars
        )
    return Contract(
        signature=subject.signature,
        arrays=arrays,
        scalars=scalars,
        law=law.law,
        used_axes="".join(axis.letter for axis in subject.axes),
        relations=(*relations, *law.relations),
        launches=subject.families,
        samples=len(bounded.samples) + law.samples,
        held_out=min([item.held_out for item in bounded.bounds.values()], default=law.held_out),
    )


def _top(first: Pilot, top: int) -> int:
    return min(top, 5) if first.slow else top


def _scaled(
    subject: Subject, law: Law, rows: Sequence[dict[str, int | float]]
) -> list[dict[str, int | float]]:
    """Return rows whose integers are multiples, where the law asks for that."""
    if law.multiple == 1:
        return list(rows)
    return [{**row, **{name: law.multiple * int(row[name]) for name in subject.integers}} for row in rows]


def _bounds(
    subject: Subject, tamed: Tamed, law: Law, rows: Sequence[Scalars], seed: int
) -> Asking[tuple[_Bounded, str]]:
    """Fit the bounds; where arrays steer others, once more with their values bounded by an expression."""
    known = tamed.pilot
    bounded = yield from _fitted(subject, known, law, rows, seed, str(_STEERED))
    if not known.filling.own:
        return bounded, ""
    for text in _value_bounds(subject, tamed, law, bounded):
        again = yield from _fitted(subject, known, law, rows, seed, text)
        if not again.missing:
            return again, text
    return bounded, str(_STEERED)


def _value_bounds(subject: Subject, tamed: Tamed, law: Law, bounded: _Bounded) -> list[str]:
    """Return what may bound the elements of steering arrays, best first: extents that are plain names."""
    bounding = tamed.distinct or tamed.pilot.steering
    own = [bounded.bounds[name].extent for name in bounding if name in bounded.bounds]
    others = Counter(item.extent for item in bounded.bounds.values())
    texts = [*own, *(text for text, _ in others.most_common())]
    texts += [law.law.x] if isinstance(law.law, Covers) else []
    usable = [
        text for text in dict.fromkeys(texts) if names_of(text) and names_of(text) <= set(subject.integers)
    ]
    if tamed.distinct:
        return [*(text for text in own if text in usable)][:1]
    return [*sorted(usable, key=lambda text: not text.isidentifier())[:2], str(_STEERED)]


def _fitted(
    subject: Subject, known: Pilot, law: Law, rows: Sequence[Scalars], seed: int, value_text: str
) -> Asking[_Bounded]:
    """Trace all rows, fit every array; ask again with more data where guards on values hide the ends."""
    where = launches(subject, law, rows, seed)
    found: list[Sample] = []
    highs = [_value(value_text, subject, row) - 1 for row in rows]
    result = _Bounded({}, (), ())
    for attempt in range(2):
        batch: list[Sample] = []
        for high in sorted(set(highs)):
            chosen = [index for index, value in enumerate(highs) if value == high]
            fills = [replace(fill, seed=fill.seed + 17 * attempt) for fill in fillings(subject, known, high)]
            part, _ = yield from samples(
                subject, known, [rows[i] for i in chosen], [where[i] for i in chosen], fills
            )
            batch += part
        found = batch
        result = _fit_all(subject, law, found)
        if not result.missing:
            break
    return result


def _value(text: str, subject: Subject, row: Scalars) -> int:
    try:
        return evaluate(text, {name: int(row[name]) for name in subject.integers})
    except ExpressionError:
        return 1


def _fit_all(subject: Subject, law: Law, found: Sequence[Sample]) -> _Bounded:
    fits: dict[str, Bounds] = {}
    missing: list[str] = []
    for item in subject.arrays:
        if not any(item.name in sample.touched for sample in found):
            continue
        fitted = bounds(subject, law, item, found, subject.integers)
        if fitted is None:
            missing.append(item.name)
        else:
            fits[item.name] = fitted
    return _Bounded(fits, tuple(found), tuple(missing))


def _fact(name: str, tamed: Tamed, bounded: _Bounded, value_text: str) -> ArrayFact:
    fitted = bounded.bounds.get(name)
    if fitted is None:
        return ArrayFact(name=name, role=Role.UNUSED, extent="0")
    steers = name in tamed.pilot.steering or name in tamed.distinct or name in tamed.ascending
    lowest = str(tamed.pilot.lowest.get(name, 0))
    values = None
    if name in tamed.pilot.steering:
        values = Range(low=lowest, high=_less_one(value_text))
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
        atomic=any(name in sample.touched and sample.touched[name].atomic for sample in bounded.samples),
    )


def _less_one(text: str) -> str:
    return str(int(text) - 1) if text.isdigit() else f"{text} - 1"


def _sizes(law: Law, arrays: Sequence[ArrayFact], relations: Sequence[str]) -> frozenset[str]:
    """Return the names that any expression depends on."""
    texts = [text for fact in arrays for text in (fact.extent, fact.before)]
    texts += [*law.relations, *relations]
    if isinstance(law.law, Covers):
        texts += [law.law.x, law.law.y, law.law.z]
    return frozenset(name for text in texts for name in names_of(text))


def _wide(
    subject: Subject, known: Pilot, facts: Facts, rows: Sequence[Scalars]
) -> Asking[tuple[ArrayFact, ...]]:
    """Bound the integers of free arrays where arbitrary ones turn out to lead elsewhere after all."""
    free = [item.name for item in subject.arrays if item.integer and item.name not in known.filling.own]
    if not free:
        return facts.arrays
    chosen = [rows[0], *rows[-3:]]
    where = launches(subject, facts.law, chosen, 9)
    outcomes = yield [
        Probe(
            scalars=row,
            launch=replace(launch, shared=known.shared),
            filling=replace(fill, integers=Values(Style.RANDOM, -(1 << 30), 1 << 30), floats=Floats.REAL),
        )
        for row, launch in zip(chosen, where, strict=True)
        for fill in fillings(subject, known, facts.high(subject, row))[:2]
    ]
    for index, outcome in enumerate(outcomes):
        row, launch = chosen[index // 2], where[index // 2]
        environment = {**{name: int(row[name]) for name in subject.integers}, **quantities(launch)}
        if not within(facts.arrays, environment, outcome):
            bound = Range(low="0", high="40")
            return tuple(
                replace(fact, values=bound) if fact.name in free and fact.values is None else fact
                for fact in facts.arrays
            )
    return facts.arrays
