"""Parameters and results of functions as they are declared."""

from __future__ import annotations

from typing import Any

from clang.cindex import TypeKind

from transpile.core import ElementType, Parameter
from transpile.parsers.types.layouts import as_declared, element, empty

Cursor = Any
_ARRAYS = (
    TypeKind.CONSTANTARRAY,
    TypeKind.INCOMPLETEARRAY,
    TypeKind.VARIABLEARRAY,
    TypeKind.DEPENDENTSIZEDARRAY,
)


def returned(kind: Any) -> ElementType | None:
    """Return the layout of what is returned; None for nothing, no leaves where it is out of reach."""
    canonical = kind.get_canonical()
    if canonical.kind is TypeKind.VOID:
        return None
    return element(canonical) or ElementType(spelling=kind.spelling, size=0, leaves=())


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
