"""Expressions that explain observed numbers exactly, the smallest first.

A fit is made from most of the rows and has to predict the others, which it never saw; an expression that
misses a single row is no fit. Families, in order: polynomials with up to three terms and degree three,
multiples of the smaller or greater of two names, quotients rounded down or up, dense polynomials of few
names, minima and maxima of two simple expressions, squares, and polynomials over one quotient of two names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from transpile.contracts.fitting.decoded import tightest_decoded
from transpile.contracts.fitting.quotients import extremum, plain_extremum, quotient, quotient_names, tightest
from transpile.contracts.fitting.subscript_terms import Makings
from transpile.contracts.text.polynomial import Monomial, Polynomial, monomials
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

Row = Mapping[str, int]
Integers = NDArray[np.int64]

_MAXIMUM_FACTOR = 1 << 18
"""Planes of arrays with several dimensions are among the factors."""
_HELD_SHARE = 4
_MINIMUM_TRAINING = 5
_MOST_NAMES = 5
"""Names beyond which no quotient of two of them is looked for inside a polynomial."""
_LOOSE = 8
"""Factor by which a bound may exceed what it bounds, over all rows together."""
_INDEPENDENT = 1e-8
"""Share of a column that others have to leave of it for it to count as none of their sums."""
_MOST_DECODED = 8
"""Names among which sizes are looked for that a number of an element is taken apart by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """An expression and the number of rows that it predicted without having been made from them."""

    text: str
    held_out: int
    names: frozenset[str]


def fit(
    rows: Sequence[Row], values: Sequence[int], names: Sequence[str], makings: Makings | None = None
) -> Fit | None:
    """Return the simplest expression over the names, earlier names preferred, that gives every value.

    Every fourth row is held out. None where no family holds, or where there are too few rows to believe one.
    Where the text tells what products there can be, no other is taken.
    """
    held, training = _shares(len(rows))
    if len(training) < _MINIMUM_TRAINING or not held:
        return None
    data = _Data([rows[index] for index in training], [values[index] for index in training], makings)
    relevant = _relevant(rows, values, names)
    # A name that seems to have no influence may still have one, behind a division or a minimum.
    for group in dict.fromkeys((relevant, tuple(names))):
        for text in _candidates(data, group):
            if (makings is None or makings.admits(text)) and predicts(text, rows, values):
                return Fit(text=text, held_out=len(held), names=names_of(text))
    return None


def _shares(rows: int) -> tuple[list[int], list[int]]:
    """Return which of so many rows are held out, and which are fitted."""
    held = [index for index in range(rows) if index % _HELD_SHARE == _HELD_SHARE - 1]
    training = [index for index in range(rows) if index % _HELD_SHARE != _HELD_SHARE - 1]
    return held, training


def _influential(rows: Sequence[Row], values: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """Return the few names that the values go with most."""
    wanted = np.array(values, dtype=np.float64)

    def strength(name: str) -> float:
        column = np.array([row[name] for row in rows], dtype=np.float64)
        if column.std() == 0 or wanted.std() == 0:
            return 0.0
        return -abs(float(np.corrcoef(column, wanted)[0, 1]))

    return tuple(sorted(names, key=strength)[:_MOST_NAMES])


def bound(rows: Sequence[Row], values: Sequence[int], names: Sequence[str]) -> Fit | None:
    """Return a simple and tight expression over the names that no value exceeds, held-out rows included.

    Every fourth row is held out, as for a fit.
    """
    held, training = _shares(len(rows))
    if len(training) < _MINIMUM_TRAINING or not held:
        return None
    wanted = np.array([values[index] for index in training], dtype=np.int64)
    known = [rows[index] for index in training]
    found = [
        *tightest(known, wanted, _influential(rows, values, names)),
        *tightest_decoded(known, wanted, tuple(names[:_MOST_DECODED])),
    ]
    total, text = min(found, key=lambda item: item[0], default=(0, ""))
    if not text or total > _LOOSE * wanted.sum():
        return None
    if any(evaluate(text, rows[index]) < values[index] for index in held):
        return None
    return Fit(text=text, held_out=len(held), names=names_of(text))


def candidates(rows: Sequence[Row], values: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    """Yield expressions that give every value, simplest first, none of them checked against anything else."""
    if rows:
        yield from _candidates(_Data(rows, values), tuple(names))


def predicts(text: str, rows: Sequence[Row], values: Sequence[int]) -> bool:
    """Tell whether the expression gives every value."""
    try:
        return all(evaluate(text, row) == value for row, value in zip(rows, values, strict=True))
    except ExpressionError:
        return False


@dataclass(frozen=True, slots=True)
class _Data:
    rows: Sequence[Row]
    values: Sequence[int]
    makings: Makings | None = None

    def columns(self, terms: Sequence[Monomial]) -> Integers:
        """Return one column a monomial."""
        result = np.ones((len(self.rows), len(terms)), dtype=np.int64)
        for position, monomial in enumerate(terms):
            for name in monomial:
                result[:, position] *= np.array([row[name] for row in self.rows], dtype=np.int64)
        return result

    def tells(self, monomial: Monomial) -> bool:
        """Tell whether the text has such a product, of names with more values than its powers go through."""
        # Parts of a quotient are no names of the text: the whole is looked at once it is there.
        named = all(" " not in name for name in monomial)
        if self.makings is not None and named and not self.makings.holds(monomial):
            return False
        return all(
            len({row[name] for row in self.rows}) > monomial.count(name) + 1
            for name in set(monomial)
            if monomial.count(name) > 1
        )

    def extended(self, name: str) -> _Data:
        """Return the data with the value of an expression as one more name."""
        rows = [{**row, name: evaluate(name, row)} for row in self.rows]
        return _Data(rows, self.values, self.makings)


def _relevant(rows: Sequence[Row], values: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """Drop names that were varied alone without any effect, and names that never vary."""
    varied: dict[str, bool] = {}
    for (first, first_value), (second, second_value) in combinations(zip(rows, values, strict=True), 2):
        different = [name for name in names if first[name] != second[name]]
        if len(different) == 1:
            name = different[0]
            varied[name] = varied.get(name, False) or first_value != second_value
    constant = {name for name in names if len({row[name] for row in rows}) == 1}
    return tuple(name for name in names if name not in constant and varied.get(name, True))


def _candidates(data: _Data, names: tuple[str, ...]) -> Iterator[str]:
    values = np.array(data.values, dtype=np.int64)
    if (values == values[0]).all():
        yield str(values[0])
        return
    few = names[:8]
    for polynomial in _sparse(data, values, few):
        yield polynomial.text()
    yield from _long_products(data, values, few)
    yield from plain_extremum(data.rows, values, few)
    yield from islice(quotient(data.rows, values, few), 4)
    yield from _dense(data, values, few)
    yield from islice(extremum(data.rows, values, few), 4)
    yield from _squares(data, values, few)
    if len(few) > _MOST_NAMES:
        return
    for name in quotient_names(data.rows, few):
        for polynomial in _sparse(data.extended(name), values, (*few, name), needed=name, terms=2):
            yield polynomial.text()


def _long_products(data: _Data, values: Integers, names: tuple[str, ...]) -> Iterator[str]:
    """Yield products of more names than are otherwise multiplied, times a constant, that give all values."""
    for count in range(4, len(names) + 1):
        groups = list(combinations(names, count))
        columns = data.columns(groups)
        for index, group in enumerate(groups):
            polynomial = _solved(columns[:, [index]], values, [group])
            if polynomial is not None:
                yield polynomial.text()


def _squares(data: _Data, values: Integers, names: tuple[str, ...]) -> Iterator[str]:
    """Yield squares of dense polynomials, positive where they are large."""
    roots = np.array([isqrt(max(int(value), 0)) for value in values], dtype=np.int64)
    if (roots * roots == values).all() and len(set(roots)) > 1:
        # What is squared may be negative for small sizes: the larger half of the rows tells its sign.
        large = np.argsort(-roots, kind="stable")[: max(len(roots) // 2, _MINIMUM_TRAINING)]
        part = _Data(
            [data.rows[index] for index in large], [int(roots[index]) for index in large], data.makings
        )
        for some, wanted in ((data, roots), (part, roots[large])):
            for text in _dense(some, wanted, names):
                yield f"({text}) * ({text})"


def _sparse(
    data: _Data, values: Integers, names: tuple[str, ...], *, needed: str = "", terms: int = 3
) -> Iterator[Polynomial]:
    """Yield polynomials with few terms that give all values, fewest terms first."""
    products = _with_quotient(names[:-1], needed) if needed else monomials(names, 3)
    basis = [item for item in products if data.tells(item)]
    columns = data.columns(basis)
    for count in range(1, terms + 1):
        if count == 3 and len(basis) > 60:
            basis, columns = _cut(basis, columns, 60)
        for group in _groups(columns, values, count):
            if needed and not any(needed in basis[index] for index in group):
                continue
            polynomial = _solved(columns[:, group], values, [basis[index] for index in group])
            if polynomial is not None:
                yield polynomial
                return


def _with_quotient(names: tuple[str, ...], name: str) -> list[Monomial]:
    """Return products of names, with the quotient at most once; the products may be one degree higher."""
    plain = monomials(names, 3, squares=False)
    return [*plain, *((name, *monomial) for monomial in plain)]


def _cut(basis: list[Monomial], columns: Integers, count: int) -> tuple[list[Monomial], Integers]:
    simplest = sorted(
        range(len(basis)), key=lambda index: (len(basis[index]), -len(set(basis[index])), index)
    )
    kept = sorted(simplest[:count])
    return [basis[index] for index in kept], columns[:, kept]


def _groups(columns: Integers, values: Integers, count: int) -> Iterator[list[int]]:
    """Yield groups of columns whose span holds the values, by the size of the residual alone."""
    scale = np.maximum(np.abs(columns).max(axis=0), 1)
    matrix = columns / scale
    target = values / max(int(np.abs(values).max()), 1)
    tolerance = 1e-7 * float(target @ target)
    if count == 1:
        yield from ([int(index)] for index in _spanning(matrix, target, tolerance))
        return
    if count == 2:
        for first in range(matrix.shape[1]):
            rest, remaining = _project(matrix[:, first + 1 :], target, matrix[:, first])
            for index in _spanning(rest, remaining, tolerance):
                yield [first, first + 1 + int(index)]
        return
    for first in range(matrix.shape[1]):
        outer, outer_target = _project(matrix[:, first + 1 :], target, matrix[:, first])
        for second, third in _spanning_pairs(outer, outer_target, tolerance):
            yield [first, first + 1 + second, first + 1 + third]


def _project(
    matrix: NDArray[np.float64], target: NDArray[np.float64], column: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    norm = float(column @ column) or 1.0  # What is always 0 takes nothing away.
    return matrix - np.outer(column, column @ matrix / norm), target - column * (column @ target / norm)


def _spanning(matrix: NDArray[np.float64], target: NDArray[np.float64], tolerance: float) -> Integers:
    norms = np.einsum("ij,ij->j", matrix, matrix)
    inner = target @ matrix
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = float(target @ target) - np.where(norms > 1e-9, inner**2 / norms, 0)
    return np.flatnonzero(residual <= tolerance).astype(np.int64)


def _spanning_pairs(
    matrix: NDArray[np.float64], target: NDArray[np.float64], tolerance: float
) -> Iterator[tuple[int, int]]:
    """Yield pairs of columns that span the target, from the Gram matrix of all of them at once."""
    gram = matrix.T @ matrix
    inner = target @ matrix
    norms = np.diag(gram)
    determinant = np.outer(norms, norms) - gram**2
    explained = np.outer(inner**2, norms) + np.outer(norms, inner**2) - 2 * gram * np.outer(inner, inner)
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = float(target @ target) - np.where(determinant > 1e-10, explained / determinant, 0)
    for first, second in np.argwhere(residual <= tolerance):
        if first < second:
            yield int(first), int(second)


def _dense(data: _Data, values: Integers, names: tuple[str, ...]) -> Iterator[str]:
    """Yield what plain least squares finds where there are more rows than monomials."""
    for degree, squares in ((1, True), (2, True), (3, True), (4, False), (5, False)):
        basis = [item for item in monomials(names, degree, squares=squares) if data.tells(item)]
        basis = _independent(data, basis)
        if len(data.rows) < len(basis) + 3:
            continue
        polynomial = _solved(data.columns(basis), values, basis)
        if polynomial is not None:
            yield polynomial.text()
            return


def _independent(data: _Data, basis: Sequence[Monomial]) -> list[Monomial]:
    """Return the monomials that simpler ones do not give: few shapes of blocks tell few of them apart."""
    kept: list[Monomial] = []
    spanned: list[NDArray[np.float64]] = []
    for item, column in zip(basis, data.columns(basis).T.astype(np.float64), strict=True):
        rest = column
        for direction in (*spanned, *spanned):
            rest = rest - direction * (direction @ rest)
        norm = float(np.linalg.norm(rest))
        if norm > _INDEPENDENT * float(np.linalg.norm(column)):
            kept.append(item)
            spanned.append(rest / norm)
    return kept


def _solved(columns: Integers, values: Integers, basis: Sequence[Monomial]) -> Polynomial | None:
    """Return the polynomial with small integer factors, over 1 or 2, that gives all values exactly."""
    scale = np.maximum(np.abs(columns).max(axis=0), 1).astype(np.float64)
    solution, _, rank, _ = np.linalg.lstsq(columns / scale, values.astype(np.float64), rcond=None)
    if rank < len(basis):
        return None
    exact = solution / scale
    for divisor in (1, 2):
        factors = np.rint(exact * divisor).astype(np.int64)
        terms = {monomial: int(factor) for monomial, factor in zip(basis, factors, strict=True)}
        small = all(abs(factor) <= _MAXIMUM_FACTOR for monomial, factor in terms.items() if monomial)
        if small and (columns @ factors == values * divisor).all():
            return Polynomial.of(terms, divisor)
    return None
