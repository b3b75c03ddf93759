"""Expressions that isl has built, as C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import islpy

from transpile.code.polynomial import Polynomial, add, combined, constant, multiply, spelled
from transpile.code.syntax import MIRRORED
from transpile.translators.loops.iteration.trips import grouped
from transpile.translators.loops.schedule.model import Unmodelled
from transpile.translators.loops.schedule.tree import identifiers, kind, operation

_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "and": "&&",
    "pdiv_q": "/",
    "pdiv_r": "%",
}
_LOOSE = ("add", "sub")
_TIGHT = ("mul", "pdiv_q", "pdiv_r")
_CHOICES = {"min": "<", "max": ">"}
_MINUS = constant(-1)


@dataclass(frozen=True, slots=True)
class Expressions:
    """Writes expressions over some names."""

    names: Mapping[str, str]
    """What loops' variables and parameters are called in C."""
    falling: frozenset[str] = frozenset()
    """Those of isl's variables of which C has the negative, since its loops go down."""
    unsigned: bool = False
    """Nothing may be less than zero on the way to a value."""

    def text(self, value: islpy.AstExpr) -> str:
        """Return an expression."""
        if not self.falling.isdisjoint(identifiers(value)):
            return self._signed(value, constant(1))
        if self.unsigned and kind(value) == "op":
            return self._unsigned(value)
        match kind(value):
            case "int":
                return str(value.get_val().to_python())
            case "id":
                return self._named(value)
            case _:
                return self._operation(value)

    def negative(self, value: islpy.AstExpr) -> str:
        """Return what is as far below zero as an expression is above."""
        if self.unsigned:
            raise Unmodelled("a loop over unsigned numbers that goes down")
        return self._signed(value, _MINUS)

    def element(self, value: islpy.AstExpr) -> str:
        """Return what a loop's variable is in a statement; what wraps on the way there wraps back."""
        return replace(self, unsigned=False).operand(value)

    def operand(self, value: islpy.AstExpr) -> str:
        """Return an expression that may stand beside any operator."""
        text = self.text(value)
        return text if kind(value) != "op" or text.isidentifier() else f"({text})"

    def test(self, condition: islpy.AstExpr, name: str) -> str:
        """Return the test of a loop that goes down, by the name of its variable."""
        sign = MIRRORED.get(_SIGNS.get(operation(condition), ""))
        if sign is None or kind(condition.get_op_arg(0)) != "id":
            raise Unmodelled("a test that is no simple comparison")
        return f"{name} {sign} {self.negative(condition.get_op_arg(1))}"

    def _named(self, value: islpy.AstExpr) -> str:
        name = value.get_id().get_name()
        return grouped(self.names.get(name, name))

    def _operation(self, value: islpy.AstExpr) -> str:
        sign = operation(value)
        parts = [value.get_op_arg(at) for at in range(value.get_op_n_arg())]
        if sign == "minus":
            return f"-{self.operand(parts[0])}"
        texts = [self.text(part) for part in parts]
        if sign in _CHOICES:
            return _chosen(texts, _CHOICES[sign])
        if sign not in _SIGNS:
            raise Unmodelled("a bound that is no simple expression")
        if sign in _TIGHT:
            texts = [self.operand(part) for part in parts]
        elif sign == "sub" and _is_sum(parts[1]):
            texts[1] = f"({texts[1]})"
        return f" {_SIGNS[sign]} ".join(texts)

    def _unsigned(self, value: islpy.AstExpr) -> str:
        """Return an expression over unsigned numbers; raises Unmodelled where it may wrap."""
        sign, parts = operation(value), [value.get_op_arg(at) for at in range(value.get_op_n_arg())]
        if sign in ("lt", "le", "gt", "ge", "eq"):
            return self._compared(_SIGNS[sign], *parts)
        return self._least(value, {}) if sign in ("add", "sub", "mul", "minus") else self._operation(value)

    def _compared(self, sign: str, left: islpy.AstExpr, right: islpy.AstExpr) -> str:
        """Return a comparison in which nothing is subtracted: ``i + 1 < n`` and not ``i < n - 1``."""
        if kind(right) == "op" and operation(right) in _CHOICES:
            closed = sign == "<="
            return f"{self.text(left)} {'<' if closed else sign} {self._least(right, constant(int(closed)))}"
        value = add(self._linear(left), self._linear(right), -1)
        sides = [
            {term: factor for term, factor in one.items() if factor > 0}
            for one in (value, multiply(_MINUS, value))
        ]
        return f"{spelled(sides[0])} {sign} {spelled(sides[1])}"

    def _least(self, value: islpy.AstExpr, more: Polynomial) -> str:
        """Return an expression and some more, in which nothing is subtracted."""
        if kind(value) == "op" and operation(value) in _CHOICES:
            parts = [value.get_op_arg(at) for at in range(value.get_op_n_arg())]
            return _chosen([self._least(part, more) for part in parts], _CHOICES[operation(value)])
        found = add(self._linear(value), more)
        if any(factor < 0 for factor in found.values()):
            raise Unmodelled("a bound that may wrap")
        return spelled(found)

    def _signed(self, value: islpy.AstExpr, factor: Polynomial) -> str:
        """Return an expression, or its negative, as a sum in which no sign stands before a variable."""
        if kind(value) == "op" and operation(value) in _CHOICES:
            parts = [value.get_op_arg(at) for at in range(value.get_op_n_arg())]
            sign = _CHOICES[operation(value)]
            texts = [self._signed(part, factor) for part in parts]
            return _chosen(texts, sign if factor != _MINUS else MIRRORED[sign])
        return spelled(multiply(factor, self._linear(value)))

    def _linear(self, value: islpy.AstExpr) -> Polynomial:
        match kind(value):
            case "int":
                return constant(int(value.get_val().to_python()))
            case "id":
                factor = -1 if value.get_id().get_name() in self.falling else 1
                return {(self._named(value),): factor}
            case _ if operation(value) in ("add", "sub", "mul", "minus"):
                return self._sum(value)
            case _ if self.falling.isdisjoint(identifiers(value)):
                return {(self.operand(value),): 1}
            case _:
                raise Unmodelled("a bound that is no sum")

    def _sum(self, value: islpy.AstExpr) -> Polynomial:
        parts = [self._linear(value.get_op_arg(at)) for at in range(value.get_op_n_arg())]
        if operation(value) == "minus":
            return multiply(_MINUS, parts[0])
        found = combined(_SIGNS[operation(value)], *parts)
        assert found is not None
        return found


def _chosen(texts: list[str], sign: str) -> str:
    """Return the smallest or the largest of some expressions."""
    chosen = texts[0]
    for other in texts[1:]:
        chosen = f"({chosen} {sign} {other} ? {chosen} : {other})"
    return chosen


def _is_sum(value: islpy.AstExpr) -> bool:
    return kind(value) == "op" and operation(value) in _LOOSE
