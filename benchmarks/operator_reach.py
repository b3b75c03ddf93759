"""Reach of the blocks of a compiler-made kernel into its arrays, by evaluating its subscripts.

Such kernels have one axis of blocks and one of threads, counted loops and no pointers; a subscript that
depends on data says nothing. Loops are evaluated at their first and last turn.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tree_sitter import Node

from transpile.code.trees import descendants, parse, text

Numbers = Any
"""An integer, or an array of one row a block and one column a thread."""

_LOOP = re.compile(r"for \(int (?P<name>\w+) = 0; \w+ < (?P<bound>.*); \+\+\w+\)", re.DOTALL)
_NAME = re.compile(r"void(?:\s+__launch_bounds__\((?P<block>\d+)\))?\s+(?P<name>\w+)\s*\(")
_INTEGER = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "&&": np.logical_and, "||": np.logical_or,
}  # fmt: skip


class Unknown(Exception):
    """An expression whose value depends on data."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel's name, its block, and where its text is."""

    name: str
    threads: int
    parameters: tuple[str, ...]
    body: Node

    @property
    def turn(self) -> int:
        """Return its place in the order of launches, which compilers count in the names."""
        suffix = re.search(r"_kernel_(\d+)$", self.name)
        return int(suffix[1]) if suffix else 0

    @property
    def blocks(self) -> str:
        """Return the axes of the grid that it mentions."""
        return "".join(axis for axis in "xyz" if f"blockIdx.{axis}" in text(self.body))


@dataclass(slots=True)
class Reach:
    """One past the last element that each block reaches, by array."""

    written: dict[str, Numbers] = field(default_factory=dict)
    read: dict[str, Numbers] = field(default_factory=dict)


def kernels_of(source: str) -> list[Kernel]:
    """Return the kernels of a source in the order in which they are launched."""
    found: list[Kernel] = []
    for node in descendants(parse(source.encode()).root_node, "function_definition"):
        head = _NAME.search(text(node))
        body = node.child_by_field_name("body")
        if head is None or body is None:
            continue
        parameters = text(node)[head.end() :].split(")")[0]
        names = tuple(part.split()[-1].lstrip("*") for part in parameters.split(",") if part.strip())
        found.append(Kernel(head["name"], int(head["block"] or 1), names, body))
    return sorted(found, key=lambda item: item.turn)


def reach(kernel: Kernel, blocks: int) -> Reach:
    """Return how far the first so many blocks of a kernel reach."""
    found = Reach()
    known = {
        "blockIdx.x": np.arange(blocks, dtype=np.int64)[:, None],
        "threadIdx.x": np.arange(kernel.threads, dtype=np.int64)[None, :],
    }
    _Walk(kernel, blocks, found).statement(kernel.body, known, True)
    return found


@dataclass(frozen=True, slots=True)
class _Walk:
    kernel: Kernel
    blocks: int
    found: Reach

    def statement(self, node: Node, known: Mapping[str, Numbers], active: Numbers) -> None:
        """Note the accesses of a statement, which the active threads run."""
        match node.type:
            case "for_statement":
                self._loop(node, known, active)
            case "if_statement":
                condition = node.child_by_field_name("condition")
                assert condition is not None
                self._reads(condition, known, active)
                inner = node.child_by_field_name("consequence")
                assert inner is not None
                self.statement(inner, known, self._where(condition, known, active))
                other = node.child_by_field_name("alternative")
                if other is not None:
                    self.statement(other, known, active)
            case "compound_statement" | "else_clause":
                for child in node.named_children:
                    self.statement(child, known, active)
            case _:
                self._reads(node, known, active)

    def _loop(self, node: Node, known: Mapping[str, Numbers], active: Numbers) -> None:
        head = _LOOP.match(text(node))
        body = node.child_by_field_name("body")
        condition = node.child_by_field_name("condition")
        if head is None or body is None or condition is None:
            return
        bound = condition.child_by_field_name("right")
        assert bound is not None
        try:
            turns = value(bound, known)
        except Unknown:
            return
        running = np.logical_and(active, turns > 0)
        for last in (0, turns - 1):
            self.statement(body, {**known, head["name"]: last}, running)

    def _where(self, condition: Node, known: Mapping[str, Numbers], active: Numbers) -> Numbers:
        try:
            return np.logical_and(active, value(condition, known))
        except Unknown:
            return active

    def _reads(self, node: Node, known: Mapping[str, Numbers], active: Numbers) -> None:
        for access in [node, *descendants(node, "subscript_expression")]:
            if access.type != "subscript_expression":
                continue
            name, index = _parts(access)
            if name not in self.kernel.parameters:
                continue
            try:
                end = np.where(self._evaluated(access, node, known, active), value(index, known) + 1, 0)
            except Unknown:
                continue
            ends = np.broadcast_to(end, (self.blocks, self.kernel.threads)).max(axis=1)
            into = self.found.written if _assigned(access) else self.found.read
            into[name] = np.maximum(into.get(name, 0), ends)

    def _evaluated(
        self, access: Node, around: Node, known: Mapping[str, Numbers], active: Numbers
    ) -> Numbers:
        """Return which threads evaluate an access: one side of a conditional runs where it says so."""
        inner = access
        while inner != around and (parent := inner.parent) is not None:
            if parent.type == "conditional_expression":
                condition = parent.child_by_field_name("condition")
                if condition is not None and inner != condition:
                    holds = self._where(condition, known, True)
                    first = inner == parent.child_by_field_name("consequence")
                    active = np.logical_and(active, holds if first else np.logical_not(holds))
            inner = parent
        return active


def _parts(access: Node) -> tuple[str, Node]:
    array, indices = access.named_children[0], access.named_children[-1]
    return text(array), indices.named_children[0] if indices.named_children else indices


def _assigned(access: Node) -> bool:
    parent = access.parent
    return (
        parent is not None
        and parent.type == "assignment_expression"
        and parent.child_by_field_name("left") == access
    )


def value(node: Node, known: Mapping[str, Numbers]) -> Numbers:
    """Return what an integer expression is for every thread; raises Unknown where data decides."""
    match node.type:
        case "number_literal" if text(node).isdigit():
            return int(text(node))
        case "identifier" | "field_expression" if text(node) in known:
            return known[text(node)]
        case "parenthesized_expression" | "condition_clause" | "subscript_argument_list":
            return value(node.named_children[0], known)
        case "cast_expression" if text(node.child_by_field_name("type")) in ("int", "int64_t"):
            return value(_field(node, "value"), known)
        case "conditional_expression":
            parts = [value(_field(node, name), known) for name in ("condition", "consequence", "alternative")]
            return np.where(*parts)
        case "binary_expression":
            left, right = value(_field(node, "left"), known), value(_field(node, "right"), known)
            return _operation(text(_field(node, "operator")))(left, right)
        case "unary_expression" if text(_field(node, "operator")) == "-":
            return -value(_field(node, "argument"), known)
        case "call_expression" if text(_field(node, "function")) in ("min", "max"):
            left, right = (value(child, known) for child in _field(node, "arguments").named_children)
            return (np.minimum if text(_field(node, "function")) == "min" else np.maximum)(left, right)
    raise Unknown(text(node))


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    if child is None:
        raise Unknown(text(node))
    return child


def _operation(sign: str) -> Callable[[Numbers, Numbers], Numbers]:
    if sign in ("/", "%"):
        return _quotient if sign == "/" else _rest
    if sign not in _INTEGER:
        raise Unknown(sign)
    return _INTEGER[sign]


def _quotient(left: Numbers, right: Numbers) -> Numbers:
    """Divide as C does, towards zero."""
    return np.sign(left) * np.sign(right) * (np.abs(left) // np.abs(right))


def _rest(left: Numbers, right: Numbers) -> Numbers:
    return left - right * _quotient(left, right)


def least_grids(kernels: list[Kernel], lengths: Mapping[str, int]) -> dict[str, int]:
    """Return the fewest blocks by which each kernel writes all that later kernels read, or callers take.

    Args:
        kernels: In the order of launches.
        lengths: Of the arrays that callers know.
    """
    grids: dict[str, int] = {}
    for turn in range(len(kernels) - 1, -1, -1):
        kernel = kernels[turn]
        grids[kernel.name] = _least(kernel, {**dict(_wanted(kernels[turn + 1 :], grids)), **lengths})
    return grids


def _wanted(later: list[Kernel], grids: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield how far each array is read, by the next kernel that reads it last of all."""
    for kernel in reversed(later):
        for name, ends in reach(kernel, grids[kernel.name]).read.items():
            yield stem(name), int(ends.max())


def _least(kernel: Kernel, wanted: Mapping[str, int]) -> int:
    if "x" not in kernel.blocks:
        return 1
    most = max([wanted.get(name, wanted.get(stem(name), 0)) for name in kernel.parameters], default=0)
    blocks = max(-(-most // kernel.threads), 1)
    needed = 1
    for name, ends in reach(kernel, blocks).written.items():
        end = min(wanted.get(name, wanted.get(stem(name), int(ends.max()))), int(ends.max()))
        needed = max(needed, int(np.argmax(np.maximum.accumulate(ends) >= end)) + 1)
    return needed


def stem(name: str) -> str:
    """Return a name without the number that makes it unique."""
    return re.sub(r"_\d+$", "", name)
