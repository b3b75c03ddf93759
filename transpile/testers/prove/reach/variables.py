"""Variables of a function that hold what its text says, whatever other threads do.

These are numbers that nothing leads to but their names: local ones and parameters whose address is not taken,
and which are written under the directives alone that they are declared under. So one thread writes to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from transpile.core import Scalar
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.directives import Directives, counted, is_own, owned
from transpile.testers.prove.reach.premises import Premises
from transpile.testers.prove.tree import NotModelled

Cursor = Any

_DECLARED = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
_CASTS = (
    CursorKind.PAREN_EXPR,
    CursorKind.UNEXPOSED_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_REINTERPRET_CAST_EXPR,
)
_AUTOMATIC = (StorageClass.NONE, StorageClass.INVALID, StorageClass.AUTO)
_ALLOCATORS = ("malloc", "calloc", "aligned_alloc")
_REFUSED = (
    CursorKind.GOTO_STMT,
    CursorKind.INDIRECT_GOTO_STMT,
    CursorKind.LABEL_STMT,
    CursorKind.ASM_STMT,
    CursorKind.CXX_TRY_STMT,
    CursorKind.StmtExpr,
    CursorKind.CXX_CONST_CAST_EXPR,
)
"""Statements that jump, and casts that make constants writable."""


@dataclass(slots=True)
class _Uses:
    """The uses of one variable."""

    region: tuple[int, ...]
    """The directives and lambdas around its declaration, by where they begin."""
    first: list[Cursor]
    """Its initial value, if it has one."""
    given: list[Cursor | None] = field(default_factory=list)
    """The values that are assigned to it later; None where it is changed otherwise."""
    elsewhere: bool = False
    """It is written in a statement of another directive."""
    escapes: bool = False


class Variables:
    """The variables of a function."""

    def __init__(self, function: Cursor, directives: Directives, premises: Premises) -> None:
        """Look at every place that names one.

        Raises:
            NotModelled: The function jumps.
        """
        self._directives = directives
        self._premises = premises
        self._uses: dict[str, _Uses] = {}
        declared = [item for item in function.get_children() if item.kind is CursorKind.PARM_DECL]
        names = premises.names or [str(item.spelling) for item in declared]
        self._parameters = {key_of(item): name for item, name in zip(declared, names, strict=False)}
        self._own: dict[int, frozenset[str]] = {}
        """Names of which each thread has a copy of its own behind a directive, by the statement's place."""
        self._look(function, (), None)

    def scalar(self, declared: Cursor | None) -> Scalar | None:
        """Return the type of a number that holds what the text says; None of any other variable."""
        if declared is None or declared.kind not in _DECLARED:
            return None
        uses = self._uses.get(key_of(declared))
        if uses is None or uses.escapes or uses.elsewhere or self._directives.changes(declared.spelling):
            return None
        return integer(declared.type)

    def is_constant(self, key: str) -> bool:
        """Tell whether a variable keeps its first value."""
        uses = self._uses.get(key)
        return uses is not None and not uses.given

    def copies(self, offset: int) -> frozenset[str]:
        """Return the names of which each thread has a copy of its own in the statement at an offset."""
        return self._own.get(offset, frozenset())

    def given(self, declared: Cursor) -> str:
        """Return what is passed for a parameter, as the contract names it."""
        return self._parameters.get(key_of(declared), "")

    def least(self, declared: Cursor) -> int | None:
        """Return the least value of a parameter in valid calls."""
        name = self._parameters.get(key_of(declared))
        return None if name is None else self._premises.least.get(name)

    def multiple(self, declared: Cursor) -> int:
        """Return what a parameter is a multiple of in valid calls."""
        return self._premises.multiples.get(self._parameters.get(key_of(declared), ""), 1)

    def input(self, declared: Cursor) -> str:
        """Return the name of a parameter that leads to what the call gives; empty for any other."""
        key = key_of(declared)
        name = self._parameters.get(key, "")
        kind = declared.type.get_canonical()
        constant = kind.kind is TypeKind.POINTER and kind.get_pointee().is_const_qualified()
        return name if constant and self._uses[key].given == [] and not self._uses[key].escapes else ""

    def is_there(self, declared: Cursor, seen: frozenset[str] = frozenset()) -> bool:
        """Tell whether a pointer is never null: an array of the call, or memory that was asked for."""
        key = key_of(declared)
        uses = self._uses.get(key)
        if uses is None or uses.escapes:
            return False
        if key in seen:  # pointers that change places: what they hold, one of them held first
            return True
        name = self._parameters.get(key)
        if name is not None and name not in self._premises.arrays:
            return False
        values = [*uses.first, *uses.given]
        return (name is not None or bool(values)) and all(
            self._leads_on(value, seen | {key}) for value in values
        )

    def _leads_on(self, value: Cursor | None, seen: frozenset[str]) -> bool:
        while value is not None and value.kind in _CASTS:
            value = next(iter(clang.expressions(value)), None)
        if value is None:
            return False
        if value.kind is CursorKind.CALL_EXPR:
            return value.spelling in _ALLOCATORS
        if value.kind is CursorKind.DECL_REF_EXPR and value.referenced is not None:
            return self.is_there(value.referenced, seen)
        return False

    def _look(self, cursor: Cursor, region: tuple[int, ...], parent: Cursor | None) -> None:
        if cursor.kind in _REFUSED:
            raise NotModelled(str(cursor.kind.name))
        start = cursor.extent.start.offset
        if self._directives.at(start) is not None and start not in region:
            region = (*region, start)
            self._own[start] = self._copies(cursor, self._directives.at(start) or "")
        if cursor.kind is CursorKind.LAMBDA_EXPR:
            _refuse_captures(cursor)
            region = (*region, -start)  # no directive is there
        if cursor.kind in _DECLARED:
            self._declare(cursor, region)
        if cursor.kind is CursorKind.DECL_REF_EXPR and parent is not None:
            self._name(cursor, region, parent)
        for child in cursor.get_children():
            self._look(child, region, parent if cursor.kind is CursorKind.PAREN_EXPR else cursor)

    def _copies(self, cursor: Cursor, led: str) -> frozenset[str]:
        """Return what clauses make private, and the counters of loops that are shared out."""
        names = set(owned(led))
        for _ in range(counted(led)):
            if cursor.kind is not CursorKind.FOR_STMT:
                break
            first, *_, body = cursor.get_children()
            if first.kind is CursorKind.BINARY_OPERATOR and operators.binary(first) == "=":
                names.add(str(next(iter(first.get_children())).spelling))
            inner = list(body.get_children())
            cursor = inner[0] if body.kind is CursorKind.COMPOUND_STMT and len(inner) == 1 else body
        return frozenset(names)

    def _is_own(self, name: str, region: tuple[int, ...], declared: tuple[int, ...]) -> bool:
        """Tell whether a thread writes to a variable that it alone has, where it comes to the place."""
        inner = region[len(declared) :]
        last = max((at for at, start in enumerate(inner) if name in self.copies(start)), default=-1)
        return all(self._passes(start) for start in inner[last + 1 :])

    def _passes(self, start: int) -> bool:
        led = self._directives.at(start)
        return led is not None and is_own(led)

    def _declare(self, cursor: Cursor, region: tuple[int, ...]) -> None:
        local = cursor.kind is CursorKind.VAR_DECL
        values = clang.expressions(cursor) if local else []
        uses = _Uses(region, values[-1:])
        uses.escapes = local and cursor.storage_class not in _AUTOMATIC
        self._uses[key_of(cursor)] = uses

    def _name(self, cursor: Cursor, region: tuple[int, ...], parent: Cursor) -> None:
        declared = cursor.referenced
        uses = None if declared is None else self._uses.get(key_of(declared))
        if uses is None:
            return
        written = list(_written(cursor, parent))
        if written:
            uses.given += written
            uses.elsewhere = uses.elsewhere or not self._is_own(str(cursor.spelling), region, uses.region)
        elif parent.kind is not CursorKind.UNEXPOSED_EXPR and not is_launch(parent):
            uses.escapes = True


def is_launch(cursor: Cursor) -> bool:
    """Tell whether an expression launches a kernel, which gets copies of what is passed."""
    if cursor.kind is not CursorKind.CALL_EXPR or cursor.spelling != "launch" or cursor.referenced is None:
        return False
    return bool(cursor.referenced.semantic_parent.spelling == "simt")


def integer(kind: Any) -> Scalar | None:
    """Return the type of whole numbers that a type is; None for any other."""
    try:
        found = operators.scalar_of(kind)
    except NotModelled:
        return None
    return None if found is None or found.floating else found


def _written(cursor: Cursor, parent: Cursor) -> Iterator[Cursor | None]:
    """Yield what an expression assigns to a variable that it names directly; None for another change."""
    target = operators.written(parent)
    if target is not None and target == cursor:
        yield list(parent.get_children())[1] if parent.kind is CursorKind.BINARY_OPERATOR else None


def _refuse_captures(function: Cursor) -> None:
    """Refuse a lambda whose captures have names of their own: one may be a reference to a variable."""
    for token in function.get_tokens():
        if token.spelling == "]":
            return
        if token.spelling == "=" and token.extent.start.offset > function.extent.start.offset + 1:
            raise NotModelled("a capture with a name of its own")
