"""Strips of a third loop: a block of two loops goes through all its rows a strip at a time.

What an element waits for is its neighbour in a row. Where strips are short, a processor begins with the next
row meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transpile.translators.loops.iteration.trips import ends
from transpile.translators.targets.openmp.sides import Side, times


@dataclass(frozen=True, slots=True)
class Strips:
    """A loop that is all that is in two others, and goes as far in each of their iterations."""

    side: Side
    by_row: int
    """Iterations by which strips begin earlier with each iteration of the outer loop, in the skewed block."""
    by_column: int
    """The same with each iteration of the inner one."""

    def head(self, rows: Side, columns: Side) -> str:
        """Return the head of the loop over strips of a block."""
        strip, side = self.side.named("strip"), self.side
        end = side.named("end")
        for skew, around in ((self.by_row, rows), (self.by_column, columns)):
            if skew:
                end = side.behind(end, times(skew, f"{around.named('block')} - 1"))
        step = side.step_by(strip, side.named("block"))
        return f"for (long long {strip} = {side.named('first')}; {side.comes_before(strip, end)}; {step})"

    def limits(self, rows: Side, columns: Side, corner: str) -> Iterator[str]:
        """Yield the lines that say how far the loop goes in a strip; columns of a block begin at a corner."""
        place, row, column = self.side.named("strip"), rows.loop.variable.name, columns.loop.variable.name
        if self.by_row:
            place = self.side.ahead(place, times(self.by_row, rows.distance(rows.named("begin"), row)))
        if self.by_column:
            place = self.side.ahead(place, times(self.by_column, columns.distance(corner, column)))
        yield from self.side.part_within(place, *ends(self.side.loop))
