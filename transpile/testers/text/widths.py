"""Are subscripts as wide in the translation as in the source? No trial is large enough to show it.

A subscript that takes 64 bits in the source and 32 in the translation agrees with it up to 2^31 elements,
and is wrong beyond. So types are compared where values cannot be, for every array that may be so large by
its contract: that of the subscript, and those that its value passed through.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Contract, Inconclusive, Signature, TranslationUnit
from transpile.expressions import names
from transpile.parsers.lowering.emulation import candidate_namespace
from transpile.parsers.types import clang
from transpile.testers.text.conversions import WIDE, Flows, Key, key_of
from transpile.testers.text.counters import counters

Cursor = Any

_WIDE_TYPES = re.compile(rb"\b(?:size_t|ssize_t|ptrdiff_t|u?int64_t|long|uintptr_t)\b|\bauto\b")
_ACCESS = (
    CursorKind.ARRAY_SUBSCRIPT_EXPR,
    CursorKind.BINARY_OPERATOR,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
)


def may_be_wide(text: bytes, signature: Signature) -> bool:
    """Tell whether a text may compute an index in 64 bits at all."""
    wide = any(
        not item.pointer and item.element is not None and item.element.size >= WIDE
        for item in signature.parameters
    )
    return wide or _WIDE_TYPES.search(text) is not None


def narrowed(
    contract: Contract, source: Mapping[str, frozenset[int]], candidate: Mapping[str, frozenset[int]]
) -> Inconclusive | None:
    """Return which array has narrower subscripts in a translation than it may need, or None.

    Args:
        contract: What calls must respect.
        source: Bytes of the index types by array, of the source.
        candidate: The same of the translation, by the source's names.
    """
    for fact in contract.arrays:
        ours, theirs = source.get(fact.name, frozenset()), candidate.get(fact.name, frozenset())
        if WIDE in ours and any(size < WIDE for size in theirs - ours) and _large(contract, fact.extent):
            reason = (
                f"subscripts of `{fact.name}` are 64 bits wide in the source and 32 in the translation: "
                "beyond 2^31 elements they differ, which no trial reaches"
            )
            return Inconclusive(reason=reason, code="TP415")
    return None


def _large(contract: Contract, extent: str) -> bool:
    """Tell whether an extent may exceed 2^31 elements, as one number of 32 bits and a constant cannot."""
    sizes = {
        item.name: item.element.size
        for item in contract.signature.parameters
        if not item.pointer and item.element is not None
    }
    mentioned = names(extent)
    return "*" in extent or len(mentioned) > 1 or any(sizes.get(name, WIDE) >= WIDE for name in mentioned)


def widths(
    root: Path,
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    function: str,
    named: Mapping[int, str],
    *,
    namespace: str = "",
    plain: bool = False,
    narrow: Collection[int] | None = None,
) -> dict[str, frozenset[int]]:
    """Return the sizes of the types by which a function's pointers are indexed.

    Args:
        root: Where the files lie in name.
        files: Lowered texts.
        unit: What to parse.
        function: Its name without qualification.
        named: What to call each parameter, by position; others are left out.
        namespace: The innermost that it is in; empty for any that is not a candidate's.
        plain: The text is no CUDA.
        narrow: The positions of parameters that callers pass in 32 bits: what counts up to one of these needs
            no more, and is left out. None where all are asked for.
    """
    parsed = clang.parse(root, files, unit, plain=plain)
    found: dict[str, set[int]] = {}
    for cursor in clang.functions(parsed):
        if _is(cursor, function, namespace):
            arrays = {
                key_of(item): named[position]
                for position, item in enumerate(_parameters(cursor))
                if position in named
            }
            for name, size in _indexed(
                cursor, arrays, frozenset() if narrow is None else counters(cursor, narrow)
            ):
                found.setdefault(name, set()).add(size)
    return {name: frozenset(sizes) for name, sizes in found.items()}


def _is(cursor: Cursor, function: str, namespace: str) -> bool:
    if cursor.spelling != function:
        return False
    around = cursor.semantic_parent.spelling if cursor.semantic_parent is not None else ""
    return around == namespace if namespace else not around.startswith(candidate_namespace(0))


def _parameters(function: Cursor) -> list[Cursor]:
    return [item for item in function.get_children() if item.kind is CursorKind.PARM_DECL]


def _indexed(function: Cursor, arrays: dict[Key, str], enough: frozenset[Key]) -> Iterator[tuple[str, int]]:
    """Yield arrays with the size of an index type; local pointers count for what they were made from.

    Args:
        function: Its definition.
        arrays: The names of its parameters' arrays.
        enough: Variables that are wide enough as subscripts of an array that is passed.
    """
    flows = Flows(function)
    for cursor in clang.descend(function):
        if cursor.kind is CursorKind.VAR_DECL and cursor.type.get_canonical().kind is TypeKind.POINTER:
            origin = next((arrays[key] for key in _mentioned(cursor) if key in arrays), None)
            if origin is not None:
                arrays[key_of(cursor)] = origin
        if cursor.kind not in _ACCESS:
            continue
        operands = list(cursor.get_children())
        if len(operands) != 2:
            continue
        pointers = [item for item in operands if _points(item)]
        if len(pointers) != 1:
            continue
        index = operands[1] if operands[0] == pointers[0] else operands[0]
        if cursor.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR and set(_own(operands)) <= enough:
            continue
        if not _points(index) and any(True for _ in _mentioned(index)):
            for key in _mentioned(pointers[0]):
                size = index.type.get_canonical().get_size()
                if key in arrays and size > 0:  # a type that depends on a template has no size
                    yield arrays[key], min(size, flows.narrowest(index) or size)
                    break


def _own(operands: list[Cursor]) -> Iterator[Key | None]:
    """Yield the variable that a subscript is; None for another subscript, or one of a pointer that moved."""
    array, index = map(clang.bare, operands)
    for item, kinds in ((array, (CursorKind.PARM_DECL,)), (index, (CursorKind.VAR_DECL,))):
        named = item.kind is CursorKind.DECL_REF_EXPR and item.referenced is not None
        if not named or item.referenced.kind not in kinds:
            yield None
        elif item is index:
            yield key_of(item.referenced)


def _points(cursor: Cursor) -> bool:
    kind = cursor.type.get_canonical().kind
    return kind in (TypeKind.POINTER, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)


def _mentioned(cursor: Cursor) -> Iterator[Key]:
    """Yield the variables that an expression mentions."""
    for item in (cursor, *clang.descend(cursor)):
        if item.kind is CursorKind.DECL_REF_EXPR and item.referenced is not None:
            yield key_of(item.referenced)
