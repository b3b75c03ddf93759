"""Context of a unit for its translation: what its text refers to, and how it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import parse
from transpile.core import Source, Unit, UnitKind
from transpile.parsers.files.includes import read_by

_LIMIT = 6000
"""Characters of definitions: beyond them a prompt loses more than it gains."""
_SITES = 3
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[^\n\\]|\\.|\\\r?\n)*", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.MULTILINE)
_OPEN = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")
_SCOPES = ("translation_unit", "namespace_definition", "declaration_list", "linkage_specification")
_CONDITIONS = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif")
_KINDS = (
    "struct_specifier",
    "class_specifier",
    "union_specifier",
    "enum_specifier",
    "type_definition",
    "alias_declaration",
    "template_declaration",
    "declaration",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Texts of the repository that a translation may refer to."""

    definitions: tuple[str, ...]
    """Macros, types and variables that the unit's text names, at any depth; in the order of the files."""
    callees: tuple[str, ...]
    """Functions of the source that it calls, at any depth, callees first."""
    calls: tuple[str, ...]
    """Lines of the source that launch or call it."""


def context_of(source: Source, unit: Unit) -> Context:
    """Return what belongs beside a unit in a prompt."""
    room, definitions = _LIMIT, []
    for text in definitions_of(source, unit):
        if (room := room - len(text)) >= 0:
            definitions.append(text)
    return Context(
        definitions=tuple(definitions),
        callees=tuple(_read(item.text.decode("latin-1")) for item in source.closure(unit)),
        calls=tuple(map(_read, _calls(source, unit))),
    )


def definitions_of(source: Source, unit: Unit) -> tuple[str, ...]:
    """Return all macros, types and variables that a unit or what it calls names, in order."""
    texts = [item.text.decode("latin-1") for item in (*source.closure(unit), unit)]
    return tuple(map(_read, _definitions(source, unit, texts)))


def headers_of(source: Source, unit: Unit) -> tuple[str, ...]:
    """Return the lines that include headers which are none of the source's own files."""
    texts = (
        source.files[path].decode("latin-1") for path in reversed(read_by(source, unit.translation_unit))
    )
    found = (match for text in texts for match in _INCLUDE.finditer(text))
    return tuple(dict.fromkeys(f"#include <{match[1]}>" for match in found if match[1] not in source.files))


def _read(text: str) -> str:
    """Return a text that has a character a byte, as syntax trees do, as people read it."""
    return text.encode("latin-1").decode("utf-8", "replace")


def _definitions(source: Source, unit: Unit, texts: Sequence[str]) -> Iterator[str]:
    known = dict.fromkeys(_known(source, unit))
    wanted = {word for text in texts for word in _WORD.findall(text)}
    chosen: set[tuple[str, str]] = set()
    while more := {item for item in known if item[0] in wanted} - chosen:
        chosen |= more
        wanted |= {word for _, text in more for word in _WORD.findall(text)}
    # What names several things stands there once.
    yield from dict.fromkeys(text for name, text in known if (name, text) in chosen)


def _known(source: Source, unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield name and text of all that stands at file scope and is no function, headers first."""
    for path in reversed(read_by(source, unit.translation_unit)):
        text = source.files[path].decode("latin-1")
        for match in _DEFINE.finditer(text):
            if match[0].strip() != f"#define {match[1]}":
                yield match[1], match[0].strip()
        for node in _at_file_scope(parse(text)):
            # The semicolon behind a type is no part of its node.
            body = (node.text or b"").decode("latin-1") + ";" * (node.type in _OPEN)
            for name in _names(node):
                yield name, body


def _at_file_scope(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type in _KINDS:
            if not _is_function(child):
                yield child
        elif child.type in (*_SCOPES, *_CONDITIONS):
            yield from _at_file_scope(child)


def _is_function(node: Node) -> bool:
    kinds = ("function_definition", "function_declarator")
    return any(child.type in kinds or _is_function(child) for child in node.named_children[-2:])


def _names(node: Node) -> Iterator[str]:
    """Yield what a definition at file scope defines."""
    for child in node.named_children:
        if child.type in ("type_identifier", "identifier"):
            yield (child.text or b"").decode("latin-1")
        elif child.type in ("init_declarator", "array_declarator", "pointer_declarator", *_KINDS):
            yield from _names(child)


def _calls(source: Source, unit: Unit) -> Iterator[str]:
    if unit.kind is UnitKind.KERNEL:
        sites = [site for site in source.launches if site.unit == unit.id]
        for site in sites[:_SITES]:
            yield " ".join(source.files[site.path][site.span.start : site.span.end].decode("latin-1").split())
        return
    name = unit.name.rpartition("::")[2]
    callers = [item for item in source.units if unit.id in item.callees]
    for caller in callers[:_SITES]:
        lines = caller.text.decode("latin-1").splitlines()
        yield from [line.strip() for line in lines if re.search(rf"\b{re.escape(name)}\s*\(", line)][:1]
