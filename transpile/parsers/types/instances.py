"""Template arguments of instances, spelled so that C++ at the end of the translation unit can say them."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import CursorKind, TemplateArgumentKind, TypeKind, conf

from transpile.parsers.types.layouts import named

Cursor = Any
_UNSIGNED = frozenset(
    (TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.CHAR_U)
)
_PARAMETERS = frozenset(
    (
        CursorKind.TEMPLATE_TYPE_PARAMETER,
        CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
        CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
    )
)


def template_parameters(pattern: Cursor) -> list[Cursor]:
    """Return the template parameters that a function template declares."""
    return [child for child in pattern.get_children() if child.kind in _PARAMETERS]


def arguments(instance: Cursor) -> str | None:
    """Return the template arguments of an instance; None where one of them cannot be spelled."""
    pattern = conf.lib.clang_getSpecializedCursorTemplate(instance)
    declared = template_parameters(pattern) if pattern is not None else []
    spelled: list[str] = []
    for index in range(instance.get_num_template_arguments()):
        argument = _argument(instance, index, declared[index] if index < len(declared) else None)
        if argument is None:
            return None
        spelled.append(argument)
    return ", ".join(spelled)


def _argument(instance: Cursor, index: int, parameter: Cursor | None) -> str | None:
    try:
        kind = instance.get_template_argument_kind(index)
    except ValueError:  # a pack, which the bindings do not know
        return None
    if kind is TemplateArgumentKind.TYPE:
        return _type(instance.get_template_argument_type(index).get_canonical().spelling)
    if kind is TemplateArgumentKind.INTEGRAL:
        return _value(instance, index, parameter)
    return None


def _type(spelling: str) -> str | None:
    spelling = named(spelling).replace("(anonymous namespace)::", "")
    return None if re.search(r"\((?:lambda|unnamed|anonymous)", spelling) else spelling


def _value(instance: Cursor, index: int, parameter: Cursor | None) -> str:
    kind = parameter.type.get_canonical() if parameter is not None else None
    if kind is not None and kind.kind is TypeKind.BOOL:
        return "true" if instance.get_template_argument_value(index) else "false"
    if kind is not None and kind.kind in _UNSIGNED:
        return str(instance.get_template_argument_unsigned_value(index))
    value = str(instance.get_template_argument_value(index))
    if kind is not None and kind.kind is TypeKind.ENUM:
        return f"static_cast<{kind.spelling}>({value})"
    return value
