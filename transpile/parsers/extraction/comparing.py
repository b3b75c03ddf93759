"""A loop means in its new function what it meant in the old one: all that it names is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Span
from transpile.parsers.extraction.bindings import walked
from transpile.parsers.types.clang import bare, descend

Cursor = Any
Type = Any
Mention = tuple[str, str]
"""Whatever a name leads to, by its USR, and its type."""

_NAMES = (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.CALL_EXPR)
_TYPES = (CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF)
_LOCAL = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
_QUALIFIERS = re.compile(r"^const |(?<=\*)(?:const|restrict|__restrict| )+$")


def mentions(function: Cursor, within: Span) -> tuple[Mention, ...]:
    """Return what a part of a function names, but for variables of the function and members of data."""
    return tuple(_mentions(function, within))


def _mentions(function: Cursor, within: Span) -> Iterator[Mention]:
    own = function.extent.start.offset, function.extent.end.offset
    for cursor, _ in walked(function):
        known = cursor.referenced if cursor.kind in (*_NAMES, *_TYPES) else None
        if known is None or not within.start <= cursor.location.offset < within.end:
            continue
        # Members that are handed on are named by nobody afterwards, nor are the pointers to their objects.
        if known.kind is CursorKind.FIELD_DECL or known.spelling == "operator->":
            continue
        place = known.location.offset if _is_of(known, function) else -1
        if within.start <= place < within.end or (known.kind in _LOCAL and own[0] <= place < own[1]):
            continue
        kind = cursor.type if cursor.kind in _TYPES else known.type
        yield str(known.get_usr()), str(kind.get_canonical().spelling)


def _is_of(known: Cursor, function: Cursor) -> bool:
    one, other = known.location.file, function.location.file
    return one is not None and other is not None and one.name == other.name


def hands_on_the_same(caller: Cursor, name: str) -> bool:
    """Tell whether a function takes what the call of it gives without a conversion."""
    calls = (item for item in descend(caller) if item.kind is CursorKind.CALL_EXPR and item.spelling == name)
    call = next(calls, None)
    if call is None or call.referenced is None:
        return False
    given, taken = list(call.get_arguments()), list(call.referenced.get_arguments())
    return len(given) == len(taken) and all(
        _is_same(bare(one).type.get_canonical(), other.type.get_canonical())
        for one, other in zip(given, taken, strict=True)
    )


def _is_same(given: Type, taken: Type) -> bool:
    if taken.kind is TypeKind.LVALUEREFERENCE:
        return plain(given) == plain(taken.get_pointee())
    if given.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY) and taken.kind is TypeKind.POINTER:
        return plain(given.element_type) == plain(taken.get_pointee())
    return plain(given) == plain(taken)


def plain(kind: Type) -> str:
    """Return how a type is spelled without qualifiers of its own."""
    return _QUALIFIERS.sub("", str(kind.get_canonical().spelling)).strip()


def local_types(function: Cursor, names: Sequence[str]) -> dict[str, str]:
    """Return the types of the first variables of these names in a function."""
    found: dict[str, str] = {}
    for cursor in descend(function):
        if cursor.kind is CursorKind.VAR_DECL and cursor.spelling in names:
            found.setdefault(cursor.spelling, plain(cursor.type))
    return found
