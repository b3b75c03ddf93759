"""Choice of the cases of long tests: one of every few for a landing, all for a whole run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeVar
from zlib import crc32

Case = TypeVar("Case")
Key = TypeVar("Key")

_landing = False


def configure(landing: bool) -> None:
    """Say, before any test is collected, whether this run is for a landing."""
    global _landing
    _landing = landing


def is_landing() -> bool:
    """Tell whether this run is for a landing."""
    return _landing


def sampled(cases: Iterable[Case], one_of: int, also: Collection[str] = ()) -> list[Case]:
    """Return the cases that this run takes: all, or for a landing one of so many and those named.

    Names alone choose them: every landing takes the same, and a new case leaves nearly all others in place.
    """
    known = list(cases)
    if not _landing:
        return known
    count = -(-len(known) // one_of)
    chosen = sorted(range(len(known)), key=lambda place: crc32(_name(known[place]).encode()))[:count]
    return [case for place, case in enumerate(known) if place in chosen or _name(case) in also]


def sampled_items(cases: Mapping[Key, Case], one_of: int) -> dict[Key, Case]:
    """Return the same of a table, by its keys."""
    return {key: cases[key] for key in sampled(cases, one_of)}


def _name(case: object) -> str:
    """Return what a case is called in whatever folder the checkout lies."""
    return case.name if isinstance(case, Path) else str(getattr(case, "id", case))
