"""Whether an expression may be computed in iterations that the source may not come to.

What ends the source's loop may be all that keeps it within an array (a sentinel), and a length that was
learnt by running it does not tell. So only lengths count that containers say themselves, that are declared,
or that the user states. Nor may anything be computed that is not defined for some number, as divisions and
sums of signed integers are not.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, name
from transpile.code.pure_calls import PURE
from transpile.code.syntax import (
    ancestors,
    arguments,
    called,
    field,
    operator,
    quoted,
    source,
    subscript,
    unparenthesized,
)
from transpile.code.types import LENGTH, bare
from transpile.code.variables import Variables
from transpile.expressions import parse
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.spaces import at_least, below, empty
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.containers import depth, elements, fixed_length, measured, stays
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.extents import polynomial
from transpile.translators.loops.symbols.types import is_number, is_whole, type_of
from transpile.translators.mentions import mention
from transpile.translators.refusal import SEQUENTIAL, Refused

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
_ARITHMETIC = ("+", "-", "*", "/")
_FLOATS = ("float", "double", "longdouble")
_FRACTION = re.compile(r"(?!0[xX]).*[.eE].*")
_DIVISOR = re.compile(r"[1-9]\d*")
_WRAPPING = frozenset(("unsigned", "unsignedlong", "unsignedlonglong"))
"""Types of which sums and products are defined, however large."""
_SHIFTS = tuple(map(str, range(32)))
_UNDEFINED = ("abs", "labs", "llabs")
"""Functions that have no result for the smallest integer."""


ENDED = "an iteration may end the loop"


class Speculation:
    """What iterations of a loop may compute, whichever the source comes to."""

    def __init__(self, loop: Loop, variables: Variables, around: EnclosingScope) -> None:
        """Compute nothing yet."""
        body = [item for item in ancestors(loop.node) if item.type == "compound_statement"][-1]
        self._loop, self._variables, self._around = loop, variables, around
        self._values = Values(body, [loop], variables, around)
        held = [item for item in variables.all if elements(item) is not None]
        self._keep = all(stays(item, body) for item in held)

    def declares(self, declaration: Node) -> None:
        """Raise Refused unless a declaration is of numbers that may be computed."""
        for item in self._variables.all:
            if item.declaration.id != declaration.id:
                continue
            kind = item.bare
            plain = not (item.pointer or item.array or item.reference or item.static or item.writes)
            if item.initializer is None or not plain or not is_number(kind):
                raise _undefined(declaration)
            if not is_whole(self.computes(item.initializer)) and is_whole(kind):
                raise _undefined(declaration)

    def computes(self, node: Node) -> str:
        """Return the type of a number, empty where only its being one is known; raises Refused."""
        node = unparenthesized(node)
        match node.type:
            case "number_literal":
                return "double" if _FRACTION.fullmatch(source(node)) else "int"
            case "char_literal" | "true" | "false":
                return "int"
            case "identifier":
                return self._named(node)
            case "subscript_expression":
                return self._of(node, node, "")
            case "field_expression" if operator(node) == ".":
                element = unparenthesized(field(node, "argument"))
                return self._of(node, element, source(field(node, "field")))
            case "call_expression":
                return self._called(node)
            case "unary_expression":
                return self._signed(node)
            case "binary_expression":
                return self._joined(node)
            case _:
                raise _undefined(node)

    def _named(self, node: Node) -> str:
        variable = self._variables.of(node)
        if variable is None:
            words = self._around.words.get(source(node), frozenset())
            if words & {item.name for item in self._variables.all}:
                raise _undefined(node)
            return ""
        found = type_of(node, self._variables)
        if variable.pointer or variable.array or variable.reference or not _is_number(found):
            raise _undefined(node)
        return found

    def _of(self, node: Node, element: Node, member: str) -> str:
        """Return the type of an element, or of a member of one, that is there in every iteration."""
        if element.type != "subscript_expression":
            raise _undefined(node)
        array = unparenthesized(field(element, "argument"))
        found = self._held(array, member) if array.type == "identifier" else ""
        if not _is_number(found):
            raise _undefined(node)
        lengths = self._lengths(array)
        if not lengths:
            told = f"{ENDED}, and {quoted(array)} may end there too: state its `extents` if it is longer"
            raise Refused(SEQUENTIAL, told)
        if not any(self._is_within(subscript(element), length) for length in lengths):
            told = f"{ENDED}, and in later ones {quoted(element)} may be out of bounds"
            raise Refused(SEQUENTIAL, told, mentions=(mention(element),))
        return found

    def _held(self, array: Node, member: str) -> str:
        """Return the type of what an array holds; empty where that is no number that is known."""
        variable = self._variables.of(array)
        held = elements(variable) if variable is not None else None
        if held is not None and not member:
            return bare(held)
        is_own = variable is None or variable.parameter
        return bare(self._around.numbers.get(f"{source(array)}.{member}".rstrip("."), "")) if is_own else ""

    def _lengths(self, array: Node) -> list[Polynomial]:
        """Return numbers of elements that are there, whatever the source comes to; none where nobody says."""
        variable = self._variables.of(array)
        if variable is not None and elements(variable) is not None:
            if depth(variable) != 1:
                return []
            told = fixed_length(variable)
            return [name(f"{variable.name}.size"), *([] if told is None else [constant(told)])]
        text = self._around.lengths.get(source(array), "")
        is_own = variable is None or (variable.parameter and not variable.writes)
        found = polynomial(parse(text)) if text and is_own else None
        return [] if found is None else [found]

    def _is_within(self, index: Node, length: Polynomial) -> bool:
        """Tell whether an element is one of the first so many in every iteration."""
        loop, own = self._loop, self._loop.variable.bare
        others = {item.bare for item in self._variables.used_in(index)}
        place, first, bound = (self._values.of(node) for node in (index, loop.first, loop.bound))
        if place is None or first is None or bound is None or not others <= {own} or self._values.parts:
            return False
        if not self._keep and loop.bound.type != "call_expression":
            return False  # a number from before another name for the container made it shorter
        low, high = (first, bound) if loop.step > 0 else (bound, first)
        ahead = constant(int(loop.step < 0 and not loop.inclusive))
        past = constant(int(loop.step < 0 or loop.inclusive))
        number, varying = name(loop.dimension), frozenset([loop.dimension])
        run = (at_least(number, add(low, ahead)), below(number, add(high, past)))
        return empty(run, varying, ((below(place, {}),), (at_least(place, length),)))

    def _called(self, node: Node) -> str:
        if measured(node, self._variables) is not None:
            return LENGTH
        function = called(node).removeprefix("std::")
        types = [self.computes(item) for item in arguments(node)]
        floating = all(item in _FLOATS for item in types)
        if function not in PURE or (not floating and function in _UNDEFINED) or not all(types):
            raise _undefined(node)
        return types[0] if floating or function in ("min", "max") else "double"

    def _signed(self, node: Node) -> str:
        found = self.computes(field(node, "argument"))
        if operator(node) == "!":
            return "int"
        if (operator(node) == "-" and found in _FLOATS) or (operator(node) == "~" and is_whole(found)):
            return found
        raise _undefined(node)

    def _joined(self, node: Node) -> str:
        sign = operator(node)
        left, right = (self.computes(field(node, side)) for side in ("left", "right"))
        if sign in _COMPARISONS and (left or right):
            return "int"
        if sign in _ARITHMETIC and {left, right} & set(_FLOATS):
            return left if left in _FLOATS else right
        if sign in ("+", "-", "*") and left == right and left in _WRAPPING:
            return left
        by = source(field(node, "right"))
        if is_whole(left) and _is_defined(sign, right, by):
            return left
        raise _undefined(node)


def _is_defined(sign: str, right: str, by: str) -> bool:
    """Tell whether an operation on any integer is defined, as far as its right side tells."""
    match sign:
        case "/" | "%":
            return _DIVISOR.fullmatch(by) is not None
        case ">>":
            return by in _SHIFTS
        case _:
            return sign in ("&", "|", "^") and is_whole(right)


def _is_number(kind: str) -> bool:
    return kind == "bool" or is_number(kind)


def _undefined(node: Node) -> Refused:
    return Refused(
        SEQUENTIAL, f"{ENDED}, and in later ones {quoted(node)} may be undefined", mentions=(mention(node),)
    )
