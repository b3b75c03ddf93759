"""Data that routines are called with: values, dummy arguments, and variables that outlive calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from transpile.parsers.fortran.constants import constant_bounds, fold
from transpile.parsers.fortran.symbols import Derived, Symbol

PLAIN = ("integer", "real", "complex", "logical", "character")
_HARMLESS = {"public", "private", "save", "target", "protected", "dimension"}
_MOST_INNER = 64
"""Elements of an array of a derived type that is a component."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A type of values as gfortran's calls have them."""

    base: str
    """``integer``, ``real``, ``complex``, ``logical``, ``character``, ``derived`` or ``procedure``."""
    kind: int
    """Of a derived type, its bytes."""
    length: int = 0
    """Of characters; 0 where the caller chooses it."""
    parts: tuple[Part, ...] = ()
    """Of a derived type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A component of a derived type; those of its components are its own."""

    name: str
    value: Value
    count: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Callback:
    """A procedure that is an argument, as the routine calls it: with scalars."""

    arguments: tuple[Value, ...]
    given: tuple[bool, ...]
    """Tells of each argument whether the procedure may read it."""
    changed: tuple[bool, ...]
    """Tells of each argument whether the procedure sets it."""
    result: Value | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dummy:
    """A dummy argument, or a variable that is one in all but its name."""

    name: str
    value: Value
    rank: int = 0
    shape: str = "scalar"
    """``scalar``, ``explicit``, ``size``, ``assumed`` or, where it is allocatable, ``deferred``."""
    leading: bool = False
    """An extent of an array that is not its last."""
    rows: str = ""
    """Of a matrix, the argument that is the extent of its first dimension."""
    choices: tuple[str, ...] = ()
    """Texts that the routine compares it with; of whole numbers, such as it asks to be equal to it."""
    optional: bool = False
    """Tells whether calls may leave it out."""
    callback: Callback | None = None
    """Of a procedure, how it is called."""
    fresh: bool = False
    """Of what is allocatable, tells that a call begins without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A variable of a module or of a common block, which trials set and compare."""

    variable: Dummy
    """Named behind its module or block."""
    symbol: str
    """Of the module's variable or of the block, for the linker."""
    offset: int
    """In bytes, within the block."""
    count: int
    """Elements."""
    initial: bool
    """Tells whether the text gives it a value."""


def value_of(symbol: Symbol) -> Value:
    """Return the type of a variable's values."""
    if symbol.type.derived is not None:
        found = record(symbol.type.derived)
        assert not isinstance(found, str)  # Whoever asks has looked for obstacles.
        return found
    length = 0
    if symbol.type.base == "character":
        written = symbol.type.length
        length = 1 if written is None else fold(written, symbol.scope) or 0
    return Value(base=symbol.type.base, kind=symbol.type.kind, length=length)


def record(of: Derived) -> Value | str:
    """Return a derived type as gfortran lays it out, or why it has no such layout."""
    if of.parent is not None or of.scope.unit is None or of.scope.unit.kind != "module":
        return f"the derived type `{of.name}`, which extends another or is not a module's"
    parts: list[Part] = []
    place, alignment = 0, 1
    for symbol in of.components.values():
        inner = _component(symbol)
        if isinstance(inner, str):
            return f"a derived type with {inner}"
        step = max(map(_alignment, (item.value for item in inner)))
        place = -(-place // step) * step
        parts += (replace(item, offset=place + item.offset) for item in inner)
        place += _bytes_of(symbol)
        alignment = max(alignment, step)
    if not parts:
        return "a derived type without components"
    return Value(base="derived", kind=-(-place // alignment) * alignment, parts=tuple(parts))


def _component(symbol: Symbol) -> tuple[Part, ...] | str:
    """Return the parts of a component, from where it begins, or why it has none."""
    why = obstacle_within(symbol)
    if why:
        return f"the component `{symbol.name}`, {why}"
    count, value = elements(symbol), value_of(symbol)
    if value.base != "derived":
        return (Part(name=symbol.name, value=value, count=count, offset=0),)
    if count > _MOST_INNER:
        return f"the component `{symbol.name}`, of many elements of a derived type"
    return tuple(
        replace(
            item,
            name=f"{symbol.name}{f'({number + 1})' if symbol.rank else ''}%{item.name}",
            offset=number * value.kind + item.offset,
        )
        for number in range(count)
        for item in value.parts
    )


def obstacle_within(symbol: Symbol) -> str:
    """Return why a variable or component has no place of constant size; nothing where it has."""
    if symbol.type.polymorphic:
        return "which is polymorphic"
    odd = sorted(symbol.attributes - _HARMLESS)
    if odd:
        return f"which has the attribute `{odd[0]}`"
    if symbol.type.derived is not None:
        found = record(symbol.type.derived)
        if isinstance(found, str):
            return f"which is of {found}"
    elif symbol.type.base not in PLAIN:
        return "which is of no plain type"
    if symbol.rank and None in (bound for pair in _bounds(symbol) for bound in pair):
        return "which has no constant bounds"
    if symbol.type.base == "character" and not value_of(symbol).length:
        return "which is a text of no constant length"
    return ""


def obstacle_of_elements(symbol: Symbol) -> str:
    """Return what the elements of an array are where trials do not make such; nothing where they do."""
    if symbol.type.polymorphic:
        return "a polymorphic type"
    if symbol.type.derived is not None:
        found = record(symbol.type.derived)
        return found if isinstance(found, str) else ""
    return "" if symbol.type.base in PLAIN else "no plain type"


def elements(symbol: Symbol) -> int:
    """Return how many elements a variable with constant bounds has; of a scalar, one."""
    total = 1
    for low, high in _bounds(symbol):
        total *= max((high or 0) - (1 if low is None else low) + 1, 0)
    return total


def size(value: Value) -> int:
    """Return the bytes of a value; of characters, of as many as the routine says, at least one."""
    if value.base == "character":
        return max(value.length, 1)
    return value.kind * (2 if value.base == "complex" else 1)


def _bytes_of(symbol: Symbol) -> int:
    return size(value_of(symbol)) * elements(symbol)


def _alignment(value: Value) -> int:
    return 1 if value.base == "character" else value.kind


def _bounds(symbol: Symbol) -> Iterator[tuple[int | None, int | None]]:
    for item in symbol.dimensions or ():
        yield constant_bounds(item, symbol.scope)


def value(data: Mapping[str, Any]) -> Value:
    """Return a type of values from what JSON holds of it."""
    parts = tuple(Part(**{**item, "value": value(item["value"])}) for item in data["parts"])
    return Value(**{**data, "parts": parts})


def dummy(data: Mapping[str, Any]) -> Dummy:
    """Return a dummy argument from what JSON holds of it."""
    called = None if data["callback"] is None else _callback(data["callback"])
    plain = {"value": value(data["value"]), "choices": tuple(data["choices"])}
    return Dummy(**{**data, **plain, "callback": called})


def _callback(data: Mapping[str, Any]) -> Callback:
    return Callback(
        arguments=tuple(map(value, data["arguments"])),
        given=tuple(map(bool, data["given"])),
        changed=tuple(map(bool, data["changed"])),
        result=None if data["result"] is None else value(data["result"]),
    )


def stored(data: Mapping[str, Any]) -> Stored:
    """Return a variable that outlives calls from what JSON holds of it."""
    return Stored(**{**data, "variable": dummy(data["variable"])})
