"""Launches of a candidate's kernels: grids and blocks that are the same in all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from clang.cindex import CursorKind

from transpile.core import Contract, Scalar, ShapeDependent
from transpile.expressions import names
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.variables import integer, is_launch
from transpile.testers.prove.tree import NotModelled

Cursor = Any
Shape = Mapping[str, int | str]
"""Numbers of blocks and threads, such as ``gridDim.x``: constants, or expressions of parameters."""

_RELATION = re.compile(r"((?:gridDim|blockDim)\.[xyz]) == ([\w\s+*/%().-]+)")
_AXES = ("x", "y", "z")
_DIMENSIONS = ("dim3", "Dim3", "uint3")


def shapes(cursors: Iterable[Cursor]) -> dict[str, Shape]:
    """Return what holds of every launch of each kernel, by its USR; nothing of one that is named elsewhere.

    Args:
        cursors: All of the file.
    """
    seen: dict[str, list[Shape]] = {}
    named: Counter[str] = Counter()
    for item in cursors:
        if is_launch(item):
            for name, shape in _launch(item):
                seen.setdefault(name, []).append(shape)
        elif item.kind is CursorKind.DECL_REF_EXPR and item.referenced is not None:
            named[item.referenced.get_usr()] += 1
    alone = {name: found for name, found in seen.items() if named[name] == len(found)}
    return {
        name: {key: value for key, value in first.items() if all(other.get(key) == value for other in rest)}
        for name, (first, *rest) in alone.items()
    }


def launch_of(contract: Contract) -> Shape:
    """Return what a contract says of every launch: numbers, and expressions of parameters."""
    relations = contract.law.relations if isinstance(contract.law, ShapeDependent) else ()
    return {
        match[1]: int(match[2]) if match[2].isdigit() else match[2]
        for match in map(_RELATION.fullmatch, relations)
        if match and names(match[2]) <= set(contract.signature.names)
    }


def _launch(call: Cursor) -> Iterator[tuple[str, Shape]]:
    arguments = list(call.get_arguments())
    if len(arguments) < 3:
        return
    configuration, kernel = clang.bare(arguments[1]), clang.bare(arguments[2])
    parameters = [] if kernel.referenced is None else list(kernel.referenced.get_arguments())
    given = {
        key_of(plain.referenced): str(parameter.spelling)
        for argument, parameter in zip(arguments[3:], parameters, strict=False)
        if (plain := clang.bare(argument)).kind is CursorKind.DECL_REF_EXPR
        and plain.referenced is not None
        and integer(parameter.type) in (Scalar.INT32, Scalar.UINT32)
    }
    shape: dict[str, int | str] = {}
    for name, extent in zip(("gridDim", "blockDim"), configuration.get_arguments(), strict=False):
        for axis, value in zip(_AXES, _extent(extent, given), strict=True):
            if value is not None:
                shape[f"{name}.{axis}"] = value
    if kernel.referenced is not None:
        yield str(kernel.referenced.get_usr()), shape


def _extent(cursor: Cursor, given: Mapping[str, str]) -> list[int | str | None]:
    """Return the three numbers of a grid or a block, as far as they are known."""
    plain = clang.bare(cursor)
    if integer(plain.type) is not None:
        return [_number(plain, given), 1, 1]
    if plain.kind is CursorKind.CALL_EXPR and plain.spelling in _DIMENSIONS:
        parts = [_number(item, given) for item in map(clang.bare, plain.get_arguments())]
        if all(integer(clang.bare(item).type) is not None for item in plain.get_arguments()) and parts:
            return [*parts, *[1] * (len(_AXES) - len(parts))]
        if len(parts) == 1:  # a copy of what is made here
            return _extent(next(iter(plain.get_arguments())), given)
    return [None] * len(_AXES)


def _number(cursor: Cursor, given: Mapping[str, str]) -> int | str | None:
    if cursor.kind is CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
        name = given.get(key_of(cursor.referenced))
        if name is not None:
            return name
    try:
        return int(operators.constant(cursor, Scalar.INT64))
    except NotModelled:
        return None
