"""Declarations of variables that only extracted loops named go with these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from transpile.code.edits import Edit, edited
from transpile.code.syntax import function_of
from transpile.code.types import arithmetic
from transpile.code.variables import Variable, resolve
from transpile.core import Source, Unit
from transpile.parsers.extraction.macros import macros_of
from transpile.parsers.text.hosts import is_c


def tidied(written: Source) -> Source:
    """Return a source without the variables that nothing but its extracted loops used."""
    if not written.extracted:
        return written
    edits: dict[str, list[Edit[bytes]]] = {}
    macros = macros_of(written.files.values()).words
    for caller in sorted(written.callers):
        unit = written.unit(caller)
        loops = b"\n".join(loop.text for loop in written.extracted.values() if loop.caller == caller)
        words = frozenset(word.decode("latin-1") for word in re.findall(rb"\w+", loops))
        for edit in _edits(unit, words, macros):
            edits.setdefault(unit.path, []).append(edit)
    ordered = {path: sorted(some, key=lambda edit: edit.start) for path, some in edits.items()}
    return edited(written, ordered)


def _edits(unit: Unit, words: frozenset[str], macros: Mapping[str, frozenset[str]]) -> Iterator[Edit[bytes]]:
    text = unit.text.decode("latin-1")
    function = function_of(text)
    if function is None:
        return
    variables = resolve(function, macros=macros)
    gone = [
        item
        for item in variables.all
        if item.name in words
        and not item.uses
        and not variables.in_macros(item)
        and _is_plain(item, unit.path)
    ]
    for declaration in {item.declaration.id: item.declaration for item in gone}.values():
        own = [item.declarator.id for item in gone if item.declaration.id == declaration.id]
        for start, end in _spans(text, declaration, own):
            yield Edit(unit.span.start + start, unit.span.start + end, b"")


def _is_plain(variable: Variable, path: str) -> bool:
    """Tell whether nobody notices that a variable is missing: it is no object, and begins with no value."""
    if variable.parameter or variable.static or variable.initializer is not None or variable.array:
        return False
    return variable.pointer or is_c(path) or arithmetic(variable.type) is not None


def _spans(text: str, declaration: Node, gone: list[int]) -> Iterator[tuple[int, int]]:
    """Yield what to leave out of a declaration: some of its names with their commas, or its whole line."""
    names = [child for at, child in enumerate(declaration.children) if _is_name(declaration, at)]
    if all(name.id in gone for name in names):
        start, end = declaration.start_byte, declaration.end_byte
        line, behind = text.rfind("\n", 0, start) + 1, re.match(r"[ \t]*\r?\n", text[end:])
        alone = behind is not None and not text[line:start].strip()
        yield (line, end + behind.end()) if alone and behind is not None else (start, end)
        return
    kept = [name for name in names if name.id not in gone]
    for at, name in enumerate(names):
        if name.id not in gone:
            continue
        if any(other.start_byte < name.start_byte for other in kept):
            yield names[at - 1].end_byte, name.end_byte
        else:
            yield name.start_byte, names[at + 1].start_byte


def _is_name(declaration: Node, at: int) -> bool:
    return declaration.field_name_for_child(at) == "declarator"
