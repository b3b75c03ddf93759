"""Who runs a piece of a kernel together: the threads of a block, or the lanes of a warp."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.polynomial import launch_name
from transpile.code.syntax import field as child_of
from transpile.code.syntax import find, operator, replace, source, walk
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.launchnames import LaunchNames
from transpile.translators.kernels.warpforms import is_lane, is_warp

_ZERO = re.compile(r"0+u?|0*\.0*f?|0+\.0*f?|false|nullptr|NULL")


class Team(Protocol):
    """How the members of a team are counted and named."""

    @property
    def size(self) -> str:
        """Return the number of members."""

    @property
    def place(self) -> str:
        """Return the index of a member in arrays that hold a value for each."""

    def edits(self, node: Node, zero: bool = False) -> list[Edit[str]]:
        """Return the edits for what one member runs; zero means that it is the first one."""

    def uniform_edits(self, node: Node) -> list[Edit[str]]:
        """Return the edits for what is run once for all members."""

    def heads(self, bound: str | None) -> list[str]:
        """Return the heads of the loops over the members, or over the first ones."""

    def array(self, kind: str, name: str, fill: str | None) -> str:
        """Return the declaration of an array that holds a value for each member."""

    def fills(self, value: str) -> bool:
        """Tell whether such an array can be declared with this value everywhere."""

    def prelude(self, lines: Iterable[str]) -> list[str]:
        """Return what must stand at the start of a loop over the members with this body."""


@dataclass(slots=True)
class BlockTeam:
    """The threads of a block."""

    names: LaunchNames
    own: frozenset[int]
    """Ids of the kernel's variables that became the variables of the thread loops."""
    variables: Variables
    fixed: int | None = None
    """The number of threads, where all launches have the same."""

    @property
    def size(self) -> str:
        """Return the number of threads."""
        return self.names.block_size

    @property
    def place(self) -> str:
        """Return the index of a thread, counted along x first."""
        return self.names.lane_index

    def edits(self, node: Node, zero: bool = False) -> list[Edit[str]]:
        """Return the edits that name what a thread knows of the launch."""
        edits = list(self.names.edits(node, zero))
        if zero:
            edits += [replace(use, "0") for use in _uses(node, self.variables, self.own)]
        return edits

    def uniform_edits(self, node: Node) -> list[Edit[str]]:
        """Return the edits that name what a block knows of the launch."""
        return list(self.names.edits(node))

    def heads(self, bound: str | None) -> list[str]:
        """Return a loop for each axis, the innermost over x."""
        heads = []
        for axis in self.names.axes["thread"]:
            name, kind = self.names.names[f"threadIdx.{axis}"], self.names.types[f"threadIdx.{axis}"]
            limit = bound if bound is not None else self.names.of(f"blockDim.{axis}")
            heads.append(f"for ({kind} {name} = 0; {name} < {limit}; ++{name})")
        return heads

    def array(self, kind: str, name: str, fill: str | None) -> str:
        """Return a plain array of a fixed size, or a vector."""
        if self.fixed is not None and not kind.startswith("std::array"):
            return f"{kind} {name}[{self.fixed}]{' = {}' if fill is not None else ''};"
        value = f", {fill}" if fill is not None else ""
        return f"std::vector<{kind}> {name}({self.size}{value});"

    def fills(self, value: str) -> bool:
        """Tell whether a vector can be filled with the value: with any; a plain array with zero only."""
        return self.fixed is None or _ZERO.fullmatch(value) is not None

    def prelude(self, lines: Iterable[str]) -> list[str]:
        """Return nothing: the loops name all that a thread needs."""
        return []


@dataclass(slots=True)
class WarpTeam:
    """The lanes of a warp, within a loop over the warps of a block."""

    names: LaunchNames
    warp: str
    lane: str
    own: Mapping[int, str]
    """By id of the kernel's variable: ``lane``, ``warp`` or ``thread``, which it holds."""
    variables: Variables
    outer: list[Variable]
    """Variables kept in an array over the block."""
    lanes: str = "32"
    """How many lanes there are: a name where the last warp of a block may be cut short."""
    formulas: Mapping[int, Node] = field(default_factory=dict)
    """By id of the variable: formulas that are written out where no lane is at hand."""

    @property
    def size(self) -> str:
        """Return the number of lanes."""
        return "32"

    @property
    def place(self) -> str:
        """Return the lane."""
        return self.lane

    @property
    def thread(self) -> str:
        """Return the name of the thread's index in its block."""
        return self.names.names["threadIdx.x"]

    @property
    def first(self) -> str:
        """Return the index of the warp's first thread."""
        return f"{self.warp} * 32"

    def edits(self, node: Node, zero: bool = False) -> list[Edit[str]]:
        """Return the edits that name what a lane knows of the launch."""
        thread = self.first if zero else self.thread
        edits = list(self._named(node, thread, "0" if zero else self.lane))
        for variable in self.outer:
            edits += [
                replace(use, f"{variable.name}[{thread}]")
                for use in _uses(node, self.variables, {id(variable)})
            ]
        return edits

    def uniform_edits(self, node: Node) -> list[Edit[str]]:
        """Return the edits that name what a warp knows of the launch."""
        edits = self.edits(node, zero=True)
        for identifier in find(node, "identifier"):
            variable = self.variables.of(identifier)
            formula = self.formulas.get(id(variable))
            if formula is not None and id(variable) not in self.own:
                text = _applied(formula, self.uniform_edits(formula))
                edits.append(replace(identifier, f"({text})"))
        return edits

    def _named(self, node: Node, thread: str, lane: str) -> Iterator[Edit[str]]:
        words = {"lane": lane, "warp": self.warp, "thread": thread}
        for item in walk(node):
            whole = self._of_warps(item) if thread == self.first else None
            if whole is not None:
                yield replace(item, whole)
            elif is_lane(item):
                yield replace(bare(item), lane)
            elif is_warp(item):
                yield replace(bare(item), self.warp)
            elif item.type == "identifier":
                word = self.own.get(id(self.variables.of(item)))
                if word is not None:
                    yield replace(item, within(item, words[word]))
            elif (quantity := launch_name(item)) is not None:
                if quantity == "threadIdx.x":
                    yield replace(item, within(item, thread))
                else:
                    yield replace(item, self.names.of(quantity))

    def _of_warps(self, node: Node) -> str | None:
        """Return a comparison of the thread with a number of whole warps as one of the warp."""
        if node.type != "binary_expression" or operator(node) not in ("<", ">="):
            return None
        left, limit = child_of(node, "left"), source(child_of(node, "right")).rstrip("uU")
        if not self._is_place(left) or not limit.isdigit() or int(limit) % 32:
            return None
        if limit == "32":
            return f"{self.warp} {'==' if operator(node) == '<' else '>'} 0"
        return f"{self.warp} {operator(node)} {int(limit) // 32}"

    def _is_place(self, node: Node) -> bool:
        """Tell whether an expression is the place of a thread in its block."""
        own = self.own.get(id(self.variables.of(node))) if node.type == "identifier" else None
        return own == "thread" or launch_name(node) == "threadIdx.x"

    def heads(self, bound: str | None) -> list[str]:
        """Return the loop over the lanes."""
        return [f"for (int {self.lane} = 0; {self.lane} < {self.lanes}; ++{self.lane})"]

    def array(self, kind: str, name: str, fill: str | None) -> str:
        """Return a plain array, since a warp has 32 lanes."""
        return f"{kind} {name}[32]{' = {}' if fill is not None else ''};"

    def fills(self, value: str) -> bool:
        """Tell whether a plain array can start with the value: with zero only."""
        return _ZERO.fullmatch(value) is not None

    def prelude(self, lines: Iterable[str]) -> list[str]:
        """Return the declaration of the thread's index where the body needs it."""
        if not any(re.search(rf"\b{self.thread}\b", line) for line in lines):
            return []
        kind = self.names.types["threadIdx.x"]
        return [f"{kind} {self.thread} = {self.first} + {self.lane};"]


def _uses(node: Node, variables: Variables, wanted: Iterable[int]) -> Iterator[Node]:
    known = frozenset(wanted)
    return (item for item in find(node, "identifier") if id(variables.of(item)) in known)


def _applied(node: Node, edits: list[Edit[str]]) -> str:
    text = (node.text or b"").decode("latin-1")
    moved = [Edit(e.start - node.start_byte, e.end - node.start_byte, e.text) for e in edits]
    return apply_outermost(text, moved)


_LOOSE = frozenset(["+", "<", ">", "<=", ">=", "==", "!="])


def within(node: Node, text: str) -> str:
    """Return a product in parentheses where the place of a node asks for them."""
    parent = node.parent
    if " " not in text or parent is None or not parent.type.endswith("_expression"):
        return text
    if parent.type == "binary_expression" and (child := parent.child_by_field_name("operator")) is not None:
        return text if (child.text or b"").decode() in _LOOSE else f"({text})"
    return text if parent.type in ("subscript_expression", "parenthesized_expression") else f"({text})"


def bare(node: Node) -> Node:
    """Return the parentheses around an expression that a name makes needless; else the expression."""
    parent = node.parent
    if parent is None or parent.type != "parenthesized_expression" or parent.parent is None:
        return node
    return node if parent.parent.type == "do_statement" else parent
