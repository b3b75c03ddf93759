"""Reductions by ``std::transform_reduce``: the initial value, and the function that joins two values.

Its calls may take results, and the scalar's value before the loop, in any order. So no result is a NaN where
that would matter: each begins with what changes nothing, and takes in the elements as the source does.
"""

from __future__ import annotations

from transpile.code.polynomial import INTEGER_TYPES
from transpile.translators.loops.reductions.reductions import FLOATING, Reduced

_FUNCTORS = {
    "+": ("std::plus<>()", "0"),
    "*": ("std::multiplies<>()", "1"),
    "&": ("std::bit_and<>()", "~0"),
    "|": ("std::bit_or<>()", "0"),
    "^": ("std::bit_xor<>()", "0"),
    "&&": ("std::logical_and<>()", "1"),
    "||": ("std::logical_or<>()", "0"),
}
"""The function object of an operator, and what changes nothing under it."""
_PLAIN = frozenset(("+", "*", "&", "|", "^"))
"""Operators whose assignment stands alone (``s += e``)."""


class Fold(Reduced):
    """A scalar that one call of ``std::transform_reduce`` gathers."""

    __slots__ = ()

    @property
    def possible(self) -> bool:
        """Tell whether a call gathers it so that a NaN stays or goes as in the source."""
        if not self.scalar.extreme:
            return self.scalar.operator in _FUNCTORS
        return self._floating or self.kind in INTEGER_TYPES

    @property
    def plain(self) -> bool:
        """Tell whether its assignments name an operator."""
        return self.scalar.operator in _PLAIN

    @property
    def apart(self) -> bool:
        """Tell whether its value before the loop stays out of the call: it may be a NaN that has to stay."""
        return self._floating and self.scalar.operator in ("min", "max")

    @property
    def neutral(self) -> str:
        """Return what each iteration begins with."""
        match self.scalar.operator, self._floating:
            case ("max", True):
                return "-INFINITY"
            case ("min", True):
                return "INFINITY"
            case ("fmax" | "fmin", True):
                return "NAN"
            case ("max" | "fmax", False):
                return f"std::numeric_limits<{self.type}>::lowest()"
            case ("min" | "fmin", False):
                return f"std::numeric_limits<{self.type}>::max()"
            case (sign, _):
                return _FUNCTORS[sign][1]

    @property
    def initial(self) -> str:
        """Return what the call begins with."""
        return f"{self.type}({self.neutral})" if self.apart else self.name

    @property
    def function(self) -> str:
        """Return the function object that makes one of two results."""
        if not self.scalar.extreme:
            return _FUNCTORS[self.scalar.operator][0]
        return f"[]({self.type} one, {self.type} other) {{ return {self.joined('one', 'other')}; }}"

    def joined(self, one: str, other: str) -> str:
        """Return what two results become, as an expression."""
        if not self.scalar.extreme:
            return f"{one} {self.scalar.operator} {other}"
        passes_over = self.scalar.operator if self._floating else self.scalar.extreme
        return f"std::{passes_over}({one}, {other})"

    def taken(self, result: str) -> str:
        """Return the statement that takes in the result of a call that it stayed out of."""
        sign = ">" if self.scalar.extreme == "max" else "<"
        return f"if ({result} {sign} {self.name}) {self.name} = {result};"

    @property
    def headers(self) -> tuple[str, ...]:
        """Return what has to be included beside the algorithm."""
        if not self.scalar.extreme:
            return ("<functional>",)
        return ("<algorithm>", "<cmath>") if self._floating else ("<algorithm>", "<limits>")

    @property
    def _floating(self) -> bool:
        return self.kind in FLOATING
