"""Definite assignment: where a scalar is known to have been given a value, whichever way control takes.

Loops that control may enter by a label are none that run in parallel.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.syntax import ancestors, field, find, inside, operator, unparenthesized
from transpile.code.variables import Variable

_JUMPS = ("break_statement", "continue_statement", "return_statement", "goto_statement")


def set_before_read(variable: Variable, body: Node) -> bool:
    """Tell whether every iteration gives a variable a value before it reads it."""
    uses = [use for use in variable.uses if inside(use, body)]
    targets = {target(write).id for write in variable.writes if is_setting(write)}
    return bool(uses) and all(use.id in targets or comes_set(use, variable, body.start_byte) for use in uses)


def comes_set(use: Node, variable: Variable, since: int) -> bool:
    """Tell whether control comes to a use by what sets the variable, from a place in the text on."""
    switched = False  # a label is between: control may come past what stands before it
    for parent in ancestors(use):
        if not switched and _sets_before(use, parent, variable, since):
            return True
        if parent.type in ("case_statement", "switch_statement"):
            switched = parent.type == "case_statement"
    return False


def always_sets(statement: Node, variable: Variable) -> bool:
    """Tell whether a statement gives a variable a value before it ends or jumps anywhere."""
    match statement.type:
        case "expression_statement":
            return any(_parent(write) == statement.id and is_setting(write) for write in variable.writes)
        case "for_statement":
            return _begins(statement, variable)
        case "compound_statement":
            return any(always_sets(item, variable) for item in _reached(statement, variable))
        case "if_statement":
            branches = [statement.child_by_field_name(part) for part in ("consequence", "alternative")]
            return all(item is not None and always_sets(item, variable) for item in branches)
        case "else_clause":
            return always_sets(statement.named_children[-1], variable)
        case _:
            return False


def is_setting(write: Node) -> bool:
    """Tell whether a write gives all of a variable another value: a member is a part of it."""
    plain = write.type == "assignment_expression" and operator(write) == "="
    return plain and unparenthesized(target(write)).type == "identifier"


def target(write: Node) -> Node:
    """Return what an assignment writes."""
    return field(write, "left")


def _sets_before(use: Node, around: Node, variable: Variable, since: int) -> bool:
    match around.type:
        case "for_statement" if around.start_byte >= since and _begins(around, variable):
            return not inside(use, field(around, "initializer"))
        case "compound_statement" | "case_statement":
            before = (item for item in around.named_children if item.end_byte <= use.start_byte)
            return any(item.start_byte >= since and always_sets(item, variable) for item in before)
        case _:
            return False


def _begins(loop: Node, variable: Variable) -> bool:
    """Tell whether a ``for`` statement gives a variable its first value."""
    first = loop.child_by_field_name("initializer")
    return first is not None and any(write.id == first.id and is_setting(write) for write in variable.writes)


def _parent(node: Node) -> int:
    return node.parent.id if node.parent is not None else 0


def _reached(block: Node, variable: Variable) -> Iterator[Node]:
    """Yield the statements of a block up to the first that may leave it without setting a variable."""
    for item in block.named_children:
        yield item
        if any(find(item, *_JUMPS)):
            return
