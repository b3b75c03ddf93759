"""Launches that have as many blocks or threads on an axis as a scalar says, where nothing in the text guards.

What has no guard relies on that: in ``c[row * n + col]`` a thread beyond a row is one of the next row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from transpile.contracts.families import Family, launch_by
from transpile.contracts.law import Law
from transpile.contracts.pilot import Pilot
from transpile.contracts.probe import Asking, Observed, Probe
from transpile.contracts.rows import Scalars
from transpile.contracts.strays import stray
from transpile.contracts.subject import Axis, Subject
from transpile.core import ShapeDependent

_SHARED = "16384"
_FEWEST = 4
"""Rows under which a launch has to be tried."""
_GUESSES = 24
"""Ways to give axes a scalar that are tried."""
_FREE = ("1", "3", "7")
"""Threads or blocks on an axis that no scalar limits."""


def exact_law(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[Law | None]:
    """Take for the law that axes have as many as scalars say, where the source behaves so; None else.

    Indices of threads in all blocks are bound on all axes, since loops over them go by these scalars. Where
    the text takes blocks or threads alone, as few axes as possible are bound, and from above if that will do.
    """
    if subject.families or not subject.axes:
        return None
    whole = all(axis.grid and axis.block for axis in subject.axes)
    for bound in islice(_bindings(subject, whole), _GUESSES):
        found = [_family(subject, bound, free) for free in _FREE]
        if (yield from _all_behave(subject, known, found, rows)):
            return (yield from _bound_law(subject, known, rows, bound, found, whole))
    return None


def _bound_law(
    subject: Subject,
    known: Pilot,
    rows: Sequence[Scalars],
    bound: Mapping[str, str],
    found: list[Family],
    whole: bool,
) -> Asking[Law]:
    """Return the law that binds some axes, loosened where fewer blocks or threads behave as well."""
    halves = {letter: f"({name} + 1) / 2" for letter, name in bound.items()}
    fewer = [] if whole else [_family(subject, halves, free) for free in _FREE]
    looser = bool(fewer) and (yield from _all_behave(subject, known, fewer, rows))
    relations = tuple(
        f"{_quantity(axis)} {'<=' if looser else '=='} {bound[axis.letter]}"
        for axis in subject.axes
        if axis.letter in bound
    )
    turned = [_turned(family) for family in found] if whole else []
    launches = tuple(dict.fromkeys((*found, *turned, *(fewer if looser else ()))))
    others = () if whole else launches[1:]
    return Law(law=ShapeDependent(relations=relations, launches=launches), family=found[0], families=others)


def _bindings(subject: Subject, whole: bool) -> Iterator[dict[str, str]]:
    """Yield scalars by axis, those that bind the fewest axes first; of all axes where that is asked."""
    letters = [axis.letter for axis in subject.axes]
    ways = list(product((*(() if whole else (None,)), *subject.used), repeat=len(letters)))
    for way in sorted(ways, key=lambda item: sum(name is not None for name in item)):
        bound = {letter: name for letter, name in zip(letters, way, strict=True) if name is not None}
        if bound:
            yield bound


def _quantity(axis: Axis) -> str:
    if axis.grid and axis.block:
        return f"gridDim.{axis.letter} * blockDim.{axis.letter}"
    return f"gridDim.{axis.letter}" if axis.grid else f"blockDim.{axis.letter}"


def _family(subject: Subject, bound: Mapping[str, str], free: str) -> Family:
    """Return the launch with a thread a block where an axis has both, and a free number on other axes."""
    grid, block = dict.fromkeys("xyz", "1"), dict.fromkeys("xyz", "1")
    for axis in subject.axes:
        (grid if axis.grid else block)[axis.letter] = bound.get(axis.letter, free)
    return (*grid.values(), *block.values(), _SHARED)


def _turned(family: Family) -> Family:
    """Return the launch with its blocks as the threads of one block."""
    x, y, z, across, along, up, shared = family
    return (across, along, up, x, y, z, shared)


def _all_behave(
    subject: Subject, known: Pilot, families: Sequence[Family], rows: Sequence[Scalars]
) -> Asking[bool]:
    for family in dict.fromkeys(families):
        if not (yield from behaves(subject, known, family, rows)):
            return False
    return True


def behaves(subject: Subject, known: Pilot, family: Family, rows: Sequence[Scalars]) -> Asking[bool]:
    """Tell whether the source behaves under the family's launches of at least a few rows."""
    made = [(row, launch_by(family, subject, row)) for row in rows]
    probes = [
        Probe(scalars=row, launch=launch, filling=known.filling) for row, launch in made if launch is not None
    ]
    if len(probes) < _FEWEST:
        return False
    outcomes = yield probes
    if not all(isinstance(item, Observed) and item.valid and item.touched for item in outcomes):
        return False
    return not any((yield from stray(subject, probes, outcomes)))
