"""Two results of one call: where do they part, and by what rule is that a difference?

Integers agree bit by bit. Floating numbers agree where they are numerically equal, so that ``-0`` is ``+0``,
or both are NaN, unless the user's rules ask for more. Padding counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transpile.core import Leaf, NumberRules
from transpile.testers.trials.layout import Bytes, Numbers, leaves, numbers, place, significant
from transpile.testers.trials.materialise import POISONS, Slot

Mask = NDArray[np.bool_]
USUAL = NumberRules()
_OTHERS = 4
"""Places that are told beside the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place where a candidate parts from its source, and the rule it breaks."""

    where: str
    expected: str
    got: str
    check: str
    """exact, tolerance, input, untouched or unwritten; or what ended the call."""
    report: str = ""
    """What a sanitizer said."""
    others: tuple[str, ...] = ()
    """More places of the same array, and how many there are in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One leaf of one slot, as both sides left it."""

    slot: Slot
    leaf: Leaf
    source: Numbers
    candidate: Numbers


def columns(slots: Sequence[Slot], source: Sequence[Bytes], candidate: Sequence[Bytes]) -> Iterator[Column]:
    """Yield what is compared, leaf by leaf."""
    for slot, left, right in zip(slots, source, candidate, strict=True):
        for leaf in leaves(slot.element):
            yield Column(
                slot=slot,
                leaf=leaf,
                source=numbers(left, slot.element, leaf),
                candidate=numbers(right, slot.element, leaf),
            )


def same(left: Numbers, right: Numbers, rules: NumberRules = USUAL) -> Mask:
    """Tell for each pair whether the two are the same number."""
    equal: Mask = left == right
    if left.dtype.kind != "f":
        return equal
    nan = np.isnan(left) & np.isnan(right)
    if rules.nan == "bits":
        nan &= (significant(left) == significant(right)).all(axis=1)
    if rules.signed_zero == "distinct":
        equal &= np.signbit(left) == np.signbit(right)
    return equal | nan


def first_difference(
    slots: Sequence[Slot],
    source: Sequence[Bytes],
    candidate: Sequence[Bytes],
    poison: int | None,
    rules: NumberRules = USUAL,
) -> Difference | None:
    """Return where the results part; None where every number is the same."""
    if all(map(np.array_equal, source, candidate)):
        return None
    for column in columns(slots, source, candidate):
        wrong = ~same(column.source, column.candidate, rules)
        if wrong.any():
            return describe(column, wrong, "exact", poison)
    return None


def describe(column: Column, wrong: Mask, check: str, poison: int | None) -> Difference:
    """Return the first of some places that differ, under the name of the rule that it breaks."""
    slot, index = column.slot, int(np.argmax(wrong))
    found = Difference(
        where=_place(column, index),
        expected=shown(column.source[index]),
        got=shown(column.candidate[index]),
        check=check,
        others=_others(column, wrong),
    )
    if slot.constant:
        return replace(found, check="input")
    before = numbers(slot.poisoned(poison if poison is not None else POISONS[0]), slot.element, column.leaf)[
        index
    ]
    if _identical(before, column.source[index]):
        return replace(found, check="untouched")
    if slot.output and _identical(before, column.candidate[index]):
        return replace(found, check="unwritten")
    return found


def _place(column: Column, index: int) -> str:
    slot = column.slot
    return place(index, slot.element, column.leaf, slot.name, slot.before)


def _others(column: Column, wrong: Mask) -> tuple[str, ...]:
    """Return some more of the places that differ, and of how many there are more."""
    places = [int(index) for index in np.flatnonzero(wrong)]
    told = ((index, column.source[index], column.candidate[index]) for index in places[1 : 1 + _OTHERS])
    lines = [f"{_place(column, index)}: expected {shown(a)}, got {shown(b)}" for index, a, b in told]
    more = len(places) - 1 - len(lines)
    return (*lines, *([f"and {more} more elements of {len(wrong)}"] if more > 0 else ()))


def _identical(left: Any, right: Any) -> bool:
    return bool(left.tobytes() == right.tobytes())


def shown(value: Any) -> str:
    """Return a number as a user reads it."""
    return str(value.item())
