"""Whole numbers that a text spells as constant expressions: ``1 << 20``, or ``2 * tile`` of a constant."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from tree_sitter import Node

from transpile.code.trees import descendants, parse, text, whole_number
from transpile.code.types import size_of

_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "|": operator.or_,
    "&": operator.and_,
}
_CHARACTER = re.compile(r"'([^'\\])'")
_FRACTION = re.compile(r"(-?\d+\.\d*(?:[eE][+-]?\d+)?|-?\d+[eE]\+?\d+|-\d+)[fFlLuU]*")
_SIZE_OF = re.compile(r"sizeof\s*\(?(.*?)\)?")
_MOST_BITS = 53
_FEWEST_BITS = 8
_LARGEST = 1 << _MOST_BITS


def folded(data: bytes) -> tuple[float, ...]:
    """Return the values of a text's constant expressions, without repetition, smallest first.

    A variable counts with the first value that the text gives to its name.
    """
    root = parse(data).root_node
    known = constants_of(root)
    nodes = list(descendants(root, "binary_expression"))
    values = [*(_value(node, known) for node in nodes), *(shifted_out(node, known) for node in nodes)]
    return tuple(sorted({float(value) for value in values if value is not None}))


def constants_of(root: Node) -> dict[str, int]:
    """Return the whole numbers that names of a text are first given."""
    known: dict[str, int] = {}
    for declarator in descendants(root, "init_declarator", "enumerator"):
        name = declarator.child_by_field_name("declarator") or declarator.child_by_field_name("name")
        value = _value(declarator.child_by_field_name("value"), known)
        if value is not None:
            known.setdefault(text(name), value)
    return known


def shifted_out(node: Node, known: Mapping[str, int]) -> int | None:
    """Return the least number of which a shift to the right leaves something; None for a small one."""
    shifts = text(node.child_by_field_name("operator")) == ">>"
    bits = _value(node.child_by_field_name("right"), known) if shifts else None
    return 1 << bits if bits is not None and _FEWEST_BITS <= bits < _MOST_BITS else None


def _value(node: Node | None, known: Mapping[str, int]) -> int | None:
    """Return the value of a constant expression; None where it is none, or larger than any size."""
    if node is None:
        return None
    match node.type:
        case "number_literal":
            return _whole(node)
        case "identifier":
            return known.get(text(node))
        case "char_literal":
            found = _CHARACTER.fullmatch(text(node))
            return ord(found[1]) if found is not None else None
        case "unary_expression" if text(node.child_by_field_name("operator")) == "-":
            inner = _value(node.child_by_field_name("argument"), known)
            return -inner if inner is not None else None
        case "cast_expression":
            return _value(node.child_by_field_name("value"), known)
        case "parenthesized_expression":
            return _value(node.named_children[0], known) if node.named_children else None
        case "sizeof_expression":
            found = _SIZE_OF.fullmatch(text(node))
            return size_of(found[1]) if found is not None else None
        case "binary_expression":
            return _applied(node, known)
        case _:
            return None


def _whole(node: Node) -> int | None:
    """Return the value of a literal that is a whole number, also one that is spelled as a fraction."""
    found = whole_number(node)
    if found is not None:
        return int(found) if len(found) <= _MOST_BITS else None
    fraction = _FRACTION.fullmatch(text(node))
    value = float(fraction[1]) if fraction is not None else 0.5
    return int(value) if value.is_integer() and abs(value) < _LARGEST else None


def _applied(node: Node, known: Mapping[str, int]) -> int | None:
    function = _OPERATORS.get(text(node.child_by_field_name("operator")))
    left, right = (_value(node.child_by_field_name(side), known) for side in ("left", "right"))
    if function is None or left is None or right is None:
        return None
    if function in (operator.lshift, operator.rshift) and not 0 <= right <= _MOST_BITS:
        return None
    if function in (operator.floordiv, operator.mod) and right <= 0:
        return None
    value = function(left, right)
    return value if abs(value) < _LARGEST else None
