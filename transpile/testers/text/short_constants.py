"""Constants with fewer digits than the source has: 57.2958 for 57.2957795, which trials take for rounding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal

import numpy as np

from transpile.core import Candidate, Inconclusive
from transpile.parsers.files.comments import without_comments

_FRACTION = re.compile(rb"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)([fF]?)(?![\w.])")
_FEWEST = 3
"""Digits of numbers that are taken for others cut short: 0.5 is one of its own."""


def shortened(candidate: Candidate, source: bytes, named: Iterable[float]) -> Inconclusive | None:
    """Return that a candidate has a constant of the source with fewer digits than its type holds, or None.

    Args:
        candidate: The translation.
        source: Text of all that the source runs.
        named: Numbers that this text has names for.
    """
    theirs = {number for number, _ in _fractions(source)} | {Decimal(repr(number)) for number in named}
    for written in candidate.replacements:
        for number, single in _fractions(without_comments(written.text)):
            whole = next((one for one in theirs if _is_cut(number, one, single)), None)
            if number not in theirs and whole is not None:
                reason = (
                    f"the translation has {number} where its source has {whole}: "
                    "trials take lost digits for rounding"
                )
                return Inconclusive(reason=reason, code="TP415")
    return None


def _fractions(text: bytes) -> Iterator[tuple[Decimal, bool]]:
    """Yield the fractions that a text spells, and whether they are floats of 32 bits."""
    for found in _FRACTION.finditer(text):
        yield Decimal(found[1].decode()), bool(found[2])


def _is_cut(number: Decimal, other: Decimal, single: bool) -> bool:
    """Tell whether a number is another one with fewer digits, rounded or cut off."""
    digits = len(number.normalize().as_tuple().digits)
    if not _FEWEST <= digits < len(other.normalize().as_tuple().digits):
        return False
    kept = (Context(digits, rounding).plus(other) for rounding in (ROUND_DOWN, ROUND_HALF_EVEN))
    return number in kept and _in(number, single) != _in(other, single)


def _in(number: Decimal, single: bool) -> float:
    """Return a number as the type holds it."""
    return float(np.float32(float(number))) if single else float(number)
