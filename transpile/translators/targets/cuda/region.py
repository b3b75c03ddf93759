"""The statements of a function between the first and the last of which its arrays are on the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import Function, ancestors, find, inside
from transpile.translators.loops.planning.facts import Part
from transpile.translators.refusal import SEQUENTIAL, Refused

_LABELLED = ("case_statement", "labeled_statement")


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Neighbours in one block, of which the first begins before all kernels and the last ends behind them."""

    first: Node
    last: Node

    @property
    def statements(self) -> list[Node]:
        """Return all of them, in their order."""
        block = self.first.parent
        return [item for item in block.named_children if item in self] if block is not None else []

    def __contains__(self, node: Node) -> bool:
        """Tell whether a node lies within."""
        return self.first.start_byte <= node.start_byte and node.end_byte <= self.last.end_byte


def region(function: Function, parts: Sequence[Part]) -> Region:
    """Return the least region that holds all parts; raises Refused where control may come past its ends."""
    nests = [part.nest.node for part in parts]
    block = next(
        item
        for item in ancestors(nests[0])
        if item.type == "compound_statement" and all(inside(node, item) for node in nests)
    )
    held = [item for item in block.named_children if any(inside(node, item) for node in nests)]
    found = Region(held[0], held[-1])
    jumps = list(find(function.body, "goto_statement", "labeled_statement"))
    sides = {(node in found, node.start_byte < found.first.start_byte) for node in jumps}
    if held[0].type in _LABELLED or len(sides) > 1 or any(node in found for node in jumps):
        raise Refused(SEQUENTIAL, "a jump or a label between two parallel loops, or across them")
    return found
