"""Upper bounds of arrays that several accesses reach into: the greatest of several expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from transpile.contracts.fitting.fit import Fit, Row, fit
from transpile.contracts.fitting.subscript_terms import Makings
from transpile.expressions import ExpressionError, evaluate

Reach = Mapping[int, int]
"""Reach of each access, by its place."""

_MOST = 24
"""Accesses, of those that differ by more than a number, beyond which an array follows no expressions."""
_MOST_FITS = 8
_CORNERS = (0, 1, 1000)
"""Sizes between which one expression is taken to be greater than another if it is at all of these."""
_MOST_NAMES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Greatest:
    """The greatest of some expressions, and whether every row went as far as that."""

    fit: Fit
    exact: bool


def greatest(
    rows: Sequence[Row], reaches: Sequence[Reach], names: Sequence[str], makings: Makings | None = None
) -> Greatest | None:
    """Return what no access of any row goes beyond, made of fits of single accesses; None where none is.

    Each is fitted in the rows that come to it, so in others the expression may be too great. One that nowhere
    goes furthest in these rows counts as well: it may in others.
    """
    accesses = list(_accesses(reaches))
    if len(accesses) > _MOST:
        return None
    found = (_fitted(rows, access, names, makings) for access in accesses)
    fits = _undominated({item.text: item for item in found if item is not None})
    ends = [max([0, *reach.values()]) for reach in reaches]
    if not fits or len(fits) > _MOST_FITS:
        return None
    text = fits[0].text if len(fits) == 1 else f"max({', '.join(item.text for item in fits)})"
    values = _values(text, rows)
    if values is None or any(value < end for value, end in zip(values, ends, strict=True)):
        return None
    together = Fit(
        text=text,
        held_out=min(item.held_out for item in fits),
        names=frozenset().union(*(item.names for item in fits)),
    )
    return Greatest(fit=together, exact=values == ends)


def _accesses(reaches: Sequence[Reach]) -> Iterator[dict[int, int]]:
    """Yield how far accesses went by row; of those that differ by a number alone, the furthest one."""
    by_site: dict[int, dict[int, int]] = {}
    for row, reach in enumerate(reaches):
        for site, high in reach.items():
            by_site.setdefault(site, {})[row] = high
    alike: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
    for highs in by_site.values():
        first = next(iter(highs.values()))
        shape = tuple((row, high - first) for row, high in highs.items())
        known = alike.setdefault(shape, highs)
        alike[shape] = max(known, highs, key=lambda item: next(iter(item.values())))
    yield from alike.values()


def _fitted(
    rows: Sequence[Row], highs: Mapping[int, int], names: Sequence[str], makings: Makings | None
) -> Fit | None:
    """Return the expression of how far an access goes, where it is come to."""
    return fit([rows[row] for row in highs], list(highs.values()), names, makings)


def _undominated(fits: Mapping[str, Fit]) -> list[Fit]:
    """Return fits without those that another one is greater than, whatever sizes are."""
    names = sorted(frozenset[str]().union(*(item.names for item in fits.values())))
    if len(names) > _MOST_NAMES:
        return list(fits.values())
    corners = [dict(zip(names, sizes, strict=True)) for sizes in product(_CORNERS, repeat=len(names))]
    values = {text: _values(text, corners) for text in fits}
    kept = list(fits)
    for text in fits:
        if any(_covers(values[other], values[text]) for other in kept if other != text):
            kept.remove(text)
    return [fits[text] for text in kept]


def _covers(one: Sequence[int] | None, other: Sequence[int] | None) -> bool:
    if one is None or other is None:
        return False
    return all(mine >= theirs for mine, theirs in zip(one, other, strict=True))


def _values(text: str, rows: Sequence[Row]) -> list[int] | None:
    try:
        return [evaluate(text, row) for row in rows]
    except ExpressionError:
        return None
