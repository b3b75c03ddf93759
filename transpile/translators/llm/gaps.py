"""Gaps in the trials of a unit, as a testing model is told of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """What tests of a unit are wanted for."""

    branches: tuple[str, ...] = ()
    """Places at which a way was never taken, ``path:line``."""
    faults: tuple[str, ...] = ()
    """Faults that no trial notices, in words."""
    standing: tuple[str, ...] = ()
    """Texts of translations that no trial refutes."""
    declined: tuple[str, ...] = ()
    """Earlier tests of this tester that were of no use, and why."""
