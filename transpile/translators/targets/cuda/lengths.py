"""Lengths of arrays that each thread has: constants of the kernel, since compilers take no parameters."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import find, inside, source
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.symbols.types import is_whole
from transpile.translators.refusal import SEQUENTIAL, Refused

_NAMES = ("identifier", "call_expression", "field_expression", "subscript_expression", "pointer_expression")


def lengths(node: Node, variables: Variables) -> tuple[Variable, ...]:
    """Return what is declared around a node and is the length of an array in it.

    It raises Refused where such a length is no constant: no device has arrays of any other.
    """
    found: dict[int, Variable] = {}
    for item in variables.all:
        if not item.array or not inside(item.declaration, node):
            continue
        for length in variables.used_in(item.shape):
            if not _is_constant(length):
                raise Refused(SEQUENTIAL, f"the length of the array `{item.name}` is not a constant")
            if not inside(length.declaration, node):
                found[id(length)] = length
    return tuple(found.values())


def definition(length: Variable) -> str:
    """Return a length as a constant of a kernel."""
    assert length.initializer is not None
    return f"{length.type} {length.name} = {source(length.initializer)};"


def _is_constant(variable: Variable) -> bool:
    """Tell whether a variable is a whole number that its declaration spells out."""
    if "const" not in variable.type.split() or not is_whole(variable.bare):
        return False
    return variable.initializer is not None and not any(find(variable.initializer, *_NAMES))
