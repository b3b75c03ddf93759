"""Arrays that a translation says never overlap, since it made them itself: a promise of its own."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import ancestors, descendants, parse, text
from transpile.contracts.text.text_variables import Surroundings, Variables

_WORDS = frozenset({"restrict", "__restrict", "__restrict__"})
_ALLOCATIONS = frozenset({"cudaMalloc", "cudaMallocManaged", "hipMalloc", "hipMallocManaged"})
_NOTHING = Surroundings(constant=lambda _: None, alters=lambda _: False, sizes={})


def kept_apart(code: bytes) -> frozenset[int]:
    """Return where a CUDA text says ``restrict`` of kernels that are given different allocations only.

    Every pointer that is passed is a variable of the launching function that one allocation sets and nothing
    else, and none is passed twice.
    """
    root = parse(code).root_node
    functions = list(descendants(root, "function_definition"))
    kernels = {_name(item): item for item in functions if b"__global__" in _head(item)}
    launched: set[str] = set()
    aliased: set[str] = set()
    for function in functions:
        for call in descendants(function, "call_expression"):
            name = text(call.child_by_field_name("function"))
            if name in kernels:
                launched.add(name)
                aliased |= set() if _apart(kernels[name], call, function) else {name}
    # An instance of a template, or a name that is handed on, is a launch that is not seen here.
    other = {text(item) for item in descendants(root, "identifier") if text(item) in kernels} - launched
    trusted = launched - aliased - other
    return frozenset(place for name in trusted for place in _places(kernels[name]))


def _head(function: Node) -> bytes:
    return (function.text or b"").partition(b"{")[0]


def _name(function: Node) -> str:
    declarator = next(descendants(function, "function_declarator"), None)
    return text(declarator.child_by_field_name("declarator")) if declarator is not None else ""


def _parameters(function: Node) -> list[Node]:
    declarator = next(descendants(function, "function_declarator"), None)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [item for item in listed.named_children if item.type != "comment"] if listed is not None else []


def _places(kernel: Node) -> Iterator[int]:
    for parameter in _parameters(kernel):
        for node in descendants(parameter, "type_qualifier", "ms_restrict_modifier"):
            if text(node) in _WORDS:
                yield node.start_byte


def _apart(kernel: Node, call: Node, function: Node) -> bool:
    """Tell whether a launch passes a different allocation for each pointer."""
    arguments = call.child_by_field_name("arguments")
    given = [item for item in arguments.named_children if item.type != "comment"] if arguments else []
    pointers = [
        text(node)
        for node, parameter in zip(given, _parameters(kernel), strict=False)
        if "*" in text(parameter) or "[" in text(parameter)
    ]
    variables = Variables(function, _NOTHING)
    return len(set(pointers)) == len(pointers) and all(
        variables.set_by_address(name) and _allocated(function, name) for name in pointers
    )


def _allocated(function: Node, name: str) -> bool:
    """Tell whether the address of a variable goes to an allocation."""
    for node in descendants(function, "pointer_expression"):
        if text(node) == f"&{name}":
            around = next((item for item in ancestors(node) if item.type == "call_expression"), None)
            return around is not None and text(around.child_by_field_name("function")) in _ALLOCATIONS
    return False
