"""Lengths of arrays, as a contract says them, as C."""

from __future__ import annotations

import re

from transpile.expressions import Apply, Binary, Name, Node, Number, Unary, parse


def grouped(text: str) -> str:
    """Return a length as an expression of C that may stand beside any operator."""
    found = spelled(parse(text))
    return found if re.fullmatch(r"\w+", found) else f"({found})"


def factor(text: str) -> str:
    """Return a length as an expression of C that may stand behind a ``*``, which goes on with its factors."""
    tree = parse(text)
    return spelled(tree) if isinstance(tree, Binary) and tree.operator == "*" else grouped(text)


def spelled(node: Node) -> str:
    """Return an expression as C; of ``min`` and ``max`` as conditions."""
    match node:
        case Number(value):
            return str(value)
        case Name(text):
            return text
        case Unary(operator, operand):
            return f"{operator}{_inner(operand)}"
        case Binary(operator, left, right):
            product = operator in ("+", "-")
            return f"{_inner(left, product=product)} {operator} {_inner(right, product=product)}"
        case Apply(function, arguments):
            first, *rest = [f"({spelled(item)})" for item in arguments]
            for other in rest:
                sign = "<" if function == "min" else ">"
                first = f"({first} {sign} {other} ? {first} : {other})"
            return first


def _inner(node: Node, *, product: bool = False) -> str:
    """Return an operand; a product needs no parentheses beside a plus or a minus."""
    found = spelled(node)
    bare = not isinstance(node, Binary) or (product and node.operator == "*")
    return found if bare else f"({found})"
