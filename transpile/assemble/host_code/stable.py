"""Whether a name still means what its declaration said."""

from __future__ import annotations

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared, in_scope
from transpile.assemble.host_code.definitions import Definitions, bound_to_reference, written
from transpile.assemble.host_code.tree import enclosing, function_of, of_type, text_of, uses

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


def stable_outside(name: Node, known: Definitions) -> bool:
    """Tell whether a function changes nothing of that name from here on that is not its own variable.

    It may be a variable of the file, a member, or what another file declares.
    """
    function = function_of(name)
    if function is None:
        return True
    for node in of_type(function, "identifier", "field_identifier"):
        if text_of(node) != text_of(name) or not _may_follow(node, name):
            continue
        if written(node) or bound_to_reference(node) or known.changed_by_call(node):
            return False
    return not known.assigned_by_calls(function, text_of(name))


def _may_follow(node: Node, first: Node) -> bool:
    """Tell whether a place may be reached from another one: it stands behind it, or in one loop with it."""
    if node.start_byte > first.start_byte:
        return True
    loops = ("for_statement", "while_statement", "do_statement", "for_range_loop")
    loop = enclosing(first, *loops)
    while loop is not None and not _inside(node, loop):
        loop = enclosing(loop, *loops)
    return loop is not None


def _inside(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte < outer.end_byte


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
    for node in of_type(expression, "identifier", "type_identifier"):
        found = declared(node)
        if found is None or function_of(found.declaration) is None:
            if not stable_outside(node, known):
                return False
            continue
        at_use = declared_like(node, use)
        if at_use is None or at_use.declaration.start_byte != found.declaration.start_byte:
            return False
        if not stable_variable(found, use, known):
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
