"""Bounds of arrays that are indexed by what one number of an element is taken apart into.

Where ``i < n`` is taken apart by ``i % w``, ``i / w % h`` and ``i / (h * w)``, the last part alone goes with
``n``: arrays are as long as ``n`` divided by a product of sizes, times other sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from transpile.contracts.text.polynomial import Monomial, monomials
from transpile.expressions import ceil_div

Row = Mapping[str, int]
Integers = NDArray[np.int64]

_DIVISORS = 3
_FACTORS = 4


def tightest_decoded(
    rows: Sequence[Row], values: Integers, names: tuple[str, ...]
) -> Iterator[tuple[int, str]]:
    """Yield rounded quotients, times names, that exceed all values less and less, behind their totals."""
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in names}
    factors = monomials(names, _FACTORS)
    products = np.array([_product(columns, item, len(rows)) for item in factors])
    least: int | None = None
    for quotient, whole in _quotients(columns, len(rows)):
        enough = np.flatnonzero((products * whole >= values).all(axis=1))
        totals = products[enough] @ whole
        if len(enough) and (least is None or totals.min() < least):
            least = int(totals.min())
            yield least, " * ".join([quotient, *factors[int(enough[np.argmin(totals)])]])


def _quotients(columns: Mapping[str, Integers], rows: int) -> Iterator[tuple[str, Integers]]:
    """Yield a name over the product of up to three others, rounded up, with its values."""
    for name, dividend in columns.items():
        others = [other for other in columns if other != name]
        for count in range(1, _DIVISORS + 1):
            for divisors in combinations(others, count):
                divisor = _product(columns, divisors, rows)
                if (dividend >= 0).all() and (divisor > 0).all():
                    yield f"({ceil_div(name, _grouped(divisors))})", -(-dividend // divisor)


def _product(columns: Mapping[str, Integers], factors: Monomial, rows: int) -> Integers:
    result = np.ones(rows, dtype=np.int64)
    for name in factors:
        result = result * columns[name]
    return result


def _grouped(divisors: Monomial) -> str:
    return divisors[0] if len(divisors) == 1 else f"({' * '.join(divisors)})"
