"""Run-time checks of index arrays before a loop: whether their elements are distinct or ascend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import add, name
from transpile.code.pure_calls import PURE
from transpile.code.syntax import LOOPS, ancestors, called, field, find, inside, source, unparenthesized
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.orders import Kind, Order
from transpile.translators.loops.dependence.reached import goes_through, runs_always
from transpile.translators.loops.iteration.nests import SIGNED, Loop
from transpile.translators.loops.iteration.values import Load, Values

_MEMORY = ("subscript_expression", "pointer_expression", "field_expression", "call_expression")
_CHEAP = frozenset(
    (
        *("abs", "fabs", "fabsf", "min", "max", "fmin", "fmax", "fminf", "fmaxf"),
        *("sqrt", "sqrtf", "floor", "floorf", "ceil", "ceilf", "fma", "fmaf"),
    )
)
"""Functions that take no longer than to look whether an index has been there."""


@dataclass(frozen=True, slots=True)
class Check:
    """That what a loop reads of an array, one element an iteration, is in an order."""

    order: Order
    loop: Loop
    first: str
    """An iteration's element."""
    last: str
    """The one behind it, if iterations read both; else the same."""
    ahead: int
    """How far an iteration's element is from the one whose number is the loop's variable."""
    inner: tuple[Loop, ...] = ()
    """Loops in it without whose iterations nothing is read."""


def check(order: Order, loop: Loop, loops: Sequence[Loop], values: Values) -> Check | None:
    """Return what to ask before a loop that runs in parallel if an order holds; None where that is not plain.

    What is asked is read in every iteration of the loop as well, and in no other place.

    Args:
        order: What has to hold.
        loop: Goes from one element to the next.
        loops: All that are counted in its nest.
        values: What has read the nest, with all that it reads of the array.
    """
    loads = [item for item in values.loads.values() if item.array == order.array]
    places = {number: item.node for item in loads if (number := _offset(item, loop)) is not None}
    block = loop.node.parent is not None and loop.node.parent.type == "compound_statement"
    if len(places) < len(loads) or abs(loop.step) != 1 or not goes_through(loop) or not block:
        return None
    low, high = min(places), max(places)
    inner = [item for item in loops if inside(item.node, loop.body) and inside(places[low], item.body)]
    if not all(_is_plain(node, loop, inner, values.variables) for node in places.values()):
        return None
    made = Check(order, loop, source(places[low]), source(places[high]), low, tuple(inner))
    if order.kind is Kind.ASCENDING:
        return made if high == low + 1 and not inner else None
    return made if high == low and _counts_up(loop) and _is_worth_it(loop) else None


def _offset(load: Load, loop: Loop) -> int | None:
    """Return how far an element is from the one whose number is a loop's variable."""
    ahead = add(load.place, name(loop.dimension), -1)
    return ahead.get((), 0) if set(ahead) <= {()} else None


def _is_plain(node: Node, loop: Loop, inner: Sequence[Loop], variables: Variables) -> bool:
    """Tell whether each iteration of a loop gets to an element if inner loops are entered.

    The element's text, and the bounds of those loops, have to mean the same where the loop begins.
    """
    head = next((item for item in ancestors(node) if item.type == "for_statement"), loop.node)
    begins = head.id != loop.node.id and not inside(node, field(head, "body"))
    reached = inside(node, loop.body) and runs_always(head if begins else node, loop, inner)
    ends = [end for item in inner for end in (item.first, item.bound)]
    return (
        reached
        and all(map(goes_through, inner))
        and _is_fixed(node, loop, variables, loop.variable)
        and all(_is_fixed(end, loop, variables) and not any(find(end, *_MEMORY)) for end in ends)
    )


def _is_fixed(node: Node, loop: Loop, variables: Variables, *but: Variable) -> bool:
    """Tell whether all that an expression names, but for some variables, keeps its value in a loop."""
    used = [variables.of(item) for item in find(node, "identifier")]
    return all(
        item is not None
        and (
            item in but
            or not (
                inside(item.declaration, loop.node) or any(inside(write, loop.node) for write in item.writes)
            )
        )
        for item in used
    )


def _counts_up(loop: Loop) -> bool:
    """Tell whether the number of iterations can be told by subtraction."""
    signed = loop.variable.bare in SIGNED
    return loop.step == 1 and (signed or source(unparenthesized(loop.first)) == "0")


def _is_worth_it(loop: Loop) -> bool:
    """Tell whether an iteration takes longer than to look at its index."""
    calls = (called(item).removeprefix("std::") for item in find(loop.body, "call_expression"))
    return any(find(loop.body, *LOOPS)) or any(item in PURE and item not in _CHEAP for item in calls)
