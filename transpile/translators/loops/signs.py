"""Loops that run at once unless a number of the caller's is too small, which the program asks.

Rows from ``h`` to ``n - h`` do not meet where they are ``n`` long, but with a negative ``h`` they do. Every
``step``-th element is another one unless ``step`` is 0, and of pixels that begin so far apart three channels
are where it is 3 or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.translators.loops.analysis import Known, Nest, nest_of
from transpile.translators.loops.facts import Part
from transpile.translators.loops.plan import Alone, planned, score
from transpile.translators.loops.spaces import at_least
from transpile.translators.loops.surroundings.outside import Outside
from transpile.translators.loops.surroundings.types import signed
from transpile.translators.rules.polynomial import constant, name
from transpile.translators.rules.variables import Variables

_LEAST = range(5)
"""Numbers that a parameter may have to reach; what one frees, all that are greater free as well."""


def with_signs(
    found: Sequence[Part], variables: Variables, around: Outside, *, merging: bool
) -> tuple[list[Part], tuple[str, ...]]:
    """Return what of a function runs at once where parameters are not too small, and what that rests on.

    Args:
        found: What runs at once, and what does not.
        variables: Those of the function.
        around: What names stand for.
        merging: Whether threads may merge what they found behind a loop.
    """
    result: list[Part] = []
    rules: dict[str, None] = {}
    for nest in dict.fromkeys(part.nest for part in found):
        own = [part for part in found if part.nest is nest]
        supposed, signs = _supposed(nest, own, variables, around, merging=merging)
        result += supposed
        rules |= dict.fromkeys(f"asks whether {sign}" for sign in signs)
    return result, tuple(rules)


def _supposed(
    nest: Nest, own: Sequence[Part], variables: Variables, around: Outside, *, merging: bool
) -> tuple[Sequence[Part], tuple[str, ...]]:
    """Return what of a nest runs at once by as few signs as free what more of them do not free further."""
    signs = _numbers(variables)
    if not signs or nest.dependences is None or _freedom(own) == (0, len(own), 0):
        return own, ()

    def parts(names: Sequence[str], least: int) -> list[Part]:
        return planned(_with(nest, names, least, variables, around), merging=merging)

    freed = _freedom(parts(signs, _LEAST[-1]))
    if freed <= _freedom(own):
        return own, ()
    least = next(number for number in _LEAST if _freedom(parts(signs, number)) == freed)
    for sign in signs:
        fewer = [other for other in signs if other != sign]
        if _freedom(parts(fewer, least)) == freed:
            signs = fewer
    return parts(signs, least), _asks(signs, least)


def _asks(signs: Sequence[str], least: int) -> tuple[str, ...]:
    return tuple(f"{sign} >= {least}" for sign in signs)


def _numbers(variables: Variables) -> list[str]:
    """Return the parameters that have a sign, and mean one number throughout the function."""
    hidden = {item.name for item in variables.all if not item.parameter}
    return [
        item.name
        for item in variables.all
        if item.parameter
        and signed(item.bare)
        and item.constant
        and item.name not in hidden
        and not (item.pointer or item.array or item.reference)
    ]


def _with(nest: Nest, signs: Sequence[str], least: int, variables: Variables, around: Outside) -> Nest:
    """Return a nest as it is where signs hold; loops of which that tells more ask for them."""
    known = nest.dependences.facts if nest.dependences is not None else ()
    held = (at_least(name(sign), constant(least)) for sign in signs)
    found = nest_of(nest.node, variables, [*known, *held], around)
    asks = _asks(signs, least)
    return replace(
        found,
        loops=tuple(
            item if _tells_alike(nest.of(item.loop.node), item) else replace(item, signs=asks)
            for item in found.loops
        ),
    )


def _tells_alike(before: Known | None, item: Known) -> bool:
    return before is not None and (before.reason, before.updated, before.checks) == (
        item.reason,
        item.updated,
        item.checks,
    )


def _freedom(parts: Sequence[Part]) -> tuple[int, ...]:
    """Return how much runs at once: the score, and how many parts have no updates that meet, negated."""
    return *score(parts), -sum(not isinstance(part, Alone) and bool(part.loops[0].updated) for part in parts)
