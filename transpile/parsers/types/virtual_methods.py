"""Methods of instances of class templates that virtual calls alone reach: no name in a text leads there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from clang.cindex import CursorKind, conf

from transpile.parsers.types.functions import qualified

Cursor = Any
_SCOPES = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC)
_CLASSES = (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL)


def virtual_members(outermost: Sequence[Cursor]) -> tuple[str, ...]:
    """Return the virtual methods that classes inherit from instances of templates, as ``Derived::method``."""
    declared = list(_classes(outermost))
    names = {method.spelling for item in declared for method in _methods(item) if method.is_virtual_method()}
    found: dict[str, None] = {}
    for item in declared:
        if item.kind in _CLASSES and item.is_definition():
            inherited = (method.spelling for base in _templates(item) for method in _methods(base))
            found |= {f"{qualified(item)}::{name}": None for name in inherited if name in names}
    return tuple(found)


def _classes(declarations: Sequence[Cursor]) -> Iterator[Cursor]:
    """Yield the classes and class templates among declarations and in namespaces."""
    waiting = list(declarations)
    while waiting:
        item = waiting.pop(0)
        if item.kind in _SCOPES:
            waiting += item.get_children()
        elif item.kind in (*_CLASSES, CursorKind.CLASS_TEMPLATE):
            yield item


def _methods(item: Cursor) -> Iterator[Cursor]:
    return (child for child in item.get_children() if child.kind is CursorKind.CXX_METHOD)


def _templates(item: Cursor) -> Iterator[Cursor]:
    """Yield the class templates that a class is derived from, directly or not."""
    waiting, seen = [item], set[int]()
    while waiting:
        for child in waiting.pop().get_children():
            if child.kind is not CursorKind.CXX_BASE_SPECIFIER:
                continue
            base = child.type.get_declaration()
            pattern = conf.lib.clang_getSpecializedCursorTemplate(base) or base
            if pattern.hash not in seen:
                seen.add(pattern.hash)
                waiting.append(pattern)
                if pattern.kind is CursorKind.CLASS_TEMPLATE:
                    yield pattern
