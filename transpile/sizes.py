"""Sizes as people write them, such as 5 GB, and portions of so many bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
HINT = "Write it like 5 GB or 500 MB."


def size_of(text: str) -> int:
    """Return how many bytes a text says; ValueError where it says none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)b?", text.strip(), re.IGNORECASE)
    if found is None:
        raise ValueError(f"'{text}' is no size")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def portions(items: Iterable[Item], size: Callable[[Item], int], most: int) -> Iterator[list[Item]]:
    """Yield items in order, as many at a time as are together no larger than that, or one that is."""
    portion: list[Item] = []
    held = 0
    for item in items:
        own = size(item)
        if portion and held + own > most:
            yield portion
            portion, held = [], 0
        portion.append(item)
        held += own
    if portion:
        yield portion
