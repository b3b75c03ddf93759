"""Data that routines are called with: values, dummy arguments, and variables that outlive calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Symbol


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A type of values as gfortran's calls have them."""

    base: str
    """``integer``, ``real``, ``complex``, ``logical`` or ``character``."""
    kind: int
    length: int = 0
    """Of characters; 0 where the caller chooses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dummy:
    """A dummy argument, or a variable that is one in all but its name."""

    name: str
    value: Value
    rank: int = 0
    shape: str = "scalar"
    """``scalar``, ``explicit``, ``size`` or ``assumed``."""
    leading: bool = False
    """An extent of an array that is not its last."""
    choices: tuple[str, ...] = ()
    """Texts that the routine compares it with."""


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
    length = 0
    if symbol.type.base == "character":
        written = symbol.type.length
        length = 1 if written is None else fold(written, symbol.scope) or 0
    return Value(base=symbol.type.base, kind=symbol.type.kind, length=length)


def dummy(data: Mapping[str, Any]) -> Dummy:
    """Return a dummy argument from what JSON holds of it."""
    return Dummy(**{**data, "value": Value(**data["value"]), "choices": tuple(data["choices"])})


def stored(data: Mapping[str, Any]) -> Stored:
    """Return a variable that outlives calls from what JSON holds of it."""
    return Stored(**{**data, "variable": dummy(data["variable"])})
