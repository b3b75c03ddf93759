"""Sources that race or trap: is there a condition on data or scalars under which they behave?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from transpile.contracts.families import stated_launches
from transpile.contracts.ladder import Split, launch_of
from transpile.contracts.pilot import Pilot
from transpile.contracts.probe import Asking, Failed, Filling, Observed, Outcome, Probe, Style, Values
from transpile.contracts.relations import repaired, separating, stretched, tied
from transpile.contracts.rows import Scalars
from transpile.contracts.subject import Subject
from transpile.core import Launch

_THREADS = {0: 1, 1: 64, 2: 16, 3: 12}
_TIES = 3
"""Lengths of containers that follow from others."""
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


@dataclass(frozen=True, slots=True)
class _Trial:
    """How rows fared under one filling."""

    filling: Filling
    good: tuple[bool, ...]
    racing: frozenset[str]
    race: str


def tame(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[Tamed]:
    """Return the weakest condition under which no row races: none, one on integer data, one on scalars."""
    plain = yield from _try(subject, known, known.filling, rows)
    if all(plain.good):
        return Tamed(pilot=known)
    rows = [*rows, *stretched(subject, [rows[0], *rows[-2:]])]
    plain = yield from _try(subject, known, known.filling, rows)
    trials: list[tuple[_Trial, tuple[str, ...], Style]] = [(plain, (), Style.RANDOM)]
    integer = [array.name for array in subject.arrays if array.integer]
    quiet = [name for name in integer if name not in plain.racing]
    for style in (Style.DISTINCT, Style.ASCENDING):
        groups = _groups(known.steering, quiet, integer)
        if style is Style.ASCENDING:
            groups += _groups([array.name for array in subject.arrays if not array.integer])
        for group in groups:
            trial = yield from _try(subject, known, _with(known, group, style), rows)
            if all(trial.good):
                return (yield from _fewest(subject, known, group, style, rows, ()))
            trials.append((trial, group, style))
    for trial, group, style in sorted(trials, key=lambda item: -sum(item[0].good)):
        for relation in separating(subject, rows, trial.good):
            fresh = [repaired(dict(row), [relation], index % 4) for index, row in enumerate(rows)]
            again = yield from _try(subject, known, trial.filling, fresh)
            if all(again.good):
                moved = replace(known, scalars=fresh[0])
                return (yield from _fewest(subject, moved, group, style, fresh, (relation,)))
    return (yield from _with_lengths_tied(subject, known, rows, plain))


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
    asked = [
        [
            Probe(scalars=row, launch=launch, filling=replace(filling, seed=seed))
            for launch in _launches(subject, known, row)
            for seed in (0, 1)
        ]
        for row in rows
    ]
    outcomes: list[Outcome] = yield [probe for group in asked for probe in group]
    answers = iter(outcomes)
    groups = [list(islice(answers, len(group))) for group in asked]
    good = tuple(all(isinstance(item, Observed) and not item.race for item in group) for group in groups)
    bad = [item for item in outcomes if isinstance(item, Failed) or item.race]
    racing = frozenset(name for item in bad if isinstance(item, Observed) for name in item.racing)
    race = next((_misbehaviour(item) for item in bad), "")
    return _Trial(filling, good, racing, race)


def _launches(subject: Subject, known: Pilot, row: Scalars) -> list[Launch]:
    """Return the launches that a row is tried with: those stated, or else two shapes of blocks."""
    if subject.stated is not None:
        return stated_launches(subject, row)
    axes = {axis.letter: _THREADS[len(subject.axes)] for axis in subject.axes}
    return [launch_of(subject, axes, split, known.shared) for split in (Split.ONE, Split.SOME)]


def _misbehaviour(outcome: Outcome) -> str:
    return f"it ends with {outcome.reason}" if isinstance(outcome, Failed) else f"it has a {outcome.race}"
