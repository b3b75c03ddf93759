"""Functions that are passed as arguments: which ones the source's own calls pass, never any other.

A function goes by its name, a lambda by its text; what a lambda captures are numbers that the caller has,
so they become parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from transpile.core import Parameter
from transpile.parsers.text.effects import effect_of
from transpile.parsers.types import instances
from transpile.parsers.types.clang import REFERENCES, descend
from transpile.parsers.types.flat import Flat
from transpile.parsers.types.functions import Functions, key_of, qualified
from transpile.parsers.types.layouts import element, unqualified

Cursor = Any
Type = Any

_NAMES = (CursorKind.DECL_REF_EXPR, CursorKind.LAMBDA_EXPR)
_FILE_SCOPES = (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE)


@dataclass(frozen=True, slots=True)
class Passed:
    """What a call passes for a parameter that is a function."""

    text: str
    name: str = ""
    """Of a function; empty for a lambda."""
    captured: tuple[Parameter, ...] = ()
    """Numbers of the caller that the text mentions."""
    mentioned: tuple[Cursor, ...] = field(default=(), compare=False)
    """Functions, and variables at file scope, of the text."""

    def flat(self, name: str) -> Flat:
        """Return the parameter of that name, made of what is captured."""
        if not self.captured:
            return Flat(parameters=(), argument=self.text)
        own = [
            Parameter(name=f"{name}.{item.name}", spelling=item.spelling, element=item.element, pointer=False)
            for item in self.captured
        ]
        taken = ", ".join(f"const {item.spelling} &{item.name}" for item in self.captured)
        given = ", ".join(f"{name}__{item.name}" for item in self.captured)
        made = f"auto {name}__passed = []({taken}) {{ return {self.text}; }}({given});"
        return Flat(parameters=tuple(own), argument=f"{name}__passed", before=(made,))


def is_function(kind: Type) -> bool:
    """Tell whether a parameter is a function: a pointer, a ``std::function``, what a lambda makes."""
    kind = kind.get_canonical()
    if kind.kind in (*REFERENCES, TypeKind.POINTER):
        kind = kind.get_pointee().get_canonical()
    if kind.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
        return True
    return kind.kind is TypeKind.RECORD and unqualified(kind).startswith(("std::function<", "(lambda"))


class Callees:
    """What the calls of a translation unit pass for parameters that are functions."""

    def __init__(self, functions: Functions, texts: Mapping[str, bytes], *, c: bool) -> None:
        """Keep what is asked."""
        self._functions = functions
        self._texts = texts
        self._c = c

    def combinations(self, function: Cursor) -> list[dict[int, Passed]]:
        """Return what each call passes, by position, of the calls that tell of all such parameters."""
        declared = list(function.get_arguments())
        wanted = [index for index, item in enumerate(declared) if is_function(item.type)]
        if not wanted:
            return []
        found: dict[tuple[Passed, ...], None] = {}
        for call in self._functions.sites.get(key_of(function), ()):
            given = list(call.get_arguments())
            if len(given) > max(wanted):
                options = [list(self._resolved(given[index], set())) for index in wanted]
                found |= dict.fromkeys(product(*options))
        return [dict(zip(wanted, item, strict=True)) for item in found]

    def link(self) -> None:
        """Count what calls pass among what the called functions call."""
        for function in list(self._functions.found.values()):
            for combination in self.combinations(function.cursor):
                for passed in combination.values():
                    for cursor in passed.mentioned:
                        self._functions.refer(cursor, function)

    def _resolved(self, expression: Cursor, seen: set[int]) -> Iterator[Passed]:
        """Yield the functions that an expression may stand for."""
        named = next((item for item in (expression, *descend(expression)) if item.kind in _NAMES), None)
        if named is None:
            return
        if named.kind is CursorKind.LAMBDA_EXPR:
            found = self._lambda(named)
        elif named.referenced is None or named.referenced.hash in seen:
            return
        else:
            seen.add(named.referenced.hash)
            yield from self._declared(named.referenced, seen)
            return
        if found is not None:
            yield found

    def _declared(self, declared: Cursor, seen: set[int]) -> Iterator[Passed]:
        match declared.kind:
            case CursorKind.FUNCTION_DECL:
                text = self._name(declared)
                if text is not None:
                    yield Passed(text, qualified(declared), mentioned=(declared,))
            case CursorKind.PARM_DECL:
                around = declared.semantic_parent
                own = [index for index, item in enumerate(around.get_arguments()) if item == declared]
                for call in self._functions.sites.get(key_of(around), ()) if own else ():
                    given = list(call.get_arguments())
                    if own[0] < len(given):
                        yield from self._resolved(given[own[0]], seen)
            case CursorKind.VAR_DECL:
                for item in descend(declared):
                    if item.kind in _NAMES:
                        yield from self._resolved(item, seen)
                        if item.kind is CursorKind.LAMBDA_EXPR:
                            return
            case _:
                return

    def _name(self, function: Cursor) -> str | None:
        """Return what names one of several functions of a name."""
        name = qualified(function)
        if self._c:
            return name
        if function.get_num_template_arguments() > 0:
            arguments = instances.arguments(function)
            if arguments is None:
                return None
            name = f"{name}<{arguments}>"
        kind = function.type.get_canonical()
        taken = ", ".join(item.spelling for item in kind.argument_types())
        return f"static_cast<{kind.get_result().spelling} (*)({taken})>({name})"

    def _lambda(self, cursor: Cursor) -> Passed | None:
        """Return a lambda; None where it captures what is no number, or does more than compute."""
        path = self._functions.file_of(cursor)
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        captured: dict[str, Parameter] = {}
        mentioned: list[Cursor] = []
        for item in descend(cursor):
            if item.kind is CursorKind.CXX_THIS_EXPR or item.storage_class is StorageClass.STATIC:
                return None
            declared = item.referenced
            mentioned += [declared] if declared is not None else []
            if declared is None or declared.kind not in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
                continue
            inside = start <= declared.location.offset < end and self._functions.file_of(declared) == path
            if inside or declared.semantic_parent.kind in _FILE_SCOPES:
                continue
            number = _number(declared)
            if number is None:
                return None
            captured[number.name] = number
        text = self._texts.get(path, b"")[start:end].decode("utf-8", "surrogateescape")
        if effect_of(text.encode("utf-8", "surrogateescape")) is not None:
            return None
        return Passed(text, captured=tuple(captured.values()), mentioned=tuple(mentioned)) if text else None


def _number(declared: Cursor) -> Parameter | None:
    kind = declared.type.get_canonical()
    if kind.kind in REFERENCES:
        kind = kind.get_pointee().get_canonical()
    held = element(kind)
    if held is None or held.scalar is None:
        return None
    return Parameter(name=declared.spelling, spelling=unqualified(kind), element=held, pointer=False)
