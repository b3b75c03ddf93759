"""Targets of atomic functions: an lvalue of a pointer, its address, and its type."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.names import unqualified
from transpile.code.syntax import Function, called, field, find, operator, source, unparenthesized
from transpile.translators.kernels.types import Types, normal

_PRIMARY = frozenset(
    {"identifier", "field_expression", "call_expression", "subscript_expression", "cast_expression"}
)
"""Operands that a star binds to without parentheses."""
_CASTS = frozenset({"reinterpret_cast", "static_cast", "const_cast"})


def lvalue(node: Node) -> str:
    """Return the lvalue that a pointer expression points to."""
    node = unparenthesized(node)
    if node.type == "pointer_expression" and operator(node) == "&":
        inner = node.named_children[-1]
        return source(unparenthesized(inner))
    if node.type == "binary_expression" and operator(node) == "+":
        left, right = field(node, "left"), field(node, "right")
        if left.type in ("identifier", "field_expression"):
            return f"{source(left)}[{source(right)}]"
    return f"*{source(node)}" if node.type in _PRIMARY else f"*({source(node)})"


def address(target: str) -> str:
    """Return the address of an lvalue."""
    return target[1:] if target.startswith("*") else f"&{target}"


def element_type(pointer: Node, types: Types) -> str | None:
    """Return the type of what a pointer points to, or the word that names it; None where it is not known."""
    pointer = unparenthesized(pointer)
    if pointer.type == "pointer_expression":
        return types.of(pointer.named_children[-1])
    shown = _cast_to(pointer)
    if shown is not None:
        return pointed_at(shown) or unqualified(shown.partition("*")[0])
    if pointer.type == "binary_expression":
        sides = (field(pointer, "left"), field(pointer, "right"))
        return next((kind for side in sides if (kind := element_type(side, types)) is not None), None)
    for item in find(pointer, "identifier"):
        variable = types.variables.of(item)
        if variable is not None and (variable.pointer or variable.array):
            return unqualified(variable.type)
    return None


def parameter_points_to(text: str) -> str | None:
    """Return the type that the first parameter of a function points to; None for a type of its own."""
    parameters = Function(text).parameters
    return pointed_at(parameters[0].text) if parameters and parameters[0].pointer else None


def pointed_at(spelling: str) -> str | None:
    """Return the name of the arithmetic type before the star of a pointer's; None for other types."""
    return normal(spelling.partition("*")[0])


def _cast_to(pointer: Node) -> str | None:
    """Return the type that a pointer is cast to; None where it is not."""
    if pointer.type == "cast_expression":
        return source(field(pointer, "type"))
    if pointer.type == "call_expression" and called(pointer) in _CASTS:
        return source(field(field(pointer, "function"), "arguments"))[1:-1]
    return None
