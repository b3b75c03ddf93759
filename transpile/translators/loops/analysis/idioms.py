"""Loops that only a scheme of its own runs in parallel: a name and a matcher for each.

A target names the idioms that it has an emitter for; loops of the others stay sequential, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from transpile.translators.loops.reductions.compactions import compaction
from transpile.translators.loops.reductions.extremes import extremes
from transpile.translators.loops.reductions.last_values import last_values
from transpile.translators.loops.reductions.matches import Iterations, Match
from transpile.translators.loops.reductions.scans import scan


class Idiom(StrEnum):
    """A way in which iterations share something, so that threads cannot just run them."""

    SCAN = "scan"
    """Iterations read a sum while they add to it."""
    LAST_VALUE = "last value"
    """The last iteration hands out what the function reads behind the loop."""
    COMPACTION = "compaction"
    """Iterations append elements, each behind those before it."""
    ARG_EXTREME = "place of an extreme number"
    """Iterations look for extreme numbers and their places."""


ALL_IDIOMS = frozenset(Idiom)
Matcher = Callable[[Iterations], Match | None]
"""Returns None for a loop that does not look like the idiom, and raises Refused for one that only does so."""

_MATCHERS: Mapping[Idiom, Matcher] = {
    Idiom.ARG_EXTREME: extremes,
    Idiom.SCAN: scan,
    Idiom.COMPACTION: compaction,
    Idiom.LAST_VALUE: last_values,
}
"""In the order in which they are asked: no loop is of two idioms."""


def matched(given: Iterations) -> tuple[Idiom, Match] | None:
    """Return the idiom that a loop is of; raises Refused where it only looks like one."""
    for idiom, matcher in _MATCHERS.items():
        match = matcher(given)
        if match is not None:
            return idiom, match
    return None
