"""Pointers of a function that lead into arrays of its caller: ``const float *row = x + at[i] * m;``."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import field, operator, unparenthesized
from transpile.code.variables import Variable, Variables


def leads_into(pointer: Variable, variables: Variables) -> Variable | None:
    """Return the parameter that a pointer is counted from, in elements of its type; None for any other one.

    Both stay where they are once they are set, so their distance is the number of an element.
    """
    if not pointer.pointer or pointer.array or pointer.reference or pointer.static or not pointer.constant:
        return None
    if pointer.parameter:
        return pointer
    base = counted_from(pointer)
    named = variables.of(base) if base is not None else None
    root = leads_into(named, variables) if named is not None and named is not pointer else None
    return root if root is not None and root.bare == pointer.bare else None


def counted_from(pointer: Variable) -> Node | None:
    """Return the name in the initializer of a pointer that it is counted from; None where there is none."""
    nodes = address(pointer)
    return nodes[-1] if nodes and nodes[-1].type == "identifier" else None


def address(pointer: Variable) -> list[Node]:
    """Return what of the initializer of a pointer tells an address and reads nothing, outermost first."""
    found: list[Node] = []
    node = pointer.initializer if pointer.pointer and not pointer.parameter else None
    while node is not None:
        node = unparenthesized(node)
        found.append(node)
        if node.type == "binary_expression" and operator(node) in ("+", "-"):
            node = field(node, "left")
        elif node.type == "pointer_expression" and operator(node) == "&":
            element = unparenthesized(field(node, "argument"))
            found.append(element)
            node = field(element, "argument") if element.type == "subscript_expression" else None
        else:
            break
    return found
