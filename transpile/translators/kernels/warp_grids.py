"""Blocks of several dimensions whose warps are cut from their threads in order, along x first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import ClassVar

from tree_sitter import Node

from transpile.code import polynomial
from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import launch_name
from transpile.code.syntax import field as child_of
from transpile.code.syntax import operator, quoted, replace, source, squeeze, walk
from transpile.core import LaunchLaw, ShapeDependent
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.storage import Storage
from transpile.translators.kernels.teams import WarpTeam, within
from transpile.translators.kernels.warpforms import LANE_FORMS, WARP_FORMS, is_lane, is_warp
from transpile.translators.kernels.warps import Warps

_ORDERED = ("yx", "zyx")
_FIXED = re.compile(r"blockDim\.([xyz]) == (\d+)")


@dataclass(slots=True)
class GridTeam(WarpTeam):
    """The lanes of a warp whose threads have several coordinates; ``own`` names these by their axes, too."""

    flat: str = "thread"
    """The name of a thread's place in its block."""

    @property
    def thread(self) -> str:
        """Return the name of the thread's place in its block."""
        return self.flat

    def _named(self, node: Node, thread: str, lane: str) -> Iterator[Edit[str]]:
        words = {"lane": lane, "warp": self.warp, "thread": thread}
        words |= {axis: self._coordinate(axis, thread) for axis in self.names.axes["thread"]}
        for item in walk(node):
            quantity = launch_name(item)
            word = self.own.get(id(self.variables.of(item))) if item.type == "identifier" else None
            if quantity is not None and quantity.startswith("threadIdx"):
                word = quantity[-1]
            whole = self._of_warps(item) if thread == self.first else None
            if whole is not None:
                yield replace(item, whole)
            elif word is not None:
                yield replace(item, within(item, words[word]))
            elif quantity is not None:
                yield replace(item, self.names.of(quantity))

    def _is_place(self, node: Node) -> bool:
        return node.type == "identifier" and self.own.get(id(self.variables.of(node))) == "thread"

    def _coordinate(self, axis: str, thread: str) -> str:
        """Return a coordinate of a thread: its name in loops over lanes, else an expression of its place."""
        return self._name(axis) if thread == self.flat else self._expression(axis, thread)

    def _name(self, axis: str) -> str:
        return self.names.names[f"threadIdx.{axis}"]

    def _expression(self, axis: str, thread: str) -> str:
        place = f"({thread})" if " " in thread else thread
        for shorter in "xyz"[: "xyz".index(axis)]:
            place = f"{place} / {self.names.of(f'blockDim.{shorter}')}"
        last = axis == self.names.axes["thread"][0]
        return place if last else f"{place} % {self.names.of(f'blockDim.{axis}')}"

    def prelude(self, lines: Iterable[str]) -> list[str]:
        """Return the declarations of the place and the coordinates that the body needs."""
        text = "\n".join(lines)
        found = [
            f"const {self.names.types[f'threadIdx.{axis}']} {self._name(axis)}"
            f" = {self._expression(axis, self.flat)};"
            for axis in reversed(self.names.axes["thread"])
            if re.search(rf"\b{self._name(axis)}\b", text)
        ]
        if not found and not re.search(rf"\b{self.flat}\b", text):
            return []
        return [f"const int {self.flat} = {self.first} + {self.lane};", *found]


@dataclass(slots=True)
class GridWarps(Warps):
    """The work on one piece of a block of several dimensions in which lanes pass values."""

    team_of: ClassVar[type[WarpTeam]] = GridTeam
    flat: str = field(init=False)
    """The name of a thread's place in its block."""

    def __post_init__(self) -> None:
        """Choose names."""
        Warps.__post_init__(self)
        axes = self.block.names.axes["thread"]
        form = next((item for item in walk(self.outer.function.body) if is_lane(item) or is_warp(item)), None)
        if axes not in _ORDERED or form is not None:
            node = form or self.piece.statements[0]
            refuse("TP209", node, f"warps by one coordinate of blocks that have several: {quoted(node)}")
        taken = self.outer.function.identifiers | {*self.block.names.names.values(), self.lane, self.warp}
        self.flat = self._named("thread") or free_name(taken, "thread", "thread_index")

    @property
    def count(self) -> str:
        """Return the number of threads in a block."""
        return self.block.names.block_size

    def _team(self, storage: Storage) -> WarpTeam:
        team = Warps._team(self, storage)
        assert isinstance(team, GridTeam)
        team.flat = self.flat
        return team

    def _are_whole(self) -> bool:
        law = self.outer.draft.law
        fixed = dict(_fixed(law))
        return set(self.block.names.axes["thread"]) <= fixed.keys() and prod(fixed.values()) % 32 == 0

    def _thread_formula(self, node: Node) -> str | None:
        quantity = launch_name(node)
        if quantity is not None and quantity.startswith("threadIdx"):
            return quantity[-1]
        if self._is_place(node):
            return "thread"
        if node.type != "binary_expression" or not self._is_place(child_of(node, "left")):
            return None
        form = operator(node), squeeze(source(child_of(node, "right"))).rstrip("uU")
        return "lane" if form in LANE_FORMS else "warp" if form in WARP_FORMS else None

    def _is_place(self, node: Node) -> bool:
        return self.outer.peeler.reader.read(node) in self._places()

    def _of_grid(self, node: Node) -> bool:
        return False

    def _places(self) -> list[polynomial.Polynomial]:
        """Return the forms of the place of a thread in its block, its sizes written as numbers or not."""
        fixed = dict(_fixed(self.outer.draft.law))
        found = [polynomial.name("threadIdx.x")]
        strides = [polynomial.constant(1)]
        for axis, shorter in zip("yz", "xy", strict=False):
            if axis not in self.block.names.axes["thread"]:
                break
            sizes = [polynomial.name(f"blockDim.{shorter}")]
            sizes += [polynomial.constant(fixed[shorter])] if shorter in fixed else []
            strides = [polynomial.multiply(one, size) for one, size in product(strides, sizes)]
            index = polynomial.name(f"threadIdx.{axis}")
            found = [
                polynomial.add(one, polynomial.multiply(stride, index))
                for one, stride in product(found, strides)
            ]
        return found


def _fixed(law: LaunchLaw | None) -> Iterator[tuple[str, int]]:
    """Yield the extents of blocks that a law fixes, by axis."""
    for relation in law.relations if isinstance(law, ShapeDependent) else ():
        if match := _FIXED.fullmatch(relation):
            yield match[1], int(match[2])
