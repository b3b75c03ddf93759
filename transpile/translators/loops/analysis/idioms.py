"""Loops that only a scheme of its own runs in parallel: a row for each, and why others run it in order.

A target names the idioms that it has an emitter for; loops of the others stay sequential, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from transpile.translators.loops.analysis.analysis import Known, read_behind
from transpile.translators.loops.reductions.scalars import carries


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


def _scan(known: Known) -> str:
    return carries(known.scan.variable.name) if known.scan is not None else ""


def _last_value(known: Known) -> str:
    return read_behind(known.lasts[0].variable) if known.lasts else ""


def _compaction(known: Known) -> str:
    return f"`{known.compaction.name}` counts what iterations append" if known.compaction is not None else ""


def _arg_extreme(known: Known) -> str:
    return f"`{known.extremes[0].place.name}` is the place of an extreme number" if known.extremes else ""


_REASONS: Mapping[Idiom, Callable[[Known], str]] = {
    Idiom.SCAN: _scan,
    Idiom.LAST_VALUE: _last_value,
    Idiom.COMPACTION: _compaction,
    Idiom.ARG_EXTREME: _arg_extreme,
}
"""Why a loop runs sequentially on a target without the idiom; empty for loops of which it is none."""


def idiom_of(known: Known) -> Idiom | None:
    """Return the idiom that a parallel loop is; no loop is two."""
    return next((idiom for idiom, reason in _REASONS.items() if reason(known)), None)


def without_emitter(known: Known, idioms: frozenset[Idiom]) -> str:
    """Return why a loop runs sequentially on a target with some idioms; empty where it does not."""
    idiom = idiom_of(known)
    return _REASONS[idiom](known) if idiom is not None and idiom not in idioms else ""
