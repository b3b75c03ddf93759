"""Lengths of arrays, as a contract says them, as C."""

from __future__ import annotations

from transpile.expressions import Apply, Binary, Name, Node, Number, Unary, parse


def grouped(text: str) -> str:
    """Return a length as an expression of C of 64 bits that may stand beside any operator."""
    tree = parse(text)
    return _spelled(tree, wide=True) if isinstance(tree, Name | Number) else f"({_spelled(tree, wide=True)})"


def factor(text: str) -> str:
    """Return a length as an expression of C that may stand behind a ``*`` of 64 bits."""
    tree = parse(text)
    product = isinstance(tree, Binary) and tree.operator == "*"
    return _spelled(tree, wide=False) if product else grouped(text)


def _spelled(node: Node, *, wide: bool) -> str:
    """Return an expression as C; of ``min`` and ``max`` as conditions.

    Of two operands the first is widened where it is to be, so that no product or sum is one of 32 bits.
    """
    match node:
        case Number(value):
            return str(value)
        case Name(text):
            return text
        case Unary(operator, operand):
            return f"{operator}{_inner(operand, wide=wide)}"
        case Binary(operator, left, right):
            product = operator in ("+", "-")
            first = _inner(left, wide=wide, product=product)
            if wide and isinstance(left, Name) and not (product and _is_product(right)):
                first = f"(long long){first}"
            return f"{first} {operator} {_inner(right, wide=wide, product=product)}"
        case Apply(function, arguments):
            chosen, *rest = [_inner(item, wide=wide) for item in arguments]
            for other in rest:
                sign = "<" if function == "min" else ">"
                chosen = f"({chosen} {sign} {other} ? {chosen} : {other})"
            return chosen


def _inner(node: Node, *, wide: bool, product: bool = False) -> str:
    """Return an operand; a product needs no parentheses beside a plus or a minus."""
    found = _spelled(node, wide=wide)
    bare = not isinstance(node, Binary) or (product and _is_product(node))
    return found if bare else f"({found})"


def _is_product(node: Node) -> bool:
    return isinstance(node, Binary) and node.operator == "*"
