"""Compare expressions of whole numbers by their values for drawn numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

POINTS = 64
_SIZES = (1, 2, 3, 5, 8, 17, 64, 100, 1000)


def drawn(
    choices: Mapping[str, Sequence[int]], *, seed: int, count: int = POINTS
) -> Iterator[dict[str, int]]:
    """Yield drawn values of names, the same for the same seed.

    Args:
        choices: The numbers that each name may be.
        seed: Of the generator.
        count: How often all names are drawn.
    """
    generator = random.Random(seed)
    for _ in range(count):
        yield {name: generator.choice(numbers) for name, numbers in choices.items()}


def value(text: str, row: Mapping[str, int], *, otherwise: int = 0) -> int:
    """Return what an expression comes to; something else where it divides by 0."""
    try:
        return evaluate(text, row)
    except ExpressionError:
        return otherwise


def less_somewhere(one: str, other: str) -> bool:
    """Tell whether an expression of sizes is less than another one for some of these, or has no value."""
    return any(_difference(one, other, row) < 0 for row in _sizes(one, other))


def same(one: str, other: str) -> bool:
    """Tell whether two expressions of sizes never differ."""
    return all(_difference(one, other, row) == 0 for row in _sizes(one, other))


def undominated(texts: Sequence[str]) -> list[str]:
    """Return the texts that no other one is at least as great as wherever sizes are at least 1."""
    kept = list(texts)
    for text in texts:
        others = (item for item in kept if item != text)
        if any(not less_somewhere(item, text) for item in others):
            kept.remove(text)
    return kept


def _sizes(*texts: str) -> Iterator[dict[str, int]]:
    used = frozenset[str]().union(*map(names_of, texts))
    return drawn(dict.fromkeys(sorted(used), _SIZES), seed=7)


def _difference(one: str, other: str, row: Mapping[str, int]) -> int:
    try:
        return evaluate(one, row) - evaluate(other, row)
    except ExpressionError:
        return -1
