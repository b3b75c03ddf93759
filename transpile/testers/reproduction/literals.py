"""Bytes as the numbers that a C++ program spells."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np

from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.trials.layout import Bytes, view

TYPES = {
    Scalar.BOOL: "std::uint8_t",
    Scalar.INT8: "std::int8_t",
    Scalar.UINT8: "std::uint8_t",
    Scalar.INT16: "std::int16_t",
    Scalar.UINT16: "std::uint16_t",
    Scalar.INT32: "int",
    Scalar.UINT32: "unsigned",
    Scalar.INT64: "std::int64_t",
    Scalar.UINT64: "std::uint64_t",
    Scalar.FLOAT16: "reproduction::Half",
    Scalar.BFLOAT16: "reproduction::Bfloat16",
    Scalar.FLOAT32: "float",
    Scalar.FLOAT64: "double",
    Scalar.LONG_DOUBLE: "long double",
}
"""Types that hold the bits of a scalar in a test."""

_WIDTH = 110
_FEW = 64
_QUIET = {
    Scalar.FLOAT16: (0x7E00, 0x8000),
    Scalar.BFLOAT16: (0x7FC0, 0x8000),
    Scalar.FLOAT32: (0x7FC00000, 0x80000000),
    Scalar.FLOAT64: (0x7FF8000000000000, 0x8000000000000000),
}
"""The bits of ``NAN``, and the bit of its sign."""


def literals(data: Bytes, element: ElementType, leaf: Leaf) -> list[str]:
    """Return one leaf of every element as C++ spells it, to the last bit."""
    stored = view(data, element, leaf)
    if not leaf.scalar.floating:
        return [whole(int(value), leaf.scalar) for value in stored]
    if leaf.scalar is Scalar.LONG_DOUBLE:
        return [extended(value) for value in stored]
    bits = np.ascontiguousarray(stored).view(f"u{stored.dtype.itemsize}")
    return [floating(int(value), leaf.scalar) for value in bits]


def extended(value: np.longdouble) -> str:
    """Return a long double with as many digits as tell it from its neighbours."""
    if not np.isfinite(value):
        return "NAN" if np.isnan(value) else ("INFINITY" if value > 0 else "-INFINITY")
    return f"{np.format_float_scientific(value, unique=True)}L"


def whole(value: int, scalar: Scalar) -> str:
    """Return a whole number of that type."""
    if scalar is Scalar.INT64:
        return f"({value + 1}LL - 1)" if value == -(2**63) else f"{value}LL"
    suffix = {Scalar.UINT32: "u", Scalar.UINT64: "ULL"}.get(scalar, "")
    return f"{value}{suffix}"


def floating(bits: int, scalar: Scalar) -> str:
    """Return the floating number of those bits."""
    value = _value(bits, scalar)
    if np.isnan(value):
        quiet, sign = _QUIET[scalar]
        if bits & ~sign == quiet:
            return "-NAN" if bits & sign else "NAN"
        width = {2: "std::uint16_t{", 4: "std::uint32_t{", 8: "std::uint64_t{"}[value_size(scalar)]
        return f"reproduction::from_bits<{TYPES[scalar]}>({width}{bits:#x}}})"
    if np.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return str(value) + ("" if scalar is Scalar.FLOAT64 else "f")


def value_size(scalar: Scalar) -> int:
    """Return the bytes of a floating type."""
    return {Scalar.FLOAT64: 8, Scalar.FLOAT32: 4}.get(scalar, 2)


def _value(bits: int, scalar: Scalar) -> np.float32 | np.float64:
    match scalar:
        case Scalar.FLOAT64:
            return np.uint64(bits).view(np.float64)
        case Scalar.FLOAT32:
            return np.uint32(bits).view(np.float32)
        case Scalar.BFLOAT16:
            return np.uint32(bits << 16).view(np.float32)
        case _:
            return np.float32(np.uint16(bits).view(np.float16))


def array(kind: str, name: str, values: Sequence[str], comment: str) -> str:
    """Return the definition of an array of constants, with a comment that says what it is."""
    whole = f"const {kind} {name}[] = {{{', '.join(values)}}};  // {comment}\n"
    if len(values) <= _FEW and len(whole) <= 2 * _WIDTH:
        return whole
    body = textwrap.fill(
        ", ".join(values), _WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
    )
    return f"// {comment}\nconst {kind} {name}[] = {{\n{body}}};\n"
