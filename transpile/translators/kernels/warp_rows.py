"""Blocks of two dimensions whose rows are warps: 32 threads along x."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.polynomial import launch_name
from transpile.code.syntax import field as child_of
from transpile.code.syntax import operator, replace, source, squeeze, walk
from transpile.core import LaunchLaw, ShapeDependent
from transpile.translators.kernels.teams import WarpTeam, bare, within
from transpile.translators.kernels.uniformity import Uniformity
from transpile.translators.kernels.warpforms import LANE_FORMS, WARP_FORMS, is_lane, is_warp
from transpile.translators.kernels.warps import WarpPeeler, Warps

_WORDS = {"threadIdx.x": "lane", "threadIdx.y": "warp"}
_FLAT = (
    {("threadIdx.x",): 1, ("blockDim.x", "threadIdx.y"): 1},
    {("threadIdx.x",): 1, ("threadIdx.y",): 32},
)
"""The place of a thread in its block."""


def are_rows(axes: str, law: LaunchLaw | None) -> bool:
    """Tell whether every row of a block is a warp."""
    return axes == "yx" and isinstance(law, ShapeDependent) and "blockDim.x == 32" in law.relations


class RowTeam(WarpTeam):
    """The lanes of a row of threads."""

    @property
    def thread(self) -> str:
        """Return the place of a thread in its block."""
        return f"{self.first} + {self.lane}"

    def _named(self, node: Node, thread: str, lane: str) -> Iterator[Edit[str]]:
        words = {"lane": lane, "warp": self.warp, "thread": thread}
        for item in walk(node):
            quantity = launch_name(item)
            word = self.own.get(id(self.variables.of(item))) if item.type == "identifier" else None
            word = word or _WORDS.get(quantity or "")
            if is_lane(item):
                yield replace(bare(item), lane)
            elif is_warp(item):
                yield replace(bare(item), "0")
            elif word is not None:
                yield replace(item, within(item, words[word]))
            elif quantity is not None:
                yield replace(item, self.names.of(quantity))

    def prelude(self, lines: Iterable[str]) -> list[str]:
        """Return nothing: the loops name all that a lane needs."""
        return []


class RowPeeler(WarpPeeler):
    """Finds what the first thread of a row does alone."""

    def _lane(self, node: Node) -> bool:
        return launch_name(node) == "threadIdx.x" or WarpPeeler._lane(self, node)


@dataclass(slots=True)
class RowWarps(Warps):
    """The work on one piece of a block in which the lanes of its rows pass values."""

    team_of: ClassVar[type[WarpTeam]] = RowTeam
    peeler_of: ClassVar[type[WarpPeeler]] = RowPeeler

    def _new(self, taken: Collection[str], word: str) -> str:
        return self.block.names.names["threadIdx.x" if word == "lane" else "threadIdx.y"]

    def _are_whole(self) -> bool:
        return True

    def _thread_formula(self, node: Node) -> str | None:
        word = "lane" if is_lane(node) else _WORDS.get(launch_name(node) or "")
        if word is None and self._is_flat(node):
            return "thread"
        if word is None and node.type == "binary_expression" and self._is_flat(child_of(node, "left")):
            form = operator(node), squeeze(source(child_of(node, "right"))).rstrip("uU")
            return "lane" if form in LANE_FORMS else "warp" if form in WARP_FORMS else None
        return word

    def _is_flat(self, node: Node) -> bool:
        """Tell whether an expression is the place of a thread in its block."""
        return self.outer.peeler.reader.read(node) in _FLAT

    def _uniform(self, node: Node, uniformity: Uniformity) -> bool | None:
        """Decide whether an expression is the same in all lanes: what it takes of the launch is."""
        return True if launch_name(node) == "threadIdx.y" else Warps._uniform(self, node, uniformity)
