"""One of the loops that are cut into blocks: its numbers as C, in whichever direction it goes.

They are of 64 bits, so that nothing overflows that did not in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import condition, replace
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import tight

WIDE = "const long long"


def times(factor: int, iterations: str) -> str:
    """Return a multiple of a number of iterations as an operand."""
    return f"({iterations})" if factor == 1 else f"{factor} * ({iterations})"


@dataclass(frozen=True, slots=True)
class Side:
    """A loop with a row of blocks, or a column, for every few of its iterations."""

    loop: Loop
    widest: int
    """Iterations in one block at most."""
    taken: frozenset[str]
    """Identifiers of the source."""

    def named(self, what: str) -> str:
        """Return the name of one of its numbers."""
        return free_name(self.taken, f"{self.loop.variable.name}_{what}")

    @property
    def count(self) -> str:
        """Return the number of its iterations."""
        return self.distance(self.named("first"), self.named("end"))

    @property
    def blocks(self) -> str:
        """Return the number of its blocks."""
        block = self.named("block")
        return f"({self.count} + {block} - 1) / {block}"

    def behind(self, place: str, amount: str) -> str:
        """Return where it is so many iterations behind a place."""
        return f"{place} {'+' if self.loop.step > 0 else '-'} {amount}"

    def ahead(self, place: str, amount: str) -> str:
        """Return where it is so many iterations ahead of a place."""
        return f"{place} {'-' if self.loop.step > 0 else '+'} {amount}"

    def step_by(self, place: str, amount: str) -> str:
        """Return the statement that goes so many iterations on."""
        return f"{place} {'+' if self.loop.step > 0 else '-'}= {amount}"

    def distance(self, first: str, end: str) -> str:
        """Return how many iterations there are from one place to another."""
        return f"{end} - {first}" if self.loop.step > 0 else f"{first} - {end}"

    def comes_before(self, place: str, other: str) -> str:
        """Return that it reaches one place before another."""
        return f"{tight(place)} {'<' if self.loop.step > 0 else '>'} {tight(other)}"

    def whole(self, first: str, end: str) -> str:
        """Return the line that says where it begins, and where it has gone too far."""
        return f"{WIDE} {self.named('first')} = {first}, {self.named('end')} = {end};"

    def size(self, shares: str) -> Iterator[str]:
        """Yield the lines that say how many iterations make a block: a share of all."""
        share, most = self.named("share"), self.widest
        yield f"{WIDE} {share} = ({self.count}) / {shares};"
        yield f"{WIDE} {self.named('block')} = {share} < 1 ? 1 : {share} > {most} ? {most} : {share};"

    def corner(self, number: str) -> str:
        """Return where a block of it begins."""
        return self.behind(self.named("first"), f"{number} * {self.named('block')}")

    def part(self, number: str) -> Iterator[str]:
        """Yield the lines that say from where to where a block of it goes."""
        yield f"{WIDE} {self.named('begin')} = {self.corner(number)};"
        yield self.stop(self.named("begin"), self.named("end"))

    def part_within(self, corner: str, first: str, end: str) -> Iterator[str]:
        """Yield the same for a block that begins at a corner, between two bounds."""
        begin = self.named("corner")
        yield f"{WIDE} {begin} = {corner};"
        chosen = f"{self.comes_before(begin, first)} ? {first} : {begin}"
        yield f"{WIDE} {self.named('begin')} = {chosen};"
        yield self.stop(begin, end)

    def stop(self, begin: str, end: str) -> str:
        """Return the line that says where a block has gone too far that begins at a place."""
        last = self.behind(begin, self.named("block"))
        return f"{WIDE} {self.named('stop')} = {self.comes_before(last, end)} ? {last} : {end};"

    def through_block(self) -> Iterator[Edit[str]]:
        """Yield the edits by which the source's loop goes through a block."""
        inside = f"{self.loop.variable.name} {'<' if self.loop.step > 0 else '>'} {self.named('stop')}"
        yield replace(self.loop.first, self.named("begin"))
        yield replace(condition(self.loop.node), inside)
