"""Names for what a port adds to a function."""

from __future__ import annotations

import re
from collections.abc import Collection


def with_number(wish: str, number: int) -> str:
    """Return a name for one of several things alike: the first, of number 0, has none in it."""
    return f"{wish}_{number}" if number else wish


def free_name(taken: Collection[str], *wishes: str) -> str:
    """Return the first wish that is not taken; with a number appended where all are."""
    for wish in wishes:
        if wish not in taken:
            return wish
    number = 2
    while f"{wishes[0]}{number}" in taken:
        number += 1
    return f"{wishes[0]}{number}"


def unqualified(spelling: str) -> str:
    """Return a type without ``const`` and its like, on whichever side they stand."""
    return " ".join(re.sub(r"\b(?:const|constexpr|volatile)\b", " ", spelling).split())
