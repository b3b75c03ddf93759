"""Two loops cut into blocks, as C: those on a diagonal at once, and one diagonal behind the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import INDENT, Function, fragment, indentation
from transpile.translators.loops.iteration.frames import lines_above
from transpile.translators.loops.iteration.places import closed
from transpile.translators.loops.iteration.trips import ends, moved, tight
from transpile.translators.loops.schedule.text import substituted
from transpile.translators.targets.openmp.sides import WIDE, Side, times
from transpile.translators.targets.openmp.strips import Strips

_SHARES = 4
"""Blocks for each thread in a row or a column, where there are as many iterations."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of two loops of which one is all that is in the other."""

    function: Function
    rows: Side
    columns: Side
    skew: int
    """Iterations by which blocks of the inner loop begin earlier with each one of the outer loop."""
    slopes: tuple[int, int]
    """Iterations by which the bounds of the inner loop move on with each one of the outer loop."""
    strips: Strips | None

    @property
    def longest(self) -> str:
        """Return how many iterations there are at most on a diagonal."""
        return f"({self.rows.count}) * {self.columns.named('block')}"

    def text(self, clauses: Sequence[str], indent: str) -> str:
        """Return the source's loops within those over diagonals and blocks."""
        row, column = self.named("row"), self.named("column")
        inner = indent + 2 * INDENT
        lines = [indent + line for line in self._around(row, column, clauses)]
        lines += [inner + line for line in self._block(row, column)]
        nest = inner + INDENT * (self.strips is not None)
        lines.append(fragment(self.function.text, self.rows.loop.node, self._edits(column), nest))
        return "\n".join((*lines, f"{indent}{INDENT}}}", f"{indent}}}"))

    @property
    def _even(self) -> bool:
        """Tell whether a block has as many columns in each of its rows."""
        return not any((*self.slopes, self.skew))

    def named(self, wish: str) -> str:
        """Return a name that nothing of the source has."""
        return free_name(self.rows.taken, wish)

    def _around(self, row: str, column: str, clauses: Sequence[str]) -> Iterator[str]:
        """Yield the numbers of blocks, and the heads of the loops over them."""
        rows, columns, shares = map(self.named, ("rows", "columns", "shares"))
        waves, wave = self.named("waves"), self.named("wave")
        top, bottom = self.named("top"), self.named("bottom")
        yield "// Blocks on a diagonal do not depend on each other."
        yield self.rows.whole(*ends(self.rows.loop))
        yield self.columns.whole(self._leftmost(), self._rightmost())
        if self.strips is not None:
            yield self.strips.side.whole(*ends(self.strips.side.loop))
        yield f"{WIDE} {shares} = {_SHARES} * omp_get_max_threads();"
        for side in self._sides():
            yield from side.size(shares)
        yield f"{WIDE} {rows} = {self.rows.blocks};"
        yield f"{WIDE} {columns} = {self.columns.blocks};"
        yield f"{WIDE} {waves} = {rows} < 1 || {columns} < 1 ? 0 : {rows} + {columns} - 1;"
        yield f"for (long long {wave} = 0; {wave} < {waves}; {wave}++) {{"
        yield f"{INDENT}{WIDE} {top} = {wave} < {columns} ? 0 : {wave} - {columns} + 1;"
        yield f"{INDENT}{WIDE} {bottom} = {wave} < {rows} ? {wave} + 1 : {rows};"
        yield f"{INDENT}{' '.join(('#pragma omp parallel for', *clauses))}"
        yield f"{INDENT}for (long long {row} = {top}; {row} < {bottom}; {row}++) {{"
        yield f"{2 * INDENT}{WIDE} {column} = {wave} - {row};"

    def _block(self, row: str, column: str) -> Iterator[str]:
        """Yield what stands before the source's loops in a block."""
        yield from self.rows.part(row)
        if self._even:
            yield from self.columns.part(column)
        if self.strips is not None:
            yield self.strips.head(self.rows, self.columns)

    def _edits(self, column: str) -> Iterator[Edit[str]]:
        """Yield the edits by which the source's loops go through a block."""
        for side in self._sides():
            yield from side.through_block()
        if self.strips is not None:
            corner = self.columns.named("begin" if self._even else "corner")
            lines = self.strips.limits(self.rows, self.columns, corner)
            yield from self._before(self.strips.side, self.columns, lines)
        if not self._even:
            yield from self._before(self.columns, self.rows, self._limits(column))

    def _sides(self) -> tuple[Side, ...]:
        return (self.rows, self.columns, *((self.strips.side,) if self.strips is not None else ()))

    def _before(self, inner: Side, outer: Side, lines: Iterable[str]) -> Iterator[Edit[str]]:
        """Yield the edits that put lines before a loop that is all that is in another."""
        node = outer.loop.node
        yield lines_above(self.function, inner.loop.node, *lines)
        if outer.loop.body.type != "compound_statement":
            yield Edit(closed(node), closed(node), " {")
            indent = indentation(self.function.text, node.start_byte)
            yield Edit(node.end_byte, node.end_byte, f"\n{indent}}}")

    def _limits(self, column: str) -> Iterator[str]:
        """Yield the lines that say in each iteration of the outer loop how far the inner one goes."""
        corner = self.columns.corner(column)
        if self.skew:
            done = self.rows.distance(self.rows.named("first"), self.rows.loop.variable.name)
            corner = self.columns.ahead(corner, times(self.skew, done))
        yield from self.columns.part_within(corner, *ends(self.columns.loop))

    def _leftmost(self) -> str:
        """Return where the first column begins in the first row."""
        loop = self.columns.loop
        return self._at_end(loop.first, 0, last=self.slopes[0] + self.skew < 0)

    def _rightmost(self) -> str:
        """Return where the last column has gone too far in the first row."""
        loop = self.columns.loop
        beyond = loop.step * loop.inclusive
        return self._at_end(loop.bound, beyond, last=self.slopes[1] + self.skew > 0)

    def _at_end(self, bound: Node, beyond: int, *, last: bool) -> str:
        """Return a bound of the inner loop in an iteration of the outer one, as the first row counts."""
        rows = self.rows
        place = rows.ahead(rows.named("end"), "1") if last else rows.named("first")
        text = moved(substituted(bound, [rows.loop], [f"({place})" if last else place]), beyond)
        if not last or not self.skew:
            return text
        return self.columns.behind(tight(text), times(self.skew, f"{rows.count} - 1"))
