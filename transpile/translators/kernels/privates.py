"""Variables of a thread that are declared outside of a loop but belong inside it."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import LOOPS, ancestors, field, inside, operator
from transpile.code.variables import Variable, Variables


def written_from_outside(loop: Node, variables: Variables) -> list[Variable]:
    """Return the local variables that are declared before a loop and written in it."""
    return [
        variable
        for variable in variables.all
        if not variable.shared
        and not inside(variable.declaration, loop)
        and any(inside(write, loop) for write in variable.writes)
    ]


def first_assignment(variable: Variable, loop: Node) -> Node | None:
    """Return the statement in the loop that gives the variable its value before any use, if any.

    The statement's block must hold every use, so that declaring the variable there changes nothing.
    """
    statement = _opening(variable, variable.uses)
    if statement is None or statement.parent is None:
        return None
    block = statement.parent
    if block.type != "compound_statement" or not inside(block, field(loop, "body")):
        return None
    return statement if all(inside(use, block) for use in variable.uses) else None


def _opening(variable: Variable, uses: Sequence[Node]) -> Node | None:
    """Return the statement that assigns a variable as the first of some uses, and does not read it."""
    if variable.escapes or variable.array or not uses:
        return None
    assignment = uses[0].parent
    if assignment is None or assignment.type != "assignment_expression" or operator(assignment) != "=":
        return None
    if field(assignment, "left").id != uses[0].id or _reads(variable, assignment):
        return None
    statement = assignment.parent
    return statement if statement is not None and statement.type == "expression_statement" else None


def _reads(variable: Variable, assignment: Node) -> list[Node]:
    right = field(assignment, "right")
    return [use for use in variable.uses if inside(use, right)]


def declare_at(variable: Variable, statement: Node) -> Edit[str]:
    """Return the edit that makes an assignment the declaration of its variable."""
    star = "*" if variable.pointer else ""
    return Edit(statement.start_byte, statement.start_byte, f"{variable.type} {star}")


def return_to_continue(jump: Node, body: Node) -> Edit[str] | None:
    """Return the edit for a return within the body of a generated loop; None where an inner loop holds it."""
    if any(parent.type in LOOPS for parent in ancestors(jump) if inside(parent, body)):
        return None
    return Edit(jump.start_byte, jump.end_byte, "continue;")


def first_assignment_in(variable: Variable, statements: list[Node]) -> Node | None:
    """Return the assignment that precedes every other use within the statements; None if there is none."""
    uses = [use for use in variable.uses if any(inside(use, statement) for statement in statements)]
    statement = _opening(variable, uses)
    if statement is None or statement.parent is None:
        return None
    if any(statement.id == s.id for s in statements):
        return statement
    block = statement.parent
    within = block.type == "compound_statement" and any(inside(block, s) for s in statements)
    return statement if within and all(inside(use, block) for use in uses) else None
