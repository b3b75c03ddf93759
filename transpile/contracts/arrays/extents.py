"""Bounds and roles of arrays: what many calls touched, and the expressions that predict it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from math import ceil

from transpile.contracts.fitting.fit import Fit, Row, bound, fit, predicts
from transpile.contracts.fitting.subscript_terms import Makings
from transpile.contracts.fitting.upper_bounds import Greatest, greatest
from transpile.contracts.launches.launch_families import launch_by, stated_launches
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot, sought_by
from transpile.contracts.probing.probe import Asking, Filling, Floats, Observed, Probe, Style, Touched, Values
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import ArrayInput, Subject
from transpile.core import ArrayFact, Covers, Launch, Role, array_of
from transpile.expressions import ExpressionError, ceil_div, evaluate
from transpile.expressions import names as names_of
from transpile.toolchains.speed import WORK_A_SECOND

_BLOCKS = {
    1: ((1,), (2,), (3,), (8,), (32,)),
    2: ((1, 1), (2, 3), (4, 2), (3, 5)),
    3: ((1, 1, 1), (2, 3, 2), (3, 1, 2)),
}


_REPEATS = 3
_BITS = 31
_TOUCHING = 7
"""Rows that have to touch an array before anything is said about it."""
_FEWEST = 16
"""Rows that are called whatever that takes."""
_AFFORDED = 10 * WORK_A_SECOND
"""Work of the rows that one fit is made of, where that many are called at all."""

_GROWTH = 16
"""By how much calls of such rows may exceed the work of the first ones."""

_Asked = tuple[tuple[Scalars, Launch], Sequence[Filling]]
"""A row, the launch that it is called with, and what arrays hold in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One row: scalars, the launch, and what calls under all fillings touched together."""

    scalars: Scalars
    launch: Launch
    touched: Mapping[str, Touched]
    fed: bool = True
    """Nothing was touched behind the elements that hold data, where zeros may hide what depends on them."""
    racing: bool = False
    """The source had a race."""

    def row(self, subject: Subject) -> Row:
        """Return the names that expressions may use."""
        return {**numbers_of(subject, self.scalars), **quantities(self.launch)}


_SMALL = {
    1: ((1,), (2,), (3,), (4,), (1,), (8,)),
    2: ((1, 1), (2, 1), (1, 2), (3, 2)),
    3: ((1, 1, 1), (2, 1, 2)),
}
"""Blocks where launches need not cover: small ones, so that sizes decide as often as the launch does."""
_TURNS = (
    (Style.RANDOM, Floats.EXACT, Values()),
    (Style.CONSTANT, Floats.HIGH, Values()),
    (Style.COUNTING, Floats.LOW, Values(Style.COUNTING, 0, 1 << 20)),
    (Style.RANDOM, Floats.REAL, Values(Style.RANDOM, -4, 40)),
)
"""For each fill: the style of bounded integer arrays, the floats, and the integers of free arrays."""


def fillings(
    subject: Subject, known: Pilot, steering: Mapping[str, Values], *, further: bool = False
) -> list[Filling]:
    """Return fills that together open guards on values and reach both ends of every interval.

    Args:
        subject: The kernel.
        known: What the pilot found.
        steering: The condition and the interval that every steering array keeps to.
        further: Other fills, for what the usual ones do not show: literals of the text, more randomness.
    """
    turns: Sequence[tuple[Style, Floats, Values]] = (
        _TURNS if any(array.integer for array in subject.arrays) else _TURNS[:3]
    )
    if further:
        literal = [(Style.RANDOM, Floats.REAL, Values(Style.CONSTANT, n, n)) for n in subject.literals]
        turns = (*_TURNS, *literal)
    integer = {array.name for array in subject.arrays if array.integer}
    result: list[Filling] = []
    for turn, (style, floats, integers) in enumerate(turns):
        seed = turn + (100 if further else 0)
        own = {
            name: replace(values, style=_allowed(values, style, seed)) if name in integer else values
            for name, values in steering.items()
        }
        own |= {name: _folded(ends, turn) for name, ends in known.folded.items()}
        result.append(Filling(seed=seed, integers=integers, floats=floats, own=own))
    levels = [] if further else [replace(result[0], level=level) for level in subject.levels]
    free = known.filling.free
    # Arrays that any integers lead into may hold those that the text asks for, too.
    own = {name: values for name, values in result[0].own.items() if name not in known.folded}
    sought = [] if further else sought_by(subject, replace(result[0], own=own, free=free))
    lively = [replace(fill, free=free, optional=True) for fill in result if free]
    return result + levels + sought + lively + _one_at_its_end(known, result[0])


def _one_at_its_end(known: Pilot, fill: Filling) -> list[Filling]:
    """Return fills with one steering array at its upper end while the others lead everywhere."""
    free = [name for name in known.steering if known.filling.own[name].style is Style.RANDOM]
    if len(free) < 2:
        return []
    return [
        replace(fill, seed=50 + turn, own={**fill.own, name: replace(fill.own[name], style=Style.CONSTANT)})
        for turn, name in enumerate(free * _REPEATS)
    ]


def _folded(ends: tuple[int, int], turn: int) -> Values:
    """Return what reaches the ends of an array that any integers lead into, and any integers."""
    if turn % 4 == 3:
        return Values(Style.RANDOM, 0, 1 << 30)
    return Values(Style.CONSTANT, ends[turn % 2], ends[turn % 2])


def _allowed(values: Values, wanted: Style, turn: int) -> Style:
    """Return the style wanted, or one that keeps to the condition without which the source races."""
    match values.style:
        case Style.DISTINCT:
            return Style.DISTINCT if turn % 2 else Style.FALLING
        case Style.ASCENDING:
            return _as_offsets(values) if wanted is Style.CONSTANT else Style.ASCENDING
        case _ if values.count and wanted is Style.COUNTING:
            return Style.ASCENDING
        case _:
            return _as_offsets(values) if wanted is Style.CONSTANT else wanted


def _as_offsets(values: Values) -> Style:
    """Return what takes the place of equal elements, between which nothing lies where they are offsets."""
    return Style.LATE if values.count else Style.CONSTANT


def brink(
    subject: Subject,
    known: Pilot,
    intervals: Mapping[str, Values],
    arrays: Sequence[ArrayFact],
    row: Scalars,
    launch: Launch,
) -> Probe:
    """Return a call whose arrays end where their extents do; ExpressionError where one has no value."""
    environment = numbers_of(subject, row) | quantities(launch)
    extents = {fact.name: max(evaluate(fact.extent, environment), 0) for fact in arrays}
    return Probe(scalars=row, launch=launch, filling=fillings(subject, known, intervals)[0], extents=extents)


def launched(subject: Subject, law: Law, rows: Sequence[Scalars], seed: int) -> list[tuple[Scalars, Launch]]:
    """Return the rows that the law admits a launch for, each with one; block shapes differ."""
    generator = random.Random(seed)
    pairs: list[tuple[Scalars, Launch]] = []
    for row in rows:
        # A law has no value where it would divide by zero.
        with suppress(ExpressionError):
            launch = _admitted(subject, law, row, generator)
            pairs += [(row, launch)] if launch is not None else []
    return pairs


def with_shared(launch: Launch, known: Pilot) -> Launch:
    """Return a launch with the shared memory that the law gives it, else with what the pilot had."""
    return launch if launch.shared else replace(launch, shared=known.shared)


def _admitted(subject: Subject, law: Law, row: Scalars, generator: random.Random) -> Launch | None:
    if subject.stated is not None:
        launches = stated_launches(subject, row)
        return generator.choice(launches) if launches else None
    if law.family:
        return launch_by(generator.choice((law.family, *law.families)), subject, row)
    if law.blocks:
        return _shaped(subject, law, row, generator)
    grid, block = {"x": 1, "y": 1, "z": 1}, {"x": 1, "y": 1, "z": 1}
    needs = _needs(subject, law.law, row)
    shapes = (_SMALL if needs is None else _BLOCKS)[max(len(subject.axes), 1)]
    shape = shapes[generator.randrange(len(shapes))]
    for axis, size in zip(subject.axes, shape, strict=False):
        block[axis.letter] = size if axis.block else 1
        if needs is None:
            threads = generator.randint(1, 6) * block[axis.letter]
        else:
            threads = needs[axis.letter] + generator.choice((0, 0, 1, block[axis.letter]))
        if axis.grid:
            grid[axis.letter] = max(ceil(threads / block[axis.letter]), 1)
        else:
            block[axis.letter] = max(min(threads, 1024), 1)
    return Launch(
        grid=(grid["x"], grid["y"], grid["z"]), block=(block["x"], block["y"], block["z"]), shared=0
    )


def _shaped(subject: Subject, law: Law, row: Scalars, generator: random.Random) -> Launch:
    """Return a launch of one of the admissible blocks, with enough of them."""
    block = law.blocks[generator.randrange(len(law.blocks))]
    known = {**{name: int(row[name]) for name in subject.integers}, **quantities(Launch(block=block))}
    grid = {"x": 1, "y": 1, "z": 1}
    for axis in subject.axes:
        if axis.grid and axis.letter in law.grid:
            grid[axis.letter] = max(evaluate(law.grid[axis.letter], known), 1) + generator.choice((0, 0, 1))
        elif axis.grid:
            grid[axis.letter] = generator.randint(1, 6)
    return Launch(grid=(grid["x"], grid["y"], grid["z"]), block=block)


def _needs(subject: Subject, law: object, row: Scalars) -> dict[str, int] | None:
    """Return the threads needed by axis; None where any launch will do."""
    if not isinstance(law, Covers):
        return None
    known = {name: int(row[name]) for name in subject.integers}
    needs = {letter: evaluate(text, known) for letter, text in zip("xyz", (law.x, law.y, law.z), strict=True)}
    if law.joint:
        letters = [axis.letter for axis in subject.axes]
        total = max(needs["x"], 1)
        needs = dict.fromkeys("xyz", 1)
        needs[letters[-1]] = min(2, total)
        needs[letters[0]] = ceil(total / needs[letters[-1]])
    return needs


def samples(
    subject: Subject,
    known: Pilot,
    pairs: Sequence[tuple[Scalars, Launch]],
    fills: Sequence[Sequence[Filling]],
) -> Asking[list[Sample]]:
    """Trace rows under all their fills, as many as are affordable; those with a failed call are left out."""
    asked = list(zip(pairs, fills, strict=True))
    if _GROWTH * known.work * sum(map(len, fills)) <= _AFFORDED:
        return (yield from _traced(known, asked))[0]
    stride = max(len(asked) // _FEWEST, 1)
    found, work = yield from _traced(known, asked[::stride])
    rest = [item for index, item in enumerate(asked) if index % stride]
    further = (_AFFORDED - work) * len(asked[::stride]) // max(work, 1)
    if further > 0:
        found += (yield from _traced(known, rest[:further]))[0]
    return found


def _traced(known: Pilot, asked: Sequence[_Asked]) -> Asking[tuple[list[Sample], int]]:
    """Trace every row under all its fills, and return what work that was."""
    outcomes = yield [
        Probe(scalars=row, launch=with_shared(launch, known), filling=fill)
        for (row, launch), own in asked
        for fill in own
    ]
    found: list[Sample] = []
    position = 0
    for (row, launch), own in asked:
        group = outcomes[position : position + len(own)]
        position += len(own)
        returned = [outcome for outcome in group if isinstance(outcome, Observed)]
        needed = [outcome for fill, outcome in zip(own, group, strict=True) if not fill.optional]
        usual = [outcome for outcome in needed if isinstance(outcome, Observed)]
        if len(usual) == len(needed):
            touched = union(item.touched for item in returned)
            fed = all(_is_fed(item) for item in returned)
            racing = any(item.race for item in usual)
            found.append(Sample(scalars=row, launch=launch, touched=touched, fed=fed, racing=racing))
    return found, sum(outcome.work for outcome in outcomes)


def accesses(sample: Sample) -> int:
    """Return how many accesses in the code a row comes to."""
    return sum(len(item.reach) for item in sample.touched.values())


def _is_fed(outcome: Observed) -> bool:
    return all(item.high <= outcome.supplied.get(name, item.high) for name, item in outcome.touched.items())


def merged(first: Sequence[Sample], second: Sequence[Sample]) -> list[Sample]:
    """Return samples of the same rows and launches, with what both lists touched."""
    again = {(tuple(item.scalars.items()), item.launch): item.touched for item in second}
    result: list[Sample] = []
    for item in first:
        other = again.get((tuple(item.scalars.items()), item.launch))
        if other is not None:
            result.append(replace(item, touched=union([item.touched, other])))
    return result


def union(many: Iterable[Mapping[str, Touched]]) -> dict[str, Touched]:
    """Return what any of several calls touched."""
    result: dict[str, Touched] = {}
    for touched in many:
        for name, item in touched.items():
            old = result.get(name, item)
            result[name] = Touched(
                low=min(old.low, item.low),
                high=max(old.high, item.high),
                bytes_low=min(old.bytes_low, item.bytes_low),
                bytes_high=max(old.bytes_high, item.bytes_high),
                read=old.read or item.read,
                written=old.written or item.written,
                read_first=old.read_first or item.read_first,
                atomic=old.atomic or item.atomic,
                reach=_further(old.reach, item.reach),
            )
    return result


def _further(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    return {site: max(first.get(site, 0), second.get(site, 0)) for site in {**first, **second}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Expressions for an array, and how many rows they predicted unseen."""

    extent: str
    before: str
    held_out: int
    exact: bool = True


def bounds(
    subject: Subject, within: Makings | None, item: ArrayInput, found: Sequence[Sample], sizes: Sequence[str]
) -> Bounds | None:
    """Fit both ends of an array; launch quantities are used only where scalars alone do not do."""
    name = item.name
    touching = [sample for sample in found if name in sample.touched]
    if len(touching) < _TOUCHING:
        return None
    rows = [sample.row(subject) for sample in touching]
    high = [max(sample.touched[name].high, 0) for sample in touching]
    low = [max(-sample.touched[name].low, 0) for sample in touching]
    upper = _fit(subject, within, rows, high, sizes)
    if upper is None and item.element.size > 1:
        # Text that counts bytes, such as a pitch: the last element need not be aligned.
        past = [max(sample.touched[name].bytes_high, 0) for sample in touching]
        upper = _fit(subject, within, rows, past, sizes)
        upper = upper and replace(upper, text=ceil_div(upper.text, str(item.element.size)))
    if upper is None:
        several = _greatest(subject, within, item, touching, sizes)
        upper = several.fit if several is not None and several.exact else None
    lower = _fit(subject, within, rows, low, sizes)
    if upper is None or lower is None:
        return None
    return Bounds(extent=upper.text, before=lower.text, held_out=min(upper.held_out, lower.held_out))


def _greatest(
    subject: Subject,
    within: Makings | None,
    item: ArrayInput,
    touching: Sequence[Sample],
    sizes: Sequence[str],
) -> Greatest | None:
    """Return the greatest of what single accesses give, where the array as a whole has no expression."""
    rows = [sample.row(subject) for sample in touching]
    high = [sample.touched[item.name].high for sample in touching]
    reaches = [sample.touched[item.name].reach for sample in touching]
    return greatest(rows, reaches, _names(subject, rows, high, sizes), within)


def loose_bounds(
    subject: Subject, within: Makings | None, item: ArrayInput, found: Sequence[Sample], sizes: Sequence[str]
) -> Bounds | None:
    """Return expressions that both ends of an array stay within, where none gives them exactly."""
    touching = [sample for sample in found if item.name in sample.touched]
    if len(touching) < _TOUCHING:
        return None
    rows = [sample.row(subject) for sample in touching]
    several = _greatest(subject, within, item, touching, sizes)
    highs = [max(sample.touched[item.name].high, 0) for sample in touching]
    lows = [max(-sample.touched[item.name].low, 0) for sample in touching]
    upper = several.fit if several is not None else _loose(subject, within, rows, highs, sizes)
    lower = _loose(subject, within, rows, lows, sizes)
    if upper is None or lower is None:
        return None
    held_out = min(upper.held_out, lower.held_out)
    return Bounds(extent=upper.text, before=lower.text, held_out=held_out, exact=False)


def _loose(
    subject: Subject,
    within: Makings | None,
    rows: Sequence[Row],
    values: Sequence[int],
    sizes: Sequence[str],
) -> Fit | None:
    return (
        fit(rows, values, _names(subject, rows, values, sizes), within)
        or bound(rows, values, sizes)
        or bound(rows, values, [*sizes, *_quantities(subject)])
    )


def beside(name: str, known: Mapping[str, Bounds], found: Sequence[Sample]) -> Bounds | None:
    """Return the bounds of an array beside which the named one lies: never left, and somewhere filled.

    Where elements of one array decide about those of another, zeros behind its data hide how far that goes.
    """
    touching = [sample for sample in found if name in sample.touched]
    if len(touching) < _TOUCHING:
        return None
    for other, ends in known.items():
        pairs = [(item.touched[name], item.touched[other]) for item in touching if other in item.touched]
        within = all(own.low >= theirs.low and own.high <= theirs.high for own, theirs in pairs)
        if len(pairs) == len(touching) and within and any(own.high == theirs.high for own, theirs in pairs):
            return replace(ends, exact=False)
    return None


def _fit(
    subject: Subject,
    within: Makings | None,
    rows: Sequence[Row],
    values: Sequence[int],
    sizes: Sequence[str],
) -> Fit | None:
    for text in subject.told.limits:
        if names_of(text) <= set(sizes) and predicts(text, rows, values):
            return Fit(text=text, held_out=len(rows), names=names_of(text))
    names = _names(subject, rows, values, sizes)
    maxima = [name for name in names if array_of(name)]
    if not maxima:
        return fit(rows, values, names, within)
    plain = [name for name in names if name not in maxima]
    if not _differ(rows, values, plain):
        found = fit(rows, values, plain, within)
        if found is not None:
            return found
    for name, step in product(maxima, _steps(subject)):
        coarse = f"{name} / {step}"
        known = [{**row, coarse: row[name] // step} for row in rows]
        found = fit(known, values, [*plain, coarse], within)
        if found is not None and coarse in found.text:
            return found
    return (
        _behind(rows, values, within, maxima, plain)
        or fit(rows, values, names, within)
        or (_behind(rows, values, within, maxima, names) if len(maxima) > 1 else None)
    )


def _behind(
    rows: Sequence[Row],
    values: Sequence[int],
    within: Makings | None,
    maxima: Sequence[str],
    names: Sequence[str],
) -> Fit | None:
    """Return a greatest element plus what other names give; None where that is not exact for any."""
    for name in maxima:
        others = [other for other in names if other != name]
        left = [value - row[name] for row, value in zip(rows, values, strict=True)]
        found = fit(rows, left, others, within)
        if found is not None:
            return replace(found, text=_sum(name, found.text), names=found.names | {name})
    return None


def _steps(subject: Subject) -> list[int]:
    """Return what the text may divide by: its numbers, and powers of two by as many as it may shift."""
    numbers = [number for number in subject.literals if number > 1]
    return list(dict.fromkeys([*numbers, *(1 << number for number in numbers if number < _BITS)]))


def _sum(name: str, text: str) -> str:
    """Return a sum whose first term is a name."""
    if text.removeprefix("-").isdigit():
        return name if text == "0" else f"{name} {'-' if text[0] == '-' else '+'} {text.removeprefix('-')}"
    return f"{name} + {text}" if not text.startswith("-") else f"{name} + ({text})"


def _names(subject: Subject, rows: Sequence[Row], values: Sequence[int], sizes: Sequence[str]) -> list[str]:
    """Return the scalars, with the launch's quantities where scalars alone do not decide."""
    return [*sizes, *_quantities(subject)] if _differ(rows, values, sizes) else list(sizes)


def _quantities(subject: Subject) -> list[str]:
    found: list[str] = []
    for axis in subject.axes:
        found += [f"gridDim.{axis.letter}"] if axis.grid else []
        found += [f"blockDim.{axis.letter}"] if axis.block else []
    return found


def _differ(rows: Sequence[Row], values: Sequence[int], sizes: Sequence[str]) -> bool:
    """Tell whether rows with the same numbers differ, so that something else has to be the reason."""
    seen: dict[tuple[int, ...], int] = {}
    return any(
        seen.setdefault(tuple(row[name] for name in sizes), value) != value
        for row, value in zip(rows, values, strict=True)
    )


def role_of(name: str, found: Sequence[Sample]) -> Role:
    """Return how an array is used in any of the calls."""
    items = [sample.touched[name] for sample in found if name in sample.touched]
    if not items:
        return Role.UNUSED
    if not any(item.written for item in items):
        return Role.IN
    return Role.INOUT if any(item.read_first for item in items) else Role.OUT
