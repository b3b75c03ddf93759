"""Numbers that kernels find in variables at file scope, in what a run recorded of these."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import Parameter, Signature


def number_in(signature: Signature, parameter: Parameter, held: Mapping[str, bytes]) -> bytes | None:
    """Return the bytes of a number; None where nothing is known of its variable.

    Args:
        signature: Of the kernel.
        parameter: The number.
        held: What variables hold, by name.
    """
    place = _place(signature, parameter.name)
    if place is None or parameter.element is None or place[0] not in held:
        return None
    name, offset = place
    number = held[name][offset : offset + parameter.element.size]
    return number if len(number) == parameter.element.size else None


def _place(signature: Signature, number: str) -> tuple[str, int] | None:
    """Return the variable that a number lies in, and at which byte."""
    for item in signature.globals:
        if item.element is None:
            continue
        for index in range(item.count):
            for leaf in item.element.leaves:
                if number == item.number(leaf, index):
                    return item.name, index * item.element.size + leaf.offset
    return None
