"""Types of what a loop names, as libclang knows them, written as declarations of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ctypes import POINTER, byref, c_uint
from dataclasses import dataclass
from typing import Any

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from transpile.parsers.types.clang import descend

Cursor = Any
Type = Any

_SCALARS = frozenset(
    (
        *(TypeKind.BOOL, TypeKind.CHAR_S, TypeKind.CHAR_U, TypeKind.SCHAR, TypeKind.UCHAR, TypeKind.SHORT),
        *(TypeKind.USHORT, TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG),
        *(TypeKind.ULONGLONG, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.ENUM),
        TypeKind.COMPLEX,
    )
)
_REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_CLASSES = (
    *(CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_TEMPLATE),
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
)
_METHODS = (CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A variable or a member as the declaration of a parameter."""

    declared: str
    """Has ``{}`` in the place of the name."""
    scalar: bool
    pointer: bool = False
    array: bool = False
    length: int = 0
    """Of an array with a length in its type."""
    number: str = ""
    """The type of numbers that it is, or leads to; empty for others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What libclang knows of the names in a function, by the offsets of these in its file."""

    variables: Mapping[int, Typed | None]
    """By where they are declared; None for what cannot be handed on."""
    members: Mapping[int, Typed | None]
    """By where they are used."""
    implicit: frozenset[int]
    """Uses of members of the function's own object that do not say so."""
    methods: frozenset[int]
    """Calls of methods of that object, and uses of it as a whole."""
    referred: frozenset[int]
    """Uses of variables that a callee takes by a reference through which it may change them."""


def meaning(function: Cursor, c: bool) -> Meaning:
    """Return what the names in a function mean."""
    variables: dict[int, Typed | None] = {}
    members: dict[int, Typed | None] = {}
    implicit: set[int] = set()
    methods: set[int] = set()
    referred: set[int] = set()
    for cursor in descend(function):
        kind, place = cursor.kind, spelled_at(cursor)
        if kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            variables[place] = _typed(cursor.type, c=c)
        elif kind is CursorKind.MEMBER_REF_EXPR:
            own = not any(True for _ in cursor.get_children())
            known = cursor.referenced
            if known is not None and known.kind is CursorKind.FIELD_DECL:
                usable = not known.is_bitfield()
                members[place] = _typed(cursor.type, c=c, declared=known.type) if usable else None
                if own:
                    implicit.add(place)
            elif own:
                methods.add(place)
        elif kind is CursorKind.CALL_EXPR:
            referred.update(_referred(cursor))
    return Meaning(
        variables=variables,
        members=members,
        implicit=frozenset(implicit),
        methods=frozenset(methods),
        referred=frozenset(referred),
    )


def spelled_at(cursor: Cursor) -> int:
    """Return the offset at which a name is written: an argument of a macro stands at the macro's use."""
    library = cindex.conf.lib
    library.clang_getSpellingLocation.argtypes = [
        cindex.SourceLocation,
        POINTER(cindex.c_object_p),
        *(POINTER(c_uint),) * 3,
    ]
    offset = c_uint()
    library.clang_getSpellingLocation(cursor.location, None, None, None, byref(offset))
    return int(offset.value)


def _referred(call: Cursor) -> Iterator[int]:
    """Yield where variables are named that a callee may change through references."""
    callee = call.referenced
    if callee is None:
        return
    for given, parameter in zip(call.get_arguments(), callee.get_arguments(), strict=False):
        kind = parameter.type.get_canonical()
        if given is None or kind.kind not in _REFERENCES or kind.get_pointee().is_const_qualified():
            continue
        for item in (given, *descend(given)):
            if item.kind is CursorKind.DECL_REF_EXPR:
                yield spelled_at(item)


def _typed(kind: Type, *, c: bool, declared: Type | None = None) -> Typed | None:
    """Return a type as a parameter's; None for what cannot be handed on so that it means the same."""
    canonical = kind.get_canonical()
    if canonical.is_volatile_qualified():
        return None
    if canonical.kind in _REFERENCES:
        pointee = canonical.get_pointee().get_canonical()
        if pointee.kind in _SCALARS or pointee.kind is TypeKind.POINTER or c:
            return None
        return Typed(declared=f"{_spelling(kind.get_pointee())} &{{}}", scalar=False)
    if canonical.kind in _SCALARS:
        return Typed(declared=f"{_unqualified(_spelling(kind))} {{}}", scalar=True, number=_number(canonical))
    if canonical.kind is TypeKind.POINTER:
        to = canonical.get_pointee().get_canonical()
        if to.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO, TypeKind.VOID):
            return None
        if to.kind is TypeKind.CONSTANTARRAY:
            lengths, element = _lengths(to)
            return Typed(
                declared=f"{_spelling(element)} (*{{}}){lengths}",
                scalar=False,
                pointer=True,
                number=_number(element),
            )
        text = f"{_spelling(kind.get_pointee() if kind.kind is TypeKind.POINTER else to)} *{{}}"
        return Typed(declared=text.replace("* *", "**"), scalar=False, pointer=True, number=_number(to))
    if canonical.kind is TypeKind.INCOMPLETEARRAY:
        lengths, element = _lengths(canonical.element_type)
        shape = f"(*{{}}){lengths}" if lengths else "*{}"
        return Typed(
            declared=f"{_spelling(element)} {shape}", scalar=False, pointer=True, number=_number(element)
        )
    if canonical.kind is TypeKind.CONSTANTARRAY:
        whole = declared if declared is not None and declared.kind is TypeKind.CONSTANTARRAY else kind
        lengths, element = _lengths(whole if whole.kind is TypeKind.CONSTANTARRAY else canonical)
        const = "const " if kind.is_const_qualified() and not element.is_const_qualified() else ""
        return Typed(
            declared=f"{const}{_spelling(element)} {{}}{lengths}",
            scalar=False,
            array=True,
            length=canonical.element_count,
            number=_number(element),
        )
    if canonical.kind is TypeKind.RECORD and not c:
        return Typed(declared=f"{_spelling(kind)} &{{}}", scalar=False)
    return None


def _number(kind: Type) -> str:
    """Return a type of numbers without its sign, as which memory may be read; empty for another type."""
    canonical = kind.get_canonical()
    if canonical.kind not in _SCALARS:
        return ""
    return " ".join(word for word in _unqualified(canonical.spelling).split() if word != "unsigned")


def _lengths(kind: Type) -> tuple[str, Type]:
    """Return the lengths of an array as a declaration has them, and the type of its elements."""
    text = ""
    while kind.kind is TypeKind.CONSTANTARRAY:
        text += f"[{kind.element_count}]"
        kind = kind.element_type
    return text, kind


def _spelling(kind: Type) -> str:
    """Return a type as it is spelled outside of classes and functions."""
    name = kind.get_declaration()
    parent = name.semantic_parent if name.kind is not CursorKind.NO_DECL_FOUND else None
    inner = kind.kind is not TypeKind.RECORD and parent is not None and parent.kind in _CLASSES
    return str((kind.get_canonical() if inner else kind).spelling)


def _unqualified(spelling: str) -> str:
    return " ".join(word for word in spelling.split() if word != "const")
