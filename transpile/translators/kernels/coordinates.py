"""Where a thread finds its place: index formulas of the launch, per axis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code import polynomial
from transpile.code.polynomial import Polynomial
from transpile.code.syntax import LOOPS, Function, ancestors, field, inside, operator, walk
from transpile.code.variables import Variable, Variables


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A number that tells threads apart: its formula, and how many values a launch gives it."""

    label: str
    axis: str
    index: tuple[tuple[tuple[str, ...], int], ...]
    count: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def extent(self) -> str:
        """Return the number of values as an expression of the launch."""
        return " * ".join(sorted(self.count[0][0], reverse=True))

    @property
    def axes(self) -> str:
        """Return the axes of the launch that it takes up."""
        return "".join(sorted({name[-1] for monomial, _ in self.index for name in monomial}))


def _frozen(item: Polynomial) -> tuple[tuple[tuple[str, ...], int], ...]:
    return tuple(sorted(item.items()))


def coordinate(label: str, axis: str, index: Polynomial, count: Polynomial) -> Coordinate:
    """Return the coordinate of a formula."""
    return Coordinate(label, axis, _frozen(index), _frozen(count))


JOINTS = tuple(coordinate("joint", "x", index, count) for index, count in polynomial.JOINT)
GLOBALS = {a: coordinate("global", a, polynomial.global_index(a), polynomial.grid_stride(a)) for a in "xyz"}
BLOCKS = {
    a: coordinate("block", a, polynomial.name(f"blockIdx.{a}"), polynomial.name(f"gridDim.{a}"))
    for a in "xyz"
}
THREADS = {
    a: coordinate("thread", a, polynomial.name(f"threadIdx.{a}"), polynomial.name(f"blockDim.{a}"))
    for a in "xyz"
}
_BY_INDEX = {c.index: c for group in (GLOBALS, BLOCKS, THREADS) for c in group.values()} | {
    c.index: c for c in JOINTS
}
_BY_COUNT = {c.count: c for group in (GLOBALS, BLOCKS, THREADS) for c in group.values()}


class Reader:
    """Reads expressions of one function as polynomials of the launch."""

    def __init__(self, function: Function, variables: Variables) -> None:
        self.variables = variables
        self.formulas: dict[int, Polynomial] = {}
        self.early: dict[int, Polynomial] = {}
        """Index variables that change later; true of their uses before that."""
        for variable in variables.all:
            if variable.initializer is None or variable.escapes or variable.pointer or variable.array:
                continue
            value = self.read(variable.initializer)
            if value is not None and _mentions_launch(value):
                (self.formulas if variable.constant else self.early)[id(variable)] = value

    def read(self, node: Node) -> Polynomial | None:
        """Return an expression as a polynomial; None where it is none."""
        return polynomial.read(node, self._value)

    def _value(self, node: Node) -> Polynomial | None:
        variable = self.variables.of(node)
        if variable is None:
            return None
        if id(variable) in self.early and _unchanged_at(variable, node):
            return self.early[id(variable)]
        return self.formulas.get(id(variable))

    def index(self, node: Node) -> Coordinate | None:
        """Return the coordinate that an expression is; None where it is none."""
        value = self.read(node)
        return _BY_INDEX.get(_frozen(value)) if value else None

    def formula(self, variable: Variable) -> Coordinate | None:
        """Return the coordinate that a never-changing variable holds."""
        value = self.formulas.get(id(variable))
        return _BY_INDEX.get(_frozen(value)) if value else None

    def count(self, node: Node) -> Coordinate | None:
        """Return the coordinate whose number of values an expression is."""
        value = self.read(node)
        return _count(value) if value else None

    def counts(self, variable: Variable) -> Coordinate | None:
        """Return the coordinate whose number of values a never-changing variable holds."""
        value = self.formulas.get(id(variable))
        return _count(value) if value else None

    def mentions(self, node: Node) -> bool:
        """Tell whether a node depends on the launch, directly or through index variables."""
        return any(
            polynomial.launch_name(item) is not None
            or (item.type == "identifier" and self._value(item) is not None)
            for item in walk(node)
        )

    def largest(self, node: Node) -> Iterator[tuple[Node, Coordinate | None]]:
        """Yield the largest expressions that are an index or a count; with None for other mentions."""
        if node.type in ("binary_expression", "field_expression", "identifier", "parenthesized_expression"):
            value = self.read(node)
            if value is not None and _mentions_launch(value):
                found = _BY_INDEX.get(_frozen(value)) or _count(value)
                if found is not None:
                    yield node, found
                    return
                if node.type == "field_expression":
                    yield node, None
                    return
        for child in node.children:
            yield from self.largest(child)


def _unchanged_at(variable: Variable, use: Node) -> bool:
    """Tell whether no assignment to the variable can have run before a use."""
    if any(write.start_byte < use.end_byte for write in variable.writes):
        return False
    loops = [parent for parent in ancestors(use) if parent.type in LOOPS]
    return not any(inside(write, loop) for loop in loops for write in variable.writes)


def _count(value: Polynomial) -> Coordinate | None:
    frozen = _frozen(value)
    for joint in JOINTS:
        if joint.count == frozen:
            return joint
    return _BY_COUNT.get(frozen)


def _mentions_launch(value: Polynomial) -> bool:
    return any(polynomial.LAUNCH.fullmatch(item) for item in polynomial.names(value))


def is_comparison(node: Node) -> bool:
    """Tell whether a node compares two values by order."""
    return node.type == "binary_expression" and operator(node) in ("<", "<=", ">", ">=")


def sides(node: Node) -> tuple[Node, Node]:
    """Return both operands of a binary expression."""
    return field(node, "left"), field(node, "right")
