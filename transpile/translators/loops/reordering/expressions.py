"""Expressions that isl has built, as C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy

from transpile.translators.loops.reordering.model import Unmodelled
from transpile.translators.loops.reordering.tree import identifiers, kind, operation
from transpile.translators.rules.polynomial import Polynomial, combined, constant, multiply, written

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
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MINUS = constant(-1)


@dataclass(frozen=True, slots=True)
class Expressions:
    """Writes expressions over some names."""

    names: Mapping[str, str]
    """What loops' variables and parameters are called in C."""
    falling: frozenset[str] = frozenset()
    """Those of isl's variables of which C has the negative, since its loops go down."""

    def text(self, value: islpy.AstExpr) -> str:
        """Return an expression."""
        if not self.falling.isdisjoint(identifiers(value)):
            return self._signed(value, constant(1))
        match kind(value):
            case "int":
                return str(value.get_val().to_python())
            case "id":
                text = self._named(value)
                return text if text.isalnum() or text.isidentifier() else f"({text})"
            case _:
                return self._operation(value)

    def negative(self, value: islpy.AstExpr) -> str:
        """Return what is as far below zero as an expression is above."""
        return self._signed(value, _MINUS)

    def operand(self, value: islpy.AstExpr) -> str:
        """Return an expression that may stand beside any operator."""
        text = self.text(value)
        return text if kind(value) != "op" or text.isidentifier() else f"({text})"

    def test(self, condition: islpy.AstExpr, name: str) -> str:
        """Return the test of a loop that goes down, by the name of its variable."""
        sign = _TURNED.get(_SIGNS.get(operation(condition), ""))
        if sign is None or kind(condition.get_op_arg(0)) != "id":
            raise Unmodelled("a test that is no simple comparison")
        return f"{name} {sign} {self.negative(condition.get_op_arg(1))}"

    def _named(self, value: islpy.AstExpr) -> str:
        name = value.get_id().get_name()
        return self.names.get(name, name)

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

    def _signed(self, value: islpy.AstExpr, factor: Polynomial) -> str:
        """Return an expression, or its negative, as a sum in which no sign stands before a variable."""
        if kind(value) == "op" and operation(value) in _CHOICES:
            parts = [value.get_op_arg(at) for at in range(value.get_op_n_arg())]
            sign = _CHOICES[operation(value)]
            texts = [self._signed(part, factor) for part in parts]
            return _chosen(texts, sign if factor != _MINUS else _TURNED[sign])
        return written(multiply(factor, self._linear(value)))

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
