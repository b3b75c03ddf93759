"""Infer the weakest precondition under which a source runs without race or trap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from transpile.contracts.arrays.ranges import BITS
from transpile.contracts.launches.launch_families import stated_launches
from transpile.contracts.launches.launch_ladder import Split, launch_of
from transpile.contracts.launches.seed_inputs import Pilot, tiled_launches
from transpile.contracts.probing.probe import Asking, Failed, Filling, Observed, Outcome, Probe, Style, Values
from transpile.contracts.probing.relations import (
    holds,
    repaired,
    separating_sets,
    stretched,
    tied,
)
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import ArrayInput, Subject
from transpile.contracts.text.launch_bounds import Counted
from transpile.core import Launch
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

_THREADS = {0: 1, 1: 64, 2: 16, 3: 12}
_TIES = 3
"""Lengths of containers that follow from others."""
_MOST_THREADS = 2048
"""More are not started, even where a guard lets more through."""
_TIGHT = 6
"""Rows in which a relation only just holds."""
_WRAPPED = 4
"""Rows in which an unsigned guard is made to wrap round."""
_MOST_DIVISIONS = 4
_SCREENED = 3
"""Rows that are tried before the others: what kills a call takes long."""
_BYTE = 255
_WIDE = 4095
"""More distinct values than any array of the first rows has elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tamed:
    """A pilot under which the source behaves, and what that asks of data and scalars."""

    pilot: Pilot
    race: str = ""
    """How the source misbehaves whatever the data and scalars; the shape of blocks may prevent it."""
    distinct: tuple[str, ...] = ()
    ascending: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    width: str = ""
    """A scalar that elements which steer do not exceed: places in rows of so many, or how many there are."""

    @property
    def bounds(self) -> tuple[str, ...]:
        """Return what elements may stay below where rows have a width: a count may be as large as it is."""
        return (f"{self.width} + 1", self.width) if self.width else ()

    @property
    def provisional(self) -> str:
        """Return the relation that is among the others for as long as all rows have the same elements."""
        filling = self.pilot.filling
        highest = max((values.high for values in filling.own.values()), default=filling.integers.high)
        return f"{self.width} >= {highest + 1}" if self.width else ""


@dataclass(frozen=True, slots=True)
class _Trial:
    """How rows fared under one filling."""

    filling: Filling
    good: tuple[bool, ...]
    racing: frozenset[str]
    race: str


_Styled = tuple[_Trial, tuple[str, ...], Style]
"""A trial, the arrays whose data were of one style in it, and that style."""


def tame(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[Tamed]:
    """Return the weakest condition under which no row races: none, one on integer data, one on scalars.

    What the text says of scalars, and what the program passes, goes before what is guessed.
    """
    demands = (*subject.kept, *(yield from _demanded(subject, known, rows)))
    if demands:
        rows = [repaired(dict(row), demands, index % 4) for index, row in enumerate(rows)]
        known = replace(known, scalars=repaired(dict(known.scalars), demands, 0))
    found = yield from _tamed(subject, known, rows, demands)
    relations = tuple(dict.fromkeys((*demands, *found.relations)))
    return replace(found, relations=relations, pilot=replace(found.pilot, relations=relations))


def _tamed(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], demands: tuple[str, ...]
) -> Asking[Tamed]:
    plain = yield from _try(subject, known, known.filling, rows)
    if all(plain.good):
        return Tamed(pilot=known)
    rows = [*rows, *(repaired(row, demands, 1) for row in stretched(subject, [rows[0], *rows[-2:]]))]
    plain = yield from _try(subject, known, known.filling, rows)
    told = yield from _as_told(subject, known, rows, demands)
    if told is not None:
        return told
    placed = yield from _as_places_in_rows(subject, known, rows, demands)
    if placed is not None:
        return placed
    if not known.steering:
        # Of data that lead nowhere an order would only keep the source from doing what races.
        related = yield from _related(subject, known, rows, demands, (plain, (), Style.RANDOM))
        if related is not None:
            return related
    trials: list[_Styled] = [(plain, (), Style.RANDOM)] if known.steering else []
    integer = [array.name for array in subject.arrays if array.integer]
    quiet = [name for name in integer if name not in plain.racing]
    few = {array.name for array in subject.arrays if _has_few_values(array)}
    steering, quiet, integer = (
        [name for name in names if name not in few] for names in (known.steering, quiet, integer)
    )
    for style in (Style.DISTINCT, Style.ASCENDING):
        groups = _groups(steering, quiet, integer)
        if style is Style.ASCENDING:
            groups += _groups([array.name for array in subject.arrays if not array.integer])
        for group in groups:
            trial = yield from _try(subject, known, _with(known, group, style), rows)
            if all(trial.good):
                return (yield from _fewest(subject, known, group, style, rows, ()))
            trials.append((trial, group, style))
    for styled in sorted(trials, key=lambda item: -sum(item[0].good)):
        related = yield from _related(subject, known, rows, demands, styled)
        if related is not None:
            return related
    return (yield from _with_lengths_tied(subject, known, rows, plain))


def _related(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], demands: tuple[str, ...], styled: _Styled
) -> Asking[Tamed | None]:
    """Return one or two relations of scalars under which no row races whose data are as in a trial."""
    trial, group, style = styled
    for relations in separating_sets(subject, rows, trial.good):
        held = (*demands, *relations)
        fresh = [repaired(dict(row), held, index % 4) for index, row in enumerate(rows)]
        again = yield from _try(subject, known, trial.filling, [*fresh, *_tight(fresh, held)])
        if all(again.good):
            moved = replace(known, scalars=fresh[0])
            return (yield from _fewest(subject, moved, group, style, fresh, relations))
    return None


def _has_few_values(array: ArrayInput) -> bool:
    """Tell whether long arrays of the type hold numbers several times: order is no condition of theirs."""
    ends = [BITS[leaf.scalar] for leaf in array.element.leaves if not leaf.scalar.floating]
    return all(high - low <= _BYTE for low, high in ends)


def _tight(rows: Sequence[Scalars], relations: tuple[str, ...]) -> list[dict[str, int | float]]:
    """Return rows that barely keep to relations, among the smallest of which this can be said."""
    named = sorted({name for text in relations for name in names_of(text)})
    small = [
        {**row, **{name: 1 + (index + turn) % 3 for turn, name in enumerate(named)}}
        for index, row in enumerate(rows[:_TIGHT])
    ]
    made = [repaired(row, relations, 0) for row in small]
    return [row for row in made if all(holds(text, row) for text in relations)]


def _demanded(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[tuple[str, ...]]:
    """Return what keeps unsigned guards from wrapping round, where more threads do more without it."""
    needed: list[str] = []
    for demand in subject.told.demands if subject.stated is None else ():
        lead, _, least = demand.partition(" >= ")
        kept = [repaired(dict(row), [demand], 1) for row in rows[:_WRAPPED]]
        short = [{**row, lead: number} for row in kept for number in (0, max(_number(least, row) - 1, 0))]
        broken = [row for row in short if not holds(demand, row)]
        if broken and (yield from _grow(subject, known, broken)):
            needed.append(demand)
    return tuple(needed)


def _grow(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[bool]:
    """Tell whether some row touches other elements, or fails, with more threads: than one, or than many.

    Where a size of 0 is a stride as well, many threads do no more than half as many, but more than one.
    """
    outcomes = yield [
        Probe(scalars=row, launch=launch_of(subject, axes, Split.ONE, known.shared), filling=known.filling)
        for row in rows
        for axes in _doubling(subject)
    ]
    rungs = zip(outcomes[::3], outcomes[1::3], outcomes[2::3], strict=True)
    return any(
        isinstance(twice, Failed)
        or any(isinstance(fewer, Observed) and fewer.state != twice.state for fewer in (one, once))
        for one, once, twice in rungs
    )


def _doubling(subject: Subject) -> list[dict[str, int]]:
    threads = _THREADS[len(subject.axes)]
    letters = [axis.letter for axis in subject.axes]
    return [dict.fromkeys(letters, count) for count in (1, threads, 2 * threads)]


def _as_told(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], demands: tuple[str, ...]
) -> Asking[Tamed | None]:
    """Return relations of the program's calls, or of the text's divisions, under which no row races."""
    if subject.stated is not None:
        return None
    even = subject.told.divisions[:_MOST_DIVISIONS]
    single = [(relation,) for relation in even]
    sets = [*subject.passed, *((*item, *even) for item in (*subject.passed, ())), *single]
    for told in dict.fromkeys(item for item in sets if item):
        if (yield from _behave(subject, known, rows, (*demands, *told))):
            needed = yield from _needed(subject, known, rows, demands, told)
            fresh = _kept(rows, (*demands, *needed))
            return Tamed(pilot=replace(known, scalars=fresh[0]), relations=needed)
    return None


def _as_places_in_rows(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], demands: tuple[str, ...]
) -> Asking[Tamed | None]:
    """Return the scalar that elements which steer stay below where no row races: labels of classes, say."""
    if not known.steering or known.offsets or known.folded:
        return None
    for width in subject.used:
        positive = _kept(rows, (*demands, f"{width} >= 1"))
        fillings = [_below(known, int(row[width])) for row in positive]
        if not all(map(_is_good, (yield from _called(subject, known, fillings, positive)))):
            continue
        tamed = Tamed(pilot=known, width=width)
        fresh = _kept(rows, (*demands, tamed.provisional))
        if all((yield from _try(subject, known, known.filling, fresh)).good):
            pilot = replace(known, scalars=fresh[0])
            return replace(tamed, pilot=pilot, relations=(tamed.provisional,))
    return None


def _below(known: Pilot, width: int) -> Filling:
    """Return the filling with elements that steer below a number."""
    own = dict.fromkeys(known.steering, Values(Style.RANDOM, 0, width - 1))
    return replace(known.filling, own={**known.filling.own, **own})


def _needed(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], demands: tuple[str, ...], told: tuple[str, ...]
) -> Asking[tuple[str, ...]]:
    """Drop the relations without which the source behaves as well, and loosen those that bound from below."""
    needed = told
    for relation in told:
        lead, equals, value = relation.partition(" == ")
        others = tuple(other for other in needed if other != relation)
        if not equals or not lead.isidentifier():
            needed = needed if not (yield from _behave(subject, known, rows, (*demands, *others))) else others
            continue
        held = _kept(rows, (*demands, *needed))
        above = [{**row, lead: more} for row in held for more in (int(row[lead]) + 3, 2 * int(row[lead]) + 1)]
        if not (yield from _behave(subject, known, above, (*demands, *others))):
            continue
        below = [{**row, lead: int(row[lead]) // 2} for row in held]
        if (yield from _behave(subject, known, below, (*demands, *others))):
            needed = others
        else:
            needed = tuple(f"{lead} >= {value}" if other == relation else other for other in needed)
    return needed


def _number(text: str, row: Scalars) -> int:
    try:
        return evaluate(text, {name: int(value) for name, value in row.items()})
    except ExpressionError:
        return 0


def _kept(rows: Sequence[Scalars], relations: tuple[str, ...]) -> list[dict[str, int | float]]:
    return [repaired(dict(row), relations, index % 4) for index, row in enumerate(rows)]


def _behave(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], relations: tuple[str, ...]
) -> Asking[bool]:
    """Tell whether rows that keep to relations behave, and whether enough of them can keep to them."""
    fresh = [row for row in _kept(rows, relations) if all(holds(text, row) for text in relations)]
    if 2 * len(fresh) < len(rows):
        return False
    for some in (fresh[:_SCREENED], fresh[_SCREENED:]):
        if some and not all((yield from _try(subject, known, known.filling, some)).good):
            return False
    return True


def _with_lengths_tied(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], plain: _Trial
) -> Asking[Tamed]:
    """Return how long containers are beside each other where the source behaves: one tie after the other."""
    relations: tuple[str, ...] = ()
    behaved = sum(plain.good)
    for _ in range(_TIES):
        best, chosen = behaved, relations
        for relation in tied(subject):
            closer = (*relations, relation)
            fresh = [repaired(dict(row), closer, 0) for row in rows]
            trial = yield from _try(subject, known, known.filling, fresh)
            if all(trial.good):
                return (yield from _with_lengths_loosened(subject, known, fresh, closer))
            if sum(trial.good) > best:
                best, chosen = sum(trial.good), closer
        if chosen == relations:
            break
        behaved, relations = best, chosen
    return Tamed(pilot=known, race=plain.race)


def _with_lengths_loosened(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], ties: tuple[str, ...]
) -> Asking[Tamed]:
    """Return ties under which the source behaves, none tighter than is needed: containers may be longer."""
    for tie in ties:
        name, _, _ = tie.partition(" == ")
        looser = tuple(item.replace("==", ">=") if item == tie else item for item in ties)
        longer = [{**row, name: row[name] + index % 4} for index, row in enumerate(rows)]
        fresh = [repaired(row, looser, 0) for row in longer]
        if all((yield from _try(subject, known, known.filling, fresh)).good):
            ties, rows = looser, fresh
    return Tamed(pilot=replace(known, scalars=rows[0]), relations=ties)


def _groups(*groups: Sequence[str]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(tuple(group) for group in groups if group))


def _with(known: Pilot, names: Sequence[str], style: Style) -> Filling:
    own = dict(known.filling.own)
    for name in names:
        own[name] = Values(style, known.lowest.get(name, 0), _WIDE)
    return replace(known.filling, own=own)


def _fewest(
    subject: Subject,
    known: Pilot,
    group: tuple[str, ...],
    style: Style,
    rows: Sequence[Scalars],
    relations: tuple[str, ...],
) -> Asking[Tamed]:
    """Drop the arrays that need not keep to the condition."""
    needed = group
    for name in group:
        fewer = tuple(other for other in needed if other != name)
        trial = yield from _try(subject, known, _with(known, fewer, style), rows)
        if all(trial.good):
            needed = fewer
    tamed = Tamed(pilot=replace(known, filling=_with(known, needed, style)), relations=relations)
    if style is Style.DISTINCT:
        return replace(tamed, distinct=needed)
    return replace(tamed, ascending=needed)


def _try(subject: Subject, known: Pilot, filling: Filling, rows: Sequence[Scalars]) -> Asking[_Trial]:
    """Tell which rows return without a race, over two seeds and two shapes of blocks."""
    groups = yield from _called(subject, known, [filling] * len(rows), rows)
    good = tuple(map(_is_good, groups))
    bad = [item for group in groups for item in group if not _is_good([item])]
    racing = frozenset(name for item in bad if isinstance(item, Observed) for name in item.racing)
    race = next((_misbehaviour(item) for item in bad), "")
    return _Trial(filling, good, racing, race)


def _called(
    subject: Subject, known: Pilot, fillings: Sequence[Filling], rows: Sequence[Scalars]
) -> Asking[list[list[Outcome]]]:
    """Call rows, each with arrays of its own, with two seeds and two shapes of blocks."""
    asked = [
        [
            Probe(scalars=row, launch=launch, filling=replace(filling, seed=seed))
            for launch in _launches(subject, known, row)
            for seed in (0, 1)
        ]
        for row, filling in zip(rows, fillings, strict=True)
    ]
    outcomes: list[Outcome] = yield [probe for group in asked for probe in group]
    answers = iter(outcomes)
    return [list(islice(answers, len(group))) for group in asked]


def _is_good(group: Sequence[Outcome]) -> bool:
    """Tell whether all calls return without a race."""
    return all(isinstance(item, Observed) and not item.race for item in group)


def _launches(subject: Subject, known: Pilot, row: Scalars) -> list[Launch]:
    """Return the launches that a row is tried with: those stated, or else two shapes of blocks.

    A kernel that keeps tiles does what it does in blocks of its own shape alone: those of its launches too.
    """
    if subject.stated is not None:
        return stated_launches(subject, row)
    axes = {axis.letter: _THREADS[len(subject.axes)] for axis in subject.axes}
    if len(axes) == 1:
        [letter] = axes
        needs = [_number(text, row) for text in subject.told.bounds(letter, Counted.THREADS)]
        axes[letter] = max([axes[letter], *(need for need in needs if need <= _MOST_THREADS)])
    usual = [launch_of(subject, axes, split, known.shared) for split in (Split.ONE, Split.SOME)]
    return [*usual, *tiled_launches(subject, known.shared)]


def _misbehaviour(outcome: Outcome) -> str:
    return f"it ends with {outcome.reason}" if isinstance(outcome, Failed) else f"it has a {outcome.race}"
