"""Definitions that the units of a source see of each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from tree_sitter import Node

from transpile.code.trees import grammar_of, parse, text, whole_number
from transpile.core import Source, Unit, UnitKind
from transpile.parsers.files.comments import without_comments
from transpile.parsers.files.includes import read_by
from transpile.translators.kernels.draft import Surroundings

_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\([^)\n]*\))?)((?:[^\n\\]|\\.|\\\r?\n)*)", re.M)
_SCOPES = frozenset(
    {
        *("translation_unit", "namespace_definition", "linkage_specification", "declaration_list"),
        *("preproc_ifdef", "preproc_if", "preproc_elif", "preproc_else"),
    }
)
_CLASSES = ("struct_specifier", "class_specifier")


def surroundings(source: Source, unit: Unit) -> Surroundings:
    """Return the functions and macros that a unit of a source may refer to.

    Of several with one name those count that its own translation unit reads.
    """
    near = read_by(source, unit.translation_unit)
    functions: dict[str, list[Unit]] = {}
    for other in source.units:
        if other.active and other.kind in (UnitKind.DEVICE, UnitKind.KERNEL, UnitKind.FUNCTION):
            functions.setdefault(other.name.rsplit("::", 1)[-1], []).append(other)
    macros: dict[str, str] = {}
    for path in (*(path for path in source.files if path not in near), *reversed(near)):
        macros.update(_macros(source.files[path]))
    return Surroundings(
        functions={name: _nearest(units, near) for name, units in functions.items()},
        macros=macros,
        constants=_agreed(source, near, _constants),
        types=_agreed(source, near, _types),
        members=_agreed(source, near, _members),
    )


def _agreed(
    source: Source, paths: Sequence[str], read: Callable[[bytes, str], Iterable[tuple[str, str]]]
) -> dict[str, str]:
    """Return what names mean that mean one thing only in all of these files."""
    found: dict[str, set[str]] = {}
    for path in paths:
        for name, meaning in read(source.files[path], grammar_of(path)):
            found.setdefault(name, set()).add(meaning)
    return {name: min(meanings) for name, meanings in found.items() if len(meanings) == 1}


@lru_cache(maxsize=512)
def _constants(data: bytes, grammar: str) -> tuple[tuple[str, str], ...]:
    """Return the constants at file scope that a number is written for, with it."""
    found: list[tuple[str, str]] = []
    for node in _declarations(data, grammar):
        kinds = {text(child) for child in node.named_children if child.type == "type_qualifier"}
        if not kinds & {"const", "constexpr"}:
            continue
        for item in node.children_by_field_name("declarator"):
            name, value = item.child_by_field_name("declarator"), item.child_by_field_name("value")
            number = whole_number(value) if value is not None and value.type == "number_literal" else None
            if name is not None and name.type == "identifier" and number is not None:
                found.append((text(name), number))
    return tuple(found)


@lru_cache(maxsize=512)
def _types(data: bytes, grammar: str) -> tuple[tuple[str, str], ...]:
    """Return the variables at file scope with their types, as ``Surroundings.types`` has them."""
    found: list[tuple[str, str]] = []
    for node in _declarations(data, grammar):
        kind = text(node.child_by_field_name("type"))
        for item in node.children_by_field_name("declarator"):
            name = item.child_by_field_name("declarator") if item.type == "init_declarator" else item
            array = name is not None and name.type == "array_declarator"
            while name is not None and name.type == "array_declarator":
                name = name.child_by_field_name("declarator")
            if name is not None and name.type == "identifier":
                found.append((text(name), f"{kind}[]" if array else kind))
    return tuple(found)


@lru_cache(maxsize=512)
def _members(data: bytes, grammar: str) -> tuple[tuple[str, str], ...]:
    """Return the members of classes at file scope with their types, as ``Surroundings.members`` has them."""
    found: list[tuple[str, str]] = []
    for owner in _at_file_scope(data, grammar, *_CLASSES, "type_definition"):
        kind = owner.child_by_field_name("type") if owner.type == "type_definition" else owner
        body = kind.child_by_field_name("body") if kind is not None and kind.type in _CLASSES else None
        if kind is None or body is None:
            continue
        names = {text(node) for node in (*_names(owner), *_names(kind))}
        fields = [node for node in body.named_children if node.type == "field_declaration"]
        found += [
            (f"{name}::{text(item)}", text(node.child_by_field_name("type")))
            for node in fields
            for item in node.children_by_field_name("declarator")
            if item.type == "field_identifier"
            for name in names
        ]
    return tuple(found)


def _names(owner: Node) -> Iterator[Node]:
    """Yield the names that a class or a ``typedef`` declares."""
    for item in (owner.child_by_field_name("name"), *owner.children_by_field_name("declarator")):
        if item is not None and item.type == "type_identifier":
            yield item


def _declarations(data: bytes, grammar: str) -> Iterator[Node]:
    """Yield the declarations at file scope."""
    return _at_file_scope(data, grammar, "declaration")


def _at_file_scope(data: bytes, grammar: str, *kinds: str) -> Iterator[Node]:
    """Yield the nodes of these kinds at file scope."""
    waiting = [parse(data, grammar).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _SCOPES:
            waiting += node.named_children
        if node.type in kinds:
            yield node


def _nearest(units: Sequence[Unit], near: Collection[str]) -> tuple[str, ...]:
    """Return the texts of the units that stand in files nearby; of all where none does."""
    chosen = [unit for unit in units if unit.path in near] or units
    return tuple(unit.text.decode("latin-1") for unit in chosen)


@lru_cache(maxsize=512)
def _macros(data: bytes) -> dict[str, str]:
    """Return the macros of a file, by name: parameter list and body without comments, lines joined."""
    found = {}
    for match in _DEFINE.finditer(data):
        name, parameters, body = (without_comments(part).decode("latin-1") for part in match.groups())
        found[name] = parameters + "\n" + re.sub(r"\\\r?\n", "\n", body).strip()
    return found
