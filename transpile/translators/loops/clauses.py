"""Lines of OpenMP above loops: what is private, what is gathered and how, which updates are atomic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from transpile.translators.loops.plan import Band
from transpile.translators.loops.reductions import FLOATING
from transpile.translators.loops.scalars import Scalar
from transpile.translators.rules.syntax import Edit, Function, find, indentation, inside


def number_of(function: Function, band: Band) -> int:
    """Return how many loops begin before a band: what several of them declare have names of their own."""
    return sum(other.start_byte < band.node.start_byte for other in find(function.body, "for_statement"))


def line_above(function: Function, node: Node, line: str) -> Edit:
    """Return the edit that puts a line above a statement."""
    indent = indentation(function.text, node.start_byte)
    before = function.text[function.text.rfind("\n", 0, node.start_byte) + 1 : node.start_byte]
    start = f"\n{indent}" if before.strip() else ""
    return Edit(node.start_byte, node.start_byte, f"{start}{line}\n{indent}")


def statement_around(node: Node) -> Node:
    """Return the statement around a node before which a declaration may stand."""
    while node.parent is not None and node.parent.type != "compound_statement":
        node = node.parent
    return node


def atomic(function: Function, band: Band) -> Iterator[Edit]:
    """Yield the edits that put a line above the updates of a band that may meet."""
    for access in band.nest.accesses:
        if access.base in band.loops[0].updated and access.write and inside(access.node, band.outer.node):
            statement = access.node
            while statement.type != "expression_statement" and statement.parent is not None:
                statement = statement.parent
            own = indentation(function.text, statement.start_byte)
            yield Edit(statement.start_byte, statement.start_byte, f"\n{own}#pragma omp atomic\n{own}")


def headers(bands: Iterable[Band]) -> tuple[str, ...]:
    """Return what has to be included for infinities."""
    declares = any(_declares(item) for band in bands for item in band.loops[0].reductions)
    return ("<math.h>",) if declares else ()


_EXTREMES = {
    "max": ("omp_in > omp_out ? omp_in : omp_out", "-INFINITY"),
    "min": ("omp_in < omp_out ? omp_in : omp_out", "INFINITY"),
    "fmax": ("fmax(omp_out, omp_in)", "NAN"),
    "fmin": ("fmin(omp_out, omp_in)", "NAN"),
}
"""How two floating results become one, and what threads begin with: a NaN stays or goes as in the source.

What ``reduction(max : s)`` makes of a NaN is not defined.
"""


def declared_reductions(band: Band, number: int) -> Iterator[str]:
    """Yield the lines that declare what OpenMP does not gather as the source does."""
    for item in band.loops[0].reductions:
        if _declares(item):
            joined, begun = _EXTREMES[item.operator]
            yield (
                f"#pragma omp declare reduction({_reduction(item, number)} : {item.variable.type} : "
                f"omp_out = {joined}) initializer(omp_priv = {begun})"
            )


def _declares(item: Scalar) -> bool:
    return item.operator in _EXTREMES and item.variable.type in FLOATING


def _reduction(item: Scalar, number: int) -> str:
    """Return what gathers a scalar: an operator, or the name of a declared reduction."""
    if not _declares(item):
        return item.extreme or item.operator
    return f"{item.operator}_{item.variable.name}" + (f"_{number}" if number else "")


def clauses(band: Band, number: int) -> Iterator[str]:
    """Yield what a line above a band says of its loops and scalars."""
    if len(band.loops) > 1:
        yield f"collapse({len(band.loops)})"
    private = dict.fromkeys(
        item.variable.name
        for known in band.loops
        for item in known.privates
        if not any(item.variable is other.loop.variable for other in band.loops)
    )
    if private:
        yield f"private({', '.join(private)})"
    for item in band.loops[0].reductions:
        yield f"reduction({_reduction(item, number)} : {item.variable.name})"
