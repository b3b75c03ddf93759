"""Variables that are set again before anybody reads them, as far as the structure of the text tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.code.syntax import ancestors, field, inside, operator, source
from transpile.code.variables import Variable

_CASES = ("switch_statement", "case_statement")


def is_set_within(variable: Variable, loop: Node) -> bool:
    """Tell whether all that a loop reads of a variable was set within the same loop before."""
    return all(_is_settled(use, variable, loop) for use in _reads(variable) if inside(use, loop))


def is_dead_after(variable: Variable, loop: Node) -> bool:
    """Tell whether nobody reads what a loop leaves in a variable of the function."""
    return all(_is_settled(use, variable, loop) for use in _reads(variable) if not inside(use, loop))


def _reads(variable: Variable) -> Iterator[Node]:
    """Yield the uses of a variable that are more than the target of a plain assignment."""
    for use in variable.uses:
        if not _is_target(use):
            yield use


def _is_target(use: Node) -> bool:
    assignment = use.parent
    return (
        assignment is not None
        and assignment.type == "assignment_expression"
        and operator(assignment) == "="
        and field(assignment, "left").id == use.id
    )


def _is_settled(use: Node, variable: Variable, loop: Node) -> bool:
    """Tell whether the way to a use, from its loop's start or from behind the loop, sets the variable.

    Either a ``for`` around the use begins by setting it, or an assignment does that stands before the use
    in a block around it. Between the two there must not be the loop itself.
    """
    within = inside(use, loop)
    block = use
    for outer in ancestors(use):
        if within and not inside(outer, loop):
            return False
        if outer.type == "for_statement" and _sets_before(outer, use, variable):
            return within or not inside(loop, outer)
        if outer.type == "compound_statement" and not _is_of_switch(outer):
            before = _assignment_before(outer.named_children, block, variable)
            if before is not None:
                return within or not before.start_byte <= loop.start_byte < use.start_byte
        block = outer
    return False


def begins_by_setting(loop: Node, variable: Variable) -> bool:
    """Tell whether a loop sets a variable before anything else."""
    begin = loop.child_by_field_name("initializer")
    return begin is not None and _sets(begin, variable)


def _sets_before(loop: Node, use: Node, variable: Variable) -> bool:
    begin = loop.child_by_field_name("initializer")
    return begin is not None and not inside(use, begin) and _sets(begin, variable)


def _is_of_switch(block: Node) -> bool:
    """Tell whether a block is entered at labels."""
    return (block.parent is not None and block.parent.type in _CASES) or any(
        child.type in ("case_statement", "labeled_statement") for child in block.named_children
    )


def _assignment_before(statements: Sequence[Node], end: Node, variable: Variable) -> Node | None:
    """Return the last statement before another in its block that does nothing but set the variable."""
    for statement in reversed([item for item in statements if item.end_byte <= end.start_byte]):
        first = _first_expression(statement)
        if first is not None and _sets(first, variable):
            return statement
    return None


def _first_expression(statement: Node) -> Node | None:
    """Return what a statement evaluates whatever happens; None where it may be nothing."""
    if statement.type == "for_statement":
        return statement.child_by_field_name("initializer")
    if statement.type == "expression_statement" and statement.named_children:
        return statement.named_children[0]
    return None


def _sets(expression: Node, variable: Variable) -> bool:
    """Tell whether an expression, or a part of one with commas, is an assignment that sets the variable."""
    if expression.type == "comma_expression":
        return any(_sets(child, variable) for child in expression.named_children)
    if expression.type != "assignment_expression" or operator(expression) != "=":
        return False
    left, right = field(expression, "left"), field(expression, "right")
    if right.type == "assignment_expression" and _sets(right, variable):
        return True
    return (
        any(use.id == left.id for use in variable.uses)
        and source(left) == variable.name
        and not any(inside(use, right) for use in variable.uses)
    )
