"""Extents of arrays that conform where a routine's assignments ask for it, and calls in which they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from transpile.expressions import ExpressionError, evaluate
from transpile.parsers.fortran.conformance import Relation
from transpile.parsers.fortran.extents import extent_name
from transpile.parsers.fortran.results import Returned

_AS_DRAWN = 0.12
"""Share of trials whose arrays conform by chance alone."""
_PASSES = 4
_MOST_RETURNED = 1 << 16
"""Elements of an array that is returned."""
_MOST_TOGETHER = 1 << 18
"""Elements of an array that is as large as others ask for."""


def conforming(
    relations: Sequence[Relation], drawn: Mapping[str, int], integers: Mapping[str, int], seed: int
) -> dict[str, int]:
    """Return extents near those that were drawn that mostly meet all relations.

    Args:
        relations: What assignments ask for.
        drawn: The extents by their names.
        integers: Whole numbers that are arguments.
        seed: Of the trial.
    """
    if not relations or np.random.default_rng([seed, 13]).random() < _AS_DRAWN:
        return dict(drawn)
    values = dict(drawn)
    for _ in range(_PASSES):
        if not any([_met(item, values, integers) for item in relations]):
            break
    return values if _largest(values) <= _MOST_TOGETHER else dict(drawn)


def _met(relation: Relation, values: dict[str, int], integers: Mapping[str, int]) -> bool:
    """Change an extent until a relation holds, and tell whether that was needed."""
    sides = (relation.extent, relation.value), (relation.value, relation.extent)
    for name, other in sides:
        wanted = _value(other, values, integers)
        if name in values and wanted is not None and wanted >= 0:
            changed = values[name] != wanted
            values[name] = wanted
            return changed
    return False


def _value(text: str, values: Mapping[str, int], integers: Mapping[str, int]) -> int | None:
    try:
        return evaluate(text, {**integers, **values})
    except ExpressionError:
        return None


def _largest(values: Mapping[str, int]) -> int:
    """Return how many elements the largest array has."""
    total: dict[str, int] = {}
    for name, extent in values.items():
        array = name.partition("[")[0]
        total[array] = total.get(array, 1) * max(extent, 1)
    return max(total.values(), default=0)


def room_returned(
    of: Returned | None, scalars: Mapping[str, Any], shapes: Mapping[str, Sequence[tuple[int, int]]]
) -> tuple[int, ...] | None:
    """Return the extents of an array, or the length of a text, that a call returns; None of too large ones.

    Args:
        of: What is returned.
        scalars: Numbers and texts that are passed.
        shapes: Extents and strides of arrays that are passed.
    """
    if of is None or of.allocated:
        return ()
    whole = {name: value for name, value in scalars.items() if isinstance(value, int)}
    lengths = {extent_name(name, 0): len(value) for name, value in scalars.items() if isinstance(value, str)}
    texts = [of.length] if of.length else of.extents
    known = [_value(item, {**_extents(shapes), **lengths}, whole) for item in texts]
    found = tuple(max(item, 0) for item in known if item is not None)
    return found if len(found) == len(known) and prod(found) <= _MOST_RETURNED else None


def broken(
    relations: Sequence[Relation],
    shapes: Mapping[str, Sequence[tuple[int, int]]],
    integers: Mapping[str, int],
) -> frozenset[int]:
    """Return the lines of assignments that have no meaning in a call, if they run."""
    extents = _extents(shapes)
    pairs = (
        (item, _value(item.extent, extents, integers), _value(item.value, extents, integers))
        for item in relations
    )
    return frozenset(item.line for item, one, other in pairs if None not in (one, other) and one != other)


def _extents(shapes: Mapping[str, Sequence[tuple[int, int]]]) -> dict[str, int]:
    return {
        extent_name(name, axis): extent
        for name, shape in shapes.items()
        for axis, (extent, _) in enumerate(shape, 1)
    }
