"""Blocks beyond those that a program launches: where these do nothing, no exact number is a condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from transpile.contracts.arrays.ranges import within
from transpile.contracts.launches.launch_families import launch_by, with_more_blocks
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.probing.probe import Asking, Filling, Floats, Observed, Outcome, Probe
from transpile.contracts.probing.samples import numbers_of
from transpile.contracts.probing.subject import Subject
from transpile.core import Contract, Launch, ShapeDependent

_SPARE = (1, 3)
_SOME = 1.5
"""A number that is passed by value."""
_MOST_THREADS = 1 << 20


def with_spare_blocks(subject: Subject, found: Contract) -> Asking[Contract]:
    """Return a contract by which launches may have more blocks, if the source does the same with some more.

    Guards on sizes are met by sizes that fill no block; nothing but a spare block meets one on a constant.

    Args:
        subject: The kernel.
        found: A contract with the numbers of blocks of the program's launches; others stay as they are.
    """
    law, axes = found.law, _exact_axes(subject, found)
    steered = subject.integers or any(fact.values for fact in found.arrays)
    if not isinstance(law, ShapeDependent) or not axes or steered:
        return found
    launch = launch_by(law.launches[0], subject, {}, _MOST_THREADS)
    if launch is None:
        return found
    scalars = {item.name: _SOME for item in subject.scalars}
    fills = [Filling(), Filling(floats=Floats.HIGH), *(Filling(level=level) for level in subject.levels)]
    groups = [
        [Probe(scalars=scalars, launch=other, filling=fill) for other in (launch, *_spared(launch, axes))]
        for fill in fills
    ]
    outcomes = iter((yield [probe for group in groups for probe in group]))
    answers = [[(probe, next(outcomes)) for probe in group] for group in groups]
    if not all(_alike(subject, found, group) for group in answers):
        return found
    return replace(found, law=with_more_blocks(law, axes, list(_families(law, axes))))


def _exact_axes(subject: Subject, found: Contract) -> frozenset[str]:
    """Return the relations that fix the blocks along axes on which threads of all count."""
    law = found.law
    if not isinstance(law, ShapeDependent) or not law.launches:
        return frozenset()
    exact = {
        f"gridDim.{axis.letter} == {law.launches[0]['xyz'.index(axis.letter)]}"
        for axis in subject.axes
        if axis.grid and axis.block
    }
    return frozenset(law.relations) & exact


def _spared(launch: Launch, axes: Iterable[str]) -> Iterator[Launch]:
    """Yield launches with more blocks along these axes."""
    letters = {text.partition(" ")[0][-1] for text in axes}
    for more in _SPARE:
        x, y, z = (size + more * (letter in letters) for letter, size in zip("xyz", launch.grid, strict=True))
        yield replace(launch, grid=(x, y, z))


def _families(law: ShapeDependent, axes: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the launches of a law with one block more along these axes."""
    letters = {text.partition(" ")[0][-1] for text in axes}
    for family in law.launches:
        grid = (
            f"({text}) + 1" if letter in letters else text
            for letter, text in zip("xyz", family[:3], strict=True)
        )
        yield (*grid, *family[3:])


def _alike(subject: Subject, found: Contract, group: Sequence[tuple[Probe, Outcome]]) -> bool:
    """Tell whether calls keep to a contract and leave the same behind."""
    kept = all(
        within(found.arrays, {**numbers_of(subject, probe.scalars), **quantities(probe.launch)}, outcome)
        for probe, outcome in group
    )
    return kept and len({item.outputs for _, item in group if isinstance(item, Observed)}) == 1
