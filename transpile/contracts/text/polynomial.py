"""Integer polynomials over names, and the text that shows them to a reader."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

_WORDS = re.compile(r"[\w.\[\]]+|max\([\w.\[\]]+\)")
Monomial = tuple[str, ...]
"""Names in order, repeated for powers; the empty one is the constant."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of integer multiples of monomials, divided by a positive integer."""

    terms: tuple[tuple[Monomial, int], ...]
    divisor: int = 1

    @classmethod
    def of(cls, terms: Mapping[Monomial, int], divisor: int = 1) -> Polynomial:
        """Return the polynomial without its zero terms, in a stable order."""
        kept = [(monomial, factor) for monomial, factor in terms.items() if factor]
        return cls(tuple(sorted(kept, key=lambda term: (-len(term[0]), term[0]))), divisor)

    @property
    def names(self) -> frozenset[str]:
        """Return the names that occur."""
        return frozenset(name for monomial, _ in self.terms for name in monomial)

    def shifted(self, shifts: Mapping[str, int]) -> dict[Monomial, int]:
        """Return the terms after writing each name ``v`` as ``(v - s) + s``, over the differences."""
        result: dict[Monomial, int] = {}
        for monomial, factor in self.terms:
            for kept in product((True, False), repeat=len(monomial)):
                names = tuple(name for name, keep in zip(monomial, kept, strict=True) if keep)
                scale = factor
                for name, keep in zip(monomial, kept, strict=True):
                    scale *= 1 if keep else shifts.get(name, 0)
                if scale:
                    result[names] = result.get(names, 0) + scale
        return {monomial: factor for monomial, factor in result.items() if factor}

    def text(self) -> str:
        """Return the form with the fewest terms, where names may be written as differences from 1."""
        best = self._rendered({})
        names = sorted(self.names)
        if len(names) <= 5:
            for count in range(1, len(names) + 1):
                for group in combinations(names, count):
                    for shift in (1, -1):
                        candidate = self._rendered(dict.fromkeys(group, shift))
                        best = min(best, candidate, key=lambda item: item[0])
        return best[1]

    def _rendered(self, shifts: Mapping[str, int]) -> tuple[tuple[int, int], str]:
        terms = self.shifted(shifts)
        ordered = sorted(terms.items(), key=lambda term: (term[1] < 0, -len(term[0]), term[0]))
        text = ""
        for monomial, factor in ordered:
            sign = "-" if factor < 0 else "+" if text else ""
            text += f" {sign} " if text else sign
            text += _product(monomial, abs(factor), shifts, len(ordered) == 1)
        text = text or "0"
        if self.divisor != 1:
            text = f"({text}) / {self.divisor}"
        # A sum that is only moved, such as ``(n - 1) + m``, is no simpler than ``n + m - 1``.
        moved = sum(len(monomial) == 1 and shifts.get(monomial[0], 0) != 0 for monomial in terms)
        return (len(terms) + (moved if len(terms) > 1 else 0), len(text)), text


def _product(monomial: Monomial, factor: int, shifts: Mapping[str, int], alone: bool) -> str:
    if not monomial:
        return str(factor)
    parts = [_atom(name, shifts.get(name, 0)) for name in monomial]
    if factor != 1:
        parts.insert(0, str(factor))
    text = " * ".join(parts)
    # A shifted name that stands for a whole term needs no brackets, unless a minus sign precedes it.
    return text[1:-1] if alone and len(parts) == 1 and text.startswith("(") else text


def _atom(name: str, shift: int) -> str:
    if shift:
        return f"({name} - {shift})" if shift > 0 else f"({name} + {-shift})"
    return name if _WORDS.fullmatch(name) else f"({name})"


def monomials(names: tuple[str, ...], degree: int, *, squares: bool = True) -> list[Monomial]:
    """Return the monomials up to a degree, simplest first; without squares each name once."""
    choose = combinations_with_replacement if squares else combinations
    return [monomial for size in range(degree + 1) for monomial in choose(names, size)]
