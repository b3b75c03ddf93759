"""Expressions of C++, from libclang's cursors to trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Scalar
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.operators import pointee, scalar_of
from transpile.testers.prove.tree import (
    Address,
    Assign,
    Binary,
    Builtin,
    Call,
    Choice,
    Convert,
    Element,
    Expression,
    Literal,
    Name,
    NotModelled,
    Unary,
)

Cursor = Any

_BASES = (TypeKind.POINTER, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
_TRANSPARENT = (CursorKind.PAREN_EXPR,)
_CASTS = (
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
    CursorKind.UNEXPOSED_EXPR,
)
_LITERALS = (
    CursorKind.INTEGER_LITERAL,
    CursorKind.FLOATING_LITERAL,
    CursorKind.CHARACTER_LITERAL,
    CursorKind.CXX_BOOL_LITERAL_EXPR,
    CursorKind.CXX_UNARY_EXPR,
)
_LAUNCH = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_PURE = frozenset(
    [
        "sqrt",
        "cbrt",
        "rsqrt",
        "rcbrt",
        "exp",
        "exp2",
        "exp10",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "sinpi",
        "cospi",
        "hypot",
        "rhypot",
        "fabs",
        "abs",
        "labs",
        "llabs",
        "fmin",
        "fmax",
        "min",
        "max",
        "floor",
        "ceil",
        "round",
        "rint",
        "nearbyint",
        "trunc",
        "fmod",
        "remainder",
        "fdim",
        "fma",
        "copysign",
        "erf",
        "erfc",
        "tgamma",
        "lgamma",
        "isnan",
        "isinf",
        "isfinite",
        "signbit",
        "lround",
        "llround",
        "lrint",
        "llrint",
        "umin",
        "umax",
    ]
)


def key_of(declared: Cursor) -> str:
    """Return the key of a variable's declaration."""
    location = declared.location
    return f"{declared.spelling}@{location.offset} of {location.file.name if location.file else ''}"


class Expressions:
    """Reads expressions; calls of the text's own functions are left to ``inline``."""

    def __init__(self, own: Callable[[Cursor], bool], inline: Callable[[Cursor, Cursor], Expression]) -> None:
        """Keep what tells the text's own functions from a library's, and what reads a call of them."""
        self._own = own
        self._inline = inline
        self.lines: dict[int, tuple[int, int]] = {}
        """First and last lines of conditions in their files, by ``id``."""

    def root(self, cursor: Cursor) -> tuple[Expression, ...]:
        """Return the parts of a full expression: only here may there be assignments."""
        while cursor.kind in _TRANSPARENT:
            cursor = _only(cursor)
        if cursor.kind is CursorKind.BINARY_OPERATOR and operators.binary(cursor) == ",":
            return tuple(part for child in cursor.get_children() for part in self.root(child))
        if _is_assignment(cursor):
            return (self._assignment(cursor),)
        if cursor.kind in _CASTS and cursor.type.get_canonical().kind is TypeKind.VOID:
            return self.root(_last(cursor))
        return (self.read(cursor),)

    def _assignment(self, cursor: Cursor) -> Assign:
        if cursor.kind is CursorKind.UNARY_OPERATOR:
            (place,) = cursor.get_children()
            _steps_by_one(place)
            target, kind = self._target(place), scalar_of(place.type)
            step: Expression = Literal(1, kind or Scalar.INT64)
            if kind is Scalar.BOOL:
                raise NotModelled("++ of a bool")
            if kind is not None and not kind.floating:
                kind = promoted(kind)
                step = Literal(1, kind)
            return Assign(target, operators.unary(cursor)[-1], step, kind)
        operator = operators.binary(cursor)
        place, value = cursor.get_children()
        if operator != "=":
            _steps_by_one(place)
        target, kind = self._target(place), scalar_of(place.type)
        right = self._value(value)
        if operator == "=":
            return Assign(target, "", right, kind)
        if kind is None:
            if operator not in ("+=", "-="):
                raise NotModelled(f"{operator} on a pointer")
            return Assign(target, operator[:-1], right, None)
        # The operand on the right is converted already; that is the type in which the compiler computes.
        working = scalar_of(value.type)
        if operator in ("<<=", ">>="):
            working = promoted(kind)
        if working is None:
            raise NotModelled(f"{operator} with `{value.type.spelling}`")
        return Assign(target, operator[:-1], right, working)

    def _value(self, cursor: Cursor) -> Expression:
        """Return the right side of an assignment, which may be one itself."""
        inner = cursor
        while inner.kind in _TRANSPARENT:
            inner = _only(inner)
        if _is_assignment(inner):
            return self._assignment(inner)
        if inner.kind is CursorKind.UNEXPOSED_EXPR and _is_assignment(_last(inner)):
            kind = scalar_of(inner.type)
            if kind is None:
                raise NotModelled("an assignment of pointers within another")
            return Convert(self._assignment(_last(inner)), kind)
        return self.read(cursor)

    def _target(self, cursor: Cursor) -> Name | Element:
        target = self.read(cursor)
        if isinstance(target, Name | Element):
            return target
        raise NotModelled("an assignment to what is neither a variable nor an element")

    def read(self, cursor: Cursor) -> Expression:
        """Return an expression without side effects."""
        kind = cursor.kind
        if kind in _TRANSPARENT:
            return self.read(_only(cursor))
        if kind in _LITERALS:
            return self._literal(cursor)
        if kind is CursorKind.DECL_REF_EXPR:
            return self._name(cursor)
        if kind is CursorKind.MEMBER_REF_EXPR:
            return self._member(cursor)
        if kind is CursorKind.ARRAY_SUBSCRIPT_EXPR:
            return self._subscript(cursor)
        if kind in _CASTS:
            return self._cast(cursor)
        if kind is CursorKind.UNARY_OPERATOR:
            return self._unary(cursor)
        if kind is CursorKind.BINARY_OPERATOR:
            return self._binary(cursor)
        if kind is CursorKind.CONDITIONAL_OPERATOR:
            condition, yes, no = cursor.get_children()
            return Choice(self.condition(condition), self.read(yes), self.read(no), _arithmetic(cursor))
        if kind is CursorKind.CALL_EXPR:
            return self._call(cursor)
        raise NotModelled(_plain(cursor))

    def condition(self, cursor: Cursor) -> Expression:
        """Return an expression of which only its truth matters, and take note of where it stands."""
        value = self.read(cursor)
        if value.type is None:
            raise NotModelled("a pointer as a condition")
        asked = value if value.type is Scalar.BOOL else Convert(value, Scalar.BOOL)
        self.lines[id(asked)] = (cursor.extent.start.line, cursor.extent.end.line)
        return asked

    def _subscript(self, cursor: Cursor) -> Expression:
        """Return an element, or where a row begins: rows of constant length lie one after the other."""
        base, index = cursor.get_children()
        if base.type.get_canonical().kind not in _BASES:
            raise NotModelled("a subscript of what is no pointer")
        length = operators.row(base.type)
        if scalar_of(cursor.type) is not None:
            return Element(self.read(base), self.read(index), _arithmetic(cursor))
        if cursor.type.get_canonical().kind is not TypeKind.CONSTANTARRAY:
            raise NotModelled("arrays of pointers")
        rows = Convert(self.read(index), Scalar.INT64)
        return Address(self.read(base), Binary("*", rows, Literal(length, Scalar.INT64), Scalar.INT64))

    def _literal(self, cursor: Cursor) -> Expression:
        kind = _arithmetic(cursor)
        return Literal(operators.constant(cursor, kind), kind)

    def _name(self, cursor: Cursor) -> Expression:
        declared = cursor.referenced
        if declared is None:
            raise NotModelled(f"the name {cursor.spelling}")
        if declared.kind is CursorKind.ENUM_CONSTANT_DECL:
            return Literal(declared.enum_value, _arithmetic(cursor))
        if declared.kind not in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            raise NotModelled(f"the name {cursor.spelling}")
        if declared.kind is CursorKind.VAR_DECL and declared.semantic_parent.kind not in (
            CursorKind.FUNCTION_DECL,
        ):
            return self._global(cursor, declared)
        kind = declared.type.get_canonical()
        if kind.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
            raise NotModelled("a reference")
        scalar = scalar_of(kind)
        if scalar is None:
            pointee(kind)
        return Name(key_of(declared), scalar)

    def _global(self, cursor: Cursor, declared: Cursor) -> Expression:
        """Return the value of a constant at file scope; a variable there is not modelled."""
        kind = scalar_of(declared.type)
        if kind is None or kind.floating or not declared.type.get_canonical().is_const_qualified():
            raise NotModelled(f"the global variable {cursor.spelling}")
        return Literal(operators.constant(declared, kind), kind)

    def _member(self, cursor: Cursor) -> Expression:
        base = next(iter(cursor.get_children()), None)
        while base is not None and base.kind is CursorKind.UNEXPOSED_EXPR:
            base = next(iter(base.get_children()), None)
        if base is not None and base.kind is CursorKind.DECL_REF_EXPR and base.spelling in _LAUNCH:
            declared = base.referenced
            if declared is not None and declared.semantic_parent.kind is not CursorKind.FUNCTION_DECL:
                return Builtin(f"{base.spelling}.{cursor.spelling}")
        raise NotModelled("members of structures")

    def _cast(self, cursor: Cursor) -> Expression:
        inner = _last(cursor)
        target, given = scalar_of(cursor.type), scalar_of(inner.type)
        if target is not None and given is not None:
            value = self.read(inner)
            return value if target is given else Convert(value, target)
        if target is None and given is None and pointee(cursor.type) is pointee(inner.type):
            return self.read(inner)
        raise NotModelled("a cast of pointers")

    def _unary(self, cursor: Cursor) -> Expression:
        operator = operators.unary(cursor)
        (inner,) = cursor.get_children()
        if operator == "*":
            return Element(self.read(inner), Literal(0, Scalar.INT32), _arithmetic(cursor))
        if operator == "&":
            place = self.read(inner)
            if isinstance(place, Element):
                return Address(place.pointer, place.index)
            raise NotModelled("the address of a variable")
        if operator == "+":
            return self.read(inner)
        if operator in ("-", "~", "!"):
            return Unary(operator, self.read(inner), _arithmetic(cursor))
        raise NotModelled("an assignment within an expression")

    def _binary(self, cursor: Cursor) -> Expression:
        operator = operators.binary(cursor)
        first, second = cursor.get_children()
        if operator in ("&&", "||"):
            return Binary(operator, self.condition(first), self.condition(second), Scalar.BOOL)
        if operator in _COMPARISONS:
            if scalar_of(first.type) is None or scalar_of(second.type) is None:
                raise NotModelled("a comparison of pointers")
            return Binary(operator, self.read(first), self.read(second), Scalar.BOOL)
        if _is_assignment(cursor) or operator in (",", "", ".*", "->*", "<=>"):
            raise NotModelled("an assignment within an expression")
        if scalar_of(cursor.type) is None:
            _steps_by_one(cursor)
            if operator in ("+", "-") and scalar_of(second.type) is not None:
                return Address(self.read(first), self.read(second), negative=operator == "-")
            if operator == "+" and scalar_of(first.type) is not None:
                return Address(self.read(second), self.read(first))
            raise NotModelled("arithmetic on pointers")
        if scalar_of(first.type) is None:
            raise NotModelled("a difference of pointers")
        return Binary(operator, self.read(first), self.read(second), _arithmetic(cursor))

    def _call(self, cursor: Cursor) -> Expression:
        callee = cursor.referenced
        if callee is None or callee.kind is not CursorKind.FUNCTION_DECL:
            raise NotModelled(f"the call of {cursor.spelling or 'an unknown function'}")
        name = callee.spelling
        base = name[:-1] if name[-1:] == "f" and name[:-1] in _PURE else name
        if self._own(callee):
            return self._inline(cursor, callee)
        if base not in _PURE:
            raise NotModelled(f"the call of {name}")
        arguments = tuple(self.read(item) for item in cursor.get_arguments())
        types = [_parameter_scalar(item) for item in callee.type.argument_types()]
        if base != name and not all(item is Scalar.FLOAT32 for item in types):
            raise NotModelled(f"the call of {name}")
        signature = ",".join(item.value for item in types)
        # The standard's minimum of references is a comparison; the device's, of values, knows of NaN.
        space = "std::" if any(_is_reference(item) for item in callee.type.argument_types()) else ""
        return Call(f"{space}{base}({signature})", arguments, _arithmetic(cursor))


def promoted(kind: Scalar) -> Scalar:
    """Return the type of an operand after integer promotion."""
    small = (Scalar.BOOL, Scalar.INT8, Scalar.UINT8, Scalar.INT16, Scalar.UINT16)
    return Scalar.INT32 if kind in small else kind


def _steps_by_one(place: Cursor) -> None:
    if operators.row(place.type) != 1:
        raise NotModelled("a pointer that moves by rows")


def _is_reference(kind: Any) -> bool:
    return bool(kind.get_canonical().kind is TypeKind.LVALUEREFERENCE)


def _parameter_scalar(kind: Any) -> Scalar:
    plain = kind.get_canonical()
    if _is_reference(plain):
        plain = plain.get_pointee()
    found = scalar_of(plain)
    if found is None:
        raise NotModelled(f"an argument of type `{kind.spelling}`")
    return found


def _arithmetic(cursor: Cursor) -> Scalar:
    found = scalar_of(cursor.type)
    if found is None:
        raise NotModelled(f"the type `{cursor.type.spelling}`")
    return found


def _is_assignment(cursor: Cursor) -> bool:
    if cursor.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
        return True
    if cursor.kind is CursorKind.BINARY_OPERATOR:
        return operators.binary(cursor) == "="
    return cursor.kind is CursorKind.UNARY_OPERATOR and operators.unary(cursor)[-2:] in ("++", "--")


def _only(cursor: Cursor) -> Cursor:
    children = list(cursor.get_children())
    if len(children) != 1:
        raise NotModelled(_plain(cursor))
    return children[0]


def _last(cursor: Cursor) -> Cursor:
    """Return the operand of a cast, which follows the names of types."""
    children = clang.expressions(cursor)
    if len(children) != 1:
        raise NotModelled(_plain(cursor))
    return children[0]


def _plain(cursor: Cursor) -> str:
    return str(cursor.kind.name).lower().replace("_", " ")
