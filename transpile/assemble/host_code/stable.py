"""Whether a name still means what its declaration said."""

from __future__ import annotations

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared, in_scope
from transpile.assemble.host_code.definitions import Definitions, bound_to_reference
from transpile.assemble.host_code.tree import function_of, of_type, text_of, uses

_PURE = frozenset(
    (
        b"min",
        b"max",
        b"atoi",
        b"atol",
        b"atof",
        b"ceil",
        b"ceilf",
        b"std::min",
        b"std::max",
        b"dim3",
        b"floor",
        b"sqrt",
    )
)


def stable_variable(found: Declared, use: Node, known: Definitions) -> bool:
    """Tell whether nothing writes a local variable, or lets others do so, after its declaration."""
    if b"const" in found.type.split() and not found.pointers:
        return True
    scope = function_of(use)
    if scope is None:
        return False
    for node in uses(scope, found.name):
        if node.start_byte == found.declaration.start_byte or _inside(node, found.declaration):
            continue
        if written(node) or bound_to_reference(node) or known.changed_by_call(node):
            return False
    return True


def _inside(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte < outer.end_byte


def written(node: Node) -> bool:
    """Tell whether a use may change the variable: assignment, increment, address, input operator."""
    current, parent = node, node.parent
    while parent is not None and parent.type in (
        "field_expression",
        "subscript_expression",
        "parenthesized_expression",
    ):
        if parent.type == "subscript_expression" and parent.child_by_field_name("argument") != current:
            return False
        current, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return parent.child_by_field_name("left") == current
    if parent.type == "update_expression":
        return True
    if parent.type == "binary_expression" and parent.child_by_field_name("right") == current:
        operator = parent.child_by_field_name("operator")
        return operator is not None and text_of(operator) == b">>"
    if parent.type == "pointer_expression":
        return text_of(parent).startswith(b"&")
    return parent.type == "reference_declarator"


def pure(expression: Node) -> bool:
    """Tell whether evaluating an expression changes nothing."""
    for node in of_type(
        expression,
        "call_expression",
        "assignment_expression",
        "update_expression",
        "new_expression",
        "delete_expression",
        "lambda_expression",
        "co_await_expression",
    ):
        if node.type != "call_expression":
            return False
        function = node.child_by_field_name("function")
        if function is None or text_of(function) not in _PURE:
            return False
    return True


def stable_expression(expression: Node, use: Node, known: Definitions) -> bool:
    """Tell whether an expression means the same at a later use as where it stands."""
    if not pure(expression):
        return False
    for node in of_type(expression, "identifier"):
        found = declared(node)
        if found is None:
            continue
        at_use = declared_like(node, use)
        if at_use is None or at_use.declaration.start_byte != found.declaration.start_byte:
            return False
        if function_of(found.declaration) is not None and not stable_variable(found, use, known):
            return False
    return _members_stable(expression, use, known)


def _members_stable(expression: Node, use: Node, known: Definitions) -> bool:
    """Tell whether members and elements in an expression belong to variables that nothing writes."""
    if next(of_type(expression, "subscript_expression", "pointer_expression"), None) is not None:
        return False
    for node in of_type(expression, "field_expression"):
        argument = node.child_by_field_name("argument")
        if argument is None or argument.type != "identifier":
            return False
        found = declared(argument)
        if found is None or found.pointers or found.reference or not stable_variable(found, use, known):
            return False
    return True


def declared_like(name: Node, use: Node) -> Declared | None:
    """Return what a name would refer to at another place."""
    current: Node | None = use
    wanted = text_of(name)
    while current is not None:
        for found in in_scope(current, use.start_byte):
            if found.name == wanted:
                return found
        current = current.parent
    return None
