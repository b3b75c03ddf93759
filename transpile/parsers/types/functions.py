"""The functions of a translation unit as libclang has them, templates as they are instantiated.

One walk over everything that the source's files hold, and over the bodies of the instances that it calls,
gives for each function what it calls, which variables it touches and what shared memory it declares.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind, conf

from transpile.core import Unit, UnitKind
from transpile.parsers.types.clang import declarations

Cursor = Any
Key = tuple[int, int]

_CALLABLE = frozenset(
    (
        CursorKind.FUNCTION_DECL,
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.DESTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
    )
)
_OF_OBJECTS = _CALLABLE - {CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE}
_REFERENCES = frozenset(
    (
        CursorKind.CALL_EXPR,
        CursorKind.DECL_REF_EXPR,
        CursorKind.MEMBER_REF_EXPR,
        CursorKind.OVERLOADED_DECL_REF,
    )
)
_NAMING = frozenset(
    (
        *(CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF),
        *(CursorKind.VAR_DECL, CursorKind.PARM_DECL, CursorKind.UNEXPOSED_DECL),
        *(CursorKind.CALL_EXPR, CursorKind.CXX_FOR_RANGE_STMT),
        *(CursorKind.ASM_STMT, CursorKind.MS_ASM_STMT),
    )
)
_OBJECTS = (CursorKind.VAR_DECL, CursorKind.PARM_DECL, CursorKind.CALL_EXPR)
"""Cursors that may be objects which end: variables, arguments, and results of calls."""
_FILE_SCOPES = frozenset((CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE))


@dataclass(slots=True)
class Function:
    """What the walk learns of one function or of one instance of a template."""

    cursor: Cursor
    unit: Unit
    callees: dict[Key, None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    """Plain names of all that it calls, what is outside of the source included."""
    variables: dict[str, Cursor] = field(default_factory=dict)
    """Variables of the source at file scope, by qualified name."""
    elsewhere: dict[str, Cursor] = field(default_factory=dict)
    """Functions that the source declares and this translation unit does not define, by name."""
    naming: list[Cursor] = field(default_factory=list)
    """Names, calls, ranges and assembly of its body, lambdas in it included."""
    static_shared: int = 0
    dynamic_shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What a unit calls, as far as libclang resolves it."""

    units: tuple[str, ...]
    names: frozenset[str]
    """Plain names of all that is called, within the source or not."""


def needs_object(function: Cursor) -> bool:
    """Tell whether a function is called for an object, or makes one."""
    return function.kind in _OF_OBJECTS and not function.is_static_method()


def _destructor(kind: Any) -> Cursor | None:
    """Return what an object of a type runs at its end, which no reference in the text names."""
    while kind.get_array_size() >= 0:
        kind = kind.element_type
    record = kind.get_canonical()
    if record.kind is not TypeKind.RECORD:
        return None
    members = record.get_declaration().get_children()
    return next((item for item in members if item.kind is CursorKind.DESTRUCTOR), None)


def _is_implicit(function: Cursor) -> bool:
    """Tell whether a function copies an object of a class that says nothing of it: it stands where that does.

    It throws nothing where its parts are copied by nobody's function, either.
    """
    return (
        function.kind in _OF_OBJECTS
        and function.location == function.semantic_parent.location
        and function.type.spelling.endswith("noexcept")
    )


class Places:
    """Which unit a cursor lies in."""

    def __init__(self, root: Path, units: Sequence[Unit]) -> None:
        self._root = root
        self._paths: dict[str, str | None] = {}
        by_path: dict[str, list[Unit]] = {}
        for unit in units:
            by_path.setdefault(unit.path, []).append(unit)
        self._files: dict[str, tuple[list[int], list[Unit]]] = {}
        for path, own in by_path.items():
            own.sort(key=lambda unit: unit.span)
            self._files[path] = ([unit.span.start for unit in own], own)

    def path(self, cursor: Cursor) -> str | None:
        """Return the file of the source that a cursor lies in, relative to the root."""
        file = cursor.location.file
        return None if file is None else self.within(file.name)

    def within(self, name: str) -> str | None:
        """Return the path of a file relative to the root; None for what is not of the source."""
        if name not in self._paths:
            path = os.path.relpath(os.path.normpath(name), self._root)
            self._paths[name] = None if path.startswith("..") else Path(path).as_posix()
        return self._paths[name]

    def unit(self, cursor: Cursor) -> Unit | None:
        """Return the unit whose span holds the name that a cursor declares."""
        starts, units = self._files.get(self.path(cursor) or "", ([], []))
        offset = cursor.location.offset
        index = bisect_right(starts, offset) - 1
        return units[index] if index >= 0 and offset < units[index].span.end else None


class Functions:
    """Everything that the walk over a translation unit found."""

    def __init__(self, root: Path, parsed: Any, units: Sequence[Unit]) -> None:
        self._places = Places(root, units)
        self._seen: set[Key] = set()
        self.found: dict[Key, Function] = {}
        self.by_unit: dict[str, list[Key]] = {}
        """Keys of plain functions and of instances, by unit id. Patterns of templates are apart."""
        self.sites: dict[Key, list[Cursor]] = {}
        """Calls, by the function that is called."""
        self.patterns: dict[str, Cursor] = {}
        # what the host does matters where its functions are units, and where a call of its own decides what
        # a kernel's template becomes
        self._host_too = any(
            u.kind is UnitKind.FUNCTION
            or (u.kind is UnitKind.KERNEL and b"template" in u.text.partition(b"{")[0])
            for u in units
        )
        self.outermost = declarations(parsed, self.is_own)
        """The declarations of the source at file scope."""
        for child in self.outermost:
            self._walk([(child, None)])

    def reached(self, key: Key) -> Iterator[Function]:
        """Yield a function and all that it calls, directly or not."""
        seen = {key}
        waiting = [key]
        while waiting:
            function = self.found.get(waiting.pop())
            if function is not None:
                yield function
                waiting += [callee for callee in function.callees if callee not in seen]
                seen.update(function.callees)

    def calls(self) -> dict[str, Calls]:
        """Return what each unit calls, in any of its instances."""
        found: dict[str, tuple[dict[str, None], set[str]]] = {}
        for function in self.found.values():
            callees, names = found.setdefault(function.unit.id, ({}, set()))
            names |= function.names
            for callee in self._called(function):
                if callee.unit.id != function.unit.id:
                    callees[callee.unit.id] = None
        return {
            identifier: Calls(units=tuple(callees), names=frozenset(names))
            for identifier, (callees, names) in found.items()
        }

    def _called(self, function: Function) -> Iterator[Function]:
        """Yield what a function calls; in place of a lambda of another unit, what that calls."""
        waiting, seen = list(function.callees), set[Key]()
        while waiting:
            key = waiting.pop(0)
            callee = self.found.get(key)
            if callee is None or key in seen:
                continue
            seen.add(key)
            if _inner(callee.cursor) and callee.unit.id != function.unit.id:
                waiting += callee.callees
            else:
                yield callee

    def _walk(self, stack: list[tuple[Cursor, Function | None]]) -> None:
        while stack:
            cursor, owner = stack.pop()
            kind = cursor.kind
            if owner is not None and kind in _NAMING:
                owner.naming.append(cursor)
            if kind in _CALLABLE and cursor.is_definition() and not (owner and _inner(cursor)):
                owner = self._define(cursor)
                if owner is None:
                    continue
            elif kind in _REFERENCES:
                called = self.refer(cursor.referenced, owner)
                if kind is CursorKind.CALL_EXPR and cursor.referenced is not None:
                    target = cursor.referenced.get_definition() or cursor.referenced
                    self.sites.setdefault(key_of(target), []).append(cursor)
                if called is not None:
                    stack.append((called, None))
            elif kind is CursorKind.VAR_DECL and owner is not None:
                _declare(cursor, owner)
            if kind in _OBJECTS and owner is not None:
                ended = self.refer(_destructor(cursor.type), owner)
                if ended is not None:
                    stack.append((ended, None))
            stack.extend((child, owner) for child in reversed(list(cursor.get_children())))

    def _define(self, cursor: Cursor) -> Function | None:
        """File a definition; None where it is known already, or no unit of ours."""
        key = key_of(cursor)
        unit = self._places.unit(cursor)
        if key in self._seen or unit is None:
            return None
        self._seen.add(key)
        if unit.kind is UnitKind.GLUE and not self._host_too:
            return None
        function = self.found[key] = Function(cursor, unit)
        pattern = conf.lib.clang_getSpecializedCursorTemplate(cursor)
        if pattern is not None and self._places.unit(pattern) not in (None, unit):
            # An explicit specialization, which can stand behind its template alone.
            function.callees[key_of(pattern)] = None
        if cursor.kind is CursorKind.FUNCTION_TEMPLATE:
            self.patterns[unit.id] = cursor
        elif not _inner(cursor):
            self.by_unit.setdefault(unit.id, []).append(key)
        return function

    def refer(self, referenced: Cursor | None, owner: Function | None) -> Cursor | None:
        """Note a reference for its owner; return the definition behind it, where that is still unknown."""
        if referenced is None or _is_implicit(referenced):
            return None
        if referenced.kind in _CALLABLE:
            if owner is not None:
                owner.names.add(referenced.spelling)
            definition = referenced if referenced.is_definition() else referenced.get_definition()
            # an instance whose body does not compile has no definition: its declaration stands for it
            definition = definition or referenced
            if not self._is_of_unit(definition):
                if owner is not None and self._is_declared_elsewhere(definition):
                    owner.elsewhere[qualified(definition)] = definition
                return None
            key = key_of(definition)
            if owner is not None:
                owner.callees[key] = None
            if key in self._seen:
                return None
            if definition.is_definition():
                return definition
            self._define(definition)
        elif referenced.kind is CursorKind.VAR_DECL and owner is not None:
            self._touch(referenced, owner)
        return None

    def _is_of_unit(self, function: Cursor) -> bool:
        """Tell whether a function is one of ours, and not one that only is declared in the body of such."""
        unit = self._places.unit(function)
        if unit is None:
            return False
        return bool(function.is_definition() or function.spelling == unit.name.rpartition("::")[2])

    def _is_declared_elsewhere(self, function: Cursor) -> bool:
        """Tell whether the source declares a function: compilers declare their own where one is called."""
        return self._places.path(function) is not None and not function.spelling.startswith("__builtin_")

    def _touch(self, variable: Cursor, owner: Function) -> None:
        if variable.semantic_parent.kind in _FILE_SCOPES and self._places.path(variable) is not None:
            of_device = owner.unit.kind in (UnitKind.KERNEL, UnitKind.DEVICE)
            if of_device and variable.type.get_canonical().kind is TypeKind.INCOMPLETEARRAY:
                owner.dynamic_shared = True
            else:
                owner.variables[qualified(variable)] = variable

    def is_own(self, name: str) -> bool:
        """Tell whether a file of that name, as libclang has it, is of the source."""
        return self._places.within(name) is not None

    def file_of(self, cursor: Cursor) -> str:
        """Return the file that a cursor of the source lies in."""
        return self._places.path(cursor) or ""


def _declare(variable: Cursor, owner: Function) -> None:
    """Note shared memory: the emulator's qualifier makes it static; an open array is the dynamic one."""
    kind = variable.type.get_canonical()
    if kind.kind is TypeKind.INCOMPLETEARRAY:
        owner.dynamic_shared = True
    elif variable.storage_class is StorageClass.STATIC and not kind.is_const_qualified():
        owner.static_shared += max(kind.get_size(), 0)


def _inner(cursor: Cursor) -> bool:
    """Tell whether a definition lies in the body of another one: a lambda, or a method of a local class."""
    parent = cursor.semantic_parent
    while parent is not None and parent.kind not in _FILE_SCOPES:
        if parent.kind in _CALLABLE or parent.spelling.startswith("(lambda"):
            return True
        parent = parent.semantic_parent
    return False


def key_of(cursor: Cursor) -> Key:
    """Return what tells a function from all others of a translation unit."""
    return cursor.hash, cursor.location.offset


def qualified(cursor: Cursor) -> str:
    """Return the name with its namespaces; those without a name are left out, as C++ does."""
    names = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and parent.kind is CursorKind.NAMESPACE:
        if parent.spelling and not parent.spelling.startswith("("):
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(names))
