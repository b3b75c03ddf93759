"""Types as libclang sees them become layouts: scalars at byte offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import ElementType, Leaf, Scalar

_MOST_LEAVES = 4096
_TEXT = re.compile(r"std::(?:\w+::)*basic_string<char[,>]")
_LETTERS = 15
"""Characters that libstdc++ keeps in a string itself; longer ones lie elsewhere."""
_FIRST_LETTER = 16
_HALVES = {
    "simt::SmallFloat<simt::HalfFormat>": Scalar.FLOAT16,
    "simt::SmallFloat<simt::BfloatFormat>": Scalar.BFLOAT16,
}
_CUDA_NAMES = {
    "simt::SmallFloat<simt::HalfFormat>": "__half",
    "simt::SmallFloat<simt::BfloatFormat>": "__nv_bfloat16",
    "simt::SmallFloat2<simt::HalfFormat>": "__half2",
    "simt::SmallFloat2<simt::BfloatFormat>": "__nv_bfloat162",
}
_FLOATS = {
    TypeKind.FLOAT: Scalar.FLOAT32,
    TypeKind.DOUBLE: Scalar.FLOAT64,
    TypeKind.LONGDOUBLE: Scalar.LONG_DOUBLE,
    TypeKind.HALF: Scalar.FLOAT16,
}
_COMPLEX = "_M_value"
"""The one member of libstdc++'s complex numbers."""
_CUDA_COMPLEX = re.compile(r"\bcu(?:Float|Double)?Complex\b")
"""Other names of vectors of two, whose members are the parts of a number."""
_PARTS = ("real", "imag")
_SIGNED = {
    TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG,
    TypeKind.WCHAR,
}  # fmt: skip
_UNSIGNED = {
    TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG,
    TypeKind.CHAR16, TypeKind.CHAR32,
}  # fmt: skip
_BY_SIZE = {
    (True, 1): Scalar.INT8,
    (True, 2): Scalar.INT16,
    (True, 4): Scalar.INT32,
    (True, 8): Scalar.INT64,
    (False, 1): Scalar.UINT8,
    (False, 2): Scalar.UINT16,
    (False, 4): Scalar.UINT32,
    (False, 8): Scalar.UINT64,
}


@dataclass(frozen=True, slots=True)
class _Held:
    """What an object holds beside numbers."""

    pointers: list[tuple[str, Any]] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    """Offsets of strings."""


def element(kind: Any) -> ElementType | None:
    """Return the layout of a type; None where it has pointers, mixed unions, or what is no scalar of ours."""
    leaves = _leaves(kind.get_canonical(), 0, "")
    if leaves is None or not leaves or len(leaves) > _MOST_LEAVES:
        return None
    return ElementType(
        spelling=named(unqualified(kind)), size=kind.get_canonical().get_size(), leaves=tuple(leaves)
    )


def empty(kind: Any) -> ElementType | None:
    """Return the layout of a class without members, such as a functor; None for any other type."""
    canonical = kind.get_canonical()
    if canonical.kind is not TypeKind.RECORD or canonical.get_size() != 1 or _leaves(canonical, 0, "") != []:
        return None
    return ElementType(spelling=named(unqualified(kind)), size=1, leaves=())


def object_of(kind: Any) -> tuple[ElementType, tuple[tuple[str, Any], ...]] | None:
    """Return the layout of an object's numbers, and the paths of its pointers with what they lead to.

    None where the layout is out of reach.
    """
    held = _Held()
    whole = _whole(kind, held)
    return None if whole is None or held.texts else (whole, tuple(held.pointers))


def with_texts(kind: Any) -> tuple[ElementType, tuple[int, ...]] | None:
    """Return the layout of what holds numbers and short strings, and the offsets of these.

    The characters of a string count up to the first zero. None for what holds none, or is out of reach.
    """
    held = _Held()
    whole = _whole(kind, held)
    return None if whole is None or held.pointers or not held.texts else (whole, tuple(held.texts))


def _whole(kind: Any, held: _Held) -> ElementType | None:
    leaves = _leaves(kind.get_canonical(), 0, "", held)
    size = kind.get_canonical().get_size()
    if leaves is None or len(leaves) > _MOST_LEAVES or size <= 0 or not (leaves or held.pointers):
        return None
    return ElementType(spelling=named(unqualified(kind)), size=size, leaves=tuple(leaves))


def as_declared(element: ElementType | None, spelling: str) -> ElementType | None:
    """Return a layout whose members are those of a complex number, where the declaration calls it one."""
    if element is None or len(element.leaves) != 2 or not _CUDA_COMPLEX.search(spelling):
        return element
    parts = zip(element.leaves, _PARTS, strict=True)
    return replace(element, leaves=tuple(replace(leaf, name=part) for leaf, part in parts))


def named(spelling: str) -> str:
    """Return a type's spelling with CUDA's names for what the emulator makes of its types."""
    for ours, theirs in _CUDA_NAMES.items():
        spelling = spelling.replace(ours, theirs)
    return spelling


def unqualified(kind: Any) -> str:
    """Return the canonical spelling without const and volatile in front."""
    words = kind.get_canonical().spelling.split()
    while words and words[0] in ("const", "volatile"):
        del words[0]
    return " ".join(words)


def _leaves(kind: Any, offset: int, name: str, held: _Held | None = None) -> list[Leaf] | None:
    """Return the leaves of a type; where ``held`` is given, what else it holds is put there."""
    scalar = _scalar(kind)
    if scalar is not None:
        return [Leaf(offset=offset, scalar=scalar, name=name)]
    if kind.kind is TypeKind.CONSTANTARRAY:
        return _array(kind, offset, name)
    if kind.kind is TypeKind.RECORD:
        return _record(kind, offset, name, held)
    if kind.kind is TypeKind.COMPLEX:
        return _complex(kind, offset, name)
    if kind.kind is TypeKind.POINTER and held is not None and name:
        held.pointers.append((name, kind.get_pointee().get_canonical()))
        return []
    return None


def _complex(kind: Any, offset: int, name: str) -> list[Leaf] | None:
    scalar = _scalar(kind.element_type.get_canonical())
    if scalar is None:
        return None
    own = name.removesuffix(_COMPLEX)
    prefix = f"{own.removesuffix('.')}." if own else ""
    return [
        Leaf(offset=offset + index * kind.get_size() // 2, scalar=scalar, name=f"{prefix}{part}")
        for index, part in enumerate(_PARTS)
    ]


def _scalar(kind: Any) -> Scalar | None:
    if kind.kind is TypeKind.BOOL:
        return Scalar.BOOL
    if kind.kind in _FLOATS:
        return _FLOATS[kind.kind]
    if kind.kind is TypeKind.ENUM:
        return _scalar(kind.get_declaration().enum_type.get_canonical())
    if kind.kind is TypeKind.RECORD:
        return _HALVES.get(unqualified(kind))
    if kind.kind in _SIGNED or kind.kind in _UNSIGNED:
        return _BY_SIZE.get((kind.kind in _SIGNED, kind.get_size()))
    return None


def _array(kind: Any, offset: int, name: str) -> list[Leaf] | None:
    inner = kind.element_type.get_canonical()
    count, size = kind.element_count, inner.get_size()
    if count > _MOST_LEAVES:
        return None
    found: list[Leaf] = []
    for index in range(count):
        leaves = _leaves(inner, offset + index * size, f"{name}[{index}]")
        if leaves is None:
            return None
        found += leaves
    return found


def _text(offset: int, name: str) -> list[Leaf]:
    return [
        Leaf(offset=offset + _FIRST_LETTER + index, scalar=Scalar.INT8, name=f"{name}[{index}]")
        for index in range(_LETTERS)
    ]


def _union(kind: Any, offset: int, name: str) -> list[Leaf] | None:
    """Return the numbers of a union, named by its first member, if all members hold the same."""
    found: list[list[Leaf]] = []
    for member in kind.get_fields():
        path = f"{name}.{member.spelling}" if name else member.spelling
        leaves = None if member.is_bitfield() else _leaves(member.type.get_canonical(), offset, path)
        if leaves is None:
            return None
        found.append(leaves)
    alike = {tuple((leaf.offset, leaf.scalar) for leaf in leaves) for leaves in found}
    return found[0] if len(alike) == 1 else None


def _record(kind: Any, offset: int, name: str, held: _Held | None) -> list[Leaf] | None:
    if held is not None and _TEXT.match(unqualified(kind)):
        held.texts.append(offset)
        return _text(offset, name)
    declaration = kind.get_declaration()
    if kind.get_size() <= 0:
        return None
    if declaration.kind is CursorKind.UNION_DECL:
        return _union(kind, offset, name)
    found: list[Leaf] = []
    for child in declaration.get_children():
        if child.kind is CursorKind.CXX_BASE_SPECIFIER:
            # The only layout libclang tells of a base is its own; the first base begins the object.
            if found:
                return None
            leaves = _leaves(child.type.get_canonical(), offset, name)
            if leaves is None:
                return None
            found += leaves
    if any(child.is_virtual_method() for child in declaration.get_children()):
        return None
    for member in kind.get_fields():
        bits = member.get_field_offsetof()
        if bits < 0 or member.is_bitfield():
            return None
        path = f"{name}.{member.spelling}" if name else member.spelling
        leaves = _leaves(member.type.get_canonical(), offset + bits // 8, path, held)
        if leaves is None:
            return None
        found += leaves
    return found
