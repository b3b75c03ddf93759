"""Numbers behind names at file scope: an invalid depth of -1, say, which data are compared with."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import descendants, grammar_of, parse, text, whole_number
from transpile.contracts.text.constants import constants_for
from transpile.contracts.text.identifiers import identifiers
from transpile.contracts.text.standard_numbers import standard_numbers
from transpile.core import Source, Unit

_MOST = 16
_DEEPEST = 8
"""Constants that are made of constants, one inside the other."""
_LARGEST = 2.0**53
_LOGICAL = ("&&", "||", "!")
_EQUALITIES = ("==", "!=")
_ORDERS = ("<", "<=", ">", ">=")
_NAMES = ("identifier", "field_expression")
_TRUTHS = ("condition_clause", "parenthesized_expression", "unary_expression")
_ELEMENTS = (*_NAMES, "subscript_expression", "pointer_expression", "call_expression")
_OF_ARRAYS = ("subscript_expression", "pointer_expression")
_HELD = 2.0
"""A number that elements of integers hold in some of all data."""
_SIGNED = re.compile(r"([-+]?(?:\d*\.?\d+|\d+\.)(?:[eE][-+]?\d+)?)[uUfFlL]*")
"""A literal with the sign that the grammar takes for part of it."""
_ELEMENT = re.compile(r"\w+\[\d+\]")
_OPERATORS: Mapping[str, Callable[[float, float], float | None]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: (
        left / right if right and not (left.is_integer() and right.is_integer()) else None
    ),
}
_AROUND = {"parenthesized_expression": "", "cast_expression": "value", "unary_expression": "argument"}
"""Syntax around a number, and the field that holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentioned:
    """Numbers in the text of a unit and of what it calls, without repetition, smallest first."""

    named: tuple[float, ...] = ()
    """Behind the names of constants, and computed from those and others where something is compared."""
    compared: tuple[float, ...] = ()
    """That something is asked to equal, or not to equal, spelled or behind names."""
    sought: tuple[int, ...] = ()
    """Whole numbers that something is asked to equal, in cases and as characters too, in their order."""
    asked: tuple[tuple[str, float], ...] = ()
    """Names that are asked to equal numbers, with these: 0 where they are conditions by themselves.

    Elements at places that numbers name count as well, spelled ``options[2]``. Where remainders are,
    ``i % 100 == 0``, the least two that leave them. Where elements are, ``level[i] == depth``, a number that
    usual data hold.
    """
    beside: tuple[tuple[str, int], ...] = ()
    """Names that are compared with whole numbers, or are switched by them, with these and the next ones."""


NOTHING_MENTIONED = Mentioned()


def mentioned_by(source: Source, unit: Unit) -> Mentioned:
    """Return the numbers that a unit and its callees mention."""
    constants = standard_numbers() | constants_for(source, unit)
    roots = [parse(part.text, grammar_of(part.path)).root_node for part in (unit, *source.closure(unit))]
    names = {text(node) for root in roots for node in identifiers(root)}
    return Mentioned(
        named=_distinct(
            [
                *(_number(constants[name], constants) for name in names & constants.keys()),
                *(_number(node, constants) for root in roots for node in _computed(root)),
            ]
        ),
        compared=_distinct(
            _number(node, constants) for root in roots for sides in _compared(root) for node in sides
        ),
        sought=tuple(dict.fromkeys(number for root in roots for number in _sought(root, constants)))[:_MOST],
        asked=tuple(sorted({*_asked(roots[0], constants)})),
        beside=tuple(sorted({*_beside(roots[0], constants)})),
    )


def _computed(root: Node) -> Iterator[Node]:
    """Yield sides of comparisons that are no names or literals: ``angle > 2 * M_PI``."""
    sides = (side for pair in _compared(root, (*_EQUALITIES, *_ORDERS)) for side in pair)
    return (node for node in sides if node is not None and node.type in ("binary_expression", *_AROUND))


def _compared(
    root: Node, operators: Collection[str] = _EQUALITIES
) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield both sides of each comparison, for equality if nothing else is said."""
    for node in descendants(root, "binary_expression"):
        if text(node.child_by_field_name("operator")) in operators:
            yield node.child_by_field_name("left"), node.child_by_field_name("right")


def _sought(root: Node, constants: Mapping[str, Node]) -> Iterator[int]:
    """Yield the whole numbers that equalities and cases name, and 0 where something is asked to be false."""
    if any(node.type in _ELEMENTS for node in _truths(root)):
        yield 0
    cases = (node.child_by_field_name("value") for node in descendants(root, "case_statement"))
    for node in (*(side for sides in _compared(root) for side in sides), *cases):
        number = _number_or_character(node, constants)
        if number is not None and abs(number) < _LARGEST and number.is_integer():
            yield int(number)


def _number_or_character(node: Node | None, constants: Mapping[str, Node]) -> float | None:
    """Return the value of an expression of literals and constants, or the number of a character."""
    return _number(node, constants) if node is None or node.type != "char_literal" else _character(node)


def _character(node: Node) -> float | None:
    """Return the number of a character that stands for itself."""
    spelled = text(node)[1:-1]
    return float(ord(spelled)) if len(spelled) == 1 and spelled.isascii() else None


def _asked(root: Node, constants: Mapping[str, Node]) -> Iterator[tuple[str, float]]:
    """Yield names that are asked to equal numbers, with these."""
    for left, right in _compared(root):
        for one, other in ((left, right), (right, left)):
            number = _number_or_character(other, constants)
            if number is None and other is not None and other.type in _OF_ARRAYS:
                number = _HELD
            if one is not None and number is not None:
                yield from _equal(one, number, constants)
    for condition in _conditions(root):
        yield from _equal(condition, 0.0, constants)


def _beside(root: Node, constants: Mapping[str, Node]) -> Iterator[tuple[str, int]]:
    """Yield names with the whole numbers at which what is asked of them turns."""
    for left, right in _compared(root, _ORDERS):
        for one, other in ((left, right), (right, left)):
            number = _number(other, constants)
            if number is not None and number.is_integer() and one is not None and _is_variable(one):
                yield from ((_spelled(one), int(number) + step) for step in (-1, 0, 1))
    for node in descendants(root, "switch_statement"):
        chosen = node.child_by_field_name("condition")
        cases = (case.child_by_field_name("value") for case in descendants(node, "case_statement"))
        numbers = [n for case in cases if (n := _number_or_character(case, constants)) is not None]
        if chosen is not None and _bare(chosen).type in _NAMES:
            yield from ((text(_bare(chosen)), int(number)) for number in numbers)


def _truths(root: Node) -> Iterator[Node]:
    """Yield what is asked to be true or false: conditions, and what logical operators join or turn round."""
    yield from _conditions(root)
    for node in descendants(root, "binary_expression", "unary_expression"):
        if text(node.child_by_field_name("operator")) in _LOGICAL:
            yield from map(_bare, node.named_children)


def _conditions(root: Node) -> Iterator[Node]:
    """Yield what branches ask for, or ask to be false."""
    for node in descendants(root, "if_statement", "conditional_expression"):
        condition = node.child_by_field_name("condition")
        if condition is not None:
            yield _bare(condition)


def _bare(node: Node) -> Node:
    """Return what is asked to be true or false, without brackets and negations."""
    while node.type in _TRUTHS:
        node = node.named_children[-1]
    return node


def _equal(node: Node, number: float, constants: Mapping[str, Node]) -> Iterator[tuple[str, float]]:
    """Yield the name that an expression is, or is the remainder of, with numbers that make them equal."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    if _is_variable(node):
        yield _spelled(node), number
    if node.type != "binary_expression" or text(node.child_by_field_name("operator")) != "%":
        return
    divided = node.child_by_field_name("left")
    divisor = _number(node.child_by_field_name("right"), constants)
    if divided is not None and divided.type in _NAMES:
        yield text(divided), number
        if divisor is not None:
            yield text(divided), number + divisor


def _is_variable(node: Node) -> bool:
    """Tell whether an expression is a name, or an element at a place that a number names: ``options[2]``."""
    fixed = node.type == "subscript_expression" and _ELEMENT.fullmatch(_spelled(node)) is not None
    return fixed or node.type in _NAMES


def _spelled(node: Node) -> str:
    """Return the text of an expression without blanks."""
    return "".join(text(node).split())


def _distinct(numbers: Iterable[float | None]) -> tuple[float, ...]:
    found = {number for number in numbers if number is not None and abs(number) < _LARGEST}
    return tuple(sorted(found))[:_MOST]


def _number(node: Node | None, constants: Mapping[str, Node], depth: int = 0) -> float | None:
    """Return the value of an expression of literals and constants; None where it is another one."""
    if node is None or depth > _DEEPEST:
        return None
    match node.type:
        case "number_literal":
            whole, signed = whole_number(node), _SIGNED.fullmatch(text(node).replace("'", ""))
            return float(whole) if whole else float(signed[1]) if signed else None
        case "identifier":
            return _number(constants.get(text(node)), constants, depth + 1)
        case "binary_expression":
            apply = _OPERATORS.get(text(node.child_by_field_name("operator")))
            left, right = (
                _number(node.child_by_field_name(side), constants, depth) for side in ("left", "right")
            )
            return None if apply is None or left is None or right is None else apply(left, right)
        case "unary_expression" if text(node.child_by_field_name("operator")) not in "+-":
            return None
        case kind if kind in _AROUND:
            inner = node.child_by_field_name(_AROUND[kind]) if _AROUND[kind] else node.named_child(0)
            value = _number(inner, constants, depth)
            return -value if value is not None and text(node).startswith("-") else value
        case _:
            return None
