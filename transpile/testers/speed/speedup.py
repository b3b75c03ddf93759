"""From times of two translations to how many times as fast one is, and how sure that is.

Times are taken in blocks, and each block says by how much the one was faster there. The ends of the interval
are ratios near the least and the greatest: whatever the noise is like, as long as it hits both sides alike,
the median of all such ratios lies below the fourth least of 24 in one of 7200 measurements, and below the
second least of 12 in one of 315.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is spent on a measurement."""

    calls: int
    """Of each form, each with other data; the first of them warms up."""
    runs: int
    """Processes for each side in a block."""
    blocks: int
    aside: int
    """Blocks at each end that are not looked at."""
    limit: float
    """Seconds for one call: the source makes it too, and its accesses are traced."""
    patience: float
    """Seconds after which it is given up."""


THOROUGH = Effort(calls=5, runs=3, blocks=24, aside=3, limit=20.0, patience=300.0)
BRIEF = Effort(calls=3, runs=2, blocks=12, aside=1, limit=5.0, patience=15.0)
"""For a choice that nobody asked for, between translations that are both right."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Seconds of the same calls, made by one translation and by the other."""

    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Return the geometric mean over the calls of how many times as fast the second is."""
        logarithms = [math.log(a / b) for a, b in zip(self.before, self.after, strict=True)]
        return math.exp(sum(logarithms) / len(logarithms))


Block = Sequence[Pair]
"""Times that were measured side by side: a pair for each form of the unit."""


def ratio_of(block: Block) -> float:
    """Return by how much a block says the second is faster; the form that gains least counts."""
    return min(pair.ratio for pair in block)


def fastest(blocks: Sequence[Block]) -> Block:
    """Return for each call the shortest time in any block, on both sides."""
    return [_shortest([block[form] for block in blocks]) for form in range(len(blocks[0]))]


def _shortest(pairs: Sequence[Pair]) -> Pair:
    return Pair(
        tuple(min(times) for times in zip(*(pair.before for pair in pairs), strict=True)),
        tuple(min(times) for times in zip(*(pair.after for pair in pairs), strict=True)),
    )


def interval(blocks: Sequence[Block], effort: Effort = THOROUGH) -> tuple[float, float]:
    """Return where the median ratio lies; of few blocks, from the least ratio to the greatest."""
    ratios = sorted(ratio_of(block) for block in blocks)
    aside = effort.aside if len(ratios) == effort.blocks else 0
    return ratios[aside], ratios[-1 - aside]


def settled(blocks: Sequence[Block], effort: Effort = THOROUGH) -> bool:
    """Tell whether more blocks are of no use: enough, or so many not faster that the interval reaches 1."""
    return len(blocks) == effort.blocks or sum(ratio_of(block) <= 1.0 for block in blocks) > effort.aside
