"""Names that contracts give to objects behind expressions: ``s.grid.u`` is ``s->grid.u``, or ``s->grid->u``.

A local name leads where it was initialised, as long as it stays: ``Grid *g = &s->grid``.
"""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import field, source, unparenthesized
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.symbols.containers import elements


def path(node: Node, variables: Variables) -> str:
    """Return the name of a parameter that stays, or of a member behind one; empty for all else.

    A pointer has the name of what it leads to: nothing that contracts know is a pointer to a pointer.
    """
    node = unparenthesized(node)
    match node.type:
        case "field_expression":
            owner = path(field(node, "argument"), variables)
            return f"{owner}.{source(field(node, 'field'))}" if owner else ""
        case "pointer_expression":
            return path(field(node, "argument"), variables)
        case "identifier" if (variable := variables.of(node)) is not None:
            return _named(variable, variables)
        case _:
            return ""


def element(node: Node, variables: Variables) -> str:
    """Return what contracts call an element of an array, whichever it is, or a member of one; else empty."""
    node = unparenthesized(node)
    match node.type:
        case "field_expression":
            owner = element(field(node, "argument"), variables)
            return f"{owner}.{source(field(node, 'field'))}" if owner else ""
        case "subscript_expression" | "pointer_expression":
            return element(field(node, "argument"), variables)
        case "identifier":
            variable = variables.of(node)
            return source(node) if variable is None or variable.parameter else path(node, variables)
        case _:
            return ""


def is_name(declared: Node, variables: Variables) -> bool:
    """Tell whether what a declaration makes is another name for an object that contracts know."""
    return any(
        item.declarator.id == declared.id and not item.parameter and bool(_named(item, variables))
        for item in variables.all
    )


def fields(name: str) -> list[str]:
    """Return the members on the way to an object, by the name that contracts have for it."""
    return name.split(".")[1:]


def in_c(name: str, pointers: frozenset[str]) -> str:
    """Return an object as C, by the name that contracts have for it.

    Args:
        name: Of the object; any other name is returned as it is.
        pointers: Which of these names are pointers.
    """
    whole, *rest = name.split(".")
    text = whole
    for part in rest:
        text += f"{'->' if whole in pointers else '.'}{part}"
        whole += f".{part}"
    return text


def _named(variable: Variable, variables: Variables) -> str:
    if not variable.constant or variable.reference or variable.static or elements(variable) is not None:
        return ""
    declared = source(variable.shape)
    if declared.count("*") + declared.count("[") > 1 or variable.array:
        return ""
    if variable.parameter:
        return variable.name
    return path(variable.initializer, variables) if variable.initializer is not None else ""
