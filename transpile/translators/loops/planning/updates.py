"""Writes of elements that several iterations of a band may make: which they are, and what they bring."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.syntax import field, inside, operator, source
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access, self_update
from transpile.translators.loops.iteration.trips import grouped


def updates(band: Band) -> Iterator[Access]:
    """Yield such writes: updates, and stores of what is the same for all."""
    for access in band.nest.accesses:
        if access.base in band.loops[0].updated and access.write and inside(access.node, band.node):
            yield access


def amount(update: Node) -> str:
    """Return what an assignment or a step takes into an element, or leaves there, as an expression."""
    again = self_update(update)
    if again is not None:
        return source(again.value)
    if update.type == "update_expression":
        return "1" if operator(update) == "++" else "-1"
    text = source(field(update, "right"))
    return f"-{grouped(text)}" if operator(update) == "-=" else text
