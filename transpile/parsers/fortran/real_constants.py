"""Values of real constants of Fortran text, thresholds above all, as near as a double comes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Scope
from transpile.parsers.fortran.typing import typed

_RADIX = 2.0
_DEEPEST = 40
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "real": float,
    "dble": float,
    "abs": abs,
    "sqrt": math.sqrt,
    "ceiling": math.ceil,
    "floor": math.floor,
    "int": math.trunc,
}
_INQUIRIES: dict[str, Callable[[np.finfo[np.floating]], float]] = {
    "radix": lambda _: _RADIX,
    "minexponent": lambda of: float(of.minexp + 1),
    "maxexponent": lambda of: float(of.maxexp),
    "digits": lambda of: float(of.nmant + 1),
    "tiny": lambda of: float(of.tiny),
    "huge": lambda of: float(of.max),
    "epsilon": lambda of: float(of.eps),
}


def real_constants(scope: Scope) -> list[float]:
    """Return the values of the named constants that a scope declares, where they are numbers."""
    found = (
        real_value(symbol.initial, scope)
        for symbol in scope.symbols.values()
        if symbol.role == "constant" and symbol.initial is not None and not symbol.rank
    )
    return [value for value in found if value is not None]


def real_value(expression: tree.Expression, scope: Scope, depth: int = 0) -> float | None:
    """Return the value of an expression of constants; None where it is none or has no finite value."""
    try:
        value = None if depth > _DEEPEST else _value(expression, scope, depth + 1)
    except (ArithmeticError, ValueError):
        return None
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def _value(expression: tree.Expression, scope: Scope, depth: int) -> float | None:
    match expression:
        case tree.Integer(value=value):
            return float(value)
        case tree.Real(text=text):
            return float(text.lower().replace("d", "e"))
        case tree.Parenthesized(inner=inner):
            return real_value(inner, scope, depth)
        case tree.Unary(operator=operator, operand=operand):
            inner_value = real_value(operand, scope, depth)
            return None if inner_value is None else -inner_value if operator == "-" else inner_value
        case tree.Binary(operator=operator, left=left, right=right):
            first, second = real_value(left, scope, depth), real_value(right, scope, depth)
            known = operator in _ARITHMETIC and first is not None and second is not None
            return _ARITHMETIC[operator](first, second) if known else None  # type: ignore[arg-type]
        case tree.Name(name=name):
            symbol = scope.find(name)
            constant = symbol is not None and symbol.role == "constant" and symbol.initial is not None
            return real_value(symbol.initial, symbol.scope, depth) if constant else None  # type: ignore[arg-type, union-attr]
        case tree.Apply(base=tree.Name(name=name), arguments=arguments) if arguments:
            return _function(name, [item.value for item in arguments], scope, depth)
        case _:
            return None


def _function(name: str, arguments: Sequence[tree.Expression], scope: Scope, depth: int) -> float | None:
    if name in _INQUIRIES:
        kind = typed(arguments[0], scope).type.kind
        return _INQUIRIES[name](np.finfo(np.float32 if kind == 4 else np.float64))
    values = [real_value(item, scope, depth) for item in arguments]
    known = [item for item in values if item is not None]
    if name in ("max", "min") and len(known) == len(values):
        return max(known) if name == "max" else min(known)
    if name in _FUNCTIONS and values[0] is not None:
        return _FUNCTIONS[name](values[0])
    whole = fold(tree.Apply(0, tree.Name(0, name), tuple(tree.Argument(item) for item in arguments)), scope)
    return None if whole is None else float(whole)
