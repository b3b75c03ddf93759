"""Arguments that calls pass to functions, and the parameters that stay as they are passed."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import descendants, text

_SETTING = (
    "assignment_expression",
    "update_expression",
    "pointer_expression",
    "init_declarator",
    "declaration",
)


def parameters(root: Node) -> list[Node]:
    """Return the declarations of a function's parameters."""
    listed = next(descendants(root, "parameter_list"), None)
    inner = listed.named_children if listed is not None else ()
    return [item for item in inner if item.type.endswith("parameter_declaration")]


def plain_name(parameter: Node) -> str:
    """Return the name of a parameter that is no pointer, reference or array; else nothing."""
    declarator = parameter.child_by_field_name("declarator")
    return text(declarator) if declarator is not None and declarator.type == "identifier" else ""


def changes(root: Node, name: str) -> bool:
    """Tell whether something sets a name, takes its address, or declares it anew."""
    kinds = ("left", "argument", "declarator")
    return any(
        text(node.child_by_field_name(kind)) == name
        for node in descendants(root, *_SETTING)
        for kind in kinds
    )


def passed(root: Node, callee: str, position: int) -> Iterator[Node | None]:
    """Yield what calls in a function pass to another at a position; None for any other use of its name."""
    for node in descendants(root, "identifier"):
        call = node.parent
        if text(node) != callee or call is None or call.type == "function_declarator":
            continue
        if call.type == "template_function":
            call = call.parent
        listed = call.child_by_field_name("arguments") if call is not None else None
        given = [item for item in listed.named_children if item.type != "comment"] if listed else []
        yield given[position] if position < len(given) else None
