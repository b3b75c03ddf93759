"""Whole numbers that pass the checks with which a routine begins, or fail one of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np

from transpile.expressions import Binary, ExpressionError, Name, names, parse, to_text, value_of

_PASSES = 4
_AS_DRAWN, _FAILING = 0.15, 0.3
"""Shares of trials whose numbers are as they were drawn, and that fail one check, if any."""
_SLACK = (0, 0, 0, 1, 3)
_AMPLE, _AMPLE_FACTORS, _AMPLE_MORE = 0.4, (8, 40), (70, 5000)
"""Share of numbers that are raised far beyond what is asked: working memory is ample, not just enough."""
_AT_MOST = 0.4
"""Share of numbers that are lowered to the most that is asked, and not below."""
_MOST = 1 << 16


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Binary | None:
    try:
        found = parse(text)
    except ExpressionError:
        return None
    return found if isinstance(found, Binary) and isinstance(found.left, Name) else None


def meeting(
    texts: Sequence[str],
    drawn: Mapping[str, int],
    strides: Collection[str],
    random: np.random.Generator,
    *,
    always: bool = False,
) -> dict[str, int]:
    """Return numbers near those that were drawn of which most pass all checks, and others fail one.

    Args:
        texts: Comparisons, with the number that is checked on their left.
        drawn: The numbers.
        strides: Names of extents of arrays but for their last ones, which are never ample.
        random: Where changes come from.
        always: Tells that these are to pass all checks.
    """
    values = dict(drawn)
    share = 1.0 if always else random.random()
    if not texts or share < _AS_DRAWN:
        return values
    comparisons = _comparisons(texts)
    _meet(comparisons, values, strides, random, _MOST)
    if comparisons and share < _AS_DRAWN + _FAILING:
        _fail(comparisons[int(random.integers(len(comparisons)))], values, random)
    return values


def aiming(
    wanted: Sequence[str],
    checks: Sequence[str],
    drawn: Mapping[str, int],
    strides: Collection[str],
    random: np.random.Generator,
    *,
    most: int = _MOST,
) -> dict[str, int]:
    """Return numbers near those that were drawn that meet comparisons, and all checks where both can be.

    Args:
        wanted: The comparisons, with the number that is compared on their left.
        checks: Likewise, those of the routine's checks.
        drawn: The numbers.
        strides: Names of extents of arrays but for their last ones, which are never ample.
        random: Where changes come from.
        most: The largest number that is made.
    """
    values = dict(drawn)
    comparisons = _comparisons(wanted)
    _meet(comparisons, values, strides, random, most)
    both = dict(values)
    _meet([*_comparisons(checks), *comparisons], both, strides, random, most)
    return both if all(value_of(item, both) for item in comparisons if _known(item, both)) else values


def _comparisons(texts: Sequence[str]) -> list[Binary]:
    return [found for found in map(_parsed, texts) if found is not None]


def _known(comparison: Binary, values: Mapping[str, int]) -> bool:
    return _name(comparison) in values and _bound(comparison, values, _MOST) is not None


def _meet(
    comparisons: Sequence[Binary],
    values: dict[str, int],
    strides: Collection[str],
    random: np.random.Generator,
    most: int,
) -> None:
    """Change numbers until all comparisons hold, or some passes over them do not make them."""
    for _ in range(_PASSES):
        if not any([_met(item, values, strides, random, most) for item in comparisons]):
            break


def _met(
    comparison: Binary,
    values: dict[str, int],
    strides: Collection[str],
    random: np.random.Generator,
    largest: int,
) -> bool:
    """Change the number on the left of a comparison until it holds, and tell whether that was needed."""
    bound = _bound(comparison, values, largest)
    name = _name(comparison)
    if bound is None or name not in values or value_of(comparison, values):
        return False
    if comparison.operator in (">=", ">"):
        more = int(random.choice(_SLACK))
        if name not in strides and _depends(comparison) and random.random() < _AMPLE:
            more = int(random.choice(_AMPLE_FACTORS)) * abs(bound) + int(random.choice(_AMPLE_MORE))
        wanted = bound + more + (comparison.operator == ">")
    elif comparison.operator in ("<=", "<"):
        least = min(bound, 1)
        most = bound - (comparison.operator == "<")
        inside = most > least and random.random() >= _AT_MOST
        wanted = int(random.integers(least, most, endpoint=True)) if inside else most
    else:
        wanted = bound
    values[name] = wanted
    return True


def _fail(comparison: Binary, values: dict[str, int], random: np.random.Generator) -> None:
    """Change the number on the left of a comparison so that it does not hold, just or by some."""
    bound = _bound(comparison, values, _MOST)
    name = _name(comparison)
    if bound is None or name not in values:
        return
    by = int(random.choice([0, 0, 1, 3]))
    step = {">=": -1 - by, ">": -by, "<=": 1 + by, "<": by}.get(comparison.operator, 1 + by)
    values[name] = bound + step


def _depends(comparison: Binary) -> bool:
    """Tell whether a number is compared with others: what is only to be positive is no working memory.

    Of extents of arrays, thousands would be too long a call.
    """
    return bool(names(to_text(comparison.right)))


def _name(comparison: Binary) -> str:
    return comparison.left.text if isinstance(comparison.left, Name) else ""


def _bound(comparison: Binary, values: Mapping[str, int], most: int) -> int | None:
    """Return what a number is compared with; None where that has no value of a size to draw."""
    try:
        found = value_of(comparison.right, values)
    except ExpressionError:
        return None
    return found if abs(found) <= most else None
