"""Parameters and results of functions as they are declared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import ElementType, Parameter
from transpile.parsers.types import clang
from transpile.parsers.types.layouts import as_declared, element, empty

Cursor = Any
_ARRAYS = (
    TypeKind.CONSTANTARRAY,
    TypeKind.INCOMPLETEARRAY,
    TypeKind.VARIABLEARRAY,
    TypeKind.DEPENDENTSIZEDARRAY,
)
_CASTS = (
    CursorKind.CXX_REINTERPRET_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
)


def returned(kind: Any) -> ElementType | None:
    """Return the layout of what is returned; None for nothing, no leaves where it is out of reach."""
    canonical = kind.get_canonical()
    if canonical.kind is TypeKind.VOID:
        return None
    return element(canonical) or ElementType(spelling=kind.spelling, size=0, leaves=())


def parameter_of_kernel(declared: Cursor, kernel: Cursor) -> Parameter:
    """Return a parameter of a kernel: bytes are what all that the kernel does with them casts them to."""
    found = parameter(declared)
    meant = _cast_to(declared, kernel) if found.pointer and found.element is None else None
    if meant is None:
        return found
    return replace(found, element=element(meant), const=found.const or meant.is_const_qualified())


def _cast_to(declared: Cursor, kernel: Cursor) -> Any | None:
    """Return what a pointer to bytes leads to by all casts of it; None where it is named without one."""
    if declared.type.get_canonical().get_pointee().kind is not TypeKind.VOID:
        return None
    named, kinds = 0, []
    for item in clang.descend(kernel):
        if item.kind is CursorKind.DECL_REF_EXPR and item.referenced == declared:
            named += 1
        elif item.kind in _CASTS:
            inner = list(map(clang.bare, clang.expressions(item)))
            if len(inner) == 1 and inner[0].referenced == declared:
                kinds.append(item.type.get_canonical().get_pointee())
    spelled = {kind.spelling.removeprefix("const ") for kind in kinds}
    if len(kinds) != named or len(spelled) != 1 or "void" in spelled:
        return None
    return next((kind for kind in kinds if not kind.is_const_qualified()), kinds[0])


def parameter(declared: Cursor, *, flat: bool = False) -> Parameter:
    """Return a parameter; where it is ``flat``, the numbers of rows count and not the rows."""
    kind = declared.type.get_canonical()
    array = kind.kind in _ARRAYS
    pointer = array or kind.kind is TypeKind.POINTER
    inner = kind.element_type if array else kind.get_pointee() if pointer else kind
    while flat and pointer and inner.get_canonical().kind in _ARRAYS:
        inner = inner.get_canonical().element_type
    return Parameter(
        name=declared.spelling,
        spelling=declared.type.spelling,
        element=as_declared(element(inner) or (None if pointer else empty(inner)), declared.type.spelling),
        pointer=pointer,
        const=pointer and inner.is_const_qualified(),
    )
