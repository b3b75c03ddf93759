"""Signatures of kernels: parameters with their layouts, instantiations of templates, variables they touch.

A launch is lowered to a plain call, so that libclang resolves overloads and template arguments as the
compiler would. The type of each form of a kernel is read from a pointer to it, appended to the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, StorageClass, TemplateArgumentKind, TypeKind

from transpile.core import (
    Diagnostic,
    GlobalVariable,
    LaunchSite,
    Parameter,
    Severity,
    Signature,
    TranslationUnit,
    Unit,
    UnitKind,
)
from transpile.parsers import clang
from transpile.parsers.emulation import called_directly
from transpile.parsers.layouts import element

Cursor = Any
_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD)
_PARAMETERS = (CursorKind.TEMPLATE_TYPE_PARAMETER, CursorKind.TEMPLATE_NON_TYPE_PARAMETER)
_DYNAMIC = re.compile(rb"\bextern\b[^;{}]*__shared__|__shared__[^;{}]*\bextern\b")
_ROUNDS = 4
"""How many templates may call each other between a launch and the call that fixes its arguments."""


@dataclass(frozen=True, slots=True)
class Found:
    """The signatures of some units, and what stood in the way of others."""

    signatures: Mapping[str, tuple[Signature, ...]]
    diagnostics: tuple[Diagnostic, ...]


def find(
    root: Path,
    files: Mapping[str, bytes],
    translation_units: Sequence[TranslationUnit],
    units: Sequence[Unit],
    launches: Sequence[LaunchSite],
) -> Found:
    """Return the signatures of all kernels, by unit id.

    Args:
        root: Of the source.
        files: Its code, as it is.
        translation_units: What the build compiles.
        units: Everything that was cut, callees first.
        launches: The launch sites.
    """
    lowered = {path: called_directly(data) for path, data in files.items()}
    signatures: dict[str, tuple[Signature, ...]] = {}
    diagnostics: list[Diagnostic] = []
    for item in translation_units:
        kernels = [
            unit for unit in units if unit.kind is UnitKind.KERNEL and unit.translation_unit == item.path
        ]
        if not kernels or item.path not in files:
            continue
        reading = _Reading(root, lowered, item, units, launches)
        for unit in kernels:
            signatures[unit.id], complaints = reading.signatures(unit)
            diagnostics += complaints
    return Found(signatures, tuple(diagnostics))


@dataclass(slots=True)
class _Definition:
    """A function of the source as libclang has it."""

    cursor: Cursor
    template: tuple[str, ...] | None
    """Names of the template parameters."""
    only_types: bool = True
    calls: list[tuple[str, int, tuple[str, ...]]] = field(default_factory=list)
    """Resolved calls of templates in its body: name, line, arguments."""


class _Reading:
    """One translation unit, parsed twice: to find the forms of each kernel, then to read their types."""

    def __init__(
        self,
        root: Path,
        files: Mapping[str, bytes],
        item: TranslationUnit,
        units: Sequence[Unit],
        launches: Sequence[LaunchSite],
    ) -> None:
        """Parse, and list the definitions and the calls that fix template arguments."""
        self._root = root
        self._files = files
        self._item = item
        self._units = {unit.id: unit for unit in units}
        self._launches = launches
        self._names = frozenset(str(root / path) for path in files)
        self._parsed = clang.parse(root, files, item)
        self._definitions = self._index()
        self._forms: dict[tuple[str, str], list[str]] = {}
        self._arguments = self._instantiations()
        self._types = self._read_types()

    def signatures(self, unit: Unit) -> tuple[tuple[Signature, ...], list[Diagnostic]]:
        """Return the forms of a kernel, and what the user should know of them."""
        definition = self._definition(unit)
        if definition is None:
            return (), [_diagnostic("TP120", unit, f"kernel {unit.name} could not be parsed")]
        complaints = []
        forms = self._forms_of(unit, definition)
        if definition.template is not None and not forms:
            complaints.append(
                _diagnostic("TP121", unit, f"no launch tells the template arguments of {unit.name}")
            )
        elif definition.template is not None and not self._arguments.get(unit.name):
            text = f"no launch tells the template arguments of {unit.name}; <{forms[0]}> is tried"
            complaints.append(_diagnostic("TP122", unit, text, Severity.NOTE))
        return tuple(self._signature(unit, definition, form) for form in forms), complaints

    def _index(self) -> dict[tuple[str, int], _Definition]:
        found: dict[tuple[str, int], _Definition] = {}
        for cursor in clang.walk(self._parsed.cursor, self._names):
            if cursor.kind in _FUNCTIONS and cursor.is_definition():
                parameters = [child for child in cursor.get_children() if child.kind in _PARAMETERS]
                template = cursor.kind is CursorKind.FUNCTION_TEMPLATE
                found[(cursor.location.file.name, cursor.location.line)] = _Definition(
                    cursor,
                    tuple(child.spelling for child in parameters) if template else None,
                    all(child.kind is CursorKind.TEMPLATE_TYPE_PARAMETER for child in parameters),
                )
        return found

    def _definition(self, unit: Unit) -> _Definition | None:
        """Return the definition whose name stands within the unit's header."""
        plain = unit.name.rpartition("::")[2]
        last = unit.line + unit.text.count(b"\n")
        file = str(self._root / unit.path)
        for (name, line), definition in self._definitions.items():
            if name == file and unit.line <= line <= last and definition.cursor.spelling == plain:
                return definition
        return None

    def _instantiations(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the template arguments that the source uses, by plain name of the template.

        Calls within templates speak of those templates' own parameters, so what is known of a caller is put
        into what it calls, until nothing new is found.
        """
        found: dict[str, list[tuple[str, ...]]] = {}
        dependent: list[tuple[_Definition, str, tuple[str, ...]]] = []
        for definition in self._definitions.values():
            for cursor in clang.descend(definition.cursor):
                if cursor.kind is CursorKind.CALL_EXPR:
                    resolved = _template_arguments(cursor.referenced)
                    if resolved is not None:
                        _add(found, cursor.referenced.spelling, resolved)
                if definition.template and cursor.kind in (CursorKind.CALL_EXPR, CursorKind.DECL_REF_EXPR):
                    written = _written_arguments(cursor)
                    if written is not None:
                        dependent.append((definition, *written))
        for site in self._launches:
            self._explicit(site, found, dependent)
        for _ in range(_ROUNDS):
            for caller, name, arguments in dependent:
                for values in list(found.get(caller.cursor.spelling, ())):
                    _add(found, name, _substituted(arguments, caller.template or (), values))
        return found

    def _explicit(
        self,
        site: LaunchSite,
        found: dict[str, list[tuple[str, ...]]],
        dependent: list[tuple[_Definition, str, tuple[str, ...]]],
    ) -> None:
        """Take the arguments that a launch spells out, where libclang did not resolve them."""
        unit = self._units.get(site.unit or "")
        match = re.match(r"\(?\s*[\w:]+\s*<(.*)>\s*\)?$", site.kernel, re.DOTALL)
        if unit is None or match is None:
            return
        arguments = _split(match[1])
        name = unit.name.rpartition("::")[2]
        caller = self._units.get(site.caller)
        definition = self._definition(caller) if caller is not None else None
        kernel = self._definition(unit)
        if kernel is None or len(arguments) != len(kernel.template or ()):
            return
        if definition is not None and definition.template:
            dependent.append((definition, name, arguments))
        elif name not in found:
            _add(found, name, arguments)

    def _forms_of(self, unit: Unit, definition: _Definition) -> list[str | None]:
        if definition.template is None:
            return [None]
        known = [", ".join(values) for values in self._arguments.get(unit.name.rpartition("::")[2], ())]
        known = [form for form in known if form]
        if known:
            return list(known)
        if definition.only_types and definition.template:
            return [", ".join("float" for _ in definition.template)]
        return []

    def _read_types(self) -> dict[str, Any]:
        """Return the function type of each form, by callable expression."""
        expressions: list[str] = []
        for unit in self._units.values():
            if unit.kind is UnitKind.KERNEL and unit.translation_unit == self._item.path:
                definition = self._definition(unit)
                if definition is not None:
                    expressions += [_callable(unit, form) for form in self._forms_of(unit, definition)]
        lines = [f"static auto *transpile_form_{i} = &{text};" for i, text in enumerate(expressions)]
        text = self._files[self._item.path] + ("\n" + "\n".join(lines) + "\n").encode(
            "utf-8", "surrogateescape"
        )
        parsed = clang.parse(self._root, {**self._files, self._item.path: text}, self._item)
        found: dict[str, Any] = {}
        for cursor in parsed.cursor.get_children():
            match = re.match(r"transpile_form_(\d+)$", cursor.spelling)
            if match and cursor.kind is CursorKind.VAR_DECL:
                pointee = cursor.type.get_canonical().get_pointee()
                if pointee.kind is TypeKind.FUNCTIONPROTO:
                    found[expressions[int(match[1])]] = (pointee, parsed)
        return found

    def _signature(self, unit: Unit, definition: _Definition, form: str | None) -> Signature:
        declared = [child for child in definition.cursor.get_children() if child.kind is CursorKind.PARM_DECL]
        known = self._types.get(_callable(unit, form))
        types = list(known[0].argument_types()) if known else [item.type for item in declared]
        if len(types) != len(declared):
            types = [item.type for item in declared]
        closure = self._closure(unit)
        return Signature(
            name=unit.name,
            template_arguments=form,
            parameters=tuple(_parameter(item, kind) for item, kind in zip(declared, types, strict=True)),
            globals=tuple(self._globals(closure)),
            static_shared=sum(_static_shared(item.cursor) for item in closure),
            uses_dynamic_shared=any(_DYNAMIC.search(self._units[name].text) for name in self._reached(unit))
            or any(_dynamic_at_file_scope(item.cursor) for item in closure),
        )

    def _reached(self, unit: Unit) -> list[str]:
        reached: dict[str, None] = {}
        waiting = [unit.id]
        while waiting:
            name = waiting.pop()
            if name not in reached and name in self._units:
                reached[name] = None
                waiting += self._units[name].callees
        return list(reached)

    def _closure(self, unit: Unit) -> list[_Definition]:
        found = (self._definition(self._units[name]) for name in self._reached(unit))
        return [item for item in found if item is not None]

    def _globals(self, closure: Sequence[_Definition]) -> Iterator[GlobalVariable]:
        """Yield the variables at file scope that the closure refers to, but for constants of the language."""
        seen: set[str] = set()
        for definition in closure:
            for cursor in clang.descend(definition.cursor):
                if cursor.kind is not CursorKind.DECL_REF_EXPR or cursor.referenced is None:
                    continue
                variable = cursor.referenced
                if variable.kind is CursorKind.VAR_DECL and self._at_file_scope(variable):
                    name = _qualified(variable)
                    if name not in seen:
                        seen.add(name)
                        yield self._global(variable, name)

    def _at_file_scope(self, variable: Cursor) -> bool:
        scopes = (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE)
        place = variable.location.file
        if variable.semantic_parent.kind not in scopes or place is None or place.name not in self._names:
            return False
        inner = variable.type.get_canonical()
        while inner.kind is TypeKind.CONSTANTARRAY:
            inner = inner.element_type.get_canonical()
        return not inner.is_const_qualified() and inner.kind is not TypeKind.INCOMPLETEARRAY

    def _global(self, variable: Cursor, name: str) -> GlobalVariable:
        kind, count = variable.type.get_canonical(), 1
        while kind.kind is TypeKind.CONSTANTARRAY:
            count *= kind.element_count
            kind = kind.element_type.get_canonical()
        path = str(Path(variable.location.file.name).relative_to(self._root))
        lines = self._files[path].split(b"\n")
        line = lines[variable.location.line - 1] if variable.location.line <= len(lines) else b""
        return GlobalVariable(name=name, element=element(kind), count=count, constant=b"__constant__" in line)


def _parameter(declared: Cursor, kind: Any) -> Parameter:
    canonical = kind.get_canonical()
    pointer = canonical.kind is TypeKind.POINTER
    inner = canonical.get_pointee() if pointer else canonical
    reference = canonical.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
    return Parameter(
        name=declared.spelling,
        spelling=declared.type.spelling,
        element=None if reference else element(inner),
        pointer=pointer,
        const=pointer and inner.is_const_qualified(),
    )


def _template_arguments(function: Cursor | None) -> tuple[str, ...] | None:
    """Return the arguments of a specialisation; None for what is none, or has arguments we cannot spell."""
    if function is None or function.kind not in _FUNCTIONS:
        return None
    count = function.get_num_template_arguments()
    if count <= 0:
        return None
    spelled = []
    for index in range(count):
        try:
            kind = function.get_template_argument_kind(index)
        except ValueError:  # a pack, which the bindings do not know
            return None
        if kind is TemplateArgumentKind.TYPE:
            spelled.append(function.get_template_argument_type(index).get_canonical().spelling)
        elif kind is TemplateArgumentKind.INTEGRAL:
            spelled.append(str(function.get_template_argument_value(index)))
        else:
            return None
    return tuple(spelled)


def _written_arguments(cursor: Cursor) -> tuple[str, tuple[str, ...]] | None:
    """Return name and arguments of a call ``f<a, b>(…)`` as its tokens spell them."""
    if cursor.kind is not CursorKind.CALL_EXPR or cursor.referenced is not None:
        return None
    text = " ".join(token.spelling for token in cursor.get_tokens())
    match = re.match(r"(?:\w+ :: )*(\w+) < (.*?) > \(", text)
    return (match[1], _split(match[2])) if match else None


def _split(text: str) -> tuple[str, ...]:
    """Split at the commas that no bracket encloses."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "<([{") - (character in ">)]}")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return (*parts, current.strip())


def _substituted(
    arguments: Sequence[str], parameters: Sequence[str], values: Sequence[str]
) -> tuple[str, ...]:
    known = dict(zip(parameters, values, strict=False))
    return tuple(re.sub(r"\b[A-Za-z_]\w*\b", lambda m: known.get(m[0], m[0]), text) for text in arguments)


def _add(found: dict[str, list[tuple[str, ...]]], name: str, arguments: tuple[str, ...]) -> None:
    known = found.setdefault(name, [])
    if arguments not in known:
        known.append(arguments)


def _callable(unit: Unit, form: str | None) -> str:
    return unit.name if form is None else f"{unit.name}<{form}>"


def _qualified(cursor: Cursor) -> str:
    names = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and parent.kind is CursorKind.NAMESPACE:
        if parent.spelling:
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(names))


def _static_shared(function: Cursor) -> int:
    """Return the bytes of shared memory that a function declares; the emulator's qualifier means static."""
    return sum(
        max(cursor.type.get_canonical().get_size(), 0)
        for cursor in clang.descend(function)
        if cursor.kind is CursorKind.VAR_DECL and cursor.storage_class is StorageClass.STATIC
    )


def _dynamic_at_file_scope(function: Cursor) -> bool:
    return any(
        cursor.kind is CursorKind.DECL_REF_EXPR
        and cursor.referenced is not None
        and cursor.referenced.kind is CursorKind.VAR_DECL
        and cursor.referenced.type.get_canonical().kind is TypeKind.INCOMPLETEARRAY
        for cursor in clang.descend(function)
    )


def _diagnostic(code: str, unit: Unit, message: str, severity: Severity = Severity.WARNING) -> Diagnostic:
    hint = "say how it is instantiated by launching it, or give its contract in transpile.toml"
    return Diagnostic(
        code=code, severity=severity, path=unit.path, line=unit.line, message=message, hint=hint
    )
