"""Examples of a unit for people and training sets: few small calls, with what the source made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from transpile.core import Example, Values
from transpile.testers.oracle.validity import Reference
from transpile.testers.trials.layout import Bytes, leaves, numbers
from transpile.testers.trials.materialise import Slot

_MOST = 3
_BYTES = 256
"""Of all arrays of a call."""


def examples_of(references: Sequence[Reference]) -> tuple[Example, ...]:
    """Return small calls of different sizes, the largest of them first: on an empty one nothing shows."""
    small = [
        item
        for item in references
        if item.effective
        and item.prepared.size <= _BYTES
        and not item.trial.aliases
        and not item.trial.null
        and not item.trial.carved
    ]
    by_size: dict[int, Reference] = {}
    for item in sorted(small, key=lambda one: (-one.prepared.size, not one.exact)):
        by_size.setdefault(item.prepared.size, item)
    return tuple(_example(item) for item in list(by_size.values())[:_MOST])


def _example(reference: Reference) -> Example:
    prepared, trial = reference.prepared, reference.trial
    given = [slot for slot in (*prepared.arguments, *prepared.globals) if slot.pointer and not slot.output]
    changed = zip(prepared.slots, *reference.results, reference.written, strict=True)
    return Example(
        scalars=trial.scalars,
        launch=trial.launch,
        template_arguments=trial.template_arguments or "",
        inputs=tuple(chain.from_iterable(_values(slot, slot.data) for slot in given)),
        outputs=tuple(
            chain.from_iterable(
                _values(slot, left, right) for slot, left, right, written in changed if written.any()
            )
        ),
    )


def _values(slot: Slot, data: Bytes, other: Bytes | None = None) -> Iterator[Values]:
    """Yield the numbers of a slot; what differs with what was there before was not written."""
    for leaf in leaves(slot.element):
        found = numbers(data[slot.before :], slot.element, leaf)
        same = np.ones(len(found), dtype=bool)
        if other is not None:
            again = numbers(other[slot.before :], slot.element, leaf)
            same = (found == again) | ((found != found) & (again != again))
        yield Values(
            name=slot.part(leaf),
            type=str(leaf.scalar.value),
            numbers=tuple(
                _written(value) if known else None for value, known in zip(found, same, strict=True)
            ),
        )


def _written(value: Any) -> str:
    """Return a number with as few digits as tell it from its neighbours of the same type."""
    return str(value) if value.dtype.kind == "f" else str(value.item())
