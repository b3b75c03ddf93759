"""Ways out of the conditions of a line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ways:
    """How many ways out of its conditions a line has."""

    never: int
    """How many of them nothing takes."""
    all: int
