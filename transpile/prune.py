"""Find the items to leave out so that the rest works."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Item = TypeVar("Item")


def prune(items: tuple[Item, ...], works: Callable[[tuple[Item, ...]], bool]) -> tuple[Item, ...] | None:
    """Return a large subset on which ``works`` holds; None where it fails on the empty one.

    Halves are tried before single items, each on top of what is already known to work.
    """
    if not works(()):
        return None

    def grown(base: tuple[Item, ...], more: tuple[Item, ...]) -> tuple[Item, ...]:
        if not more or works(base + more):
            return base + more
        if len(more) == 1:
            return base
        middle = len(more) // 2
        return grown(grown(base, more[:middle]), more[middle:])

    return grown((), items)
