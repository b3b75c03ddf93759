"""Reductions on a device: the neutral element of each operator, and the function that joins two results.

What gives the same however often it is taken (a minimum, ``||``) begins with the scalar's value before the
loop in every thread, so that a NaN there, or a value that no element exceeds, stays as it does in the source.
"""

from __future__ import annotations

from dataclasses import dataclass

from transpile.translators.loops.reductions.scalars import Scalar

_INTEGERS = frozenset(("int", "unsigned", "unsignedlonglong"))
_FLOATS = {"float": ("int", "__float_as_int", "__int_as_float")} | {
    "double": ("unsigned long long", "__double_as_longlong", "__longlong_as_double")
}
FLOATING = frozenset(_FLOATS)
ADDED = _INTEGERS | FLOATING
"""Types that atomic operations of a device add, by their ``bare`` names."""
_BITS = {"&": "atomicAnd", "|": "atomicOr", "^": "atomicXor", "||": "atomicOr", "&&": "atomicAnd"}
_EXTREMES = {"min": "<", "max": ">"}
_EMPTY = ("+", "^")
"""Operators whose threads begin with nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """A scalar that iterations bring together."""

    scalar: Scalar

    @property
    def name(self) -> str:
        """Return the scalar's name."""
        return self.scalar.variable.name

    @property
    def type(self) -> str:
        """Return the scalar's type."""
        return self.scalar.variable.type

    @property
    def kind(self) -> str:
        """Return the scalar's type, ``bare``."""
        return self.scalar.variable.bare


@dataclass(frozen=True, slots=True, eq=False)
class Gathered(Reduced):
    """A scalar that the threads of a kernel gather."""

    added: frozenset[str] = ADDED
    """Types that atomic operations add, the source's own names among them."""

    @property
    def empty(self) -> bool:
        """Tell whether each thread begins with 0, and not with the scalar's value."""
        return self.scalar.operator in _EMPTY

    @property
    def possible(self) -> bool:
        """Tell whether atomic operations do it."""
        if self.scalar.operator == "+":
            return self.kind in self.added
        if self.scalar.extreme:
            return self.kind in _INTEGERS or self.kind in _FLOATS
        return self.scalar.operator in _BITS and self.kind in _INTEGERS

    def joined(self, other: str) -> str:
        """Return the statement that takes in what another thread has."""
        name, sign = self.name, self.scalar.operator
        if self.scalar.extreme:
            taken = _exceeds(other, name, self.scalar.extreme, nan=self.kind in _FLOATS)
            return f"if ({taken}) {name} = {other};"
        return f"{name} = {name} {sign} {other};" if sign in ("||", "&&") else f"{name} {sign}= {other};"

    def stored(self, kernel: str) -> str:
        """Return the statement that takes a thread's result into the total."""
        name, extreme = self.name, self.scalar.extreme
        if extreme and self.kind in _FLOATS:
            return f"{_function(kernel, extreme, self.kind)}({name}_total, {name});"
        atomic = f"atomic{extreme.capitalize()}" if extreme else _BITS.get(self.scalar.operator, "atomicAdd")
        return f"{atomic}({name}_total, {name});"

    def function(self, kernel: str) -> str:
        """Return the function of the device that the statement needs; empty where it needs none."""
        sign, kind = self.scalar.extreme, self.kind
        if not sign or kind not in _FLOATS:
            return ""
        bits, to_bits, from_bits = _FLOATS[kind]
        return (
            f"static __device__ void {_function(kernel, sign, kind)}({kind} *address, {kind} value)\n{{\n"
            f"    {bits} *const bits = ({bits} *)address;\n"
            f"    {bits} seen = atomicCAS(bits, 0, 0), before;\n"
            "    do {\n"
            f"        const {kind} old = {from_bits}(seen);\n"
            f"        if (!({_exceeds('value', 'old', sign, nan=True)})) return;\n"
            "        before = seen;\n"
            f"        seen = atomicCAS(bits, before, {to_bits}(value));\n"
            "    } while (seen != before);\n}\n"
        )


def _exceeds(other: str, own: str, sign: str, *, nan: bool) -> str:
    """Return that a result takes the place of another one; any does of a NaN, which ``fmax`` passes over."""
    compared = f"{other} {_EXTREMES[sign]} {own}"
    return f"{compared} || {own} != {own}" if nan else compared


def _function(kernel: str, sign: str, kind: str) -> str:
    return f"{kernel}_{sign}_{kind}"
