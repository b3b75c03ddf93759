"""The same trial for the wide build, where every ``float`` of the source is a ``double``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from transpile.core import ElementType, Scalar
from transpile.testers.layout import Bytes, Numbers, leaves, view
from transpile.testers.materialise import Prepared, Slot


def widened(prepared: Prepared) -> Prepared | None:
    """Return the trial with floats as doubles; None where a layout is mixed, or nothing gets wider."""
    slots = [*prepared.arguments, *prepared.globals, *prepared.returned]
    if not all(_uniform(slot.element) for slot in slots) or not any(_grows(slot.element) for slot in slots):
        return None
    return replace(
        prepared,
        trial=replace(
            prepared.trial, launch=replace(prepared.trial.launch, shared=2 * prepared.trial.launch.shared)
        ),
        arguments=tuple(_wider(slot) for slot in prepared.arguments),
        globals=tuple(_wider(slot) for slot in prepared.globals),
        returned=tuple(_wider(slot) for slot in prepared.returned),
    )


def references(prepared: Prepared, results: tuple[Bytes, ...]) -> dict[tuple[str, str], Numbers]:
    """Return what the wide build computed for every leaf that is wider there, by slot and leaf."""
    found = {}
    for slot, data in zip(prepared.slots, results, strict=True):
        if _grows(slot.element):
            wide = _wide_element(slot.element)
            for leaf in leaves(wide):
                found[slot.name, leaf.name] = view(data, wide, leaf)
    return found


def _grows(element: ElementType) -> bool:
    return bool(element.leaves) and element.leaves[0].scalar is Scalar.FLOAT32


def _uniform(element: ElementType) -> bool:
    """Tell whether floats are all of the element or none of it: then the wide layout is known."""
    floats = [leaf for leaf in element.leaves if leaf.scalar is Scalar.FLOAT32]
    return not floats or (len(floats) == len(element.leaves) and element.size == 4 * len(floats))


def _wide_element(element: ElementType) -> ElementType:
    return ElementType(
        spelling=element.spelling,
        size=2 * element.size,
        leaves=tuple(replace(leaf, offset=2 * leaf.offset, scalar=Scalar.FLOAT64) for leaf in element.leaves),
    )


def _wider(slot: Slot) -> Slot:
    """Return the slot as the wide build holds it, under the narrow element's name and poison rule."""
    if not _grows(slot.element):
        return slot
    data = slot.data.view(np.float32).astype(np.float64).view(np.uint8)
    return replace(slot, element=_wide_element(slot.element), data=data, before=2 * slot.before)
