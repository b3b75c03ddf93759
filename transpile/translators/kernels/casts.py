"""Conversions that C makes by itself and C++ wants to see: memory that was allocated, as what it is for."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, called, field, find, operator, source
from transpile.code.variables import Variable, Variables

_ALLOCATING = ("malloc", "calloc", "realloc", "aligned_alloc")


def casts(function: Function, variables: Variables) -> Iterator[Edit[str]]:
    """Yield a cast ahead of each call that allocates what a variable leads to."""
    for call in find(function.body, "call_expression"):
        variable = _target(call, variables) if called(call) in _ALLOCATING else None
        if variable is not None and variable.pointer and not variable.array:
            stars = "*" * source(variable.shape).count("*")
            yield Edit(call.start_byte, call.start_byte, f"({variable.type} {stars})")


def _target(call: Node, variables: Variables) -> Variable | None:
    """Return the variable that a call is the initializer of, or that it is assigned to."""
    parent = call.parent
    if parent is not None and parent.type == "assignment_expression" and operator(parent) == "=":
        return variables.of(field(parent, "left"))
    initialized = (item for item in variables.all if item.initializer is not None)
    return next((item for item in initialized if item.initializer == call), None)
