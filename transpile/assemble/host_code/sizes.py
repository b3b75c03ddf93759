"""Whether two sizes in bytes are the same number."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.stable import pure, stable_outside, stable_variable
from transpile.assemble.host_code.tree import enclosing, of_type, peel, text_of

_DEPTH = 4


def same_size(one: Node, other: Node, known: Definitions) -> bool:
    """Tell whether two expressions surely have one value, both standing in the same function."""
    steady = _steady(one, known) and _steady(other, known)
    return steady and _normal(one, 0, known) == _normal(other, 0, known)


def _steady(expression: Node, known: Definitions) -> bool:
    """Tell whether nothing that the expression mentions changes in its function."""
    if not pure(expression):
        return False
    sizes = list(of_type(expression, "sizeof_expression"))
    for node in of_type(expression, "identifier", "field_identifier"):
        found = declared(node) if node.type == "identifier" else None
        if enclosing(node, "sizeof_expression", "call_expression") in sizes:
            continue
        if found is not None and _is_local(found):
            if not stable_variable(found, node, known):
                return False
        elif not (found is not None and found.const and not found.pointers) and not stable_outside(
            node, known
        ):
            return False
    return True


def _is_local(found: Declared) -> bool:
    return found.scope is not None and found.scope.type != "translation_unit"


def _normal(expression: Node, depth: int, known: Definitions) -> tuple[str, ...]:
    """Return the factors of a product in one order, variables that hold products expanded."""
    expression = peel(expression)
    if expression.type == "binary_expression":
        operator = expression.child_by_field_name("operator")
        left, right = expression.child_by_field_name("left"), expression.child_by_field_name("right")
        if operator is not None and text_of(operator) == b"*" and left is not None and right is not None:
            return tuple(sorted((*_normal(left, depth, known), *_normal(right, depth, known))))
    if expression.type == "identifier" and depth < _DEPTH:
        found = declared(expression)
        if (
            found is not None
            and found.value is not None
            and not found.pointers
            and stable_variable(found, expression, known)
        ):
            value = found.value
            if (
                value.type not in ("argument_list", "initializer_list")
                and _steady(value, known)
                and _integral(found.type)
            ):
                return _normal(value, depth + 1, known)
    places = [
        found.declaration.start_byte
        for node in of_type(expression, "identifier")
        if (found := declared(node)) is not None
    ]
    # Two variables of one name may be declared in two blocks.
    text = re.sub(rb"\s+", b" ", text_of(expression)).decode("utf-8", "surrogateescape")
    return (" ".join([text, *map(str, places)]),)


def _integral(kind: bytes) -> bool:
    return re.search(rb"\b(?:int|long|size_t|unsigned|auto|u?int\d+_t)\b", kind) is not None
