"""Scalars that something else than their names may read or set: references, addresses, lambdas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.parsers.types.clang import REFERENCES, in_system_header

Cursor = Any
Type = Any

_SETTING = (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)
_THROUGH = frozenset(
    (
        *(CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR, CursorKind.CONDITIONAL_OPERATOR),
        *(CursorKind.CSTYLE_CAST_EXPR, CursorKind.CXX_STATIC_CAST_EXPR, CursorKind.CXX_CONST_CAST_EXPR),
        *(CursorKind.CXX_REINTERPRET_CAST_EXPR, CursorKind.CXX_FUNCTIONAL_CAST_EXPR),
        CursorKind.UNARY_OPERATOR,
    )
)
"""Expressions that hand on an lvalue, or its address."""
_ASKING = (CursorKind.CXX_UNARY_EXPR, CursorKind.MEMBER_REF_EXPR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """A scalar that gets another name."""

    place: int
    """Offset in the file; of a name in a macro, that of the macro's use."""
    variable: int
    """Offset of the variable's declaration; -1 for a member."""
    member: str
    """Its name; empty for a variable."""
    lasting: bool
    """The other name may be in use after the statement."""
    setting: bool
    """The scalar may be set by it."""


def binding(cursor: Cursor, outer: Sequence[Cursor], declared: int) -> Binding | None:
    """Return what is made of a name of a scalar where that is more than reading it, or setting it.

    Args:
        cursor: The name.
        outer: What it stands in, from the outside.
        declared: Where a variable is declared; -1 for a member.
    """
    bound = _bound(cursor, outer)
    captured = _is_captured(cursor, outer)
    if bound is None and not captured:
        return None
    lasting, setting = bound or (True, is_set(cursor, outer))
    return Binding(
        place=cursor.location.offset,
        variable=declared,
        member=cursor.spelling if declared < 0 else "",
        lasting=lasting or captured,
        setting=setting,
    )


def is_whole(cursor: Cursor, outer: Sequence[Cursor]) -> bool:
    """Tell whether the name of an array stands for more than a pointer to its first element."""
    around, _ = _around(cursor, outer)
    is_pointer = around is not None and around.type.get_canonical().kind is TypeKind.POINTER
    return not (around is not None and around.kind is CursorKind.UNEXPOSED_EXPR and is_pointer)


def _bound(cursor: Cursor, outer: Sequence[Cursor]) -> tuple[bool, bool] | None:
    """Return whether another name of a scalar lasts, and whether it may set it; None where there is none."""
    around, inner = _around(cursor, outer)
    if around is None or around.kind.is_statement() or around.kind in _ASKING or _is_target(inner, around):
        return None
    if around.kind is CursorKind.UNEXPOSED_EXPR:
        if not around.type.is_const_qualified():
            return None
    elif _is_unused(around) or (
        around.kind is CursorKind.INIT_LIST_EXPR and not _has_references(around.type)
    ):
        return None
    return _lasts(outer), not (around.type.is_const_qualified() or _is_const(around))


def _is_unused(around: Cursor) -> bool:
    """Tell whether an expression is a cast that says that its value is not used."""
    is_cast = around.kind is CursorKind.CSTYLE_CAST_EXPR
    return bool(is_cast and around.type.get_canonical().kind is TypeKind.VOID)


def _around(cursor: Cursor, outer: Sequence[Cursor]) -> tuple[Cursor | None, Cursor]:
    """Return the first thing around a name that is no mere lvalue, and the lvalue in it.

    That is the conditional expression where the name is chosen by one.
    """
    inner = child = cursor
    for item in reversed(outer):
        if item.kind is CursorKind.CONDITIONAL_OPERATOR and next(item.get_children()) != child:
            inner = item
        elif item.kind is not CursorKind.PAREN_EXPR:
            return item, inner
        child = item
    return None, inner


def is_set(cursor: Cursor, outer: Sequence[Cursor]) -> bool:
    """Tell whether a scalar is set by the name itself."""
    around, inner = _around(cursor, outer)
    return around is not None and _is_target(inner, around)


def _is_target(inner: Cursor, around: Cursor) -> bool:
    """Tell whether an expression sets another by its name, or is an operator on its value."""
    if inner.kind is CursorKind.CONDITIONAL_OPERATOR:
        return False
    if around.kind in _SETTING:
        first = next(around.get_children())
        while first.kind is CursorKind.PAREN_EXPR and first != inner:
            first = next(first.get_children())
        return bool(first == inner)
    if around.kind is not CursorKind.UNARY_OPERATOR:
        return False
    # Of all unary operators only these work on lvalues: increments, and the address.
    kind = around.type.get_canonical()
    return kind.kind is not TypeKind.POINTER or kind.get_pointee() != inner.type.get_canonical()


def _has_references(kind: Type) -> bool:
    canonical = kind.get_canonical()
    return canonical.kind is TypeKind.RECORD and any(
        field.type.get_canonical().kind in REFERENCES for field in canonical.get_fields()
    )


def _is_const(variable: Cursor) -> bool:
    kind = variable.type.get_canonical()
    return kind.kind in REFERENCES and bool(kind.get_pointee().is_const_qualified())


def _is_captured(cursor: Cursor, outer: Sequence[Cursor]) -> bool:
    """Tell whether a name stands in a lambda, and what it names does not."""
    known = cursor.referenced
    for item in outer:
        if item.kind is CursorKind.LAMBDA_EXPR:
            start, end = item.extent.start.offset, item.extent.end.offset
            return known is None or not start <= known.location.offset < end
    return False


def _lasts(outer: Sequence[Cursor]) -> bool:
    """Tell whether an address or a reference may outlive the call that it is an argument of."""
    call = next((item for item in reversed(outer) if item.kind not in _THROUGH), None)
    if call is None or call.kind is not CursorKind.CALL_EXPR or call.referenced is None:
        return True
    callee = call.referenced
    if callee.kind is CursorKind.CONSTRUCTOR:
        return not in_system_header(callee)
    if callee.spelling.startswith("operator"):
        return False
    result = callee.result_type.get_canonical()
    return result.kind is TypeKind.RECORD or result.kind in REFERENCES


def walked(cursor: Cursor, outer: tuple[Cursor, ...] = ()) -> Iterator[tuple[Cursor, tuple[Cursor, ...]]]:
    """Yield all cursors below, parents first, each with those around it."""
    around = (*outer, cursor)
    for child in cursor.get_children():
        yield child, around
        yield from walked(child, around)
