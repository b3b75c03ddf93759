"""Pointers to kernels in variables, members and tables: ``kernel = &copy; … kernel<<<grid, block>>>(a, n);``.

Where kernels go nowhere but to pointers of their own types, these may become pointers to functions: their
types, what is stored in them and their launches change together. A compiler tells where one was overlooked,
since the types differ then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from transpile.code.identity import Same
from transpile.code.lexer import spelled, tokenize
from transpile.code.trees import ancestors, descendants, parse, text
from transpile.core import Source, Span, Unit, UnitKind
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import read_by, readings
from transpile.parsers.text.kernel_mentions import values
from transpile.parsers.text.launches import bare_name, find_launches
from transpile.parsers.text.launching_parameters import (
    LaunchingParameter,
    Passed,
    does_something,
    launching_parameters,
    root_of,
)
from transpile.parsers.text.units import parameter_types

_POINTERS = ("function_declarator", "abstract_function_declarator")
_AROUND = ("qualified_identifier", "template_function", "parenthesized_expression", "pointer_expression")
"""Syntax between the name of a kernel and the place that takes it."""
_CHOICE = "conditional_expression"
_TAKING = frozenset(
    ("assignment_expression", "init_declarator", "initializer_list", "initializer_pair", "return_statement")
)
_COMPARING = (b"==", b"!=")
_CASTING = re.compile(r"(?:static|reinterpret|const|bit)_cast|function|bind|thread|async")
_UNTYPED = re.compile(
    rb"\b(?:cuda|hip)Launch\w*Kernel\w*\b|\bcuLaunch\w*|\bdecltype\b|\bstd\s*::\s*function\b"
)
"""Functions and types that take any pointer: they do not tell where kernels go."""
_SIMPLE = ("identifier", "subscript_expression", "field_expression", "pointer_expression")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerLaunch:
    """A launch of what a pointer holds."""

    path: str
    span: Span
    configuration: Span
    end: int
    """The byte behind its arguments, before the closing parenthesis."""
    arguments: bool
    """It has some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchingPointers:
    """All pointers that hold kernels, of files that share translation units."""

    parameters: tuple[tuple[str, Span], ...]
    """The lists of parameters of their types, by file."""
    launches: tuple[PointerLaunch, ...]
    held: tuple[Passed, ...]
    """The names of the kernels that they are given; the span is that of the name alone."""


def launching_pointers(source: Source) -> tuple[LaunchingPointers, ...]:
    """Return the pointers of a source that hold kernels, project by project.

    Those of a project are left out where its kernels may go elsewhere, too.
    """
    return _found(Same(source))


@lru_cache(maxsize=8)
def _found(same: Same) -> tuple[LaunchingPointers, ...]:
    source = same.source
    code = {path: data for path, data in source.files.items() if is_code(path)}
    parts = ({path: code[path] for path in paths} for paths in _projects(same, code.keys()))
    found = (_in_project(source, part) for part in parts)
    return tuple(item for item in found if item is not None)


def _projects(same: Same, paths: Collection[str]) -> list[set[str]]:
    """Return files in groups: those that share a translation unit, directly or by others, are together."""
    groups = [{path} for path in paths]
    for read, others in readings(same).items():
        together = {read, *others} & set(paths)
        met = [group for group in groups if group & together]
        groups = [group for group in groups if group not in met] + [together.union(*met)] if met else groups
    return groups


def _in_project(source: Source, code: Mapping[str, bytes]) -> LaunchingPointers | None:
    others = launching_parameters(source)
    held = _held(source, code, others)
    if not held or any(_UNTYPED.search(data) for data in code.values()) or _in_macros(source, code):
        return None
    roots = {path: root_of(data) for path, data in code.items()}
    launches = [*_launches(source, roots, others)]
    kernels = {item.unit: source.unit(item.unit) for item in held}
    if not launches or None in launches or _casts(roots.values()):
        return None
    return LaunchingPointers(
        parameters=tuple(_types(roots, tuple(kernels.values()), others)),
        launches=tuple(item for item in launches if item is not None),
        held=tuple(held),
    )


def _in_macros(source: Source, code: Mapping[str, bytes]) -> bool:
    """Tell whether a macro launches what is no kernel's name."""
    names = {unit.name.rpartition("::")[2] for unit in source.units if unit.kind is UnitKind.KERNEL}
    return any(
        bare_name(spelled(launch.kernel)) not in names
        for data in code.values()
        if b"define" in data
        for macro in tokenize(data).macros
        for launch in find_launches(macro.body)
    )


def _held(
    source: Source, code: Mapping[str, bytes], others: Sequence[LaunchingParameter]
) -> list[Passed] | None:
    """Return all uses of kernels as values; None where some use is no giving to a pointer."""
    kernels: dict[bytes, list[Unit]] = {}
    for unit in source.units:
        if unit.kind is UnitKind.KERNEL and unit.path in code:
            name = unit.name.rpartition("::")[2]
            kernels.setdefault(name.encode("utf-8", "surrogateescape"), []).append(unit)
    passed = {(item.path, item.span.start) for found in others for item in found.passed}
    macros = frozenset(macro.name for data in code.values() for macro in tokenize(data).macros)
    held: list[Passed] = []
    for path, data in code.items():
        if not any(name in data for name in kernels):
            continue
        tokens = tokenize(data)
        if any(True for macro in tokens.macros for _ in values(macro.body, kernels.keys())):
            return None
        for token in values(tokens.text, kernels.keys()):
            if (path, token.start) in passed:
                continue
            node = root_of(data).descendant_for_byte_range(token.start, token.end)
            units = kernels[token.text]
            if (
                node is None
                or len(units) != 1
                or not _is_given(node, macros)
                or not _sees(source, path, token.start, units[0])
            ):
                return None
            span = Span(start=token.start, end=token.end)
            held.append(Passed(path=path, span=span, kernel=text(node), unit=units[0].id))
    return held


def _sees(source: Source, path: str, at: int, unit: Unit) -> bool:
    """Tell whether the definition of a kernel stands before a place."""
    return unit.span.end <= at if unit.path == path else unit.path in read_by(source, path)


def _is_given(name: Node, macros: Collection[bytes]) -> bool:
    """Tell whether the name of a kernel is stored, passed or compared, and not converted."""
    node = name
    while node.parent is not None and (
        node.parent.type in _AROUND or (node.parent.type == _CHOICE and not _is_condition(node))
    ):
        node = node.parent
    around = node.parent
    if around is None:
        return False
    if around.type == "binary_expression":
        operator = around.child_by_field_name("operator")
        return operator is not None and operator.text in _COMPARING
    if around.type == "argument_list":
        call = around.parent
        callee = call.child_by_field_name("function") if call is not None else None
        if call is None or call.type != "call_expression" or callee is None or callee.text in macros:
            return False
        return not _CASTING.search(text(callee))
    return around.type in _TAKING


def _is_condition(node: Node) -> bool:
    return node.parent is not None and node.parent.child_by_field_name("condition") == node


def _casts(roots: Collection[Node]) -> bool:
    """Tell whether some code converts to a pointer to a function, or to a named type that is one."""
    names = {
        text(_defined_type(item))
        for root in roots
        for item in descendants(root, *_POINTERS)
        if _is_pointer(item)
    } - {""}
    return any(
        _converts(item, names)
        for root in roots
        for item in descendants(root, "cast_expression", "template_function", "call_expression")
    )


def _converts(node: Node, names: Collection[str]) -> bool:
    if node.type == "call_expression":
        return text(node.child_by_field_name("function")) in names
    if node.type == "template_function" and not _CASTING.search(text(node.child_by_field_name("name"))):
        return False
    kind = node.child_by_field_name("type") or node.child_by_field_name("arguments")
    if kind is None:
        return False
    named = any(text(item) in names for item in descendants(kind, "type_identifier"))
    return named or any(True for _ in descendants(kind, *_POINTERS))


def _defined_type(pointer: Node) -> Node | None:
    """Return the name of the type that a declarator of a pointer to a function defines; None where none."""
    around = next(
        (item for item in ancestors(pointer) if item.type in ("type_definition", "alias_declaration")), None
    )
    if around is None:
        return None
    if around.type == "alias_declaration":
        return around.child_by_field_name("name")
    return next(descendants(pointer, "type_identifier"), None)


def _launches(
    source: Source, roots: Mapping[str, Node], others: Sequence[LaunchingParameter]
) -> Iterator[PointerLaunch | None]:
    """Yield the launches of what is no kernel's name; None for one of which is unknown how it may change."""
    names = {unit.name.rpartition("::")[2] for unit in source.units if unit.kind is UnitKind.KERNEL}
    known = {(item.path, span.start) for item in others for span in item.launches}
    sites = {(site.path, site.span.start) for site in source.launches if site.macro is None}
    for path, root in roots.items():
        for syntax in descendants(root, "kernel_call_syntax"):
            call = syntax.parent
            callee = call.child_by_field_name("function") if call is not None else None
            listed = call.child_by_field_name("arguments") if call is not None else None
            if call is None or callee is None or listed is None:
                yield None
                continue
            if (path, call.start_byte) in known or _last_name(callee) in names:
                continue
            is_site = (path, call.start_byte) in sites
            simple = is_site and _bare(callee).type in _SIMPLE and not does_something(syntax)
            given = [item for item in listed.named_children if item.type != "comment"]
            yield (
                PointerLaunch(
                    path=path,
                    span=Span(start=call.start_byte, end=call.end_byte),
                    configuration=Span(start=syntax.start_byte, end=syntax.end_byte),
                    end=given[-1].end_byte if given else listed.end_byte - 1,
                    arguments=bool(given),
                )
                if simple
                else None
            )


def _last_name(callee: Node) -> str:
    """Return the name that a callee spells, without namespaces and template arguments; empty for no name."""
    node = _bare(callee)
    while node.type in ("qualified_identifier", "template_function"):
        inner = node.child_by_field_name("name")
        if inner is None:
            return ""
        node = inner
    return text(node) if node.type == "identifier" else ""


def _bare(node: Node) -> Node:
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _types(
    roots: Mapping[str, Node], kernels: Sequence[Unit], others: Sequence[LaunchingParameter]
) -> Iterator[tuple[str, Span]]:
    """Yield the parameters of the types of pointers that may hold one of the kernels."""
    known = {(item.path, item.parameters.start) for item in others if item.parameters is not None}
    signatures = {_signature(unit) for unit in kernels}
    for path, root in roots.items():
        for pointer in descendants(root, *_POINTERS):
            listed = pointer.child_by_field_name("parameters")
            if listed is None or not _is_pointer(pointer) or (path, listed.start_byte) in known:
                continue
            inside = tokenize(listed.text or b"").text[1:-1]
            types = parameter_types(inside)
            if types in signatures or len(types) in signatures:
                yield path, Span(start=listed.start_byte, end=listed.end_byte)


def _is_pointer(function: Node) -> bool:
    """Tell whether a declarator is one of a pointer to a function, and of no function."""
    inner = function.child_by_field_name("declarator")
    return (
        inner is not None and inner.type.endswith("parenthesized_declarator") and b"*" in (inner.text or b"")
    )


def _signature(unit: Unit) -> tuple[str, ...] | int:
    """Return the types of a kernel's parameters; of a template how many there are."""
    root = parse(unit.text).root_node
    declarator = next(descendants(root, "function_declarator"), None)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    types = parameter_types(tokenize(text(listed).encode("utf-8", "surrogateescape")).text[1:-1])
    template = next(descendants(root, "template_declaration"), None) is not None
    return len(types) if template else types
