"""Cache keys that compare a source by identity, not by content."""

from __future__ import annotations

from transpile.core import Source


class Same:
    """A source as a key of a cache: that very one, since to compare all of it would take as long."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.source is other.source

    def __hash__(self) -> int:
        return id(self.source)
