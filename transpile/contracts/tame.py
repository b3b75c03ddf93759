"""Racing sources: is there a condition on integer data under which they behave?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from transpile.contracts.ladder import Split, launch_of
from transpile.contracts.pilot import Pilot
from transpile.contracts.probe import Asking, Failed, Filling, Observed, Outcome, Probe, Style, Values
from transpile.contracts.rows import Scalars
from transpile.contracts.subject import Subject

_THREADS = {1: 64, 2: 16, 3: 12}
_WIDE = 4095
"""More distinct values than any array of the first rows has elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tamed:
    """A pilot whose filling makes the source behave, and the arrays that this asks something of."""

    pilot: Pilot
    race: str = ""
    """A race that no condition on data prevents; the shape of blocks may."""
    distinct: tuple[str, ...] = ()
    ascending: tuple[str, ...] = ()


def tame(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[Tamed]:
    """Return the weakest condition under which no call races: none, distinct, or ascending elements."""
    plain = yield from _first_race(subject, known, known.filling, rows)
    if plain is None:
        return Tamed(pilot=known)
    integer = [array.name for array in subject.arrays if array.integer]
    read_only = [array.name for array in subject.arrays if array.integer and array.name not in plain.racing]
    for style in (Style.DISTINCT, Style.ASCENDING):
        for group in _groups(known.steering, read_only, integer):
            filling = _with(known, group, style)
            if (yield from _first_race(subject, known, filling, rows)) is None:
                needed = yield from _fewest(subject, known, group, style, rows)
                tamed = replace(known, filling=_with(known, needed, style))
                if style is Style.DISTINCT:
                    return Tamed(pilot=tamed, distinct=needed)
                return Tamed(pilot=tamed, ascending=needed)
    return Tamed(pilot=known, race=plain.race)


def _groups(*groups: Sequence[str]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(tuple(group) for group in groups if group))


def _with(known: Pilot, names: Sequence[str], style: Style) -> Filling:
    own = dict(known.filling.own)
    for name in names:
        own[name] = Values(style, known.lowest.get(name, 0), _WIDE)
    return replace(known.filling, own=own)


def _fewest(
    subject: Subject, known: Pilot, group: tuple[str, ...], style: Style, rows: Sequence[Scalars]
) -> Asking[tuple[str, ...]]:
    """Drop the arrays that need not keep to the condition."""
    needed = group
    for name in group:
        fewer = tuple(other for other in needed if other != name)
        if fewer and (yield from _first_race(subject, known, _with(known, fewer, style), rows)) is None:
            needed = fewer
    return needed


def _first_race(
    subject: Subject, known: Pilot, filling: Filling, rows: Sequence[Scalars]
) -> Asking[Observed | None]:
    """Return the first call that races, over a few rows, seeds and block shapes."""
    axes = {axis.letter: _THREADS[len(subject.axes)] for axis in subject.axes}
    launches = [launch_of(subject, axes, split, known.shared) for split in (Split.ONE, Split.SOME)]
    outcomes: list[Outcome] = yield [
        Probe(scalars=row, launch=launch, filling=replace(filling, seed=seed))
        for row in rows
        for launch in launches
        for seed in (0, 1)
    ]
    for outcome in outcomes:
        if not isinstance(outcome, Failed) and outcome.race:
            return outcome
    return None
