"""Does a value pass through something narrow on its way into an expression?

A subscript of 64 bits is no wider than what it is made of: a variable of 32 bits that once held it, or a
product that was computed in 32 bits and widened afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.parsers.types import clang

Cursor = Any
Key = tuple[str, int]
"""Name of a declaration, and where it stands."""

WIDE = 8
"""Bytes."""

_WHOLE = frozenset(
    (
        TypeKind.SCHAR,
        TypeKind.CHAR_S,
        TypeKind.UCHAR,
        TypeKind.SHORT,
        TypeKind.USHORT,
        TypeKind.INT,
        TypeKind.UINT,
        TypeKind.LONG,
        TypeKind.ULONG,
        TypeKind.LONGLONG,
        TypeKind.ULONGLONG,
    )
)
CONVERSIONS = frozenset(
    (
        CursorKind.UNEXPOSED_EXPR,
        CursorKind.CSTYLE_CAST_EXPR,
        CursorKind.CXX_STATIC_CAST_EXPR,
        CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
    )
)


def key_of(declaration: Cursor) -> Key:
    """Return what tells a declaration from all others of its file."""
    return str(declaration.spelling), int(declaration.location.offset)


class Flows:
    """Where the values of a function's variables come from, and what they are compared with."""

    def __init__(self, function: Cursor) -> None:
        """Read the initialisers, assignments and bounds of every local variable."""
        self._given: dict[Key, list[Cursor]] = {}
        self._parameters = {
            key_of(item) for item in function.get_children() if item.kind is CursorKind.PARM_DECL
        }
        for cursor in clang.descend(function):
            operands = list(cursor.get_children())
            if cursor.kind is CursorKind.VAR_DECL and operands:
                self._given.setdefault(key_of(cursor), []).append(operands[-1])
            elif cursor.kind is CursorKind.BINARY_OPERATOR and len(operands) == 2:
                compares = cursor.type.get_canonical().kind is TypeKind.BOOL
                target = _stripped(operands[0]) if compares else operands[0]
                if target.kind is CursorKind.DECL_REF_EXPR and target.referenced is not None:
                    self._given.setdefault(key_of(target.referenced), []).append(operands[1])

    def narrowest(self, expression: Cursor) -> int | None:
        """Return the bytes of the narrowest type that the value passes through; None where all are wide."""
        waiting, seen = [expression], set[Key]()
        found: list[int] = []
        while waiting:
            for cursor in _value(waiting.pop()):
                found += self._bottleneck(cursor)
                if cursor.kind is CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
                    key = key_of(cursor.referenced)
                    if key not in seen:
                        seen.add(key)
                        waiting += self._given.get(key, [])
        return min(found, default=None)

    def _bottleneck(self, cursor: Cursor) -> Iterator[int]:
        inner = list(cursor.get_children())
        if cursor.kind not in CONVERSIONS or not inner:
            return
        before, after = whole_size(inner[-1]), whole_size(cursor)
        if before == WIDE and 0 < after < WIDE:
            yield after
        elif after == WIDE and 0 < before < WIDE and self._scaled(inner[-1]):
            yield before

    def _scaled(self, expression: Cursor) -> bool:
        """Tell whether an expression computes with a parameter: what it gives grows with the sizes."""
        parts = list(_value(expression))
        computes = any(item.kind is CursorKind.BINARY_OPERATOR for item in parts)
        return computes and any(
            item.kind is CursorKind.DECL_REF_EXPR
            and item.referenced is not None
            and key_of(item.referenced) in self._parameters
            for item in parts
        )


def _stripped(expression: Cursor) -> Cursor:
    """Return an expression without the conversions that nobody wrote."""
    inner = list(expression.get_children())
    while expression.kind is CursorKind.UNEXPOSED_EXPR and len(inner) == 1:
        expression, inner = inner[0], list(inner[0].get_children())
    return expression


def _value(expression: Cursor) -> Iterator[Cursor]:
    """Yield an expression and its parts, without the subscripts of what it reads from arrays."""
    yield expression
    if expression.kind is not CursorKind.ARRAY_SUBSCRIPT_EXPR:
        for child in expression.get_children():
            yield from _value(child)


def whole_size(cursor: Cursor) -> int:
    """Return the bytes of a whole number's type; 0 of any other."""
    kind = cursor.type.get_canonical()
    return int(kind.get_size()) if kind.kind in _WHOLE else 0
