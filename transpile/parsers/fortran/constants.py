"""Integer constants of Fortran text: kinds, bounds and lengths."""

from __future__ import annotations

from collections.abc import Callable

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Scope

KINDS = {
    "c_int": 4, "c_short": 2, "c_long": 8, "c_long_long": 8, "c_size_t": 8, "c_signed_char": 1,
    "c_int8_t": 1, "c_int16_t": 2, "c_int32_t": 4, "c_int64_t": 8, "c_intptr_t": 8, "c_float": 4,
    "c_double": 8, "c_bool": 1, "c_char": 1, "c_float_complex": 4, "c_double_complex": 8,
    "int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "real128": 16,
    "output_unit": 6, "input_unit": 5, "error_unit": 0, "iostat_end": -1, "iostat_eor": -2,
    "character_kinds": 1, "logical_kinds": 4, "omp_lock_kind": 8, "omp_nest_lock_kind": 8,
    "omp_integer_kind": 4, "omp_logical_kind": 4, "omp_sched_kind": 4,
}  # fmt: skip
"""Constants of intrinsic modules."""
INTRINSIC_MODULES = ("iso_c_binding", "iso_fortran_env", "omp_lib", "ieee_arithmetic", "ieee_exceptions")
_DIGITS_OF_REALS = ((6, 37, 4), (15, 307, 8))
_DIGITS_OF_INTEGERS = ((2, 1), (4, 2), (9, 4), (18, 8))
_MOST = 1 << 62
_ASCII = 128


def fold(expression: tree.Expression | None, scope: Scope) -> int | None:
    """Return the value of an integer expression of constants; None where it is none."""
    match expression:
        case tree.Integer(value=value) | tree.Bits(value=value):
            return value
        case tree.Parenthesized(inner=inner):
            return fold(inner, scope)
        case tree.Name(name=name):
            symbol = scope.find(name)
            if symbol is None or symbol.role != "constant" or symbol.rank:
                return None
            if symbol.initial is None or symbol.type.base not in ("integer", "none"):
                return None
            return fold(symbol.initial, symbol.scope)
        case tree.Unary(operator=operator, operand=operand):
            value_of = fold(operand, scope)
            if value_of is None or operator not in ("+", "-"):
                return None
            return -value_of if operator == "-" else value_of
        case tree.Binary(operator=operator, left=left, right=right):
            first, second = fold(left, scope), fold(right, scope)
            if first is None or second is None or operator not in _ARITHMETIC:
                return None
            return _ARITHMETIC[operator](first, second)
        case tree.Apply(base=tree.Name(name=name), arguments=arguments):
            return _function(name, arguments, scope)
        case _:
            pass
    return None


def _divide(a: int, b: int) -> int | None:
    if b == 0:
        return None
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def _power(a: int, b: int) -> int | None:
    if b < 0:
        return None
    result = a**b if b < 64 else None
    return result if result is not None and abs(result) < _MOST else None


_ARITHMETIC: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "**": _power,
}


def _function(name: str, arguments: tuple[tree.Argument, ...], scope: Scope) -> int | None:
    """Return the value of an intrinsic function of constants."""
    if scope.find(name) is not None and scope.find(name).role != "intrinsic":  # type: ignore[union-attr]
        return None
    values = {item.keyword or str(at): item.value for at, item in enumerate(arguments)}
    folded = [fold(item.value, scope) for item in arguments]
    if name == "kind":
        return _kind_of(arguments[0].value, scope)
    if name == "selected_int_kind" and folded[0] is not None:
        return next((kind for digits, kind in _DIGITS_OF_INTEGERS if folded[0] <= digits), -1)
    if name == "selected_real_kind":
        digits = fold(values.get("p", values.get("0")), scope) or 0
        power = fold(values.get("r", values.get("1")), scope) or 0
        return next((kind for most, top, kind in _DIGITS_OF_REALS if digits <= most and power <= top), 16)
    if name in ("max", "min", "mod", "abs") and folded and None not in folded:
        known = [item for item in folded if item is not None]
        if name == "mod":
            quotient = _divide(known[0], known[1])
            return None if quotient is None else known[0] - known[1] * quotient
        return max(known) if name == "max" else min(known) if name == "min" else abs(known[0])
    if name == "size" and len(arguments) == 1 and isinstance(arguments[0].value, tree.Name):
        return _size(arguments[0].value.name, scope)
    if name == "len" and isinstance(arguments[0].value, tree.Name):
        symbol = scope.find(arguments[0].value.name)
        return fold(symbol.type.length, symbol.scope) if symbol is not None else None
    first = arguments[0].value if arguments else None
    if name in ("ichar", "iachar") and isinstance(first, tree.String) and len(first.value) == 1:
        return ord(first.value) if ord(first.value) < _ASCII else None
    if name == "int" and folded[0] is not None:
        return folded[0]
    return None


def _size(name: str, scope: Scope) -> int | None:
    symbol = scope.find(name)
    if symbol is None or symbol.dimensions is None:
        return None
    total = 1
    for bounds in symbol.dimensions:
        low, high = constant_bounds(bounds, symbol.scope)
        if low is None or high is None:
            return None
        total *= max(high - low + 1, 0)
    return total


def constant_bounds(bounds: tree.Expression, scope: Scope) -> tuple[int | None, int | None]:
    """Return the bounds of a dimension where they are constants."""
    if isinstance(bounds, tree.Range):
        low = 1 if bounds.first is None else fold(bounds.first, scope)
        return low, fold(bounds.last, scope)
    return 1, fold(bounds, scope)


def _kind_of(value: tree.Expression, scope: Scope) -> int | None:
    match value:
        case tree.Real(kind=kind) | tree.Integer(kind=kind):
            return kind_number(kind, scope)
        case tree.Logical():
            return 4
        case tree.String():
            return 1
        case tree.Name(name=name):
            symbol = scope.find(name)
            return symbol.type.kind or None if symbol is not None else None
        case _:
            pass
    return None


def kind_number(kind: str, scope: Scope) -> int | None:
    """Return the kind that a literal's suffix stands for."""
    if kind in ("", "d"):
        return 8 if kind == "d" else 4
    return int(kind) if kind.isdigit() else fold(tree.Name(0, kind), scope)
