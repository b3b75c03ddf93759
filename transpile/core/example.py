"""EXAMPLE: one call of a unit as data, what went in and what its source made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from transpile.core.contract import Launch


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The numbers of an array, or of one member of its elements, as text: no number loses a digit."""

    name: str
    """Such as ``x``, ``particles[].mass`` or ``(returned)``."""
    type: str
    """Such as ``float32``."""
    numbers: tuple[str | None, ...]
    """None for an element of an output that the source does not write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A small call that the source behaved on."""

    scalars: tuple[tuple[str, int | float], ...] = ()
    launch: Launch = field(default_factory=Launch)
    template_arguments: str = ""
    inputs: tuple[Values, ...] = ()
    outputs: tuple[Values, ...] = ()
