"""Inputs of a call as people and models read them: small arrays whole, long ones where it matters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.testers.trials.layout import leaves, numbers
from transpile.testers.trials.materialise import Prepared, Slot

_WHOLE = 24
"""Elements of an array that is shown whole."""
_AROUND = 5
"""Elements on either side of the one that matters."""
_MOST = 8
"""Arrays."""
_PLACE = re.compile(r"\[(-?\d+)\]")


def inputs_shown(prepared: Prepared, where: str = "") -> tuple[str, ...]:
    """Return a line for each array that a call reads, such as ``x[3] = {1, 2, 3}``.

    Args:
        prepared: The call.
        where: The place that matters, such as ``out[17]``: of long arrays, what is around it is shown.
    """
    found = _PLACE.search(where)
    index = int(found[1]) if found else 0
    slots = [slot for slot in (*prepared.arguments, *prepared.globals) if _is_read(slot)]
    return tuple(line for slot in slots[:_MOST] for line in _lines(slot, index))


def _is_read(slot: Slot) -> bool:
    return slot.pointer and not slot.output and slot.alias is None and len(slot.data) > 0


def _lines(slot: Slot, index: int) -> Iterator[str]:
    for leaf in leaves(slot.element):
        values = numbers(slot.data[slot.before :], slot.element, leaf)
        name = slot.part(leaf)
        count = len(values)
        if count <= _WHOLE:
            first, last = 0, count
        else:
            middle = index if 0 <= index < count else 0
            first, last = max(middle - _AROUND, 0), min(middle + _AROUND + 1, count)
        shown = ", ".join(str(value.item()) for value in values[first:last])
        part = "" if (first, last) == (0, count) else f", of which {first} to {last - 1}"
        yield f"{name}: {count} elements{part} = {{{shown}}}"
