"""Launches that have as many blocks or threads on an axis as a scalar says, where nothing in the text guards.

What has no guard relies on that: in ``c[row * n + col]`` a thread beyond a row is one of the next row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from transpile.contracts.launches.launch_families import Family, launch_by
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Probe
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.shared_bounds import stray
from transpile.contracts.probing.subject import Subject
from transpile.contracts.text.launch_bounds import Counted
from transpile.core import ShapeDependent

_SHARED = "16384"
_FEWEST = 4
"""Rows under which a launch has to be tried."""
_GUESSES = 24
"""Ways to give axes a scalar that are tried."""
_FACTOR = 15
_ALONE = 4
_FREE = ("1", "3", "7")
"""Threads or blocks on an axis that no scalar limits."""


def exact_law(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[Law | None]:
    """Take for the law that axes have as many as scalars say, where the source behaves so; None else.

    Indices of threads in all blocks are bound on all axes, since loops over them go by these scalars. Where
    the text takes blocks or threads alone, as few axes as possible are bound, and from above if that will do.
    """
    if subject.families or not subject.axes:
        return None
    counted = _quantities(subject)
    if not counted:
        return None
    rows = [*rows, *_enlarged(subject, rows)]
    whole = all(" " in quantity for quantity in counted)
    for bound in islice(_bindings(subject, counted, whole), _GUESSES):
        found = [_family(counted, bound, free) for free in _FREE]
        if (yield from _all_behave(subject, known, found, rows)):
            return (yield from _bound_law(subject, known, rows, counted, bound, found))
    return None


def _bound_law(
    subject: Subject,
    known: Pilot,
    rows: Sequence[Scalars],
    counted: Sequence[str],
    bound: Mapping[str, str],
    found: list[Family],
) -> Asking[Law]:
    """Return the law that binds some axes, loosened where fewer blocks or threads behave as well."""
    whole = all(" " in quantity for quantity in counted)
    halves = {quantity: f"({name} + 1) / 2" for quantity, name in bound.items()}
    fewer = [] if whole else [_family(counted, halves, free) for free in _FREE]
    looser = bool(fewer) and (yield from _all_behave(subject, known, fewer, rows))
    operator = "<=" if looser else "=="
    relations = tuple(f"{item} {operator} {bound[item]}" for item in counted if item in bound)
    turned = [_turned(family) for family in found] if whole else []
    launches = tuple(dict.fromkeys((*found, *turned, *(fewer if looser else ()))))
    others = () if whole else launches[1:]
    return Law(law=ShapeDependent(relations=relations, launches=launches), family=found[0], families=others)


def _quantities(subject: Subject) -> list[str]:
    """Return what no guard bounds: threads in all blocks where the text counts them so, or each of both."""
    found: list[str] = []
    for axis in subject.axes:
        letter = axis.letter
        if subject.told.bounds(letter, Counted.THREADS):
            continue
        if axis.grid and axis.block and letter in subject.told.joined:
            found.append(f"gridDim.{letter} * blockDim.{letter}")
            continue
        found += [f"gridDim.{letter}"] if axis.grid else []
        found += [f"blockDim.{letter}"] if axis.block else []
    return found


def _enlarged(subject: Subject, rows: Sequence[Scalars]) -> list[Scalars]:
    """Return rows with a size beyond most constants, where no array of the text is too short for it."""
    if subject.confined:
        return []
    return [{**row, name: _FACTOR * int(row[name]) + 1} for row in rows[:2] for name in subject.used[:_ALONE]]


def _bindings(subject: Subject, counted: Sequence[str], whole: bool) -> Iterator[dict[str, str]]:
    """Yield scalars by quantity, those that bind the fewest first; all are bound where that is asked."""
    ways = list(product((*(() if whole else (None,)), *subject.used), repeat=len(counted)))
    for way in sorted(ways, key=lambda item: sum(name is not None for name in item)):
        bound = {quantity: name for quantity, name in zip(counted, way, strict=True) if name is not None}
        if bound:
            yield bound


def _family(counted: Sequence[str], bound: Mapping[str, str], free: str) -> Family:
    """Return the launch with a thread a block where threads of all blocks count, and the rest free."""
    shape = dict.fromkeys((f"{word}.{letter}" for word in ("gridDim", "blockDim") for letter in "xyz"), "1")
    for quantity in counted:
        shape[quantity.partition(" ")[0]] = bound.get(quantity, free)
    return (*shape.values(), _SHARED)


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
