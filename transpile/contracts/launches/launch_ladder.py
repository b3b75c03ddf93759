"""Launches of a sweep: more and more threads on the axes that a kernel uses, in several block shapes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import ceil

from transpile.contracts.probing.subject import Axis, Subject
from transpile.core import Launch

MAXIMUM_BLOCK = 1024
RUNGS: Mapping[int, tuple[int, ...]] = {
    0: (1,),
    1: (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048),
    2: (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48),
    3: (1, 2, 3, 4, 6, 8, 10, 12, 14),
}
"""Threads on each axis, by number of axes."""
SOLO_RUNGS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
"""Threads on one axis while the others keep a single one."""
_SOME: Mapping[int, tuple[int, ...]] = {0: (), 1: (5,), 2: (5, 2), 3: (3, 2, 2)}
_WHOLE: Mapping[int, int] = {0: 1, 1: 1024, 2: 32, 3: 8}


class Split(StrEnum):
    """How threads are divided into blocks."""

    ONE = "one"
    """A thread a block."""
    SOME = "some"
    """Small odd blocks."""
    WHOLE = "whole"
    """Blocks as large as they may be."""


def launch_of(
    subject: Subject, threads: Mapping[str, int], split: Split = Split.ONE, shared: int = 0
) -> Launch:
    """Return the launch with at least so many threads on each axis; unnamed axes have one."""
    grid = {"x": 1, "y": 1, "z": 1}
    block = {"x": 1, "y": 1, "z": 1}
    for index, axis in enumerate(subject.axes):
        total = max(threads.get(axis.letter, 1), 1)
        size = _block_size(axis, index, len(subject.axes), total, split)
        block[axis.letter] = size
        grid[axis.letter] = ceil(total / size) if axis.grid else 1
    return Launch(
        grid=(grid["x"], grid["y"], grid["z"]), block=(block["x"], block["y"], block["z"]), shared=shared
    )


def _block_size(axis: Axis, index: int, axes: int, total: int, split: Split) -> int:
    whole = _WHOLE[axes]
    if not axis.block:
        return 1
    if not axis.grid or split is Split.WHOLE:
        return min(total, whole)
    return 1 if split is Split.ONE else min(total, _SOME[axes][index])


def quantities(launch: Launch) -> dict[str, int]:
    """Return the names that expressions have for a launch."""
    known = {f"gridDim.{axis}": number for axis, number in zip("xyz", launch.grid, strict=True)}
    known |= {f"blockDim.{axis}": number for axis, number in zip("xyz", launch.block, strict=True)}
    return {**known, "dynamicShared": launch.shared}
