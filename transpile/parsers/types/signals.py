"""Calls of other translation units that are told numbers and leave this one alone: timers, counters, marks.

A library of one translation unit lacks what they call, so a stub notes each call there. What runs behind such
a call is the source's own on both sides, and can reach nothing of the translation unit by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clang.cindex import CursorKind, LinkageKind, StorageClass, TypeKind

from transpile.core import Signal, Unit, UnitKind
from transpile.parsers.types.functions import Function, Functions, qualified
from transpile.parsers.types.layouts import element

Cursor = Any
Type = Any

_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALLED = re.compile(rb"(\)|\b[A-Za-z_]\w*)\s*\(")
"""A name that is called, or the end of an expression that is."""
_PLAIN = re.compile(r"void \([^()]*\)")
"""The type of a function without ``noexcept`` or attributes, which a stub would have to repeat."""
_NEVER_BACK = frozenset((b"noreturn", b"_Noreturn", b"throw", b"longjmp", b"siglongjmp"))


class Signals:
    """Which functions that a translation unit declares are signals to it."""

    def __init__(self, functions: Functions, units: Sequence[Unit], path: str) -> None:
        """Look at nothing yet.

        Args:
            functions: Of the translation unit.
            units: Of the whole source.
            path: The file that is the translation unit.
        """
        self._path = path
        self._units = {unit.id: unit for unit in units}
        self._shared = {
            name.encode("utf-8", "surrogateescape")
            for function in functions.found.values()
            for name, variable in function.variables.items()
            if variable.linkage is not LinkageKind.INTERNAL
        }
        """Variables that other translation units may name."""

    def of(self, closure: Sequence[Function]) -> tuple[Signal, ...]:
        """Return the signals that some functions call, by their names."""
        declared = {name: item for function in closure for name, item in function.elsewhere.items()}
        return tuple(
            Signal(name=name, types=tuple(given.type.spelling for given in declared[name].get_arguments()))
            for name in sorted(declared)
            if _is_told_numbers(declared[name]) and self._leaves_alone(name)
        )

    def _leaves_alone(self, name: str) -> bool:
        """Tell whether a function of the source reaches nothing of the translation unit."""
        meant = [unit for unit in self._units.values() if unit.name == name and not unit.member]
        if len(meant) != 1 or b"static" in _WORD.findall(meant[0].text.partition(b"{")[0]):
            return False
        return all(
            unit.kind in (UnitKind.FUNCTION, UnitKind.GLUE)
            and self._path not in (unit.path, unit.translation_unit)
            and (self._shared | _NEVER_BACK).isdisjoint(_WORD.findall(unit.text))
            and not any(map(self._is_assigned, _CALLED.findall(unit.text)))
            for unit in _reached(meant[0], self._units)
        )

    def _is_assigned(self, called: bytes) -> bool:
        """Tell whether what is called may be a pointer, to a function of this translation unit or another."""
        given = re.compile(rb"\b%b\s*=(?!=)" % re.escape(called))
        return called == b")" or any(given.search(unit.text) for unit in self._units.values())


def _reached(first: Unit, units: Mapping[str, Unit]) -> Iterator[Unit]:
    """Yield a unit and all units that it calls, directly or not."""
    waiting, seen = [first.id], {first.id}
    while waiting:
        unit = units[waiting.pop()]
        yield unit
        fresh = [callee for callee in unit.callees if callee not in seen]
        waiting += fresh
        seen.update(fresh)


def _is_told_numbers(function: Cursor) -> bool:
    """Tell whether a function takes whole numbers and returns nothing."""
    given = list(function.get_arguments())
    return (
        function.kind is CursorKind.FUNCTION_DECL
        and function.storage_class is not StorageClass.STATIC
        and qualified(function) == function.spelling
        and _PLAIN.fullmatch(function.type.spelling) is not None
        and function.type.kind is TypeKind.FUNCTIONPROTO
        and not function.type.is_function_variadic()
        and not any(child.kind.is_attribute() for child in function.get_children())
        and all(_is_whole(item.type.get_canonical()) for item in given)
    )


def _is_whole(kind: Type) -> bool:
    held = element(kind)
    return held is not None and held.scalar is not None and not held.scalar.floating
