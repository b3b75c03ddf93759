"""Where a device keeps arrays from one parallel loop to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import LOOPS, ancestors, find, inside
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.planning.overlaps import touched

_LEAVES = ("return_statement", "goto_statement", "labeled_statement")
_OF_HOST = ("call_expression", "subscript_expression", "pointer_expression", "field_expression", *_LEAVES)


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Statements of one block, from the first to the last of which the host touches no array."""

    first: Node
    last: Node
    bands: tuple[Band, ...]


def regions(variables: Variables, bands: Sequence[Band]) -> list[Region]:
    """Return the regions in which a device saves copies: over several loops, or over one that goes around."""
    nests = {id(band.nest): band.nest for band in bands}
    runs: list[list[Nest]] = []
    for nest in nests.values():
        if not _only_there(nest, [band for band in bands if band.nest is nest]):
            continue
        if runs and _joins(runs[-1][-1], nest, variables):
            runs[-1].append(nest)
        else:
            runs.append([nest])
    groups = [(run, tuple(band for band in bands if band.nest in run)) for run in runs]
    return [Region(run[0].node, run[-1].node, group) for run, group in groups if _saves(group)]


def _only_there(nest: Nest, bands: Sequence[Band]) -> bool:
    """Tell whether nothing but the bands of a nest touches what a region around it holds."""
    if nest.node.parent is None or nest.node.parent.type != "compound_statement":
        return False
    if next(find(nest.node, *_LEAVES), None) is not None:
        return False
    between = [item for band in bands for item in ancestors(band.node) if inside(item, nest.node)]
    if any(item.type not in (*LOOPS, "compound_statement") for item in between):
        return False  # What is not run may have no arrays.
    within = {id(access) for band in bands for access in touched(band)}
    return all(
        id(access) in within
        and (access.variable is None or not inside(access.variable.declaration, nest.node))
        for access in nest.accesses
    )


def _joins(one: Nest, other: Nest, variables: Variables) -> bool:
    """Tell whether between two nests the host does nothing that concerns arrays."""
    block = one.node.parent
    if block is None or other.node.parent is None or other.node.parent.id != block.id:
        return False
    between = [item for item in block.named_children if _between(item, one.node, other.node)]
    return all(
        item.type == "comment" or (item.type == "expression_statement" and _of_scalars(item, variables))
        for item in between
    )


def _between(node: Node, first: Node, last: Node) -> bool:
    return first.end_byte <= node.start_byte and node.end_byte <= last.start_byte


def _of_scalars(statement: Node, variables: Variables) -> bool:
    if next(find(statement, *_OF_HOST), None) is not None:
        return False
    return not any(item.pointer or item.array or item.reference for item in variables.used_in(statement))


def _saves(bands: Sequence[Band]) -> bool:
    """Tell whether copies are used more than once."""
    return len(bands) > 1 or any(band.node.id != band.nest.node.id for band in bands)
