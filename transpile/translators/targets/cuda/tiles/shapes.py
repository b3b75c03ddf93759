"""Which elements around a block its threads read: a box, a cross, or whatever boxes make up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """All distances from one row to another, and from one column to another, both ends included."""

    top: int
    bottom: int
    left: int
    right: int

    def moved(self, rows: int, columns: int) -> Box:
        """Return the same box further down and to the right."""
        return Box(self.top + rows, self.bottom + rows, self.left + columns, self.right + columns)

    def holds(self, other: Box) -> bool:
        """Tell whether all of another box is in it."""
        return (
            self.top <= other.top
            and other.bottom <= self.bottom
            and self.left <= other.left
            and other.right <= self.right
        )


def boxes(offsets: Collection[tuple[int, int]]) -> list[Box]:
    """Return boxes that hold these distances in rows and columns, and else only what lies between some.

    A row has all columns between two that are read, and a column all rows.
    """
    by_row: dict[int, list[int]] = {}
    for row, column in offsets:
        by_row.setdefault(row, []).append(column)
    spans = {row: (min(columns), max(columns)) for row, columns in by_row.items()}
    found = []
    for left, right in sorted(set(spans.values())):
        rows = [row for row, (low, high) in spans.items() if low <= left and right <= high]
        found.append(Box(min(rows), max(rows), left, right))
    return [box for box in found if not any(other.holds(box) for other in found if other is not box)]
