"""Arithmetic of sizes that is narrower than the source's: it fails in calls that no trial is as large as.

``w * h`` in 32 bits overflows for a picture of 50,000 pixels a side, a count of pairs in an ``int`` for
70,000 equal elements, one in a ``float`` from 2^24 on. So what both texts multiply, cut off and count is
compared where values cannot be. Sizes are told by the names of the source's parameters, whatever variables
they went through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Inconclusive, Scalar, Signature, TranslationUnit
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.text.conversions import CONVERSIONS, WIDE, Key, key_of, whole_size
from transpile.testers.text.cut_numbers import is_float, varies

Cursor = Any
Sizes = frozenset[str]

_NARROW = 4
"""Bytes."""
_LOOPS = (CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT)
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_TRUTHS = (*_COMPARISONS, "&&", "||")
_PARTS = ("/", "%", ">>", "&")
"""Operators whose result is smaller than what they take."""
_MEMORY = re.compile(
    r"(?:__builtin_)?mem(?:set|cpy|move)|(?:m|c|re)alloc|aligned_alloc|alloca"
    r"|(?:cuda|hip)(?:Malloc|Memset|Memcpy)\w*"
)
"""Functions that are told how many bytes of memory are meant."""
_LAUNCH = frozenset(("blockIdx", "blockDim", "gridDim", "threadIdx", "warpSize"))
_ALL = "size()"
"""The number of elements of a container."""


class Count(StrEnum):
    """A variable that steps by constants; the value completes "the translation counts …"."""

    FLOAT = "in floats"
    NARROW = "in 32 bits what nested loops find"
    WIDE = "in 64 bits"
    SUM = "up in 32 bits"
    """Of a variable that steps by numbers that vary: they are added up."""
    WIDE_SUM = "up in 64 bits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """Products, counts and cuts of sizes in functions."""

    products: frozenset[Sizes] = frozenset()
    """Those that are multiplied by each other in 32 bits."""
    open: frozenset[Sizes] = frozenset()
    """Those that are multiplied in 32 bits by something that nothing is known of."""
    multiples: frozenset[Sizes] = frozenset()
    """Those that are multiplied by constants in 32 bits."""
    spans: frozenset[Sizes] = frozenset()
    """Those of which a multiple in 32 bits says how many bytes of memory are meant."""
    cut: frozenset[Sizes] = frozenset()
    """Those that are kept in 32 bits where they, or their products, have 64."""
    signed: frozenset[Sizes] = frozenset()
    """Those of 32 bits without a sign that become, or are counted to by, numbers with one."""
    counts: frozenset[Count] = frozenset()

    def __or__(self, other: Arithmetic) -> Arithmetic:
        return Arithmetic(
            products=self.products | other.products,
            open=self.open | other.open,
            multiples=self.multiples | other.multiples,
            spans=self.spans | other.spans,
            cut=self.cut | other.cut,
            signed=self.signed | other.signed,
            counts=self.counts | other.counts,
        )


def sizes_of(signature: Signature) -> dict[str, int]:
    """Return the whole numbers that a function takes by value, with their bytes."""
    return {
        item.name: item.element.size
        for item in signature.parameters
        if not item.pointer
        and item.element is not None
        and item.element.scalar is not None
        and not item.element.scalar.floating
    }


def has_no_sign(signature: Signature) -> bool:
    """Tell whether a function takes a whole number of 32 bits without a sign by value."""
    scalars = (
        item.element.scalar for item in signature.parameters if item.element is not None and not item.pointer
    )
    return Scalar.UINT32 in scalars


def narrower(source: Arithmetic, candidate: Arithmetic) -> Inconclusive | None:
    """Return what a translation does to sizes in fewer digits than its source, or None."""
    found = next(_narrower(source, candidate), None)
    if found is None:
        return None
    reason = f"the translation {found}, and its source does not: large calls differ, which no trial makes"
    return Inconclusive(reason=reason, code="TP415")


def below_sign(source: Arithmetic, candidate: Arithmetic) -> Iterator[str]:
    """Yield the limits of sizes that a translation keeps in numbers with a sign, and its source does not."""
    for sizes in sorted(candidate.signed, key=sorted):
        if not any(sizes & known for known in source.signed):
            yield f"{_listed(sizes)} stays below 2^31: the translation keeps it in a number with a sign"


def _narrower(source: Arithmetic, candidate: Arithmetic) -> Iterator[str]:
    for sizes in sorted(candidate.products, key=sorted):
        ours = any(sizes <= known for known in source.products)
        if not ours and not any(known <= sizes for known in source.open):
            yield f"multiplies {_listed(sizes)} in 32 bits"
    for sizes in sorted(candidate.spans, key=sorted):
        if not any(sizes <= known for known in (*source.products, *source.multiples, *source.spans)):
            yield f"computes in 32 bits how many bytes {_listed(sizes)} makes"
    for sizes in sorted(candidate.cut, key=sorted):
        if not any(sizes & known for known in source.cut):
            yield f"keeps {_listed(sizes)} in 32 bits"
    if Count.FLOAT in candidate.counts - source.counts:
        yield f"counts {Count.FLOAT}"
    if Count.NARROW in candidate.counts - source.counts and Count.WIDE in source.counts:
        yield f"counts {Count.NARROW}"
    wide = candidate.counts & {Count.WIDE, Count.WIDE_SUM}
    if Count.SUM in candidate.counts - source.counts and Count.WIDE in source.counts and not wide:
        yield f"adds {Count.SUM}"


def _listed(sizes: Sizes) -> str:
    return " and ".join(f"`{name}`" for name in sorted(sizes))


def arithmetic_in(
    root: Path,
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    named: Callable[[Cursor], Mapping[int, str] | None],
    wide: Collection[str],
    *,
    plain: bool,
) -> Arithmetic:
    """Return what functions of a translation unit do to sizes.

    Args:
        root: Where the files lie in name.
        files: Lowered texts.
        unit: What to parse.
        named: What to call the parameters of a function that are sizes; None of one that is not asked about.
        wide: Those among them that callers pass in 64 bits.
        plain: The text is no CUDA.
    """
    found = Arithmetic()
    for function in clang.functions(clang.parse(root, files, unit, plain=plain)):
        known = named(function)
        if known is not None:
            found |= arithmetic(function, known, wide)
    return found


def arithmetic(function: Cursor, named: Mapping[int, str], wide: Collection[str]) -> Arithmetic:
    """Return what a function does to sizes.

    Args:
        function: Its definition.
        named: What to call the parameters that are sizes, by position.
        wide: Those among them that callers pass in 64 bits.
    """
    reader = _Reader(function, named, {*wide, _ALL})
    return reader.read(clang.descend(function), _counts(function))


class _Reader:
    """Reads one function."""

    def __init__(self, function: Cursor, named: Mapping[int, str], wide: Collection[str]) -> None:
        declared = [item for item in function.get_children() if item.kind is CursorKind.PARM_DECL]
        self._named = {key_of(item): named[at] for at, item in enumerate(declared) if at in named}
        self._wide = wide
        self._given: dict[Key, list[Cursor]] = {}
        for cursor in clang.descend(function):
            for key, value in _bounds(cursor):
                self._given.setdefault(key, []).append(value)

    def read(self, cursors: Iterable[Cursor], counts: frozenset[Count]) -> Arithmetic:
        """Return what all of its expressions do."""
        products, unknown, multiples = set[Sizes](), set[Sizes](), set[Sizes]()
        spans, cut, signed = set[Sizes](), set[Sizes](), set[Sizes]()
        for cursor in cursors:
            if cursor.kind is CursorKind.CALL_EXPR and _MEMORY.fullmatch(str(cursor.spelling)):
                spans.update(self._spans(cursor))
            if self._is_cut(cursor):
                cut.add(self.sizes(cursor))
            cut.update(self._counted_to(cursor))
            signed.update(self._signed(cursor))
            factors = _factors(cursor)
            if not factors or whole_size(cursor) != _NARROW or all(map(_of_launch, factors)):
                continue
            found = [self.sizes(item) for item in factors]
            if any(map(_constant, factors)):
                multiples.add(found[0] | found[1])
            elif all(found):
                products.add(found[0] | found[1])
            else:
                unknown.add(found[0] | found[1])
        return Arithmetic(
            products=frozenset(products),
            open=frozenset(unknown),
            multiples=frozenset(multiples),
            spans=frozenset(spans),
            cut=frozenset(cut),
            signed=frozenset(signed),
            counts=counts,
        )

    def sizes(self, expression: Cursor, seen: frozenset[Key] = frozenset()) -> Sizes:
        """Return the sizes that the value of an expression grows with."""
        found = set[str]()
        for item in _value(expression):
            if item.kind is CursorKind.MEMBER_REF_EXPR and whole_size(item) and not _of_launch(item):
                found.add(f".{item.spelling}")
            elif item.kind is CursorKind.CALL_EXPR and item.spelling == "size":
                found.add(_ALL)
            elif item.kind is CursorKind.DECL_REF_EXPR and item.referenced is not None:
                found |= self._of_variable(item.referenced, seen)
        return frozenset(found)

    def _of_variable(self, variable: Cursor, seen: frozenset[Key]) -> set[str]:
        key = key_of(variable)
        if key in self._named:
            return {self._named[key]}
        if key in seen:
            return set()
        found = {name for value in self._given.get(key, ()) for name in self.sizes(value, seen | {key})}
        return found | {str(variable.spelling)} if _is_global(variable) else found

    def _spans(self, call: Cursor) -> Iterator[Sizes]:
        """Yield the sizes of which a call is told the bytes in 32 bits."""
        for argument in call.get_arguments():
            for item in self._origins(argument, frozenset()):
                factors = _factors(item)
                found = self.sizes(item)
                if factors and found and whole_size(item) == _NARROW and any(map(_constant, factors)):
                    yield found

    def _origins(self, expression: Cursor, seen: frozenset[Key]) -> Iterator[Cursor]:
        """Yield the parts of an expression, and those of the values that its variables were given."""
        for item in _value(expression):
            yield item
            if item.kind is CursorKind.DECL_REF_EXPR and item.referenced is not None:
                key = key_of(item.referenced)
                if key not in seen:
                    for value in self._given.get(key, ()):
                        yield from self._origins(value, seen | {key})

    def _counted_to(self, cursor: Cursor) -> Iterator[Sizes]:
        """Yield the size of 64 bits that a number of 32 is compared with: so far alone it may count."""
        if cursor.kind is not CursorKind.BINARY_OPERATOR or operators.binary(cursor) not in _COMPARISONS:
            return
        sides = [clang.bare(item) for item in cursor.get_children()]
        for narrow, other in (sides, sides[::-1]):
            found = self.sizes(other)
            wide = whole_size(other) == WIDE and bool(found & frozenset(self._wide))
            if wide and narrow.kind is CursorKind.DECL_REF_EXPR and whole_size(narrow) == _NARROW:
                yield found

    def _signed(self, cursor: Cursor) -> Iterator[Sizes]:
        """Yield the size without a sign that becomes a number with one, or that such a number counts to."""
        operands = clang.expressions(cursor)
        pairs = [(cursor, operands[0])] if cursor.kind in CONVERSIONS and len(operands) == 1 else []
        if cursor.kind is CursorKind.BINARY_OPERATOR and operators.binary(cursor) in _COMPARISONS:
            left, right = map(clang.bare, operands)
            counting = ((left, right), (right, left))
            pairs = [pair for pair in counting if pair[0].kind is CursorKind.DECL_REF_EXPR]
        for number, size in pairs:
            found = self.sizes(size)
            if found and _is_of(number, TypeKind.INT) and _is_of(size, TypeKind.UINT):
                yield found

    def _is_cut(self, cursor: Cursor) -> bool:
        """Tell whether a conversion keeps 32 bits of a size that has 64, or of a product of sizes."""
        inner = clang.expressions(cursor)
        if cursor.kind not in CONVERSIONS or len(inner) != 1:
            return False
        if whole_size(inner[0]) != WIDE or whole_size(cursor) != _NARROW:
            return False
        found = self.sizes(inner[0])
        return bool(found & frozenset(self._wide)) or (bool(found) and any(map(_factors, _value(inner[0]))))


def _is_of(cursor: Cursor, kind: TypeKind) -> bool:
    return bool(cursor.type.get_canonical().kind is kind)


def _bounds(cursor: Cursor) -> Iterator[tuple[Key, Cursor]]:
    """Yield the variable that an expression sets or compares, and with what."""
    operands = clang.expressions(cursor)
    if cursor.kind is CursorKind.VAR_DECL and operands:
        yield key_of(cursor), operands[-1]
    elif cursor.kind is CursorKind.BINARY_OPERATOR and len(operands) == 2:
        operator = operators.binary(cursor)
        pairs = (
            [operands] if operator == "=" else [operands, operands[::-1]] if operator in _COMPARISONS else []
        )
        for target, value in pairs:
            plain = clang.bare(target)
            if plain.kind is CursorKind.DECL_REF_EXPR and plain.referenced is not None:
                yield key_of(plain.referenced), value


def _factors(cursor: Cursor) -> list[Cursor]:
    """Return the two sides of a product."""
    written = cursor.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)
    return list(cursor.get_children()) if written and operators.binary(cursor) in ("*", "*=") else []


def _value(expression: Cursor) -> Iterator[Cursor]:
    """Yield what the value of an expression grows with: no subscripts, arguments, dividends or tests."""
    yield expression
    operands = list(expression.get_children())
    match expression.kind:
        case CursorKind.ARRAY_SUBSCRIPT_EXPR | CursorKind.CALL_EXPR | CursorKind.MEMBER_REF_EXPR:
            return
        case CursorKind.BINARY_OPERATOR if operators.binary(expression) in (*_PARTS, *_TRUTHS):
            return
        case CursorKind.CONDITIONAL_OPERATOR:
            operands = operands[1:]
        case _:
            pass
    for item in operands:
        yield from _value(item)


def _constant(expression: Cursor) -> bool:
    """Tell whether an expression is known when the text is compiled."""
    kinds = (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.CALL_EXPR)
    named = [item for item in (expression, *clang.descend(expression)) if item.kind in kinds]
    return all(map(_is_fixed, named))


def _is_fixed(item: Cursor) -> bool:
    """Tell whether a name stands for a constant."""
    known = item.referenced if item.kind is CursorKind.DECL_REF_EXPR else None
    if known is None:
        return False
    if known.kind in (CursorKind.ENUM_CONSTANT_DECL, CursorKind.TEMPLATE_NON_TYPE_PARAMETER):
        return True
    given = clang.expressions(known)
    fixed = known.kind is CursorKind.VAR_DECL and known.type.is_const_qualified()
    return fixed and bool(given) and _constant(given[-1])


def _of_launch(expression: Cursor) -> bool:
    """Tell whether an expression is made of the numbers of threads and blocks alone."""
    named = [
        item for item in (expression, *clang.descend(expression)) if item.kind is CursorKind.DECL_REF_EXPR
    ]
    return bool(named) and all(str(item.spelling) in _LAUNCH for item in named)


def _is_global(variable: Cursor) -> bool:
    """Tell whether a variable is a number at file scope that may change."""
    around = variable.semantic_parent
    outside = around is not None and around.kind in (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE)
    return (
        variable.kind is CursorKind.VAR_DECL
        and outside
        and bool(whole_size(variable))
        and not variable.type.is_const_qualified()
    )


def _counts(function: Cursor) -> frozenset[Count]:
    """Return how a function counts, but for the variables of its loops."""
    depths: dict[Key, int] = {}
    return frozenset(_counted(function, 0, depths))


def _counted(cursor: Cursor, depth: int, depths: dict[Key, int]) -> Iterator[Count]:
    """Yield how the parts of a statement count.

    Args:
        cursor: The statement.
        depth: Loops around it.
        depths: Loops around the declarations of variables.
    """
    if cursor.kind is CursorKind.VAR_DECL:
        depths[key_of(cursor)] = depth
    target = _stepped(cursor)
    if target is not None and key_of(target) in depths:
        around = depth - depths[key_of(target)]
        if is_float(target) and around:
            yield Count.FLOAT
        elif whole_size(target) == WIDE and around:
            yield Count.WIDE
        elif whole_size(target) == _NARROW and around > 1:
            yield Count.NARROW
    added = _added_to(cursor)
    if added is not None and key_of(added) in depths and depth > depths[key_of(added)]:
        yield from {_NARROW: [Count.SUM], WIDE: [Count.WIDE_SUM]}.get(whole_size(added) or 0, [])
    inside = list(cursor.get_children())
    body = inside[-1:] if cursor.kind is not CursorKind.DO_STMT else inside[:1]
    for part in inside:
        if cursor.kind is CursorKind.FOR_STMT and part not in body and part.kind is not CursorKind.DECL_STMT:
            continue  # its condition and step: a counter of the loop itself
        yield from _counted(part, depth + (cursor.kind in _LOOPS and part in body), depths)


def _added_to(cursor: Cursor) -> Cursor | None:
    """Return the variable to which a statement adds a number that varies."""
    adds = cursor.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR and operators.binary(cursor) == "+="
    operands = list(cursor.get_children()) if adds else []
    if not operands or not varies(operands[1]):
        return None
    target = clang.bare(operands[0])
    return target.referenced if target.kind is CursorKind.DECL_REF_EXPR else None


def _stepped(cursor: Cursor) -> Cursor | None:
    """Return the variable that an expression changes by a constant or the result of a condition."""
    operands = list(cursor.get_children())
    match cursor.kind:
        case CursorKind.UNARY_OPERATOR if operators.unary(cursor) in operators.STEPS:
            pass
        case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR if operators.binary(cursor) in ("+=", "-="):
            if varies(operands[1]):
                return None
        case _:
            return None
    target = clang.bare(operands[0])
    return target.referenced if target.kind is CursorKind.DECL_REF_EXPR else None
