"""C's arithmetic in z3: integers as bit-vectors or as whole numbers, floats by their operations.

A floating operation is an uninterpreted function of its operands and its type: the same operation on the
same operands gives the same result, and nothing else is known of it. So what is contracted, reassociated or
computed in another precision is never proved the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import z3

from transpile.core import Scalar
from transpile.testers.prove.tree import NotModelled

# z3's terms: the library's own annotations are of little help.
Term = Any

_WIDTHS = {
    Scalar.INT8: 8,
    Scalar.UINT8: 8,
    Scalar.INT16: 16,
    Scalar.UINT16: 16,
    Scalar.INT32: 32,
    Scalar.UINT32: 32,
    Scalar.INT64: 64,
    Scalar.UINT64: 64,
}
_COMMUTE = ("+", "*", "&", "|", "^", "==")
_EXACT = 1 << 24
"""Whole numbers up to here are exact in every floating type that is modelled."""


def width(kind: Scalar) -> int:
    """Return the number of bits of an integer type other than bool."""
    return _WIDTHS[kind]


def unsigned(kind: Scalar) -> bool:
    """Tell whether an integer type has no sign."""
    return kind.value.startswith("uint")


def bounds(kind: Scalar) -> tuple[int, int]:
    """Return the least and the greatest value of an integer type."""
    bits = width(kind)
    return (0, (1 << bits) - 1) if unsigned(kind) else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


class Arithmetic(ABC):
    """What both ways of counting share: floats, booleans, and library functions."""

    @abstractmethod
    def integer_sort(self, kind: Scalar) -> Term:
        """Return the sort of an integer type."""

    @abstractmethod
    def integer(self, value: int, kind: Scalar) -> Term:
        """Return a constant of an integer type."""

    @abstractmethod
    def integer_binary(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the result of an operation on integers of one type."""

    @abstractmethod
    def integer_less(self, kind: Scalar, left: Term, right: Term, *, equal: bool) -> Term:
        """Return whether left is less than right, or equal to it where that counts."""

    @abstractmethod
    def integer_convert(self, term: Term, source: Scalar, target: Scalar) -> Term:
        """Return an integer converted to another integer type."""

    def bounded(self, term: Term, low: int, high: int) -> Term:
        """Return as a fact that a signed 64-bit unknown lies between two numbers."""
        return z3.And(term >= low, term <= high)

    def sort(self, kind: Scalar) -> Term:
        """Return the sort of a type."""
        if kind is Scalar.BOOL:
            return z3.BoolSort()
        return z3.DeclareSort(kind.value) if kind.floating else self.integer_sort(kind)

    def constant(self, name: str, kind: Scalar) -> Term:
        """Return an unknown of a type."""
        return z3.Const(name, self.sort(kind))

    def literal(self, value: int | float, kind: Scalar) -> Term:
        """Return a known value of a type."""
        if kind is Scalar.BOOL:
            return z3.BoolVal(bool(value))
        if kind.floating:
            return z3.Const(f"{kind.value}:{float(value).hex()}", self.sort(kind))
        return self.integer(int(value), kind)

    def apply(self, name: str, kind: Scalar, *arguments: Term) -> Term:
        """Return what is known of a function only by its name."""
        return z3.Function(name, *(item.sort() for item in arguments), self.sort(kind))(*arguments)

    def binary(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the result of an operation on two values of one type."""
        if not kind.floating:
            return self.integer_binary(operator, kind, left, right)
        return self.apply(f"{operator}:{kind.value}", kind, *_ordered(operator, left, right))

    def negative(self, kind: Scalar, term: Term) -> Term:
        """Return the negated value."""
        if kind.floating:
            return self.apply(f"neg:{kind.value}", kind, term)
        return self.integer_binary("-", kind, self.integer(0, kind), term)

    def compare(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the truth of a comparison of two values of one type."""
        if operator == "!=":
            return z3.Not(self.compare("==", kind, left, right))
        if operator in (">", ">="):
            return self.compare("<" if operator == ">" else "<=", kind, right, left)
        if kind is Scalar.BOOL and operator != "==":
            raise NotModelled(f"{operator} of truth values")
        if kind.floating:
            name = f"{operator}:{kind.value}"
            return self.apply(name, Scalar.BOOL, *_ordered(operator, left, right))
        if operator == "==":
            return left == right
        return self.integer_less(kind, left, right, equal=operator == "<=")

    def convert(self, term: Term, source: Scalar, target: Scalar) -> Term:
        """Return a value converted as C does."""
        if source is target:
            return term
        if target is Scalar.BOOL:
            return self.compare("!=", source, term, self.literal(0, source))
        if source is Scalar.BOOL:
            return z3.If(term, self.literal(1, target), self.literal(0, target))
        if source.floating or target.floating:
            number = _number(term)
            if target.floating and number is not None and abs(number) <= _EXACT and not unsigned(source):
                return self.literal(number, target)
            if not source.floating and source is not Scalar.UINT64:  # only the value counts, not its type
                term, source = self.integer_convert(term, source, Scalar.INT64), Scalar.INT64
            return self.apply(f"{source.value}->{target.value}", target, term)
        return self.integer_convert(term, source, target)


class BitVectors(Arithmetic):
    """Integers exactly as machines have them; what overflows wraps."""

    def integer_sort(self, kind: Scalar) -> Term:
        """Return bit-vectors of the type's width."""
        return z3.BitVecSort(width(kind))

    def integer(self, value: int, kind: Scalar) -> Term:
        """Return a bit-vector."""
        return z3.BitVecVal(value, width(kind))

    def integer_binary(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the operation of the machine."""
        free = unsigned(kind)
        match operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return z3.UDiv(left, right) if free else left / right
            case "%":
                return z3.URem(left, right) if free else z3.SRem(left, right)
            case "&":
                return left & right
            case "|":
                return left | right
            case "^":
                return left ^ right
            case "<<":
                return left << right
            case ">>":
                return z3.LShR(left, right) if free else left >> right
            case _:
                raise NotModelled(f"the operator {operator}")

    def integer_less(self, kind: Scalar, left: Term, right: Term, *, equal: bool) -> Term:
        """Return the machine's comparison."""
        if unsigned(kind):
            return z3.ULE(left, right) if equal else z3.ULT(left, right)
        return left <= right if equal else left < right

    def integer_convert(self, term: Term, source: Scalar, target: Scalar) -> Term:
        """Return the bits cut off, or extended by zeros or the sign."""
        more = width(target) - width(source)
        if more < 0:
            return z3.Extract(width(target) - 1, 0, term)
        if more == 0:
            return term
        return z3.ZeroExt(more, term) if unsigned(source) else z3.SignExt(more, term)


def undefined(operator: str, kind: Scalar, left: Term, right: Term) -> Term | None:
    """Return when an operation on bit-vectors is undefined in C, or None where it never is."""
    signed = not unsigned(kind)
    match operator:
        case "/" | "%":
            lowest = z3.BitVecVal(bounds(kind)[0], width(kind))
            overflow = z3.And(left == lowest, right == -1) if signed else z3.BoolVal(False)
            danger = z3.Or(right == 0, overflow)
        case "<<" | ">>":
            danger = z3.Not(z3.ULT(right, width(kind)))
        case "+" if signed:
            danger = z3.Not(z3.And(z3.BVAddNoOverflow(left, right, True), z3.BVAddNoUnderflow(left, right)))
        case "-" if signed:
            danger = z3.Not(z3.And(z3.BVSubNoOverflow(left, right), z3.BVSubNoUnderflow(left, right, True)))
        case "*" if signed:
            danger = z3.Not(z3.And(z3.BVMulNoOverflow(left, right, True), z3.BVMulNoUnderflow(left, right)))
        case _:
            return None
    return None if z3.is_false(z3.simplify(danger)) else danger


class WholeNumbers(Arithmetic):
    """Integers without bounds: signed arithmetic that overflows is taken not to happen."""

    def __init__(self, *, wrapping: bool) -> None:
        """Say whether unsigned sums and products wrap, as they do, or are taken not to."""
        self._wrapping = wrapping
        self._ranges: dict[int, tuple[Term, int, int]] = {}
        self.remainders: list[Term] = []
        """Where remainders of unknown numbers lie: facts, for a solver that is to know them."""

    def bounded(self, term: Term, low: int, high: int) -> Term:
        """Remember, too, that an unknown lies between two numbers; return that as a fact."""
        self._ranges[term.get_id()] = (term, low, high)
        return super().bounded(term, low, high)

    def integer_sort(self, kind: Scalar) -> Term:
        """Return the whole numbers."""
        return z3.IntSort()

    def integer(self, value: int, kind: Scalar) -> Term:
        """Return a whole number, within the type's bounds."""
        low, high = bounds(kind)
        return z3.IntVal((value - low) % (high - low + 1) + low)

    def integer_binary(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the operation on numbers; where little is known of it, a function of that name."""
        number = _number(right)
        match operator:
            case "+" | "*" if not unsigned(kind) and self._positive(left) and self._positive(right):
                term = left + right if operator == "+" else left * right
                self._ranges[term.get_id()] = (term, 0, bounds(kind)[1])
                return term
            case "+":
                return self._within(left + right, kind)
            case "-":
                return (left - right) % (1 << width(kind)) if unsigned(kind) else left - right
            case "*":
                return self._within(left * right, kind)
            case "/" if number is not None and number > 0:
                return _quotient(left, right, kind)
            case "%" if number is not None and number > 0:
                return left - right * _quotient(left, right, kind)
            case "&" if number is not None and number > 0 and number & (number + 1) == 0:
                return left % (number + 1)
            case "<<" if number is not None and 0 <= number < width(kind):
                return self._within(left * (1 << number), kind)
            case ">>" if number is not None and 0 <= number < width(kind):
                return left / (1 << number)
        term = self.apply(f"{operator}:{kind.value}", kind, *_ordered(operator, left, right))
        if operator == "%":
            self.remainders.append(z3.Implies(z3.And(left >= 0, right > 0), z3.And(term >= 0, term < right)))
        return term

    def integer_less(self, kind: Scalar, left: Term, right: Term, *, equal: bool) -> Term:
        """Return the comparison of numbers."""
        return left <= right if equal else left < right

    def integer_convert(self, term: Term, source: Scalar, target: Scalar) -> Term:
        """Return the number brought into the bounds of the type, where it may lie outside."""
        low, high = bounds(target)
        _, least, most = self._ranges.get(term.get_id(), (None, *bounds(source)))
        if low <= least and most <= high:
            return term
        return (term - low) % (high - low + 1) + low

    def _positive(self, term: Term) -> bool:
        """Tell whether a number is known to be zero or more."""
        number = _number(term)
        _, least, _ = self._ranges.get(term.get_id(), (None, -1 if number is None else number, 0))
        return least >= 0

    def _within(self, term: Term, kind: Scalar) -> Term:
        """Return what is left of a sum or a product when it wraps."""
        return term % (1 << width(kind)) if unsigned(kind) and self._wrapping else term


def _quotient(left: Term, right: Term, kind: Scalar) -> Term:
    """Return the quotient rounded to zero, for a divisor above zero."""
    return left / right if unsigned(kind) else z3.If(left >= 0, left / right, -((-left) / right))


def _number(term: Term) -> int | None:
    if z3.is_bv_value(term):
        return int(term.as_signed_long())
    return int(term.as_long()) if z3.is_int_value(term) else None


def _ordered(operator: str, left: Term, right: Term) -> tuple[Term, Term]:
    """Return the operands of what commutes in an order that does not depend on how they were written."""
    if operator in _COMMUTE and (right.hash(), right.get_id()) < (left.hash(), left.get_id()):
        return right, left
    return left, right


def unknowns(terms: Sequence[Term]) -> dict[int, Term]:
    """Return the unknowns within terms, by identity."""
    found: dict[int, Term] = {}
    seen: set[int] = set()
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        waiting += term.children()
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[term.get_id()] = term
    return found
