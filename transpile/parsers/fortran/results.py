"""Results of functions that callers make room for, or that functions allocate: arrays and texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transpile.expressions import to_text
from transpile.parsers.fortran import tree
from transpile.parsers.fortran.extents import Given
from transpile.parsers.fortran.symbols import Procedure, Symbol
from transpile.parsers.fortran.values import obstacle_of_elements

_MOST_TEXT = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A result that is an array or a text."""

    rank: int
    extents: tuple[str, ...] = ()
    """Of an array for which the caller makes room, as expressions of its arguments."""
    length: str = ""
    """Of a text, likewise."""
    allocated: bool = False
    """Tells that the function allocates it."""


def returned(procedure: Procedure) -> Returned | str | None:
    """Return what a function returns, None where it is a plain value, or why trials do not call it."""
    result = procedure.result
    if result is None:
        return None
    if result.pointer:
        return "it returns a pointer"
    text = result.type.base == "character"
    if text and not result.rank:
        return _text(result, procedure)
    if not result.rank:
        plain = result.type.base in ("integer", "real", "complex", "logical") and not result.allocatable
        return None if plain else f"it returns {result.type.base}"
    why = "texts" if text else obstacle_of_elements(result)
    if why:
        return f"it returns an array of {why}"
    if result.allocatable:
        return Returned(rank=result.rank, allocated=True)
    shape = _given(procedure).declared(result)
    extents = () if shape is None else tuple(map(to_text, shape))
    if not extents or max(map(len, extents)) > _MOST_TEXT:
        return "it returns an array whose extents trials do not know"
    return Returned(rank=result.rank, extents=extents)


def _text(result: Symbol, procedure: Procedure) -> Returned | str:
    if result.allocatable or isinstance(result.type.length, (tree.Range, tree.Star)):
        return "it returns a text of deferred length"
    if result.type.length is None:
        return Returned(rank=0, length="1")
    length = _given(procedure).number(result.type.length)
    if length is None:
        return "it returns a text whose length trials do not know"
    return Returned(rank=0, length=to_text(length))


def _given(procedure: Procedure) -> Given:
    """Return what arguments are when a function begins, which is when its result gets its extents."""
    return Given(procedure.scope, frozenset(item.name for item in procedure.dummies))


def read_returned(data: Mapping[str, Any] | None) -> Returned | None:
    """Return what JSON holds of such a result."""
    return None if data is None else Returned(**{**data, "extents": tuple(data["extents"])})
