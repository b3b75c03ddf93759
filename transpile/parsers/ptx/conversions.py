"""``cvt``: a value of one type as a value of another (PTX ISA, section 9.7.9.21)."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.parsers.ptx.instructions import Instruction
from transpile.parsers.ptx.registers import NAMES, bits, parenthesized
from transpile.parsers.ptx.statement import Untranslatable
from transpile.parsers.ptx.translation import Draft

_ROUNDED: Mapping[tuple[str, str, str], str] = {
    ("rni", "s32", "f32"): "__float2int_rn({0})",
    ("rzi", "s32", "f32"): "__float2int_rz({0})",
    ("rmi", "s32", "f32"): "__float2int_rd({0})",
    ("rpi", "s32", "f32"): "__float2int_ru({0})",
    ("rni", "u32", "f32"): "__float2uint_rn({0})",
    ("rzi", "u32", "f32"): "__float2uint_rz({0})",
    ("rni", "f32", "f32"): "rintf({0})",
    ("rzi", "f32", "f32"): "truncf({0})",
    ("rmi", "f32", "f32"): "floorf({0})",
    ("rpi", "f32", "f32"): "ceilf({0})",
    ("rni", "f64", "f64"): "rint({0})",
    ("rzi", "f64", "f64"): "trunc({0})",
    ("rmi", "f64", "f64"): "floor({0})",
    ("rpi", "f64", "f64"): "ceil({0})",
}
"""By rounding, target and source: what a cast of C++ does not say, or says only for some values."""


def convert(draft: Draft, item: Instruction) -> None:
    """Assign the converted value; where it is wider than its type, the register holds it with its sign.

    Raises:
        Untranslatable: Saturation, subnormal numbers made 0, or types or a rounding with no row.
    """
    *modifiers, wanted, held = item.opcode[1:]
    known = wanted in NAMES and held in NAMES and "pred" not in (wanted, held)
    if not known or len(item.operands) != 2 or "b" in wanted[0] + held[0]:
        raise Untranslatable(item.text)
    target, source = item.operands
    register = draft.register(target).type
    text = _text(tuple(modifiers), wanted, held, _read(draft, source, held), item)
    if wanted[0] == "f":
        draft.assign(target, text, wanted, item.guard)
    elif bits(register) < bits(wanted) or register[0] == "f":
        raise Untranslatable(item.text)
    else:
        draft.assign(target, text, f"{wanted[0]}{bits(register)}", item.guard)


def _read(draft: Draft, name: str, kind: str) -> str:
    """Return the source as of its type: the low part of a register that is wider."""
    width = bits(draft.register(name).type)
    if kind[0] == "f" or width == bits(kind):
        return draft.value(name, kind)
    if width < bits(kind):
        raise Untranslatable(f"a register of {width} bits read as {kind}")
    return f"({NAMES[kind]}){parenthesized(draft.value(name, f'u{width}'))}"


def _text(modifiers: tuple[str, ...], wanted: str, held: str, value: str, item: Instruction) -> str:
    if len(modifiers) == 1 and (modifiers[0], wanted, held) in _ROUNDED:
        return _ROUNDED[modifiers[0], wanted, held].format(value)
    exact = (wanted[0] != "f" and held[0] != "f") or (wanted, held) == ("f64", "f32")
    nearest = (
        modifiers == ("rn",) and wanted[0] == "f" and (held[0] != "f" or (wanted, held) == ("f32", "f64"))
    )
    if nearest or (exact and not modifiers):
        return f"({NAMES[wanted]}){parenthesized(value)}"
    raise Untranslatable(item.text)
