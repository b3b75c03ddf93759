"""Variables that have one value as long as they live: nothing writes to them, or has their address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from clang.cindex import CursorKind

from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.shapes import DIMENSIONS
from transpile.testers.prove.reach.variables import is_launch

Cursor = Any

_DECLARED = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
_READ = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)
_UNSEEN = (CursorKind.LAMBDA_EXPR, CursorKind.CXX_CONST_CAST_EXPR, CursorKind.CXX_REINTERPRET_CAST_EXPR)
"""Expressions that may write to variables which they do not name as a plain target."""


def settled(functions: Iterable[Cursor]) -> frozenset[str]:
    """Return the keys of the variables of functions that are initialised and stay as they are."""
    found: set[str] = set()
    for function in functions:
        used = list(_used(function, (function,)))
        if any(item.kind in _UNSEEN for item, _ in used):
            continue
        declared = {
            key_of(item)
            for item, _ in [*used, *((one, ()) for one in function.get_arguments())]
            if item.kind in _DECLARED and not _is_reference(item)
        }
        written = {
            key_of(item.referenced)
            for item, around in used
            if item.kind is CursorKind.DECL_REF_EXPR
            and item.referenced is not None
            and item.referenced.kind in _DECLARED
            and not _is_read(item, around)
        }
        found |= declared - written
    return frozenset(found)


def _used(cursor: Cursor, around: tuple[Cursor, ...]) -> Iterator[tuple[Cursor, tuple[Cursor, ...]]]:
    """Yield what stands below, with what stands around each, innermost first."""
    for child in cursor.get_children():
        yield child, around
        yield from _used(child, (child, *around))


def _is_reference(declared: Cursor) -> bool:
    return "&" in declared.type.get_canonical().spelling


def _is_read(cursor: Cursor, around: tuple[Cursor, ...]) -> bool:
    """Tell whether a name stands for its value: behind a conversion to that, or where a copy is made."""
    user, *outer = around
    if user.kind is CursorKind.MEMBER_REF_EXPR and outer:
        cursor, user, *outer = user, *outer
    if is_launch(user):
        return True
    if user.kind not in _READ or not outer:
        return False
    called = next((item for item in outer if item.kind not in _READ), None)
    copies = called is not None and called.kind is CursorKind.CALL_EXPR and called.spelling in DIMENSIONS
    constant = user.type.is_const_qualified() and not cursor.type.is_const_qualified()
    # A reference to what is constant may have its constness cast away.
    return copies or not constant
