"""Elements of arrays on the device that the host reads between launches: each is copied when it is read."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import ancestors, called, field, find, inside, operator, source
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.trips import grouped
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.targets.cuda.declarations import is_array, rows

_VALUES = ("binary_expression", "unary_expression", "conditional_expression", "return_statement")
"""Syntax that takes an operand for its value."""


def definition(name: str) -> tuple[str, ...]:
    """Return the lines that define a function of the host which copies an element."""
    return (
        f"const auto {name} = [&check](const auto *place) {{",
        "    std::decay_t<decltype(*place)> value;",
        "    check(cudaMemcpy(&value, place, sizeof value, cudaMemcpyDeviceToHost));",
        "    return value;",
        "};",
    )


def names_array(name: Node, variables: Variables) -> bool:
    """Tell whether a name leads to memory: of an array, a pointer or a part of one, or a macro for such."""
    variable = variables.of(name)
    named = variables.by_macro.get(name.id, ()) if variable is None else (variable,)
    return any(is_array(item) or (item.reference and not item.parameter) for item in named)


def read_by_host(pointer: Node, variables: Variables, around: EnclosingScope) -> Node | None:
    """Return the element that the host reads through a pointer; None where it does anything else with it."""
    variable = variables.of(pointer)
    if variable is None or not (variable.parameter or variable.array):
        return None
    place = _element(pointer, variable) if leads_to_element(pointer) else None
    if place is None or any(
        names_array(name, variables) for name in find(place, "identifier") if name.id != pointer.id
    ):
        return None  # its number depends on other memory
    operand, user = place, place.parent
    while user is not None and user.type == "parenthesized_expression":
        operand, user = user, user.parent
    return place if user is not None and _takes_value(user, operand, around) else None


def copied(element: Node, pointer: Node, name: str, memory: str) -> str:
    """Return an element as a call of that function, with the array's memory on the device."""
    if element.type == "pointer_expression":
        return f"{name}({memory})"
    return f"{name}(&{grouped(memory)}{source(element)[pointer.end_byte - element.start_byte :]})"


def leads_to_element(pointer: Node) -> bool:
    """Tell whether a pointer is followed where it is named."""
    place = pointer.parent
    if place is None or place.type not in ("subscript_expression", "pointer_expression"):
        return False
    return operator(place) != "&" and field(place, "argument").id == pointer.id


def _element(pointer: Node, variable: Variable) -> Node | None:
    """Return the element, and not a row, that a name is followed to; None where it leads to rows."""
    lengths, place = rows(variable), pointer
    for _ in range(1 + (lengths or "").count("[")):
        if place.parent is None or not leads_to_element(place):
            return None
        place = place.parent
    return place if lengths is not None else None


def _takes_value(user: Node, operand: Node, around: EnclosingScope) -> bool:
    """Tell whether an expression or a declaration takes an operand for its value, and keeps no reference."""
    for outer in (user, *ancestors(user)):
        if outer.type == "declaration":
            if any(True for _ in find(outer, "reference_declarator")):
                return False
            break
    if user.type in ("init_declarator", "assignment_expression"):
        part = "value" if user.type == "init_declarator" else "right"
        return inside(operand, field(user, part))
    if user.type == "argument_list" and user.parent is not None:
        return around.calls(called(user.parent))
    return user.type in _VALUES
