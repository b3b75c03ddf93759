"""Scalars that each iteration sets, and whose last values the function reads behind the loop."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.translators.loops.reductions.matches import Iterations, Match
from transpile.translators.loops.reductions.scalars import Kind, Scalar, read_behind
from transpile.translators.refusal import SEQUENTIAL, Refused


@dataclass(frozen=True, slots=True, eq=False)
class LastValues:
    """What the last iteration hands out."""

    scalars: tuple[Scalar, ...]
    """All set within the same loops."""


def last_values(given: Iterations) -> Match | None:
    """Return what is handed out of a loop; Refused where loops of different depths set it."""
    lasts = tuple(item for item in given.scalars if item.kind is Kind.LAST)
    if not lasts:
        return None
    reason = read_behind(lasts[0].variable)
    if any(len(item.within) != len(lasts[0].within) for item in lasts):
        raise Refused(SEQUENTIAL, reason)
    variables = tuple(item.variable for item in lasts)
    return Match(found=LastValues(lasts), reason=reason, variables=variables, independent=True)
