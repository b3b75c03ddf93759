"""Terms that a kernel's subscripts can have: a fitted extent with others is noise.

Every value of the text is taken for a sum of products of sizes. Which products these are follows from the
expressions, from what is compared with (an index below ``n`` is no greater than ``n``), and from the loops
around what is added up. Too many products are harmless, too few would refute what is right: where a text has
something that is not understood, anything goes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from transpile.contracts.text.polynomial import Monomial
from transpile.contracts.text.symbols import polynomial
from transpile.core import greatest_of
from transpile.expressions import ExpressionError, evaluate, names, parse

_GREATEST = re.compile(r"\bmax\(([A-Za-z_][\w.]*)\)")
_WRITTEN = re.compile(r"greatest\.([\w.]+)")
_SCALE = 1 << 12
"""Sizes between which, and twice as large ones, it is seen how fast an expression grows."""
_FIXED = 5
_SLACK = 1.5
"""Times as fast as a product grows, at most."""


@dataclass(frozen=True, slots=True)
class Makings:
    """The products that subscripts are made of, and all that divide them."""

    terms: frozenset[Monomial]

    def admits(self, text: str) -> bool:
        """Tell whether an expression has no term but these, or grows no faster than they do."""
        text = _GREATEST.sub(r"greatest.\1", text)
        try:
            sums = polynomial(parse(text))
        except ExpressionError:
            return False
        if sums is not None:
            return all(self.holds(term) for term in sums)
        known = names(text)
        return all(self._grows(text, known, {name}) for name in known) and self._grows(text, known, known)

    def holds(self, term: Monomial) -> bool:
        """Tell whether subscripts have such a product."""
        return tuple(sorted(_word(name) for name in term)) in self.terms

    def _grows(self, text: str, known: Collection[str], raised: Collection[str]) -> bool:
        raised = {_word(name) for name in raised}
        degree = max((sum(name in raised for name in term) for term in self.terms), default=0)
        once, twice = (
            _value(text, {name: scale if _word(name) in raised else _FIXED for name in known})
            for scale in (_SCALE, 2 * _SCALE)
        )
        return twice <= max(once, 1) * _SLACK * float(2**degree)


def _word(name: str) -> str:
    """Return what a term calls a name: the greatest element of an array is one name, by whatever divided."""
    inside = _GREATEST.match(name) or _WRITTEN.fullmatch(name)
    return greatest_of(inside[1]) if inside else name


def _value(text: str, sizes: Mapping[str, int]) -> int:
    try:
        return abs(evaluate(text, sizes))
    except ExpressionError:
        return 0
