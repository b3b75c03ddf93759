"""Operators and constants of libclang that its Python bindings leave out."""

from __future__ import annotations

from ctypes import c_double, c_int, c_longlong, c_void_p
from typing import Any

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from transpile.core import Scalar
from transpile.testers.prove.tree import NotModelled

Cursor = Any

_BINARY = (
    "",
    ".*",
    "->*",
    *(
        "*",
        "/",
        "%",
        "+",
        "-",
        "<<",
        ">>",
        "<=>",
        "<",
        ">",
        "<=",
        ">=",
        "==",
        "!=",
        "&",
        "^",
        "|",
        "&&",
        "||",
    ),
    *("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","),
)
"""``CXBinaryOperatorKind``, in its order."""
_UNARY = ("", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!")
"""``CXUnaryOperatorKind``, in its order."""
STEPS = ("p++", "p--", "++", "--")
_INTEGER, _FLOAT = 1, 2  # CXEval_Int, CXEval_Float

_SCALARS = {
    TypeKind.BOOL: Scalar.BOOL,
    TypeKind.CHAR_S: Scalar.INT8,
    TypeKind.SCHAR: Scalar.INT8,
    TypeKind.UCHAR: Scalar.UINT8,
    TypeKind.SHORT: Scalar.INT16,
    TypeKind.USHORT: Scalar.UINT16,
    TypeKind.INT: Scalar.INT32,
    TypeKind.UINT: Scalar.UINT32,
    TypeKind.LONG: Scalar.INT64,
    TypeKind.ULONG: Scalar.UINT64,
    TypeKind.LONGLONG: Scalar.INT64,
    TypeKind.ULONGLONG: Scalar.UINT64,
    TypeKind.FLOAT: Scalar.FLOAT32,
    TypeKind.DOUBLE: Scalar.FLOAT64,
}


def scalar_of(kind: Any) -> Scalar | None:
    """Return the arithmetic type, or None for any other; what is volatile is not modelled."""
    plain = kind.get_canonical()
    if plain.is_volatile_qualified():
        raise NotModelled("volatile")
    return _SCALARS.get(plain.kind)


def pointee(kind: Any) -> Scalar:
    """Return the arithmetic type behind a pointer or of an array's elements, at the end of all dimensions."""
    inner = _behind(kind)
    while inner is not None and inner.kind is TypeKind.CONSTANTARRAY:
        inner = inner.element_type.get_canonical()
    found = None if inner is None else scalar_of(inner)
    if found is None:
        raise NotModelled(f"the type `{kind.spelling}`")
    return found


def elements(kind: Any) -> int:
    """Return how many numbers an array of a constant size holds, in all its dimensions; 1 for a number."""
    plain = kind.get_canonical()
    return plain.element_count * elements(plain.element_type) if plain.kind is TypeKind.CONSTANTARRAY else 1


def row(kind: Any) -> int:
    """Return how many numbers lie between a pointer of a type and the next one."""
    inner = _behind(kind)
    return 1 if inner is None else elements(inner)


def _behind(kind: Any) -> Any:
    plain = kind.get_canonical()
    if plain.kind is TypeKind.POINTER:
        return plain.get_pointee().get_canonical()
    if plain.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        return plain.element_type.get_canonical()
    return None


def binary(cursor: Cursor) -> str:
    """Return the operator of a binary expression or an assignment."""
    return _BINARY[_library().clang_getCursorBinaryOperatorKind(cursor)]


def unary(cursor: Cursor) -> str:
    """Return the operator of a unary expression; the postfix ones are ``p++`` and ``p--``."""
    index = _library().clang_getCursorUnaryOperatorKind(cursor)
    return _UNARY[index] if index < len(_UNARY) else ""


def written(cursor: Cursor) -> Cursor | None:
    """Return what an expression assigns to or steps; None where it does neither."""
    if cursor.kind is CursorKind.UNARY_OPERATOR:
        writes = unary(cursor) in STEPS
    elif cursor.kind is CursorKind.BINARY_OPERATOR:
        writes = binary(cursor) == "="
    else:
        writes = cursor.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR
    return next(iter(cursor.get_children()), None) if writes else None


def constant(cursor: Cursor, kind: Scalar) -> int | float:
    """Return the value that the compiler computes for a constant expression.

    Raises:
        NotModelled: It has none.
    """
    library = _library()
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        raise NotModelled("a constant without a value")
    try:
        tag = library.clang_EvalResult_getKind(result)
        if tag == _FLOAT and kind.floating:
            return float(library.clang_EvalResult_getAsDouble(result))
        if tag == _INTEGER and not kind.floating:
            return int(library.clang_EvalResult_getAsLongLong(result))
    finally:
        library.clang_EvalResult_dispose(result)
    raise NotModelled("a constant of another type")


def _library() -> Any:
    library = cindex.conf.lib
    for name, arguments, result in (
        ("clang_getCursorBinaryOperatorKind", [cindex.Cursor], c_int),
        ("clang_getCursorUnaryOperatorKind", [cindex.Cursor], c_int),
        ("clang_Cursor_Evaluate", [cindex.Cursor], c_void_p),
        ("clang_EvalResult_getKind", [c_void_p], c_int),
        ("clang_EvalResult_getAsLongLong", [c_void_p], c_longlong),
        ("clang_EvalResult_getAsDouble", [c_void_p], c_double),
        ("clang_EvalResult_dispose", [c_void_p], None),
    ):
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, result
    return library
