"""Subscripts that need no more than 32 bits: counters of loops up to a number that is passed in 32 bits."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from clang.cindex import CursorKind

from transpile.core import Scalar
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.tree import NotModelled
from transpile.testers.text.conversions import Key, key_of

Cursor = Any

_STEPS = ("p++", "++")


def counters(function: Cursor, narrow: Collection[int]) -> frozenset[Key]:
    """Return the variables that count upward by one from a constant to a parameter of 32 bits or a constant.

    Such a variable never leaves the range of its type, nor comes to it by way of a number that was cut off.

    Args:
        function: Its definition.
        narrow: The positions of the parameters that callers pass in 32 bits.
    """
    cursors = list(clang.descend(function))
    declared = [item for item in function.get_children() if item.kind is CursorKind.PARM_DECL]
    parameters = {key_of(item) for at, item in enumerate(declared) if at in narrow and _is_plain(item)}
    changed = [key for item in cursors if (key := _changed(item)) is not None]
    fixed = parameters - {*changed}
    found = (_counter(item, fixed) for item in cursors if item.kind is CursorKind.FOR_STMT)
    return frozenset(key for key in found if key is not None and changed.count(key) == 1)


def _counter(loop: Cursor, fixed: set[Key]) -> Key | None:
    """Return the variable of a loop that counts so."""
    parts = list(loop.get_children())
    if len(parts) != 4:
        return None
    first, condition, step, _ = parts
    declared = list(first.get_children()) if first.kind is CursorKind.DECL_STMT else []
    if len(declared) != 1 or not _is_plain(declared[0]):
        return None
    start = list(map(clang.bare, clang.expressions(declared[0])))
    key = key_of(declared[0])
    counts = (
        [item.kind for item in start] == [CursorKind.INTEGER_LITERAL]
        and condition.kind is CursorKind.BINARY_OPERATOR
        and operators.binary(condition) == "<"
        and step.kind is CursorKind.UNARY_OPERATOR
        and operators.unary(step) in _STEPS
    )
    if not counts:
        return None
    left, right = (clang.bare(item) for item in condition.get_children())
    ends = right.kind is CursorKind.INTEGER_LITERAL or _key(right) in fixed
    return key if ends and _key(left) == key and _changed(step) == key else None


def _changed(cursor: Cursor) -> Key | None:
    """Return the variable that an expression may change: what it assigns, steps, or takes the address of."""
    addressed = cursor.kind is CursorKind.UNARY_OPERATOR and operators.unary(cursor) == "&"
    target = next(iter(cursor.get_children()), None) if addressed else operators.written(cursor)
    return None if target is None else _key(clang.bare(target))


def _key(cursor: Cursor) -> Key | None:
    named = cursor.kind is CursorKind.DECL_REF_EXPR and cursor.referenced is not None
    return key_of(cursor.referenced) if named else None


def _is_plain(declared: Cursor) -> bool:
    """Tell whether a variable is a signed number of 32 bits."""
    try:
        return operators.scalar_of(declared.type) is Scalar.INT32
    except NotModelled:
        return False
