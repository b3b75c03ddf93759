"""Findings by key, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Known(Generic[Item]):
    """Items by key. Where they hold too many bytes, what was asked for longest ago goes."""

    def __init__(self, most: int) -> None:
        """Hold so many bytes at most."""
        self._most = most
        self._held = 0
        self._items: OrderedDict[Hashable, tuple[Item, int]] = OrderedDict()

    def get(self, key: Hashable) -> Item | None:
        """Return the item of a key; None where there is none, or none any more."""
        if key not in self._items:
            return None
        self._items.move_to_end(key)
        return self._items[key][0]

    def add(self, key: Hashable, item: Item, size: int) -> None:
        """Keep an item that holds so many bytes."""
        if key in self._items:
            self._held -= self._items.pop(key)[1]
        self._items[key] = item, size
        self._held += size
        while self._held > self._most:
            self._held -= self._items.popitem(last=False)[1][1]
