"""Launches that the law of a kernel admits: covering shapes, single threads, odd blocks, spare blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from transpile.core import Contract, Covers, Invariant, Launch, ShapeDependent, Unbounded
from transpile.testers.trials.materialise import Unmakeable, environment, value_of

_BLOCKS: Mapping[int, tuple[tuple[int, int, int], ...]] = {
    0: ((1, 1, 1),),
    1: ((1, 1, 1), (32, 1, 1), (256, 1, 1), (64, 1, 1), (33, 1, 1), (7, 1, 1), (128, 1, 1)),
    2: ((1, 1, 1), (16, 16, 1), (32, 8, 1), (8, 4, 1), (5, 3, 1), (1, 32, 1), (33, 1, 1)),
    3: ((1, 1, 1), (4, 4, 4), (8, 8, 2), (3, 2, 5), (32, 1, 1), (1, 8, 4)),
}
"""Block shapes by number of used axes."""

_GRIDS = (1, 2, 3, 4, 7)
_SHARED = 32768
"""Dynamic shared memory where no launch site tells how much is needed."""
_MOST_ROWS = 65_535
"""Blocks of a grid in its second and third dimension (CUDA C++ Programming Guide, compute capabilities)."""
_EXACT = 0.75
"""Share of the launches with as many blocks as a launch site has, where more would do."""

THREADS = 1 << 17
"""No trial starts more threads than this, unless it is there to take time."""

Scalars = Sequence[tuple[str, int | float]]


def choose(
    rng: np.random.Generator, contract: Contract, scalars: Scalars, most: int = THREADS
) -> Launch | None:
    """Return a launch of at most so many threads that the law admits for these scalars, or None."""
    if contract.law is None:
        return Launch() if admissible(contract, scalars, Launch()) else None
    for _ in range(8):
        launch = _proposed(rng, contract, scalars)
        if launch is not None and admissible(contract, scalars, launch, most):
            return launch
    return None


def admissible(contract: Contract, scalars: Scalars, launch: Launch, most: int = THREADS) -> bool:
    """Tell whether the law and the relations of a contract allow a launch with these scalars."""
    threads = prod([*launch.grid, *launch.block])
    if min(*launch.grid, *launch.block) < 1 or launch.shared < 0:
        return False
    if threads > most or prod(launch.block) > 1024:
        return False
    if max(launch.grid[1:]) > _MOST_ROWS:
        return False
    known = environment(contract, scalars, launch)
    law = contract.law
    relations = contract.relations + (law.relations if isinstance(law, ShapeDependent) else ())
    try:
        if not all(value_of(relation, known) for relation in relations):
            return False
        return not isinstance(law, Covers) or _covers(law, known, launch)
    except Unmakeable:
        return False


def _covers(law: Covers, known: Mapping[str, int], launch: Launch) -> bool:
    totals = [grid * block for grid, block in zip(launch.grid, launch.block, strict=True)]
    if law.joint:
        return totals[0] * totals[1] * totals[2] >= value_of(law.x, known)
    needs = [value_of(need, known) for need in (law.x, law.y, law.z)]
    return all(total >= need for total, need in zip(totals, needs, strict=True))


def _proposed(rng: np.random.Generator, contract: Contract, scalars: Scalars) -> Launch | None:
    law = contract.law
    families = contract.launches + (law.launches if isinstance(law, ShapeDependent) else ())
    shaped = isinstance(law, ShapeDependent)
    if families and (shaped or rng.random() < 0.4):
        launch = of_family(families[int(rng.integers(len(families)))], contract, scalars)
        return launch and _with_spare(rng, contract, launch)
    shared = _shared(contract, scalars, families)
    blocks = _BLOCKS[len(contract.used_axes)]
    block = _on_axes(blocks[int(rng.integers(len(blocks)))], contract.used_axes)
    known = environment(contract, scalars, Launch(block=block, shared=shared))
    if isinstance(law, Covers):
        return _covering(rng, law, known, contract.used_axes, block, shared)
    if isinstance(law, Invariant | Unbounded | ShapeDependent):
        grid = _on_axes(tuple(int(rng.choice(_GRIDS)) for _ in range(3)), contract.used_axes)
        return Launch(grid=grid, block=block, shared=shared)
    return None


def _with_spare(rng: np.random.Generator, contract: Contract, launch: Launch) -> Launch:
    """Return the launch, sometimes with more blocks on axes where the law bounds them from below alone."""
    relations = contract.law.relations if isinstance(contract.law, ShapeDependent) else ()
    loose = [any(text.startswith(f"gridDim.{axis} >= ") for text in relations) for axis in "xyz"]
    if not any(loose) or rng.random() < _EXACT:
        return launch
    x, y, z = (count + free * int(rng.integers(1, 3)) for count, free in zip(launch.grid, loose, strict=True))
    return replace(launch, grid=(x, y, z))


def _on_axes(shape: tuple[int, ...], axes: str) -> tuple[int, int, int]:
    """Return the shape's numbers on the used axes in turn, and 1 on the others."""
    numbers = iter(shape)
    used = {axis: next(numbers) for axis in axes}
    return (used.get("x", 1), used.get("y", 1), used.get("z", 1))


def of_family(family: tuple[str, ...], contract: Contract, scalars: Scalars) -> Launch | None:
    """Return the launch that a source's own site makes of these scalars."""
    known = environment(contract, scalars, Launch())
    try:
        numbers = [value_of(text, known) for text in family]
    except Unmakeable:
        return None
    numbers += [1] * (6 - len(numbers))
    x, y, z, across, along, up = numbers[:6]
    return Launch(grid=(x, y, z), block=(across, along, up), shared=numbers[6] if len(numbers) > 6 else 0)


def _shared(contract: Contract, scalars: Scalars, families: Sequence[tuple[str, ...]]) -> int:
    """Return dynamic shared bytes that suffice as far as is known."""
    if not contract.signature.uses_dynamic_shared:
        return 0
    told = [of_family(family, contract, scalars) for family in families]
    return max([_SHARED, *(launch.shared for launch in told if launch is not None)])


def _covering(
    rng: np.random.Generator,
    law: Covers,
    known: Mapping[str, int],
    axes: str,
    block: tuple[int, int, int],
    shared: int,
) -> Launch | None:
    """Return the least grid that covers, sometimes with spare blocks."""
    try:
        needs = [value_of(need, known) for need in (law.x, law.y, law.z)]
    except Unmakeable:
        return None
    spare = int(rng.choice((0, 0, 1, 2)))
    if law.joint:
        grid = _on_axes(tuple(int(rng.choice((1, 2))) for _ in range(3)), axes)
        others = grid[1] * grid[2] * block[0] * block[1] * block[2]
        launch = Launch(grid=grid, block=block, shared=shared)
        return replace(launch, grid=(max(-(-needs[0] // others), 1) + spare, grid[1], grid[2]))
    counts = [max(-(-need // size), 1) for need, size in zip(needs, block, strict=True)]
    counts = [count + (spare if axis in axes else 0) for count, axis in zip(counts, "xyz", strict=True)]
    return Launch(grid=(counts[0], counts[1], counts[2]), block=block, shared=shared)
