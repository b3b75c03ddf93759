"""Trip counts of counted loops, and values of their variables in a given iteration, as C."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

from tree_sitter import Node

from transpile.code.syntax import LOOPS, find, source, unparenthesized
from transpile.translators.loops.iteration.nests import Loop

_ENDS_IN_NUMBER = re.compile(r"(.+?)\s*([+-])\s*(\d+)")
_LOOSE = re.compile(r"[?<=&|^]|(?<!-)>")
"""Operators that bind less than a sum, of which an arrow is none."""
_FEW = 1024
_SIMPLE = re.compile(r"[\w.]+(?:->\w+|\.size\(\))?")
"""Names, numbers, members, and lengths of containers."""


def count(loop: Loop) -> str:
    """Return the number of iterations, which is not positive where there are none."""
    first, bound = _first(loop), _text(loop.bound)
    low, high = (first, bound) if loop.step > 0 else (bound, first)
    distance = moved(high, int(loop.inclusive))
    if low.isdigit():
        distance = moved(high, int(loop.inclusive) - int(low))
    else:
        distance = f"{distance} - {grouped(low)}"
    step = abs(loop.step)
    return distance if step == 1 else f"({distance} + {step - 1}) / {step}"


def few(loop: Loop) -> bool:
    """Tell whether a loop is known to be done before threads would have agreed on what they found."""
    times = count(loop)
    return times.isdigit() and int(times) <= _FEW and not any(True for _ in find(loop.body, *LOOPS))


def runs(loop: Loop) -> bool:
    """Tell whether a loop is known to have an iteration."""
    times = count(loop)
    return times.isdigit() and int(times) > 0


def most(node: Node, loops: Iterable[Loop]) -> int:
    """Return how many iterations the loops in a node make at most; 0 where no numbers say that these are few.

    Args:
        node: A loop, or what is repeated.
        loops: The counted loops of its nest.
    """
    counts = {item.node.id: count(item) for item in loops}
    inside = [counts.get(item.id, "") for item in find(node, *LOOPS)]
    if not all(item.isdigit() for item in inside):
        return 0
    total = prod(map(int, inside))
    return total if total <= _FEW else 0


def short(node: Node, loops: Iterable[Loop]) -> bool:
    """Tell whether a loop, with all in it, is known to be done before threads would have begun.

    What is called may take any time.
    """
    return most(node, loops) > 0 and not any(True for _ in find(node, "call_expression"))


def some(loop: Loop) -> str:
    """Return that there are iterations, by a comparison like the loop's own, so that nothing wraps."""
    first, bound = _first(loop), _text(loop.bound)
    sign = ">" if loop.step > 0 else "<"
    return f"{tight(bound)} {sign}{'=' * loop.inclusive} {tight(first)}"


def value(loop: Loop, number: str) -> str:
    """Return the loop's variable in the run of that number, which is an expression of its own."""
    first = _first(loop)
    scaled = number if abs(loop.step) == 1 else f"{abs(loop.step)} * ({number})"
    if loop.step < 0:
        return f"{first} - ({scaled})"
    return scaled if first == "0" else f"{grouped(first)} + {scaled}"


def ends(loop: Loop) -> tuple[str, str]:
    """Return the variable's first value, and the one at which it has gone too far."""
    beyond = int(loop.inclusive) if loop.step > 0 else -int(loop.inclusive)
    return _first(loop), moved(_text(loop.bound), beyond)


def tight(text: str) -> str:
    """Return an expression that may stand beside a plus, a minus or a comparison."""
    return f"({text})" if _LOOSE.search(text) else text


def grouped(text: str) -> str:
    """Return an expression that may stand beside any operator."""
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def moved(text: str, amount: int) -> str:
    """Return an expression plus a number, which joins the one that the expression ends with."""
    found = _ENDS_IN_NUMBER.fullmatch(text)
    if found is not None and not _LOOSE.search(found[1]):
        amount += int(found[3]) if found[2] == "+" else -int(found[3])
        text = found[1].strip()
    if text.isdigit():
        return str(int(text) + amount)
    return tight(text) if not amount else f"{tight(text)} {'+' if amount > 0 else '-'} {abs(amount)}"


def _first(loop: Loop) -> str:
    """Return the first value, as the variable has it."""
    text = _text(loop.first)
    return f"({loop.variable.type.replace('const ', '')})({text})" if loop.converted else text


def _text(node: Node) -> str:
    return source(unparenthesized(node))
