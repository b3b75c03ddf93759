"""Which numbers an expression may be, by the types of what it names: as far as rules need to know."""

from __future__ import annotations

from tree_sitter import Node

from transpile.translators.loops.containers import elements
from transpile.translators.rules.syntax import (
    arguments,
    called,
    field,
    operator,
    source,
    squeeze,
    unparenthesized,
)
from transpile.translators.rules.variables import Variable, Variables

_DIGITS = {
    **dict.fromkeys(("signedchar", "int8_t"), 7),
    **dict.fromkeys(("unsignedchar", "uint8_t"), 8),
    "char": 9,  # with a sign or without
    **dict.fromkeys(("short", "int16_t"), 15),
    **dict.fromkeys(("unsignedshort", "uint16_t"), 16),
    **dict.fromkeys(("int", "int32_t"), 31),
    **dict.fromkeys(("unsigned", "unsignedint", "uint32_t"), 32),
    **dict.fromkeys(("long", "longlong", "int64_t", "ptrdiff_t"), 63),
    **dict.fromkeys(("unsignedlong", "unsignedlonglong", "uint64_t", "size_t"), 64),
}
"""Bits of an integer's value; an odd number of them has a sign beside."""
_FLOATS = ("float", "double")
_NUMBERS = frozenset((*_DIGITS, *_FLOATS, "longdouble"))
_ARITHMETIC = frozenset(("int", "long", "longlong", "unsigned", "unsignedint", "size_t", *_FLOATS))
"""Types that operands keep."""
_OF_INTEGERS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||", "%", "&", "|", "^", "<<", ">>")
_ABSOLUTE = ("abs", "fabs")


def type_of(node: Node, variables: Variables) -> str:
    """Return a type that holds every value of an expression, without blanks; empty where none is known."""
    node = unparenthesized(node)
    match node.type:
        case "identifier" | "subscript_expression" | "pointer_expression":
            return _of_place(node, variables)
        case "cast_expression":
            return squeeze(source(field(node, "type")))
        case "call_expression" if called(node).removeprefix("std::") in _ABSOLUTE:
            return type_of(arguments(node)[0], variables)
        case "call_expression" if called(node).removeprefix("std::") == "fabsf":
            return "float"
        case "unary_expression" if operator(node) == "-":
            return _shared(type_of(field(node, "argument"), variables))
        case "binary_expression" if operator(node) in ("+", "-", "*", "/"):
            return _shared(*(type_of(field(node, side), variables) for side in ("left", "right")))
        case "conditional_expression":
            return _same(*(type_of(field(node, side), variables) for side in ("consequence", "alternative")))
        case _:
            return ""


def whole(node: Node, variables: Variables) -> bool:
    """Tell whether an expression is known to be of a type of integers."""
    node = unparenthesized(node)
    if node.type == "number_literal":
        return source(node).isdigit()
    if node.type == "unary_expression" and operator(node) == "!":
        return True
    if node.type == "binary_expression":
        parts = (field(node, side) for side in ("left", "right"))
        return operator(node) in _OF_INTEGERS or all(whole(item, variables) for item in parts)
    if node.type == "conditional_expression":
        return all(whole(field(node, part), variables) for part in ("consequence", "alternative"))
    return is_whole(type_of(node, variables))


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
        if node.type not in ("subscript_expression", "pointer_expression") or operator(node) == "&":
            return ""
        node, depth = unparenthesized(field(node, "argument")), depth + 1
    variable = variables.of(node)
    if variable is None or depth != _depth(variable):
        return ""
    return squeeze(" ".join(word for word in variable.type.split() if word != "const"))


def element_of(variable: Variable) -> str:
    """Return the type of what one subscript leads to, without blanks; empty where that is no number."""
    held = elements(variable)
    if held is not None:
        return held.removeprefix("std::")
    found = squeeze(" ".join(word for word in variable.type.split() if word != "const"))
    return found if _depth(variable) == 1 and is_number(found) else ""


def _depth(variable: Variable) -> int:
    """Return how many subscripts lead from a name to a number."""
    declarator = source(variable.declarator).partition("=")[0]
    return declarator.count("*") + declarator.count("[")


def _same(*types: str) -> str:
    return types[0] if len(set(types)) == 1 else ""


def _shared(*types: str) -> str:
    """Return the type of a sum of such operands."""
    return _same(*types) if set(types) <= _ARITHMETIC else ""
