"""Families of launches: expressions of the scalars for grid and block on three axes, and shared bytes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from transpile.contracts.launches.launch_ladder import MAXIMUM_BLOCK, quantities
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import Launch, ShapeDependent
from transpile.expressions import ExpressionError, evaluate

Family = tuple[str, ...]

QUANTITIES = ("gridDim.x", "gridDim.y", "gridDim.z", "blockDim.x", "blockDim.y", "blockDim.z")
_GUESSED = 1 << 16
"""Threads beyond which a launch is not tried that nobody asked for."""
_STATED = 1 << 22


def block_of(family: Family) -> tuple[int, int, int]:
    """Return the block of a family; a single thread where it is no constant."""
    try:
        x, y, z = (evaluate(text, {}) for text in family[3:6])
    except ExpressionError:
        return (1, 1, 1)
    return (x, y, z)


def launch_by(family: Family, subject: Subject, row: Scalars, most: int = _GUESSED) -> Launch | None:
    """Return the launch that a family makes of the scalars, None where it makes none or too large a one."""
    known = {**{name: int(row[name]) for name in subject.integers}, **quantities(Launch())}
    try:
        gx, gy, gz, bx, by, bz, shared = (evaluate(text, known) for text in family)
    except ExpressionError:
        return None
    threads = bx * by * bz
    if (
        shared < 0
        or min(gx, gy, gz, bx, by, bz) < 1
        or threads > MAXIMUM_BLOCK
        or gx * gy * gz * threads > most
    ):
        return None
    return Launch(grid=(gx, gy, gz), block=(bx, by, bz), shared=shared)


def stated_launches(subject: Subject, row: Scalars) -> list[Launch]:
    """Return the launches that the user states for these scalars; none where nothing is stated."""
    families = subject.stated.launches if subject.stated is not None else ()
    made = [launch_by(family, subject, row, _STATED) for family in families]
    return [launch for launch in made if launch is not None]


def equalities(family: Family) -> tuple[str, ...]:
    """Return the relations that only the launches of a family respect."""
    return tuple(f"{name} == {text}" for name, text in zip(QUANTITIES, family, strict=False))


def with_more_blocks(
    law: ShapeDependent, exact: Collection[str], families: Sequence[Family]
) -> ShapeDependent:
    """Return a law by which there may be more blocks than some relations say, with launches of that kind."""
    relations = tuple(text.replace("==", ">=", 1) if text in exact else text for text in law.relations)
    return replace(law, relations=relations, launches=(*law.launches, *families))


def among(families: Sequence[Family]) -> tuple[str, ...]:
    """Return the relations that the launches of any of some families respect."""
    if len(families) == 1:
        return equalities(families[0])
    whole = dict.fromkeys(" && ".join(equalities(family)) for family in families)
    return (" || ".join(f"({text})" for text in whole),)
