"""Registers and numbers of PTX as expressions of C++, read and written with exact widths.

A register that is read stands in a text as a mark, since only at the end it is known whether it needs a
variable or is an operand's own expression.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token
from transpile.parsers.ptx.statement import Operand, Untranslatable

CONSTRAINTS: Mapping[str, str] = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64"}
NAMES: Mapping[str, str] = {
    "pred": "bool",
    "b8": "unsigned char",
    "u8": "unsigned char",
    "s8": "signed char",
    "b16": "unsigned short",
    "u16": "unsigned short",
    "s16": "short",
    "b32": "unsigned",
    "u32": "unsigned",
    "s32": "int",
    "b64": "unsigned long long",
    "u64": "unsigned long long",
    "s64": "long long",
    "f32": "float",
    "f64": "double",
}
"""C++'s types."""
_FLOATS = ("f32", "f64")
_MARK = re.compile("\0([^\0:]+):([^\0]+)\0")
_WHOLE = re.compile(r"(-?)(0[xX][0-9a-fA-F]+|[0-9]+)U?")
_FLOAT = re.compile(r"0[fFdD]([0-9a-fA-F]{8}|[0-9a-fA-F]{16})|-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?")
_NUMBER = re.compile(rb"(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)[uUlL]*")
_EVALUATED_ONCE = frozenset((b".", b"->", b"::"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A register, and the variable that stands for it."""

    type: str
    variable: str
    operand: Operand | None = None


def bits(kind: str) -> int:
    """Return the width of a type."""
    return 1 if kind == "pred" else int(kind[1:])


def mark(register: Register, kind: str) -> str:
    """Return what stands for a register that is read as of a type."""
    return f"\0{register.variable}:{kind}\0"


def marks(text: str) -> list[str]:
    """Return the variables that a text reads, each as often as it does."""
    return [found.group(1) for found in _MARK.finditer(text)]


def unmarked(text: str, spell: Callable[[str, str], str]) -> str:
    """Return a text with what stands for each variable and type."""
    return _MARK.sub(lambda found: spell(*found.groups()), text)


def converted(text: str, held: str, wanted: str) -> str:
    """Return the expression of the same bits as of another type; of an address, as of a pointer."""
    if wanted.endswith("*"):
        return f"({wanted}){parenthesized(text)}"
    if bits(held) != bits(wanted):
        raise Untranslatable(f"a register of {held} read as {wanted}")
    if held in _FLOATS and wanted not in _FLOATS:
        inner = f"__float_as_uint({text})" if held == "f32" else f"__double_as_longlong({text})"
        return inner if wanted in ("b32", "u32") else f"({NAMES[wanted]}){inner}"
    if wanted in _FLOATS and held not in _FLOATS:
        return f"__uint_as_float({text})" if wanted == "f32" else f"__longlong_as_double((long long)({text}))"
    same = NAMES[held] == NAMES[wanted]
    return text if same else f"({NAMES[wanted]}){parenthesized(text)}"


def stored(text: str, held: str, wanted: str) -> str:
    """Return what is assigned to a register, where an assignment converts whole numbers by itself."""
    if bits(held) == bits(wanted) and (held in _FLOATS) == (wanted in _FLOATS):
        return text
    return converted(text, held, wanted)


def spelled_operand(operand: Operand, wanted: str) -> str:
    """Return an operand's own expression as of a type of its width."""
    text = operand.text
    held = CONSTRAINTS[operand.constraint]
    if held in _FLOATS:
        return converted(parenthesized(text), held, wanted)
    if wanted.endswith("*"):
        return f"({wanted}){parenthesized(text)}"
    if wanted in _FLOATS:
        return converted(f"({NAMES[held]}){parenthesized(text)}", held, wanted)
    return f"({NAMES[wanted]}){parenthesized(text)}"


def literal(text: str, kind: str) -> str | None:
    """Return a number of PTX as C++'s of a type; None where the text is no number."""
    if kind in _FLOATS:
        return _floating(text, kind) if _FLOAT.fullmatch(text) else None
    value = whole(text)
    if value is None or kind == "pred":
        return None
    width = bits(kind)
    if not -(1 << width - 1) <= value < 1 << width:
        raise Untranslatable(f"{text} as a number of {width} bits")
    suffix = {"u32": "u", "b32": "u", "u64": "ull", "b64": "ull", "s64": "ll"}.get(kind, "")
    value %= 1 << width
    if kind[0] != "s":
        return f"{value:#x}{suffix}" if value > 0xFFFF else f"{value}{suffix}"
    value -= (value >> width - 1) << width
    if value == -(1 << width - 1):
        return f"({value + 1}{suffix} - 1)"
    return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"


def whole(text: str) -> int | None:
    """Return the value of a whole number of PTX."""
    found = _WHOLE.fullmatch(text)
    if found is None:
        return None
    sign, digits = found.groups()
    if len(digits) > 1 and digits[0] == "0" and digits[1] not in "xX":
        raise Untranslatable(f"{text}, which is octal")
    return -int(digits, 0) if sign else int(digits, 0)


def constant(tokens: Sequence[Token]) -> int | None:
    """Return the value of an expression that is one number."""
    found = _NUMBER.fullmatch(tokens[0].text) if len(tokens) == 1 else None
    return int(found.group(1), 0) if found is not None else None


def _floating(text: str, kind: str) -> str:
    bare = text.lower()
    if bare.startswith(("0f", "0d")):
        if (bare[1] == "f") != (kind == "f32") or len(bare) != (10 if kind == "f32" else 18):
            raise Untranslatable(f"{text} as a number of {kind}")
        call = "__uint_as_float(0x{}u)" if kind == "f32" else "__longlong_as_double((long long)0x{}ull)"
        return call.format(bare[2:])
    if kind == "f64":
        return f"({bare})" if bare.startswith("-") else bare
    [single] = struct.unpack("<I", struct.pack("<f", float(bare)))
    return f"__uint_as_float({single:#010x}u)"


def named(tokens: Sequence[Token], parameters: frozenset[bytes]) -> bool:
    """Tell whether an expression is a variable or a member of one."""
    return all(
        (token.kind is Kind.WORD and token.text not in parameters) or token.text in (b".", b"::")
        for token in tokens
    )


def repeatable(tokens: Sequence[Token], parameters: frozenset[bytes]) -> bool:
    """Tell whether an expression may be evaluated as often as one likes: a variable, a member, a number.

    Args:
        tokens: The expression.
        parameters: Those of the macro that it stands in, which may be anything.
    """
    return all(
        (token.kind in (Kind.WORD, Kind.NUMBER) and token.text not in parameters)
        or token.text in _EVALUATED_ONCE
        for token in tokens
    )


def parenthesized(text: str) -> str:
    """Return an expression that can stand as the operand of any operator."""
    return text if re.fullmatch(r"[\w.]+|\(\w+\)|\0[^\0]*\0", text) else f"({text})"
