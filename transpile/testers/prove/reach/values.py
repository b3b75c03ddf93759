"""Whole numbers of C as terms of z3, where nothing has to be exact: what is not known may be anything."""

from __future__ import annotations

from itertools import count
from typing import Any

import z3

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import bounds, unsigned, width

Term = Any

_NUMBERS = count()
_TRUTH = (0, 1)


def limits(kind: Scalar) -> tuple[int, int]:
    """Return the least and the greatest number of a type."""
    return _TRUTH if kind is Scalar.BOOL else bounds(kind)


class Values:
    """Makes terms, and keeps what is known of the unknowns in them. Signed sums do not overflow."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self.facts: list[Term] = []

    def unknown(self, kind: Scalar) -> Term:
        """Return any number of a type."""
        return self.between(*limits(kind))

    def between(self, low: int, high: int) -> Term:
        """Return any number between two."""
        term = z3.Int(f"any {next(_NUMBERS)}")
        self.facts.append(z3.And(low <= term, term <= high))
        return term

    def flag(self) -> Term:
        """Return any truth value."""
        return z3.Bool(f"whether {next(_NUMBERS)}")

    def rounds(self) -> Term:
        """Return how many rounds a loop may have made."""
        term = z3.Int(f"rounds {next(_NUMBERS)}")
        self.facts.append(term >= 0)
        return term

    def converted(self, term: Term, source: Scalar, target: Scalar) -> Term:
        """Return a number converted to another type."""
        (low, high), (least, most) = limits(target), limits(source)
        if target is Scalar.BOOL:
            return z3.If(term != 0, z3.IntVal(1), z3.IntVal(0))
        if (low <= least and most <= high) or (z3.is_int_value(term) and low <= term.as_long() <= high):
            return term
        return (term - low) % (high - low + 1) + low

    def operate(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the result of an operation in a type."""
        number = right.as_long() if z3.is_int_value(right) else None
        if operator in ("+", "-", "*"):
            term = {"+": left + right, "-": left - right, "*": left * right}[operator]
            return term % (1 << width(kind)) if unsigned(kind) else term
        if operator == "/":
            return self._quotient(left, right, number)
        if operator == "%":
            return left - right * self._quotient(left, right, number)
        return self._bits(operator, kind, left, right)

    def _bits(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        """Return the result of an operation on bits, where it is one on numbers."""
        number = right.as_long() if z3.is_int_value(right) else None
        if operator == "&" and number is not None and number >= 0:
            return left % (number + 1) if number & (number + 1) == 0 else self.between(0, number)
        if operator == ">>" and number is not None and 0 <= number < width(kind):
            return left / (1 << number)
        if operator == "<<" and number is not None and 0 <= number < width(kind):
            return self.operate("*", kind, left, z3.IntVal(1 << number))
        return self.unknown(kind)

    def _quotient(self, left: Term, right: Term, number: int | None) -> Term:
        """Return a quotient rounded to zero; of a divisor that is not known, only what holds above zero."""
        if number is not None and number > 0:
            return z3.If(left >= 0, left / right, -((-left) / right))
        term = z3.Int(f"quotient {next(_NUMBERS)}")
        rest = left - right * term
        positive = z3.And(left >= 0, right > 0)
        self.facts.append(z3.Implies(positive, z3.And(term >= 0, term <= left, rest >= 0, rest < right)))
        return term


def compared(operator: str, left: Term, right: Term) -> Term:
    """Return the truth of a comparison."""
    match operator:
        case "<":
            return left < right
        case ">":
            return left > right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case "==":
            return left == right
        case _:
            return left != right
