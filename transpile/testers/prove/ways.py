"""Ways out of the conditions of a line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ways:
    """Counts of the ways out of a line's conditions."""

    never: int
    """Those that nothing takes."""
    all: int
