"""Arithmetic types: many spellings, one type, and what it holds on a machine with 64-bit addresses (LP64)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from transpile.code.syntax import arguments, called, field, source, squeeze, unparenthesized

_SPECIFIERS = ("signed", "unsigned", "short", "long", "int", "char", "double", "const", "volatile")
_WORD = rf"\b(?:{'|'.join(_SPECIFIERS)})\b"
_RUN = re.compile(rf"{_WORD}(?:\s+{_WORD})*")
_CONST = re.compile(r"\bconst\b")
_STANDARD = re.compile(r"\bstd::(u?int(?:8|16|32|64|ptr)_t|size_t|ptrdiff_t)\b")
_NAMED = {
    "int8_t": "signed char",
    **dict.fromkeys(("uint8_t", "uchar"), "unsigned char"),
    "int16_t": "short",
    **dict.fromkeys(("uint16_t", "ushort"), "unsigned short"),
    "int32_t": "int",
    **dict.fromkeys(("uint32_t", "uint"), "unsigned"),
    **dict.fromkeys(("int64_t", "ptrdiff_t", "ssize_t", "intptr_t"), "long"),
    **dict.fromkeys(("uint64_t", "size_t", "uintptr_t", "ulong"), "unsigned long"),
    "_Bool": "bool",
}
"""Types that the names of headers stand for."""
_QUALIFIED_BEHIND = re.compile(r"([\w:]+)\s+(const|volatile)")


def canonical(spelling: str) -> str:
    """Return a type by its shortest name, qualifiers first: ``const long`` for ``signed long int const``.

    Names that a source gives to types stay as they are. (C++17, [dcl.type.simple], table 11.)
    """
    text = _RUN.sub(lambda found: _shortest(found[0].split()), spelling.strip())
    behind = _QUALIFIED_BEHIND.fullmatch(text)
    return f"{behind[2]} {behind[1]}" if behind and behind[1] not in ("const", "volatile") else text


def customary(spelling: str) -> str:
    """Return a type as ``canonical`` does, but for ``unsigned int``, which many write and all rules know."""
    return spelling if spelling.removeprefix("const ") == "unsigned int" else canonical(spelling)


def meant(spelling: str) -> str:
    """Return a type as ``canonical`` does, without ``const``, and that which headers' names stand for.

    So ``unsigned long`` for ``const std::size_t``.
    """
    name = " ".join(_STANDARD.sub(r"\1", _CONST.sub("", canonical(spelling))).split())
    return _NAMED.get(name, name)


@lru_cache(maxsize=4096)
def bare(spelling: str) -> str:
    """Return the name of a type that decides what rules do: as ``meant`` and without blanks, for no text."""
    return squeeze(meant(spelling))


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A type of numbers."""

    size: int
    """In bytes."""
    signed: bool = True
    floating: bool = False

    @property
    def digits(self) -> int:
        """Return the bits of an integer's value, without its sign."""
        return 8 * self.size - self.signed


ARITHMETIC: Mapping[str, Arithmetic] = {
    "bool": Arithmetic(1, signed=False),
    "char": Arithmetic(1),
    "signedchar": Arithmetic(1),
    "unsignedchar": Arithmetic(1, signed=False),
    "short": Arithmetic(2),
    "unsignedshort": Arithmetic(2, signed=False),
    "int": Arithmetic(4),
    "unsigned": Arithmetic(4, signed=False),
    "long": Arithmetic(8),
    "unsignedlong": Arithmetic(8, signed=False),
    "longlong": Arithmetic(8),
    "unsignedlonglong": Arithmetic(8, signed=False),
    "half": Arithmetic(2, floating=True),
    "float": Arithmetic(4, floating=True),
    "double": Arithmetic(8, floating=True),
    "longdouble": Arithmetic(16, floating=True),
}
"""By their names as ``bare`` gives them. (System V ABI for x86-64, section 3.1.2.)"""
_VECTOR = re.compile(r"(u?(?:char|short|int|long|longlong)|float|double)([1-4])")


def arithmetic(spelling: str) -> Arithmetic | None:
    """Return the type of numbers that a spelling names; None for other types, and for names of a source."""
    return ARITHMETIC.get(bare(spelling))


_SMALL: Mapping[str, int] = {"__half": 2, "__nv_bfloat16": 2, "__half2": 4, "__nv_bfloat162": 4}
"""Bytes of types of CUDA's headers."""
LENGTH = bare("size_t")
"""Type of a length."""


def vector_of(spelling: str) -> tuple[str, int] | None:
    """Return the elements' type and the number of elements of a vector of CUDA's; None for other types."""
    found = _VECTOR.fullmatch(bare(spelling))
    return (found[1], int(found[2])) if found else None


def size_of(spelling: str) -> int | None:
    """Return the bytes of a pointer, a type of numbers or a vector of CUDA's; None where they are unknown."""
    if spelling.rstrip().endswith("*"):
        return 8
    if vector := vector_of(spelling):
        return ARITHMETIC[vector[0].removeprefix("u")].size * vector[1]
    kind = arithmetic(spelling)
    return _SMALL.get(bare(spelling)) if kind is None else kind.size


def named_by(node: Node) -> str:
    """Return the type that a cast or a declaration names, as ``bare`` does."""
    return bare(source(field(node, "type")))


def conversion(node: Node) -> tuple[str, Node] | None:
    """Return the type that a cast names, as ``bare`` does, and what it converts; None for other nodes.

    Casts are ``(T)x``, ``static_cast<T>(x)``, and ``T(x)`` and ``(std::T)(x)`` of types of numbers.
    """
    if node.type == "cast_expression":
        return named_by(node), field(node, "value")
    if node.type != "call_expression" or len(arguments(node)) != 1:
        return None
    function, [value] = field(node, "function"), arguments(node)
    if called(node) == "static_cast":
        return bare(source(field(function, "arguments"))[1:-1]), value
    name = bare(source(unparenthesized(function)))
    is_cast = function.type in ("primitive_type", "parenthesized_expression", "qualified_identifier")
    return (name, value) if is_cast and name in ARITHMETIC else None


def _shortest(words: list[str]) -> str:
    """Return the shortest specifiers of the same type as these."""
    qualifiers = [word for word in ("const", "volatile") if word in words]
    unsigned = ["unsigned"] * ("unsigned" in words)
    if "char" in words:
        kind = [word for word in ("signed", "unsigned") if word in words] + ["char"]
    elif "double" in words:
        kind = [*(word for word in words if word == "long"), "double"]
    elif "short" in words:
        kind = [*unsigned, "short"]
    elif "long" in words:
        kind = [*unsigned, *["long"] * words.count("long")]
    elif len(qualifiers) < len(words):
        kind = unsigned or ["int"]
    else:
        kind = []
    return " ".join([*qualifiers, *kind])
