"""Numbers that a translation cuts off where its source does not, in calls that are larger than any trial.

Floats hold no odd number beyond 2^24, and 16 bits none beyond 65,535. So the conversions of both texts are
compared where values cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Candidate, Inconclusive, TranslationUnit
from transpile.parsers.files.comments import without_comments
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.text.conversions import CONVERSIONS, whole_size

Cursor = Any

_NARROW_TYPES = re.compile(rb"\b(?:float\d*(?:_t)?|\w*half\w*|short|u?char|u?int(?:8|16)_t|auto)\b")
_QUOTIENT = re.compile(rb"\b(?:double|float)\b[^;]*/|\d\.\d*f?\s*/")
"""A quotient of floating numbers may be in it."""
_FLOATS = (TypeKind.FLOAT, TypeKind.HALF)
_FLOATING_TYPES = (*_FLOATS, TypeKind.DOUBLE, TypeKind.LONGDOUBLE)
_LOGICAL = ("<", ">", "<=", ">=", "==", "!=", "&&", "||")
_GROWING = ("+=", "-=", "*=", "<<=")
_ROUNDING = re.compile(r"__(?:float|half)2u?(?:int|ll|short)_r[nzud]|ll?(?:rint|round)f?")
_FLOATING = re.compile(r"__u?(?:int|ll)2(?:float|half)_r[nzud]")
"""Functions that convert, as casts do."""
_FEW = 2
"""Bytes of a whole number that calls may outgrow."""
_USUAL = 4


class Cut(StrEnum):
    """A way to lose digits of numbers; the value completes "the translation …"."""

    FLOATED = "converts integers to floats"
    ROUNDED = "converts floats to integers"
    NARROWED = "keeps integers in 16 bits or fewer"
    INVERTED = "cuts products with quotients to integers, as 49 * (1.0 / 49), which is 0"


def may_cut(candidate: Candidate) -> bool:
    """Tell whether a text names a type of few digits, or may multiply by quotients."""
    texts = [without_comments(item.text) for item in candidate.replacements]
    return any(_NARROW_TYPES.search(text) or _QUOTIENT.search(text) for text in texts)


def cut_off(source: Collection[Cut], candidate: Collection[Cut]) -> Inconclusive | None:
    """Return what a translation does to numbers that its source does not, or None."""
    found = [cut for cut in Cut if cut in candidate and cut not in source]
    if not found:
        return None
    reason = (
        f"the translation {' and '.join(found)}, and its source does not: "
        "large numbers lose digits there, and trials may not reach them"
    )
    return Inconclusive(reason=reason, code="TP415")


def cuts_in(
    root: Path,
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    *,
    plain: bool,
    functions: Collection[str],
) -> frozenset[Cut]:
    """Return what functions of a translation unit do to numbers.

    Args:
        root: Where the files lie in name.
        files: Lowered texts.
        unit: What to parse.
        plain: The text is no CUDA.
        functions: Their names without qualification.
    """
    parsed = clang.parse(root, files, unit, plain=plain)
    chosen = (item for item in clang.functions(parsed) if str(item.spelling) in functions)
    return frozenset(cut for item in chosen for cut in cuts(clang.descend(item)))


def cuts_by_namespace(
    root: Path, files: Mapping[str, bytes], unit: TranslationUnit, namespaces: Collection[str], *, plain: bool
) -> dict[str, frozenset[Cut]]:
    """Return what the functions in each of some namespaces do to numbers; in C, their names begin with it."""
    found: dict[str, set[Cut]] = {name: set() for name in namespaces}
    for function in clang.functions(clang.parse(root, files, unit, plain=plain)):
        for name in spaces_of(function):
            if name in found:
                found[name].update(cuts(clang.descend(function)))
    return {name: frozenset(made) for name, made in found.items()}


def spaces_of(function: Cursor) -> Iterator[str]:
    """Yield the namespaces that a function is in, and that of its name in C."""
    yield from (str(item.spelling) for item in _around(function) if item.kind is CursorKind.NAMESPACE)
    space, inside, _ = str(function.spelling).partition("__")
    if inside:
        yield space


def _around(function: Cursor) -> Iterator[Cursor]:
    """Yield the classes and namespaces around a function, innermost first."""
    around = function.semantic_parent
    while around is not None and around.kind is not CursorKind.TRANSLATION_UNIT:
        yield around
        around = around.semantic_parent


def cuts(cursors: Iterable[Cursor]) -> Iterator[Cut]:
    """Yield what expressions do to numbers."""
    for cursor in cursors:
        inner = clang.expressions(cursor)
        if cursor.kind in CONVERSIONS and len(inner) == 1:
            yield from _converted(inner[0], cursor)
            continue
        if cursor.kind is CursorKind.CALL_EXPR:
            yield from _called(str(cursor.spelling), list(cursor.get_arguments()))
        # The sum becomes of the left side's type, which no cast says.
        match inner:
            case [left, right] if cursor.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                if whole_size(left) and is_float(right) and varies(right):
                    yield Cut.ROUNDED
        if inner and whole_size(inner[0]) in (1, _FEW) and _grows(cursor):
            yield Cut.NARROWED


def _converted(value: Cursor, result: Cursor) -> Iterator[Cut]:
    """Yield what becomes of a value that is not known when the text is compiled."""
    if not varies(value):
        return
    if whole_size(value) >= _USUAL and is_float(result):
        yield Cut.FLOATED
    elif _is_floating(value) and whole_size(result):
        if is_float(value):
            yield Cut.ROUNDED
        if any(map(_is_inverted, (value, *clang.descend(value)))):
            yield Cut.INVERTED
    elif whole_size(value) >= _USUAL and whole_size(result) in (1, _FEW):
        yield Cut.NARROWED


def _is_inverted(value: Cursor) -> bool:
    """Tell whether a floating number is multiplied by a quotient, which may stand in a variable."""
    if value.kind is not CursorKind.BINARY_OPERATOR or operators.binary(value) != "*":
        return False
    return _is_floating(value) and any(map(_is_quotient, value.get_children()))


def _is_quotient(value: Cursor) -> bool:
    value = clang.bare(value)
    if value.kind is CursorKind.DECL_REF_EXPR and value.referenced.kind is CursorKind.VAR_DECL:
        given = clang.expressions(value.referenced)
        value = clang.bare(given[-1]) if given else value
    divides = value.kind is CursorKind.BINARY_OPERATOR and operators.binary(value) == "/"
    return divides and _is_floating(value) and varies(list(value.get_children())[-1])


def _called(name: str, arguments: list[Cursor]) -> Iterator[Cut]:
    """Yield what a function does to the number that it is given."""
    if len(arguments) == 1 and varies(arguments[0]):
        if _FLOATING.fullmatch(name):
            yield Cut.FLOATED
        elif _ROUNDING.fullmatch(name) and (is_float(clang.bare(arguments[0])) or name.startswith("__")):
            yield Cut.ROUNDED


def varies(value: Cursor) -> bool:
    """Tell whether an expression may have more than a few values: conditions have two."""
    value = clang.bare(value)
    operands = list(value.get_children())
    if value.kind is CursorKind.BINARY_OPERATOR and operators.binary(value) in _LOGICAL:
        return False
    if value.kind is CursorKind.UNARY_OPERATOR and operators.unary(value) == "!":
        return False
    if value.kind is CursorKind.CONDITIONAL_OPERATOR:
        return any(map(varies, operands[1:]))
    if value.kind is CursorKind.BINARY_OPERATOR and operators.binary(value) == "&":
        return all(map(varies, operands))  # a mask says how many digits there are
    named = (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.CALL_EXPR)
    return any(item.kind in named for item in (value, *clang.descend(value)))


def _grows(cursor: Cursor) -> bool:
    """Tell whether an expression changes its first operand by steps, sums or products."""
    if cursor.kind is CursorKind.UNARY_OPERATOR:
        return operators.unary(cursor) in operators.STEPS
    return cursor.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR and operators.binary(cursor) in _GROWING


def _is_floating(cursor: Cursor) -> bool:
    return cursor.type.get_canonical().kind in _FLOATING_TYPES


def is_float(cursor: Cursor) -> bool:
    """Tell whether an expression or a variable is a float or narrower."""
    return cursor.type.get_canonical().kind in _FLOATS
