"""The same trial for a wide build, where every floating type of the source is the next wider one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.trials.layout import Bytes, Numbers, encode, leaves, numbers, stored, view
from transpile.testers.trials.materialise import Prepared, Slot
from transpile.toolchains.build import Flavour

Wider = Mapping[Scalar, Scalar]

_FLOATS: Wider = {
    Scalar.FLOAT16: Scalar.FLOAT32,
    Scalar.BFLOAT16: Scalar.FLOAT32,
    Scalar.FLOAT32: Scalar.FLOAT64,
}
WIDER: Mapping[Flavour, Wider] = {
    Flavour.WIDE: {**_FLOATS, Scalar.FLOAT64: Scalar.LONG_DOUBLE},
    Flavour.WIDER_FLOATS: _FLOATS,
}
"""By flavour, what each type is in it; the best first."""


def widened(prepared: Prepared, wider: Wider) -> Prepared | None:
    """Return the trial as the wide build takes it; None where a layout is out of reach, or nothing grows."""
    elements = {slot.element for slot in (*prepared.arguments, *prepared.globals, *prepared.returned)}
    layouts = {element: wide_element(element, wider) for element in elements}
    if None in layouts.values() or all(wide == element for element, wide in layouts.items()):
        return None
    launch = prepared.trial.launch
    return replace(
        prepared,
        trial=replace(prepared.trial, launch=replace(launch, shared=2 * launch.shared)),
        arguments=tuple(_wider(slot, wider) for slot in prepared.arguments),
        globals=tuple(_wider(slot, wider) for slot in prepared.globals),
        returned=tuple(_wider(slot, wider) for slot in prepared.returned),
    )


def references(
    narrow: Prepared, wide: Prepared, results: tuple[Bytes, ...]
) -> dict[tuple[str, str], Numbers]:
    """Return what the wide build computed for every leaf that is wider there, by slot and leaf."""
    return {
        (slot.name, grown.name): view(data, slot.element, grown)
        for before, slot, data in zip(narrow.slots, wide.slots, results, strict=True)
        for leaf, grown in zip(leaves(before.element), leaves(slot.element), strict=True)
        if leaf.scalar is not grown.scalar
    }


def wide_element(element: ElementType, wider: Wider) -> ElementType | None:
    """Return the type with wider members; None where the rule does not give its narrow layout.

    Members stand at the next multiple of their own size, in the order of their offsets.
    """
    if not any(leaf.scalar in wider for leaf in element.leaves):
        return element
    if _laid_out(element, {}) != (element.leaves, element.size):
        return None
    found, size = _laid_out(element, wider)
    return ElementType(spelling=element.spelling, size=size, leaves=found)


def _laid_out(element: ElementType, wider: Wider) -> tuple[tuple[Leaf, ...], int]:
    found: list[Leaf] = []
    end, alignment = 0, 1
    for leaf in leaves(element):
        scalar = wider.get(leaf.scalar, leaf.scalar)
        width = stored(scalar).itemsize
        offset = -(-end // width) * width
        found.append(replace(leaf, offset=offset, scalar=scalar))
        end, alignment = offset + width, max(alignment, width)
    return tuple(found), -(-end // alignment) * alignment


def _wider(slot: Slot, wider: Wider) -> Slot:
    """Return the slot as the wide build holds it, under the narrow element's name and poison rule."""
    narrow, wide = slot.element, wide_element(slot.element, wider)
    if wide is None or wide == narrow:
        return slot
    data = np.zeros(len(slot.data) // narrow.size * wide.size, dtype=np.uint8)
    for leaf, grown in zip(leaves(narrow), leaves(wide), strict=True):
        view(data, wide, grown)[:] = encode(numbers(slot.data, narrow, leaf), grown.scalar)
    before = slot.before // narrow.size * wide.size
    return replace(slot, element=wide, data=data, before=before)
