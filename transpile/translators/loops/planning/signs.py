"""Loops that run in parallel unless a number that is there before them is too small, which the program asks.

Rows from ``h`` to ``n - h`` do not meet where they are ``n`` long, but with a negative ``h`` they do. Every
``step``-th element is another one unless ``step`` is 0, and of pixels that begin so far apart three channels
are where it is 3 or more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tree_sitter import Node

from transpile.code.polynomial import constant, name
from transpile.code.syntax import inside
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.analysis import Known, Nest, nest_of
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import SequentialNest, planned, score
from transpile.translators.loops.iteration.spaces import at_least
from transpile.translators.loops.iteration.values import outer_name
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import signed

_LEAST = range(5)
"""Numbers that one may have to reach; what one frees, all that are greater free as well."""


def with_signs(
    found: Sequence[Part],
    variables: Variables,
    around: EnclosingScope,
    *,
    idioms: frozenset[Idiom],
    first: bool,
) -> tuple[list[Part], tuple[str, ...]]:
    """Return what of a function runs in parallel where numbers are not too small, and what that rests on.

    Args:
        found: What runs in parallel, and what does not.
        variables: Those of the function.
        around: What names stand for.
        idioms: Those that a target can write.
        first: Whether the program asks before the function does anything, of parameters alone.
    """
    result: list[Part] = []
    rules: dict[str, None] = {}
    for nest in dict.fromkeys(part.nest for part in found):
        own = [part for part in found if part.nest is nest]
        numbers = [item for item in _numbers(nest, variables) if item.parameter or not first]
        supposed, signs = _supposed(nest, own, numbers, variables, around, idioms=idioms)
        result += supposed
        rules |= dict.fromkeys(f"asks whether {sign}" for sign in signs)
    return result, tuple(rules)


def _supposed(
    nest: Nest,
    own: Sequence[Part],
    numbers: Sequence[Variable],
    variables: Variables,
    around: EnclosingScope,
    *,
    idioms: frozenset[Idiom],
) -> tuple[Sequence[Part], tuple[str, ...]]:
    """Return what of a nest is parallel by as few numbers as free what more of them do not free further."""
    if not numbers or nest.dependences is None or _freedom(own) == (0, len(own), 0, 0):
        return own, ()

    def parts(asked: Sequence[Variable], least: int) -> list[Part]:
        return planned(_with(nest, asked, least, variables, around), idioms=idioms)

    freed = _freedom(parts(numbers, _LEAST[-1]))
    if freed <= _freedom(own):
        return own, ()
    least = next(number for number in _LEAST if _freedom(parts(numbers, number)) == freed)
    for number in numbers:
        fewer = [other for other in numbers if other is not number]
        if _freedom(parts(fewer, least)) == freed:
            numbers = fewer
    return parts(numbers, least), _asks(numbers, least)


def _numbers(nest: Nest, variables: Variables) -> list[Variable]:
    """Return what a nest finds set that has a sign, and that its name means throughout the function."""
    meanings = Counter(item.name for item in variables.all)
    reached = set(_reached(nest.node, variables))
    return [
        item
        for item in variables.all
        if item in reached
        and signed(item.bare)
        and meanings[item.name] == 1
        and (item.constant if item.parameter else _is_set_before(item, nest.node))
        and not (item.pointer or item.array or item.reference or item.static)
    ]


def _reached(node: Node, variables: Variables) -> Iterator[Variable]:
    """Yield the variables that a node names, and those of which constants among them are made."""
    waiting, seen = variables.used_in(node), set[Variable]()
    while waiting:
        item = waiting.pop()
        if item not in seen:
            seen.add(item)
            yield item
            waiting += variables.used_in(item.initializer) if item.constant and item.initializer else []


def _is_set_before(variable: Variable, nest: Node) -> bool:
    """Tell whether a variable of the function is there before a nest, which leaves it alone."""
    declared = inside(nest, variable.scope) and variable.declaration.end_byte <= nest.start_byte
    return declared and not variable.escapes and not any(inside(write, nest) for write in variable.writes)


def _asks(numbers: Sequence[Variable], least: int) -> tuple[str, ...]:
    return tuple(f"{item.name} >= {least}" for item in numbers)


def _with(
    nest: Nest, numbers: Sequence[Variable], least: int, variables: Variables, around: EnclosingScope
) -> Nest:
    """Return a nest as it is where no such number is too small; loops of which that tells more ask."""
    known = nest.dependences.facts if nest.dependences is not None else ()
    held = (at_least(name(outer_name(item)), constant(least)) for item in numbers)
    found = nest_of(nest.node, variables, [*known, *held], around)
    asks = _asks(numbers, least)
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
    """Return how much runs in parallel: the score, and how many parts have no updates that meet, negated."""
    return *score(parts), -sum(
        not isinstance(part, SequentialNest) and bool(part.loops[0].updated) for part in parts
    )
