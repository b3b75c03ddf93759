"""Parallel regions of OpenMP around a loop, in which each thread finds something and then they merge it.

The loop keeps its text: what it sets is private in the region, and a copy outside holds what is merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.translators.loops.extremes import Extreme
from transpile.translators.loops.plan import Band
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import INDENT, Edit, Function, indentation, source
from transpile.translators.rules.variables import Variable


def merging(function: Function, band: Band, region: Sequence[str], loop: Sequence[str]) -> Iterator[Edit]:
    """Yield the edits that put a region around a loop which looks for extreme numbers and their places.

    Args:
        function: Whose loop it is.
        band: The loop.
        region: Clauses of the region.
        loop: Clauses of the loop in it.
    """
    found = band.loops[0].extremes
    copies = {item: _overall(function, item) for one in found for item in one.variables}
    private = f"firstprivate({', '.join(item.name for item in copies)})"
    yield lines_above(
        function,
        band.node,
        *(f"{item.type} {name} = {item.name};" for item, name in copies.items()),
        " ".join(("#pragma omp parallel", private, *region)),
        "{",
        INDENT + " ".join(("#pragma omp for", *loop, "nowait")),
        end=INDENT,
    )
    yield from _deeper(function, band.node)
    tests = [line for one in found for line in _merge(one, copies)]
    body = ["#pragma omp critical", *(tests if len(found) == 1 else ["{", *_indented(tests), "}"])]
    back = (f"{item.name} = {name};" for item, name in copies.items())
    yield _lines_below(function, band.node, *_indented(body), "}", *back)


def lines_above(function: Function, node: Node, *lines: str, end: str = "") -> Edit:
    """Return the edit that puts lines above a statement, which stands behind ``end`` then."""
    indent = indentation(function.text, node.start_byte)
    before = function.text[function.text.rfind("\n", 0, node.start_byte) + 1 : node.start_byte]
    start = f"\n{indent}" if before.strip() else ""
    text = "".join(f"{line}\n{indent}" for line in lines)
    return Edit(node.start_byte, node.start_byte, f"{start}{text}{end}")


def _lines_below(function: Function, node: Node, *lines: str) -> Edit:
    indent = indentation(function.text, node.start_byte)
    return Edit(node.end_byte, node.end_byte, "".join(f"\n{indent}{line}" for line in lines))


def _deeper(function: Function, node: Node) -> Iterator[Edit]:
    """Yield the edits that indent the lines of a statement behind its first."""
    at = function.text.find("\n", node.start_byte, node.end_byte)
    while at != -1:
        if function.text[at + 1 : at + 2] not in ("\n", "#"):
            yield Edit(at + 1, at + 1, INDENT)
        at = function.text.find("\n", at + 1, node.end_byte)


def _merge(one: Extreme, copies: dict[Variable, str]) -> Iterator[str]:
    """Yield the statement by which a thread takes its finding to the others."""
    own, overall = source(one.best), one.best_of(copies)
    place = one.place.name
    nearer = f"{place} {'>' if one.prefers_greater else '<'} {copies[one.place]}"
    better = f"{own} {one.sign[0]} {overall} || ({own} == {overall} && {nearer})"
    if one.best.type != "identifier":  # without an iteration there may be no element to compare
        better = f"{place} != {copies[one.place]} && ({better})"
    yield f"if ({better}) {{"
    yield from _indented([f"{copies[item]} = {item.name};" for item in one.variables])
    yield "}"


def _indented(lines: Sequence[str]) -> list[str]:
    return [INDENT + line for line in lines]


def _overall(function: Function, variable: Variable) -> str:
    return free_name(function.identifiers, f"{variable.name}_overall")
