"""Numbers that work on all bytes of a word at once, so no sizes: ``(v & 0x0F0F0F0F) * 0x01010101 >> 24``.

Such a mask takes bits away from small numbers as well, and such a factor lets them grow beyond the word: what
it does to a size shows in small trials.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import ancestors, descendants, parse, text, whole_number
from transpile.testers.text.folding import constants_of, shifted_out

_WORDS = (4, 8)
_ALL, _NONE = 0xFF, 0
_OPERATORS = ("&", "*", "&=", "*=")
_BETWEEN = ("parenthesized_expression", "cast_expression")
_EXPRESSIONS = ("binary_expression", "assignment_expression")


def bit_patterns(data: bytes) -> frozenset[float]:
    """Return the numbers of a text that stand for the same bits of each byte wherever it has them.

    With them go the numbers that shifts of their products stand for: the top byte holds a sum of all.
    """
    root = parse(data).root_node
    literals = list(descendants(root, "number_literal"))
    patterns = {node.id: value for node in literals if (value := _pattern(node)) is not None}
    shifts = list(descendants(root, "binary_expression"))
    summed = {node.id: value for node in shifts if (value := _top_byte(node, patterns)) is not None}
    others = {float(found) for node in literals if node.id not in patterns and (found := whole_number(node))}
    known = constants_of(root)
    shifted = (shifted_out(node, known) for node in shifts if node.id not in summed)
    others |= {float(value) for value in shifted if value is not None}
    return frozenset((*patterns.values(), *summed.values())) - others


def _pattern(literal: Node) -> float | None:
    """Return the value of a literal that repeats one byte and is a mask or a factor; None for another."""
    found = whole_number(literal)
    applied = _applied(literal)
    if found is None or applied is None or text(applied.child_by_field_name("operator")) not in _OPERATORS:
        return None
    for size in _WORDS:
        if int(found) >> 8 * size == 0:
            first, *rest = int(found).to_bytes(size, "little")
            if first not in (_ALL, _NONE) and rest == [first] * (size - 1):
                return float(int(found))
    return None


def _applied(node: Node) -> Node | None:
    """Return the operation that a node is an operand of."""
    around: Iterator[Node] = ancestors(node)
    outer = next((item for item in around if item.type not in _BETWEEN), None)
    return outer if outer is not None and outer.type in _EXPRESSIONS else None


def _top_byte(node: Node, patterns: dict[int, float]) -> float | None:
    """Return the number that the shift of a product with such a factor stands for."""
    inner = node.child_by_field_name("left")
    while inner is not None and inner.type in _BETWEEN:
        inner = inner.child_by_field_name("value") or next(iter(inner.named_children), None)
    if inner is None or inner.type != "binary_expression":
        return None
    if text(inner.child_by_field_name("operator")) != "*":
        return None
    sides = (inner.child_by_field_name(side) for side in ("left", "right"))
    right = node.child_by_field_name("right")
    literal = right is not None and right.type == "number_literal"
    if not literal or not any(side is not None and side.id in patterns for side in sides):
        return None
    found = shifted_out(node, {})
    return float(found) if found is not None else None
