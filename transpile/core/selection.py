"""SELECTION: which of several translations that passed is kept, as far as clocks say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from transpile.core.optimization import Speedup


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A translation that passed as well, timed beside the best before it."""

    rules: tuple[str, ...]
    """Those that it was made by."""
    made: str
    """Digest of its text."""
    outcome: Literal["taken", "not faster", "refused", "not timed"]
    speedup: Speedup | None = None
    """Over the best before it."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """How the translation that is kept was chosen among several that passed."""

    rivals: tuple[Rival, ...]
    """Beside the one that is preferred where clocks say nothing, in the order in which they were timed."""
    source: Speedup | None = None
    """Of the source's own text over what is kept; None where it was not timed."""
    reason: str = ""
    """Why nothing was timed, or nothing more."""
