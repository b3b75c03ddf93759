"""Which numbers an expression may be, by the types of what it names: as far as rules need to know."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    arguments,
    called,
    field,
    operator,
    source,
    unparenthesized,
)
from transpile.code.types import ARITHMETIC, LENGTH, bare, conversion
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.paths import element

_INT = 31
_ARITHMETIC_BITS = 32
"""Of the unsigned numbers that what is compared with them becomes as well."""
_DIGITS = {name: kind.digits for name, kind in ARITHMETIC.items() if not kind.floating and name != "bool"} | {
    "char": 9  # with a sign or without
}
"""Bits of an integer's value; an odd number of them has a sign beside."""
_FLOATS = ("float", "double")
_NUMBERS = frozenset((*_DIGITS, *_FLOATS, "longdouble"))
_KEPT = frozenset((*(name for name, bits in _DIGITS.items() if bits >= _INT), *_FLOATS))
"""Types that operands keep."""
_OF_INTEGERS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||", "%", "&", "|", "^", "<<", ">>")
_ABSOLUTE = ("abs", "fabs")
_CHOSEN = ("min", "max")
_LENGTHS = ("size", "length")
_LITERAL = re.compile(r"0[xXbB][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*")
_STORED = frozenset(("static", "inline", "extern", "const", "constexpr", "__inline__", "__inline"))
_NOTHING = EnclosingScope()


def type_of(node: Node, variables: Variables, around: EnclosingScope = _NOTHING) -> str:
    """Return a type that holds every value of an expression, ``bare``; empty where none is known."""
    node = unparenthesized(node)
    match node.type:
        case "identifier" | "pointer_expression":
            return _of_place(node, variables)
        case "subscript_expression" | "field_expression":
            return _of_place(node, variables) or bare(around.numbers.get(element(node, variables), ""))
        case "cast_expression" | "call_expression" if cast := conversion(node):
            return cast[0]
        case "call_expression" if called(node).removeprefix("std::") in _ABSOLUTE:
            return type_of(arguments(node)[0], variables, around)
        case "call_expression" if called(node).removeprefix("std::") == "fabsf":
            return "float"
        case "unary_expression" if operator(node) == "-":
            return _shared(type_of(field(node, "argument"), variables, around))
        case "binary_expression" if operator(node) in ("+", "-", "*", "/"):
            return _shared(*(type_of(field(node, side), variables, around) for side in ("left", "right")))
        case "conditional_expression":
            sides = (field(node, side) for side in ("consequence", "alternative"))
            return _same(*(type_of(side, variables, around) for side in sides))
        case _:
            return ""


def whole(node: Node, variables: Variables, around: EnclosingScope = _NOTHING) -> bool:
    """Tell whether an expression is known to be of a type of integers."""
    node = unparenthesized(node)
    match node.type:
        case "number_literal":
            return _LITERAL.fullmatch(source(node)) is not None
        case "char_literal" | "true" | "false" | "sizeof_expression":
            return True
        case "unary_expression" if operator(node) in ("!", "~"):
            return True
        case "unary_expression":
            parts = [field(node, "argument")]
        case "binary_expression" if operator(node) in _OF_INTEGERS:
            return True
        case "binary_expression":
            parts = [field(node, side) for side in ("left", "right")]
        case "conditional_expression":
            parts = [field(node, part) for part in ("consequence", "alternative")]
        case "call_expression" if called(node).removeprefix("std::") in _CHOSEN:
            parts = arguments(node)
        case _:
            kind = known_type(node, variables, around)
            return is_whole(kind) or kind in around.integers
    return all(whole(item, variables, around) for item in parts)


def known_type(node: Node, variables: Variables, around: EnclosingScope) -> str:
    """Return the type of an expression, by the source and the contract as well; empty where unknown."""
    node = unparenthesized(node)
    found = type_of(node, variables)
    if found:
        return found
    if node.type == "number_literal" and source(node).isdigit():
        return "int"
    if node.type == "call_expression":
        return _returned(node, around)
    if node.type == "subscript_expression":
        owner = variables.of(unparenthesized(field(node, "argument")))
        held = elements(owner) if owner is not None else None
        if held is not None:
            return bare(held)
    if node.type == "identifier" and source(node) in around.constants:
        return "int"
    return bare(around.numbers.get(element(node, variables), ""))


def _returned(call: Node, around: EnclosingScope) -> str:
    """Return the type of what a call gives back, of a function that the source has or of a length."""
    function = field(call, "function")
    if function.type == "field_expression" and source(field(function, "field")) in _LENGTHS:
        return LENGTH
    text = around.functions.get(called(call), "")
    if not text:
        return ""
    own = Function(text)
    words = text[: own.declarator.start_byte].split()
    return bare(" ".join(word for word in words if word not in _STORED))


def is_whole(name: str) -> bool:
    """Tell whether a type is known to be one of integers."""
    return name in _DIGITS


def exact(old: str, new: str) -> bool:
    """Tell whether two types are of numbers, and every number of the first is one of the second."""
    if old == new:
        return is_number(old)
    if new == "double":
        return old == "float" or _DIGITS.get(old, 64) <= 32
    fits = old in _DIGITS and new in _DIGITS and _DIGITS[old] <= _DIGITS[new]
    return fits and (signed(new) or not signed(old))


def compares_alike(old: str, new: str) -> bool:
    """Tell whether numbers of one type are in the same order once they are of another, and compared with it.

    To a type of floating numbers, and from one, they are rounded, which keeps their order.
    """
    if new in _FLOATS or old in _FLOATS or new == "longdouble" or (old == new != ""):
        return True
    fits = old in _DIGITS and new in _DIGITS and _DIGITS[old] <= _DIGITS[new]
    return fits and (signed(new) or not signed(old) or _DIGITS[new] >= _ARITHMETIC_BITS)


def turns_unsigned(old: str, other: str) -> bool:
    """Tell whether a number with a sign loses it where it is compared with one of another type."""
    bits = _DIGITS.get(other, 0)
    return not signed(other) and bits >= _ARITHMETIC_BITS and signed(old) and bits > _DIGITS[old]


def gains_sign(old: str, other: str) -> bool:
    """Tell whether a number without a sign has one where it is compared with one of another type."""
    bits = _DIGITS.get(old, 0)
    compared = max(bits, _DIGITS.get(other, 0), _ARITHMETIC_BITS - 1)
    return bits > 0 and not signed(old) and compared % 2 == 1


def wraps(name: str, *, down: bool) -> bool:
    """Tell whether a variable soon comes to the other end of its type: it is short, or goes down to zero."""
    return _DIGITS.get(name, _ARITHMETIC_BITS) < _ARITHMETIC_BITS - 1 or (down and not signed(name))


def is_number(name: str) -> bool:
    """Tell whether a type is known to be one of numbers."""
    return name in _NUMBERS


def signed(name: str) -> bool:
    """Tell whether a type is one of integers that may be negative."""
    return _DIGITS.get(name, 0) % 2 == 1


def _of_place(node: Node, variables: Variables) -> str:
    """Return the type of a variable or of an element that is no pointer itself."""
    depth = 0
    while node.type != "identifier":
        if depth and node.type == "binary_expression" and operator(node) == "+":
            node = unparenthesized(field(node, "left"))  # where a pointer has come to
            continue
        if node.type not in ("subscript_expression", "pointer_expression") or operator(node) == "&":
            return ""
        node, depth = unparenthesized(field(node, "argument")), depth + 1
    variable = variables.of(node)
    if variable is None or depth != _depth(variable):
        return ""
    return variable.bare


def element_of(variable: Variable) -> str:
    """Return the type of what one subscript leads to, ``bare``; empty where that is no number."""
    held = elements(variable)
    if held is not None:
        return bare(held)
    return variable.bare if _depth(variable) == 1 and is_number(variable.bare) else ""


def _depth(variable: Variable) -> int:
    """Return how many subscripts lead from a name to a number."""
    declarator = source(variable.declarator).partition("=")[0]
    return declarator.count("*") + declarator.count("[")


def _same(*types: str) -> str:
    return types[0] if len(set(types)) == 1 else ""


def _shared(*types: str) -> str:
    """Return the type of a sum of such operands."""
    return _same(*types) if set(types) <= _KEPT else ""
