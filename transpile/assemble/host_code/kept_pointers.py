"""Parameters of kernels that outlive a launch: memory of the device holds the pointer afterwards.

Later kernels reach through it what no launch of theirs names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared, parameters
from transpile.assemble.host_code.tree import arguments_of, called, function_of, text_of, uses

_DEPTH = 4
_THROUGH = frozenset(
    ("parenthesized_expression", "cast_expression", "conditional_expression", "comma_expression")
)
_LASTING = (b"static", b"__shared__", b"__device__", b"extern")


def is_kept(
    parameter: Declared, function: Node, functions: Mapping[bytes, Sequence[Node]], depth: int = _DEPTH
) -> bool:
    """Tell whether a function may store a pointer where others find it.

    Args:
        parameter: One of its own, or a variable that holds what one holds.
        function: Its definition.
        functions: Those of the program.
        depth: How many variables and calls are followed.
    """
    body = function.child_by_field_name("body")
    deduced = b"auto" in parameter.type.split()
    if body is None or not (parameter.pointers + parameter.arrays or deduced):
        return False
    return depth == 0 or any(_stores(use, function, functions, depth) for use in uses(body, parameter.name))


def _stores(use: Node, function: Node, functions: Mapping[bytes, Sequence[Node]], depth: int) -> bool:
    """Tell whether the value of a pointer is stored from here, directly or by what it is given to."""
    value = _value(use)
    parent = value.parent
    if parent is None:
        return False
    match parent.type:
        case "assignment_expression":
            target = parent.child_by_field_name("left")
            if target is None or target == value or text_of(target) == text_of(use):
                return False
            return _is_kept_in(target, function, functions, depth)
        case "init_declarator":
            return _is_kept_in(_declared_by(parent), function, functions, depth)
        case "argument_list":
            return _is_kept_by_call(parent, value, functions, depth)
        case _:
            return parent.type in ("initializer_list", "return_statement")


def _is_kept_in(
    variable: Node | None, function: Node, functions: Mapping[bytes, Sequence[Node]], depth: int
) -> bool:
    """Tell whether what a variable is given outlives the function, or is stored from there."""
    named = variable is not None and variable.type == "identifier"
    found = declared(variable) if named and variable is not None else None
    if found is None or not _is_own(found, function):
        return True
    return is_kept(found, function, functions, depth - 1)


def _value(use: Node) -> Node:
    """Return the largest expression whose value is the pointer, or one into the same memory."""
    node = use
    while (parent := node.parent) is not None:
        operator = parent.child_by_field_name("operator")
        moved = (
            parent.type == "binary_expression" and operator is not None and text_of(operator) in (b"+", b"-")
        )
        if not moved and parent.type not in _THROUGH and not _is_element_address(parent, node):
            break
        node = (
            parent.parent if parent.type == "subscript_expression" and parent.parent is not None else parent
        )
    return node


def _is_element_address(subscript: Node, pointer: Node) -> bool:
    outer = subscript.parent
    indexed = (
        subscript.type == "subscript_expression" and subscript.child_by_field_name("argument") == pointer
    )
    return indexed and outer is not None and outer.type == "pointer_expression" and text_of(outer)[:1] == b"&"


def _declared_by(declarator: Node) -> Node | None:
    node = declarator.child_by_field_name("declarator")
    while node is not None and node.type != "identifier":
        node = node.child_by_field_name("declarator")
    return node


def _is_own(found: Declared, function: Node) -> bool:
    """Tell whether a variable ends with the call of its function."""
    lasting = any(word in text_of(found.declaration) for word in _LASTING)
    return function_of(found.declaration) == function and not found.reference and not lasting


def _is_kept_by_call(
    listed: Node, value: Node, functions: Mapping[bytes, Sequence[Node]], depth: int
) -> bool:
    call = listed.parent
    name = called(call) if call is not None else None
    position = next((i for i, node in enumerate(arguments_of(call)) if node == value), -1) if call else -1
    for other in functions.get(name, ()) if name is not None else ():
        own = list(parameters(other))
        if 0 <= position < len(own) and is_kept(own[position], other, functions, depth - 1):
            return True
    return False
