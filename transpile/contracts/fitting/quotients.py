"""Simple numerators, and the quotients, minima and maxima made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from transpile.contracts.text.polynomial import Polynomial, monomials
from transpile.expressions import ExpressionError, ceil_div, evaluate

Row = Mapping[str, int]
Integers = NDArray[np.int64]

_DENOMINATORS = (2, 3, 4, 8, 16, 32, 64, 96, 128, 192, 256, 512, 1024)
_OFFSETS = (0, -1, 1, -2, 2)
_TIGHT_SHARE = 5
"""The better side of a minimum or maximum decides at least every fifth row, the other one two rows more."""


def pool(rows: Sequence[Row], names: tuple[str, ...]) -> tuple[Sequence[Polynomial], Integers]:
    """Return simple expressions with their values: products and sums of names, plus a small constant."""
    polynomials = _simple(names)
    values = np.zeros((len(polynomials), len(rows)), dtype=np.int64)
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in names}
    for position, polynomial in enumerate(polynomials):
        for monomial, factor in polynomial.terms:
            term = np.full(len(rows), factor, dtype=np.int64)
            for name in monomial:
                term = term * columns[name]
            values[position] += term
    return polynomials, values


@lru_cache(maxsize=8)
def _simple(names: tuple[str, ...]) -> tuple[Polynomial, ...]:
    polynomials: list[Polynomial] = []
    for monomial in monomials(names, 3 if len(names) <= 4 else 2):
        if not monomial:
            continue
        for factor in (1, 2, 3, 4):
            polynomials += [Polynomial.of({monomial: factor, (): offset}) for offset in _OFFSETS]
    for first, second in combinations(names, 2):
        for offset in _OFFSETS:
            polynomials.append(Polynomial.of({(first,): 1, (second,): 1, (): offset}))
            polynomials.append(Polynomial.of({(first,): 1, (second,): -1, (): offset}))
            polynomials.append(Polynomial.of({(first,): -1, (second,): 1, (): offset}))
    return tuple(polynomials)


def quotient(rows: Sequence[Row], values: Integers, names: tuple[str, ...]) -> Iterator[str]:
    """Yield quotients, rounded down or up and scaled by a constant, that give all values."""
    if (values < 0).any() or not names:
        return
    polynomials, numerators = pool(rows, names)
    common = int(np.gcd.reduce(values))
    scales = sorted({scale for scale in (1, 2, 4, 8, 16, common) if scale and common % scale == 0})
    possible = (numerators >= 0).all(axis=1)
    for denominator, column in _denominators(rows, names):
        floor = numerators // column
        ceiling = (numerators + column - 1) // column
        for scale in scales:
            for rounded, upward in ((floor, False), (ceiling, True)):
                for index in np.flatnonzero(possible & (rounded * scale == values).all(axis=1)):
                    body = _divided(polynomials[int(index)].text(), denominator, upward)
                    yield body if scale == 1 else f"{body} * {scale}"


def _denominators(rows: Sequence[Row], names: tuple[str, ...]) -> Iterator[tuple[str, Integers]]:
    for number in _DENOMINATORS:
        yield str(number), np.full(len(rows), number, dtype=np.int64)
    for name in names:
        column = np.array([row[name] for row in rows], dtype=np.int64)
        if (column > 0).all():
            yield name, column


def quotient_names(rows: Sequence[Row], names: tuple[str, ...]) -> Iterator[str]:
    """Yield quotients of two names that may serve as a name in a polynomial."""
    for first, second in permutations(names, 2):
        for text in (f"({first} - 1) / {second}", f"{first} / {second}"):
            try:
                values = {evaluate(text, row) for row in rows}
            except ExpressionError:
                continue
            if len(values) > 1:
                yield text


def plain_extremum(rows: Sequence[Row], values: Integers, names: tuple[str, ...]) -> Iterator[str]:
    """Yield ``min(a, b)`` and ``max(a, b)`` of two names, times a constant, that give all values."""
    scale = max(int(np.gcd.reduce(values)), 1)
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in names}
    for first, second in combinations(names, 2):
        for function, chosen in (("min", np.minimum), ("max", np.maximum)):
            if (chosen(columns[first], columns[second]) * scale == values).all():
                text = f"{function}({first}, {second})"
                yield text if scale == 1 else f"{scale} * {text}"


def extremum(rows: Sequence[Row], values: Integers, names: tuple[str, ...]) -> Iterator[str]:
    """Yield ``min(a, b)`` and ``max(a, b)`` of simple expressions that give all values."""
    if not names:
        return
    polynomials, columns = pool(rows, names)
    equal = columns == values
    count = equal.sum(axis=1)
    for function, bounded in (("min", columns >= values), ("max", columns <= values)):
        indices = np.flatnonzero((count >= 2) & bounded.all(axis=1))[:300]
        for first, second in combinations(indices, 2):
            often = max(count[first], count[second]) * _TIGHT_SHARE >= len(rows)
            if often and (equal[first] | equal[second]).all():
                yield f"{function}({polynomials[int(first)].text()}, {polynomials[int(second)].text()})"


def tightest(rows: Sequence[Row], values: Integers, names: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield the simple expression that exceeds all values least, behind its total over the rows."""
    if not names or not values.any():
        return
    texts, columns = _bound_pool(rows, names)
    enough = np.flatnonzero((columns >= values).all(axis=1))
    if not len(enough):
        return
    totals = columns[enough].sum(axis=1)
    best = int(np.argmin(totals))
    yield int(totals[best]), texts[int(enough[best])]


def _bound_pool(rows: Sequence[Row], names: tuple[str, ...]) -> tuple[list[str], Integers]:
    """Return products of names, one of them perhaps a quotient, alone and plus a smaller product."""
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in names}
    smaller = [item for item in monomials(names, 2) if item]
    quotients = [
        ceil_div(first, second)
        for first, second in permutations(names, 2)
        if (columns[first] >= 0).all() and (columns[second] > 0).all()
    ]
    columns |= {text: np.array([evaluate(text, row) for row in rows], dtype=np.int64) for text in quotients}
    leading = [item for item in monomials(names, 3) if item]
    leading += [(text, *item) for text in quotients for item in ((), *((name,) for name in names))]
    texts: list[str] = []
    found: list[Integers] = []

    def product(factors: Sequence[str]) -> Integers:
        return np.asarray(np.prod([columns[factor] for factor in factors], axis=0))

    for factors in leading:
        for rest in ((), *smaller):
            if rest != factors:
                total = product(factors) + (product(rest) if rest else 0)
                texts.append(
                    " + ".join(
                        " * ".join(_grouped(word) for word in item) for item in (factors, rest) if item
                    )
                )
                found.append(total)
    return texts, np.array(found, dtype=np.int64)


def _grouped(text: str) -> str:
    return f"({text})" if " " in text else text


def _divided(numerator: str, denominator: str, upward: bool) -> str:
    if upward:
        return ceil_div(numerator, denominator)
    grouped = f"({numerator})" if any(operator in numerator for operator in (" + ", " - ")) else numerator
    return f"{grouped} / {denominator}"
