"""Types of what a loop names, as libclang knows them, written as declarations of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import POINTER, byref, c_uint
from dataclasses import dataclass, field
from typing import Any

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from transpile.parsers.extraction.bindings import Binding, binding, is_set, is_whole, walked
from transpile.parsers.extraction.comparing import plain
from transpile.parsers.types.clang import REFERENCES, descend, in_system_header

Cursor = Any
Type = Any

_PLACES = [cindex.SourceLocation, POINTER(cindex.c_object_p), *(POINTER(c_uint),) * 3]

_SCALARS = frozenset(
    (
        *(TypeKind.BOOL, TypeKind.CHAR_S, TypeKind.CHAR_U, TypeKind.SCHAR, TypeKind.UCHAR, TypeKind.SHORT),
        *(TypeKind.USHORT, TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG),
        *(TypeKind.ULONGLONG, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.ENUM),
        TypeKind.COMPLEX,
    )
)
_CLASSES = (
    *(CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_TEMPLATE),
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
)
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY)
_CALLABLE = (
    *(CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION),
    *(CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR),
)


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
    canonical: str = ""
    """Of a number, without ``const``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A member of a record."""

    owner: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of what no header of the system defines."""

    place: int
    name: str
    """Empty where nobody knows which function it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """An assignment of a whole record."""

    place: int
    holds: frozenset[str]
    """The record and those in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """Facts of libclang about the names in a function, by their offsets in its file."""

    variables: Mapping[int, Typed | None]
    """By where they are declared; None for what cannot be handed on."""
    members: Mapping[int, Typed | None]
    """By where they are used."""
    fields: Mapping[int, Field]
    """By where they are used, or a macro is that names them."""
    implicit: frozenset[int]
    """Uses of members of the function's own object that do not say so."""
    methods: frozenset[int]
    """Calls of methods of that object, and uses of it as a whole."""
    referred: frozenset[int]
    """Uses of variables that a callee takes by a reference through which it may change them."""
    assigned: frozenset[int]
    """Uses of members that set them."""
    bindings: tuple[Binding, ...]
    """Scalars that something else than their names may read or set."""
    whole: frozenset[int]
    """Uses of arrays for more than pointers to their first elements; of macros that name arrays so."""
    calls: tuple[Call, ...]
    copies: tuple[Copy, ...]


@dataclass(slots=True)
class _Found:
    variables: dict[int, Typed | None] = field(default_factory=dict)
    members: dict[int, Typed | None] = field(default_factory=dict)
    fields: dict[int, Field] = field(default_factory=dict)
    implicit: set[int] = field(default_factory=set)
    methods: set[int] = field(default_factory=set)
    referred: set[int] = field(default_factory=set)
    assigned: set[int] = field(default_factory=set)
    bindings: list[Binding] = field(default_factory=list)
    whole: set[int] = field(default_factory=set)
    calls: list[Call] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)


def meaning(function: Cursor, c: bool) -> Meaning:
    """Return what the names in a function mean."""
    found = _Found()
    for cursor, outer in walked(function):
        kind, place = cursor.kind, spelled_at(cursor)
        if kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            found.variables[place] = _typed(cursor.type, c=c)
        elif kind is CursorKind.DECL_REF_EXPR:
            known = cursor.referenced
            if known is not None and known.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
                _note_binding(cursor, outer, spelled_at(known), found)
        elif kind is CursorKind.MEMBER_REF_EXPR:
            _note_member(cursor, outer, place, found, c=c)
        elif kind is CursorKind.CALL_EXPR:
            found.referred.update(_referred(cursor))
            found.calls += _calls(cursor)
        if kind in (CursorKind.CALL_EXPR, CursorKind.BINARY_OPERATOR):
            found.copies += _copies(cursor)
    return Meaning(
        variables=found.variables,
        members=found.members,
        fields=found.fields,
        implicit=frozenset(found.implicit),
        methods=frozenset(found.methods),
        referred=frozenset(found.referred),
        assigned=frozenset(found.assigned),
        bindings=tuple(found.bindings),
        whole=frozenset(found.whole),
        calls=tuple(found.calls),
        copies=tuple(found.copies),
    )


def _note_binding(cursor: Cursor, outer: Sequence[Cursor], declared: int, found: _Found) -> None:
    kind = cursor.type.get_canonical()
    if kind.kind in _SCALARS or kind.kind is TypeKind.POINTER:
        bound = binding(cursor, outer, declared)
        if bound is not None:
            found.bindings.append(bound)
    elif kind.kind in _ARRAYS and is_whole(cursor, outer):
        found.whole.update((spelled_at(cursor), cursor.location.offset))


def _note_member(cursor: Cursor, outer: Sequence[Cursor], place: int, found: _Found, *, c: bool) -> None:
    is_own = not any(True for _ in cursor.get_children())
    known = cursor.referenced
    if known is None or known.kind is not CursorKind.FIELD_DECL:
        if is_own:
            found.methods.add(place)
        return
    found.members[place] = _typed(cursor.type, c=c, declared=known.type) if _is_plain(cursor, known) else None
    owner = str(known.semantic_parent.type.get_canonical().spelling)
    place = place if place >= 0 else cursor.location.offset
    found.fields[place] = Field(owner=owner, name=known.spelling)
    if is_own:
        found.implicit.add(place)
    if is_set(cursor, outer):
        found.assigned.add(place)
    _note_binding(cursor, outer, -1, found)


def _is_plain(cursor: Cursor, member: Cursor) -> bool:
    """Tell whether a member has its memory for itself, and asking for it has no effects."""
    kind = member.type.get_canonical()
    if member.is_bitfield() or (
        kind.kind in REFERENCES and kind.get_pointee().get_canonical().kind is not TypeKind.RECORD
    ):
        return False
    for item in (cursor, *descend(cursor)):
        known = item.referenced
        if item.kind is CursorKind.MEMBER_REF_EXPR and known is not None:
            if known.semantic_parent.kind is CursorKind.UNION_DECL:
                return False
        elif item.kind is CursorKind.CALL_EXPR and (known is None or not in_system_header(known)):
            return False
    return True


def _calls(call: Cursor) -> Iterator[Call]:
    callee = call.referenced
    place = call.location.offset
    if callee is None or callee.kind not in _CALLABLE:
        yield Call(place=place, name="")
    elif not in_system_header(callee):
        yield Call(place=place, name=callee.spelling)
    elif callee.spelling == "operator()":
        yield Call(place=place, name="")


def _copies(assignment: Cursor) -> Iterator[Copy]:
    is_call = assignment.kind is CursorKind.CALL_EXPR
    if is_call and assignment.spelling != "operator=":
        return
    target = next(assignment.get_children(), None)
    kind = target.type.get_canonical() if target is not None else None
    if kind is not None and kind.kind is TypeKind.RECORD:
        yield Copy(place=assignment.location.offset, holds=frozenset(_records(kind)))


def _records(kind: Type) -> Iterator[str]:
    yield str(kind.spelling)
    for field_ in kind.get_fields():
        inner = field_.type.get_canonical()
        while inner.kind is TypeKind.CONSTANTARRAY:
            inner = inner.element_type.get_canonical()
        if inner.kind is TypeKind.RECORD:
            yield from _records(inner)


def spelled_at(cursor: Cursor) -> int:
    """Return the offset at which a name is written: an argument of a macro stands at the macro's use.

    What its text names stands there, too. It is -1 for what the text of a macro in another file hands on.
    """
    library = cindex.conf.lib
    written, used, offset = cindex.c_object_p(), cindex.c_object_p(), c_uint()
    library.clang_getSpellingLocation.argtypes = _PLACES
    library.clang_getSpellingLocation(cursor.location, byref(written), None, None, byref(offset))
    library.clang_getInstantiationLocation(cursor.location, byref(used), None, None, None)
    library.clang_File_isEqual.argtypes = [cindex.c_object_p, cindex.c_object_p]
    return int(offset.value) if library.clang_File_isEqual(written, used) else -1


def _referred(call: Cursor) -> Iterator[int]:
    """Yield where variables are named that a callee may change through references."""
    callee = call.referenced
    if callee is None:
        return
    for given, parameter in zip(call.get_arguments(), callee.get_arguments(), strict=False):
        kind = parameter.type.get_canonical()
        if given is None or kind.kind not in REFERENCES or kind.get_pointee().is_const_qualified():
            continue
        for item in (given, *descend(given)):
            if item.kind is CursorKind.DECL_REF_EXPR:
                yield spelled_at(item)


def _typed(kind: Type, *, c: bool, declared: Type | None = None) -> Typed | None:
    """Return a type as a parameter's; None for what cannot be handed on so that it means the same."""
    canonical = kind.get_canonical()
    if canonical.is_volatile_qualified():
        return None
    if canonical.kind in REFERENCES:
        pointee = canonical.get_pointee().get_canonical()
        if pointee.kind in _SCALARS or pointee.kind is TypeKind.POINTER or c:
            return None
        return Typed(declared=f"{_spelling(kind.get_pointee())} &{{}}", scalar=False)
    if canonical.kind in _SCALARS:
        return Typed(
            declared=f"{_unqualified(_spelling(kind))} {{}}",
            scalar=True,
            number=_number(canonical),
            canonical=plain(canonical),
        )
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
