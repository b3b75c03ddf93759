"""Guards: the comparisons that keep threads beyond the data from doing anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    MIRRORED,
    NEGATED,
    alternative,
    block_statements,
    called,
    condition,
    consequence,
    field,
    operator,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.types import conversion
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.coordinates import Coordinate, Reader, is_comparison, sides
from transpile.translators.kernels.effects import has_effects, is_return


@dataclass(frozen=True, slots=True)
class Atom:
    """One comparison that holds wherever the guarded statements run."""

    coordinate: Coordinate
    operator: str
    bound: Node
    node: Node
    """The comparison, or its negation, as it stands in the condition."""
    statement: Node
    """The if statement that it belongs to."""

    @property
    def key(self) -> tuple[Coordinate, str, str]:
        """Return what makes two atoms the same."""
        return self.coordinate, self.operator, squeeze(source(self.bound))


def parts(node: Node, connective: tuple[str, ...]) -> Iterator[Node]:
    """Yield the operands of a chain of one logical connective."""
    inner = unparenthesized(node)
    if inner.type == "binary_expression" and operator(inner) in connective:
        left, right = sides(inner)
        yield from parts(left, connective)
        yield from parts(right, connective)
    else:
        yield node


class Guards:
    """Finds, for every statement with effects, the comparisons that dominate it."""

    def __init__(self, reader: Reader, variables: Variables) -> None:
        self.reader = reader
        self.variables = variables
        self.effects: list[tuple[Node, tuple[Atom, ...]]] = []

    def read(self, statements: list[Node], known: tuple[Atom, ...] = ()) -> None:
        """Collect the atoms that dominate each statement with effects."""
        for statement in statements:
            if statement.type == "if_statement" and alternative(statement) is None:
                if is_return(consequence(statement)):
                    known += tuple(self._atoms(statement, negated=True))
                    continue
                if not has_effects(field(statement, "condition"), self.variables):
                    inner = known + tuple(self._atoms(statement, negated=False))
                    self.read(block_statements(consequence(statement)), inner)
                    continue
            if statement.type == "compound_statement":
                self.read(block_statements(statement), known)
                continue
            if statement.type == "return_statement":
                continue
            if has_effects(statement, self.variables):
                self.effects.append((statement, known))

    def _atoms(self, statement: Node, *, negated: bool) -> Iterator[Atom]:
        connective = ("||", "|") if negated else ("&&", "&")
        for part in parts(condition(statement), connective):
            atom = self._atom(part, statement, negated)
            if atom is not None:
                yield atom

    def _atom(self, part: Node, statement: Node, negated: bool) -> Atom | None:
        node = unparenthesized(part)
        if node.type == "unary_expression" and operator(node) == "!":
            node, negated = unparenthesized(field(node, "argument")), not negated
        if not is_comparison(node):
            return None
        left, right = sides(node)
        sign = operator(node)
        coordinate = self.reader.index(left)
        if coordinate is None:
            coordinate, left, right, sign = self.reader.index(right), right, left, MIRRORED[sign]
        if negated:
            sign = NEGATED[sign]
        if coordinate is None or not uniform(right, self.reader, self.variables):
            return None
        return Atom(coordinate, sign, right, part, statement)

    def bound(self, coordinate: Coordinate) -> list[Atom]:
        """Return all atoms of the upper bound that every effect is under; empty where there is none."""
        return self._common(coordinate, ("<", "<="))

    def start(self, coordinate: Coordinate) -> list[Atom]:
        """Return all atoms of the lower bound, a number, that every effect is under."""
        found = self._common(coordinate, (">", ">="))
        return found if found and found[0].bound.type == "number_literal" else []

    def _common(self, coordinate: Coordinate, signs: tuple[str, ...]) -> list[Atom]:
        if not self.effects:
            return []
        for first in self.effects[0][1]:
            if first.operator not in signs:
                continue
            if first.coordinate == coordinate and all(
                any(atom.key == first.key for atom in atoms) for _, atoms in self.effects
            ):
                found = [atom for _, atoms in self.effects for atom in atoms if atom.key == first.key]
                return list({atom.node.id: atom for atom in found}.values())
        return []


def uniform(node: Node, reader: Reader, variables: Variables) -> bool:
    """Tell whether an expression is computed from unchanged arguments alone, without reading memory."""
    if reader.mentions(node):
        return False
    stack = [node]
    while stack:
        item = stack.pop()
        if item.type in (
            "subscript_expression",
            "pointer_expression",
            "assignment_expression",
            "update_expression",
        ):
            return False
        if item.type == "call_expression" and not _is_of_numbers(item):
            return False
        if item.type == "identifier":
            variable = variables.of(item)
            if variable is not None and not _settled(variable, reader, variables):
                return False
        stack.extend(item.children)
    return True


def _is_of_numbers(call: Node) -> bool:
    """Tell whether a call converts a number, or is the lesser or greater of two."""
    return conversion(call) is not None or called(call) in ("min", "max")


def _settled(variable: Variable, reader: Reader, variables: Variables) -> bool:
    """Tell whether a variable is an unchanged argument, or computed once from such."""
    if not variable.constant or variable.parameter:
        return variable.constant
    return variable.initializer is not None and uniform(variable.initializer, reader, variables)
