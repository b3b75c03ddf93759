"""Grid-stride loops: a thread starts at its index and steps by the number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import unqualified
from transpile.code.syntax import (
    LOOPS,
    ancestors,
    block_statements,
    condition,
    field,
    find,
    inside,
    operator,
    outside_lambdas,
    source,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.coordinates import Coordinate, Reader, is_comparison, sides
from transpile.translators.kernels.guards import uniform


@dataclass(frozen=True, slots=True)
class Strided:
    """A loop that shares the values of one coordinate's range among the threads."""

    loop: Node
    coordinate: Coordinate
    variable: Variable
    bound: Node
    step: Node
    """The assignment that advances the variable."""
    first: Node
    """The expression it starts from."""

    @property
    def header(self) -> str:
        """Return the head of the plain loop over the whole range."""
        comparison = condition(self.loop)
        sign = operator(comparison)
        if self.bound.id == field(comparison, "left").id:
            sign = {">": "<", ">=": "<="}[sign]
        name = self.variable.name
        kind = unqualified(self.variable.type)
        return f"for ({kind} {name} = 0; {name} {sign} {source(self.bound)}; ++{name})"


def strided_loops(root: Node, reader: Reader, variables: Variables) -> Iterator[Strided]:
    """Yield the loops at or below a node that are strided, outer ones first."""
    for loop in find(root, "for_statement", "while_statement"):
        found = _strided(loop, reader, variables)
        if found is not None:
            yield found


def _strided(loop: Node, reader: Reader, variables: Variables) -> Strided | None:
    if loop.child_by_field_name("condition") is None:
        return None
    comparison = condition(loop)
    if not is_comparison(comparison):
        return None
    variable, bound = _compared(comparison, variables)
    if variable is None or len(variable.writes) not in (1, 2) or variable.escapes:
        return None
    step = _step(loop, variable)
    first = _first(loop, variable)
    if step is None or first is None or not uniform(bound, reader, variables):
        return None
    coordinate = reader.index(first)
    increment = _increment(step, variable, variables)
    if coordinate is None or increment is None or reader.count(increment) != coordinate:
        return None
    if any(not inside(use, loop) for use in variable.uses if not _within_write(use, variable, loop)):
        return None
    if _leaves(loop):
        return None
    return Strided(loop, coordinate, variable, bound, step, first)


def _within_write(use: Node, variable: Variable, loop: Node) -> bool:
    return any(
        inside(use, field(write, "left"))
        for write in variable.writes
        if write.type == "assignment_expression"
    )


def _compared(comparison: Node, variables: Variables) -> tuple[Variable | None, Node]:
    left, right = sides(comparison)
    if operator(comparison) in (">", ">="):
        left, right = right, left
    left = unparenthesized(left)
    return (variables.of(left) if left.type == "identifier" else None), right


def _step(loop: Node, variable: Variable) -> Node | None:
    """Return the one assignment that advances the variable, where it ends every iteration."""
    if loop.type == "for_statement":
        update = loop.child_by_field_name("update")
        return next((w for w in variable.writes if update is not None and w.id == update.id), None)
    statements = [s for s in block_statements(field(loop, "body")) if s.type != "comment"]
    if not statements or statements[-1].type != "expression_statement":
        return None
    last = statements[-1].named_children[0]
    if any(_of_this_loop(item, loop) for item in find(field(loop, "body"), "continue_statement")):
        return None
    return next((w for w in variable.writes if w.id == last.id), None)


def _of_this_loop(jump: Node, loop: Node) -> bool:
    return next(parent for parent in ancestors(jump) if parent.type in LOOPS).id == loop.id


def _first(loop: Node, variable: Variable) -> Node | None:
    """Return the expression that the variable starts from."""
    others = [w for w in variable.writes if not inside(w, loop) or _initializes(w, loop)]
    steps = [w for w in variable.writes if w not in others]
    if len(steps) != 1:
        return None
    if not others:
        return variable.initializer
    if len(others) == 1 and variable.initializer is None and _initializes(others[0], loop):
        return field(others[0], "right") if operator(others[0]) == "=" else None
    return None


def _initializes(write: Node, loop: Node) -> bool:
    start = loop.child_by_field_name("initializer")
    return start is not None and inside(write, start) and write.type == "assignment_expression"


def _increment(step: Node, variable: Variable, variables: Variables) -> Node | None:
    """Return what an assignment adds to its variable; None where it does something else."""
    if step.type != "assignment_expression":
        return None
    right = unparenthesized(field(step, "right"))
    if operator(step) == "+=":
        return right
    if operator(step) == "=" and right.type == "binary_expression" and operator(right) == "+":
        for this, other in (sides(right), sides(right)[::-1]):
            if this.type == "identifier" and variables.of(this) is variable:
                return other
    return None


def _leaves(loop: Node) -> bool:
    """Tell whether something in the loop ends it early."""
    for jump in outside_lambdas(field(loop, "body"), "break_statement", "return_statement", "goto_statement"):
        if jump.type != "break_statement":
            return True
        home = next(p for p in ancestors(jump) if p.type in LOOPS or p.type == "switch_statement")
        if home.id == loop.id:
            return True
    return False


def plain_loop(text: str, strided: Strided) -> list[Edit[str]]:
    """Return the edits that make a strided loop run over the whole range."""
    loop = strided.loop
    body = field(loop, "body")
    edits = [Edit(loop.start_byte, body.start_byte, strided.header + _gap(text, loop, body))]
    if loop.type == "while_statement":
        statement = strided.step.parent
        assert statement is not None
        start = len(text[: statement.start_byte].rstrip())
        if text[start - 1] == "{":
            start = statement.start_byte
        edits.append(Edit(start, statement.end_byte, ""))
    return edits


def _gap(text: str, loop: Node, body: Node) -> str:
    """Return the white space between the head and the body, as it was written."""
    before = text[loop.start_byte : body.start_byte]
    return before[len(before.rstrip()) :] or " "
