"""Elements of arrays on the device that the host reads between launches: each is copied when it is read."""

from __future__ import annotations

from tree_sitter import Node

from transpile.translators.loops.trips import grouped
from transpile.translators.rules.syntax import ancestors, field, find, inside, operator, source

_VALUES = ("binary_expression", "unary_expression", "conditional_expression", "return_statement")
"""What takes an operand for its value."""


def definition(name: str) -> tuple[str, ...]:
    """Return the lines that define a function of the host which copies an element."""
    return (
        f"const auto {name} = [&check](const auto *place) {{",
        "    std::decay_t<decltype(*place)> value;",
        "    check(cudaMemcpy(&value, place, sizeof value, cudaMemcpyDeviceToHost));",
        "    return value;",
        "};",
    )


def element_read(pointer: Node) -> Node | None:
    """Return the element that the host reads through a pointer; None where it does anything else with it."""
    place = pointer.parent
    if place is None or not _leads_to_element(pointer, place):
        return None
    operand, user = place, place.parent
    while user is not None and user.type == "parenthesized_expression":
        operand, user = user, user.parent
    return place if user is not None and _takes_value(user, operand) else None


def copied(element: Node, pointer: Node, name: str, memory: str) -> str:
    """Return an element as a call of that function, with the array's memory on the device."""
    if element.type == "pointer_expression":
        return f"{name}({memory})"
    return f"{name}(&{grouped(memory)}{source(element)[pointer.end_byte - element.start_byte :]})"


def _leads_to_element(pointer: Node, place: Node) -> bool:
    if place.type not in ("subscript_expression", "pointer_expression") or operator(place) == "&":
        return False
    return field(place, "argument").id == pointer.id


def _takes_value(user: Node, operand: Node) -> bool:
    """Tell whether an expression or a declaration takes an operand for its value, and keeps no reference."""
    for around in (user, *ancestors(user)):
        if around.type == "declaration":
            if any(True for _ in find(around, "reference_declarator")):
                return False
            break
    if user.type in ("init_declarator", "assignment_expression"):
        part = "value" if user.type == "init_declarator" else "right"
        return inside(operand, field(user, part))
    return user.type in _VALUES
