"""Arrays on the stack whose length is that of a variable: a large call has no room for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import ancestors, declared, descendants, parse, text

_FUNCTIONS = ("function_definition", "lambda_expression")
_CONSTANT = ("const", "constexpr")
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Growing:
    """An array, or a call of ``alloca``."""

    name: str
    line: int
    """Counted from 1."""


def growing(data: bytes) -> Iterator[Growing]:
    """Yield the arrays on the stack that grow with variables of the text."""
    for function in descendants(parse(data).root_node, *_FUNCTIONS):
        if any(node.type in _FUNCTIONS for node in ancestors(function)):
            continue  # a lambda is a part of its function
        variables = _variables(function)
        for declarator in _arrays(function):
            size = declarator.child_by_field_name("size")
            if size is not None and any(name in variables for name in _names(size)):
                yield Growing(name=text(declared(declarator)), line=declarator.start_point.row + 1)
        for call in descendants(function, "call_expression"):
            if text(call.child_by_field_name("function")).endswith("alloca"):
                yield Growing(name="alloca", line=call.start_point.row + 1)


def _arrays(function: Node) -> Iterator[Node]:
    """Yield the arrays that a function declares for itself: those of parameters are pointers."""
    for declaration in descendants(function, "declaration"):
        for declarator in declaration.children_by_field_name("declarator"):
            yield from _of(declarator)


def _of(declarator: Node | None) -> Iterator[Node]:
    """Yield the array that a declarator makes; a pointer to rows of a variable length is none."""
    while declarator is not None:
        if declarator.type == "array_declarator":
            inner = declarator.child_by_field_name("declarator")
            if inner is None or inner.type != "parenthesized_declarator":
                yield declarator
        if declarator.type == "parenthesized_declarator":
            return
        declarator = declarator.child_by_field_name("declarator")


def _variables(function: Node) -> set[str]:
    """Return the parameters and variables of a function that are no constants of the compiler's."""
    found: set[str] = set()
    for declaration in descendants(function, "declaration", *_PARAMETERS):
        if any(node.type == "template_parameter_list" for node in ancestors(declaration)):
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            if not _is_constant(declaration, declarator, found):
                found.add(text(declared(declarator)))
    return found


def _is_constant(declaration: Node, declarator: Node, variables: Collection[str]) -> bool:
    given = {text(child) for child in declaration.children}
    value = declarator.child_by_field_name("value")
    return bool(given & set(_CONSTANT)) and value is not None and not set(_names(value)) & set(variables)


def _names(node: Node) -> Iterator[str]:
    if node.type == "identifier":
        yield text(node)
    yield from (text(item) for item in descendants(node, "identifier"))
