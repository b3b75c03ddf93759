"""Two loops cut into blocks, as C: those on a diagonal at once, and one diagonal behind the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.translators.loops.forms.places import closed
from transpile.translators.loops.openmp.frames import lines_above
from transpile.translators.loops.openmp.sides import WIDE, Side
from transpile.translators.loops.reordering.text import rewritten
from transpile.translators.loops.trips import ends, moved, tight
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import INDENT, Edit, Function, fragment, indentation

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

    @property
    def longest(self) -> str:
        """Return how many iterations there are at most on a diagonal."""
        return f"({self.rows.count}) * {self.columns.named('block')}"

    def text(self, clauses: Sequence[str], indent: str) -> str:
        """Return the source's loops within those over diagonals and blocks."""
        row, column = self.named("row"), self.named("column")
        inner = indent + 2 * INDENT
        lines = [indent + line for line in self._around(row, column, clauses)]
        lines += [inner + line for line in self.rows.part(row)]
        edits = [*self.rows.through_block(), *self.columns.through_block()]
        if not any((*self.slopes, self.skew)):
            lines += [inner + line for line in self.columns.part(column)]
        else:
            edits += self._limited(column)
        nest = fragment(self.function.text, self.rows.loop.node, edits, inner)
        return "\n".join((*lines, nest, f"{indent}{INDENT}}}", f"{indent}}}"))

    def named(self, wish: str) -> str:
        """Return a name that nothing of the source has."""
        return free_name(self.rows.taken, wish)

    def _around(self, row: str, column: str, clauses: Sequence[str]) -> Iterator[str]:
        """Yield the numbers of blocks, and the heads of the loops over them."""
        rows, columns, wave, shares = map(self.named, ("rows", "columns", "wave", "shares"))
        top, bottom = self.named("top"), self.named("bottom")
        yield "// Blocks on a diagonal do not depend on each other."
        yield self.rows.whole(*ends(self.rows.loop))
        yield self.columns.whole(self._leftmost(), self._rightmost())
        yield f"{WIDE} {shares} = {_SHARES} * omp_get_max_threads();"
        yield from self.rows.size(shares)
        yield from self.columns.size(shares)
        yield f"{WIDE} {rows} = {self.rows.blocks};"
        yield f"{WIDE} {columns} = {self.columns.blocks};"
        yield f"for (long long {wave} = 0; {wave} < {rows} + {columns} - 1; {wave}++) {{"
        yield f"{INDENT}{WIDE} {top} = {wave} < {columns} ? 0 : {wave} - {columns} + 1;"
        yield f"{INDENT}{WIDE} {bottom} = {wave} < {rows} ? {wave} + 1 : {rows};"
        yield f"{INDENT}{' '.join(('#pragma omp parallel for', *clauses))}"
        yield f"{INDENT}for (long long {row} = {top}; {row} < {bottom}; {row}++) {{"
        yield f"{2 * INDENT}{WIDE} {column} = {wave} - {row};"

    def _limited(self, column: str) -> Iterator[Edit]:
        """Yield the edits that say in each iteration of the outer loop how far the inner one goes."""
        outer = self.rows.loop
        corner = self.columns.corner(column)
        if self.skew:
            done = self.rows.distance(self.rows.named("first"), outer.variable.name)
            corner = self.columns.ahead(corner, self._skewed(done))
        lines = self.columns.part_within(corner, *ends(self.columns.loop))
        yield lines_above(self.function, self.columns.loop.node, *lines)
        if outer.body.type != "compound_statement":
            yield Edit(closed(outer.node), closed(outer.node), " {")
            indent = indentation(self.function.text, outer.node.start_byte)
            yield Edit(outer.node.end_byte, outer.node.end_byte, f"\n{indent}}}")

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
        text = moved(rewritten(bound, [rows.loop], [f"({place})" if last else place]), beyond)
        if not last or not self.skew:
            return text
        return self.columns.behind(tight(text), self._skewed(f"{rows.count} - 1"))

    def _skewed(self, iterations: str) -> str:
        return f"({iterations})" if self.skew == 1 else f"{self.skew} * ({iterations})"
