"""Launches of a candidate's kernels: grids, blocks and arguments that are the same in all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from clang.cindex import CursorKind, StorageClass

from transpile.core import Contract, Scalar, ShapeDependent
from transpile.expressions import names
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.settled import settled
from transpile.testers.prove.reach.shapes import DIMENSIONS, Launched, Shape, Wrapped
from transpile.testers.prove.reach.variables import integer, is_launch
from transpile.testers.prove.tree import NotModelled

Cursor = Any

_RELATION = re.compile(r"((?:gridDim|blockDim)\.[xyz]) == ([\w\s+*/%().-]+)")
_AXES = ("x", "y", "z")
_CONFIGURATION = ("Configuration", "within")
_CASTS = (CursorKind.CSTYLE_CAST_EXPR, CursorKind.CXX_STATIC_CAST_EXPR, CursorKind.CXX_FUNCTIONAL_CAST_EXPR)
_WHOLE = (Scalar.INT32, Scalar.UINT32, Scalar.INT64, Scalar.UINT64)
"""Types whose sums and products are right modulo 2^32, whatever wraps."""


def launches(cursors: Sequence[Cursor]) -> dict[str, Launched]:
    """Return what holds of every launch of each kernel, by its USR; nothing of one that is named elsewhere.

    Args:
        cursors: All of the file.
    """
    calls = [item for item in cursors if is_launch(item)]
    if not calls:
        return {}
    own = settled(item for item in cursors if item.kind is CursorKind.FUNCTION_DECL)
    seen: dict[str, list[Launched]] = {}
    for call in calls:
        for name, launched in _launch(call, own):
            seen.setdefault(name, []).append(launched)
    references = (item.referenced for item in cursors if item.kind is CursorKind.DECL_REF_EXPR)
    named = Counter(item.get_usr() for item in references if item is not None)
    return {name: reduce(Launched.common, found) for name, found in seen.items() if named[name] == len(found)}


def launch_of(contract: Contract) -> Shape:
    """Return what a contract says of every launch: numbers, and expressions of parameters."""
    relations = contract.law.relations if isinstance(contract.law, ShapeDependent) else ()
    return {
        match[1]: int(match[2]) if match[2].isdigit() else match[2]
        for match in map(_RELATION.fullmatch, relations)
        if match and names(match[2]) <= set(contract.signature.names)
    }


def _launch(call: Cursor, own: frozenset[str]) -> Iterator[tuple[str, Launched]]:
    arguments = list(call.get_arguments())
    if len(arguments) < 3:
        return
    configuration, kernel = clang.bare(arguments[1]), clang.bare(arguments[2])
    parameters = [] if kernel.referenced is None else list(kernel.referenced.get_arguments())
    given = {
        key_of(plain.referenced): parameter
        for argument, parameter in zip(arguments[3:], parameters, strict=False)
        if (plain := clang.bare(argument)).kind is CursorKind.DECL_REF_EXPR
        and plain.referenced is not None
        and integer(parameter.type) in _WHOLE
        and integer(plain.type) in _WHOLE
    }
    extents = _Extents({key: str(item.spelling) for key, item in given.items()}, own)
    shape: dict[str, int | str | Wrapped] = {}
    for name, extent in zip(("gridDim", "blockDim"), configuration.get_arguments(), strict=False):
        for axis, value in zip(_AXES, extents.of(extent, early=not _is_pure(call)), strict=True):
            if value is not None:
                shape[f"{name}.{axis}"] = int(value) if value.isdigit() else Wrapped(value)
    if kernel.referenced is not None:
        passed = {str(item.spelling): key for key, item in given.items() if key in own}
        yield str(kernel.referenced.get_usr()), Launched(shape, passed)


@dataclass(frozen=True, slots=True)
class _Extents:
    """Reads grids and blocks as expressions of what a kernel is given, right modulo 2^32."""

    given: Mapping[str, str]
    """Parameters of the kernel by the keys of the variables that they are given."""
    own: frozenset[str]
    """Keys of variables that have one value throughout."""

    def of(self, cursor: Cursor, *, early: bool) -> list[str | None]:
        """Return the three numbers of a grid or a block; ``early``, before the launch, as ``_number``."""
        plain = clang.bare(cursor)
        if integer(plain.type) is not None:
            return [self._number(plain, early=early), "1", "1"]
        if plain.kind in _CASTS:
            return self.of(_operand(plain), early=early)
        if plain.kind is CursorKind.CALL_EXPR and plain.spelling in DIMENSIONS:
            parts = list(plain.get_arguments())
            if parts and all(integer(clang.bare(item).type) is not None for item in parts):
                numbers = [self._number(item, early=early) for item in parts]
                return [*numbers, *["1"] * (len(_AXES) - len(parts))]
            if len(parts) == 1:  # a copy
                return self.of(parts[0], early=early)
        if plain.kind is CursorKind.DECL_REF_EXPR and (initial := self._initial(plain)) is not None:
            return self.of(initial, early=True)
        return [None] * len(_AXES)

    def _number(self, cursor: Cursor, *, early: bool) -> str | None:
        """Return a number as an expression; ``early``, of what has one value throughout and no other."""
        plain = clang.bare(cursor)
        kind = integer(plain.type)
        if kind is not None:
            try:
                return str(int(operators.constant(plain, Scalar.INT64)))
            except NotModelled:
                pass
        if kind not in _WHOLE:
            return None
        match plain.kind:
            case CursorKind.DECL_REF_EXPR if plain.referenced is not None:
                key = key_of(plain.referenced)
                if key in self.given and (key in self.own or not early):
                    return self.given[key]
                initial = self._initial(plain)
                return None if initial is None else self._number(initial, early=True)
            case CursorKind.MEMBER_REF_EXPR if plain.spelling in _AXES:
                base = clang.bare(next(iter(plain.get_children())))
                known = base.kind is CursorKind.DECL_REF_EXPR and self._initial(base) is not None
                return self.of(base, early=early)[_AXES.index(plain.spelling)] if known else None
            case CursorKind.BINARY_OPERATOR:
                return self._binary(plain, early=early)
            case cast if cast in _CASTS:
                return self._number(_operand(plain), early=early)
            case _:
                return None

    def _binary(self, cursor: Cursor, *, early: bool) -> str | None:
        left, right = (self._number(item, early=early) for item in cursor.get_children())
        operator = operators.binary(cursor)
        if left is None or right is None:
            return None
        if operator == "/" and right == "1":
            return left
        return f"({left} {operator} {right})" if operator in ("+", "-", "*") else None

    def _initial(self, cursor: Cursor) -> Cursor | None:
        """Return what a variable with one value throughout is declared as."""
        declared = cursor.referenced
        if declared is None or declared.kind is not CursorKind.VAR_DECL or key_of(declared) not in self.own:
            return None
        if declared.storage_class is StorageClass.STATIC:  # it keeps what the first call gave it
            return None
        found = clang.expressions(declared)
        return found[-1] if found else None


def _operand(cast: Cursor) -> Cursor:
    """Return what a conversion is of."""
    return clang.expressions(cast)[-1]


def _is_pure(call: Cursor) -> bool:
    """Tell whether a launch changes no variable while its grid and its arguments are computed."""
    return all(
        operators.written(item) is None
        and (item.kind is not CursorKind.CALL_EXPR or item.spelling in (*DIMENSIONS, *_CONFIGURATION))
        for item in clang.descend(call)
    )
