"""Ends of loops that are the lesser or the greater of two numbers, as those of tiles are at the edge.

In ``int end = begin + 8 > n ? n : begin + 8;`` both are ends that no iteration lies beyond.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.syntax import arguments, called, field, operator, source, squeeze, unparenthesized
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.iteration.wrapping import is_of_whole_numbers

_NAMED = {"std::min": "<", "std::max": ">"}
_TURNED = {"<": ">", ">": "<"}
_TWO = 2


def ends(node: Node, values: Values, sign: str) -> Iterator[Node]:
    """Yield the numbers of which an end is the least one, or the greatest; others alone.

    Args:
        node: The end, as it stands in the loop.
        values: The reader of the nest.
        sign: ``<`` where the least number counts, ``>`` where the greatest does.
    """
    given = values.given(unparenthesized(node))
    several = _chosen(unparenthesized(given if given is not None else node), values, sign)
    if not several:
        yield node
    for part in several:
        yield from ends(part, values, sign)


def _chosen(node: Node, values: Values, sign: str) -> tuple[Node, ...]:
    """Return the two numbers of which a node is the lesser or the greater; nothing for other nodes."""
    if node.type == "call_expression":
        name, given = called(node), tuple(arguments(node))
        own = {"min": "<", "max": ">"} if name in values.around.choices else {}
        fits = {**_NAMED, **own}.get(name) == sign and len(given) == _TWO
        return given if fits and is_of_whole_numbers(node, values) else ()
    if node.type != "conditional_expression":
        return ()
    test = unparenthesized(field(node, "condition"))
    if test.type != "binary_expression" or not is_of_whole_numbers(test, values):
        return ()
    parts = field(node, "consequence"), field(node, "alternative")
    compared = [_text(field(test, side)) for side in ("left", "right")]
    found = operator(test).removesuffix("=")
    if compared == [_text(part) for part in reversed(parts)]:
        found = _TURNED.get(found, "")
    elif compared != [_text(part) for part in parts]:
        return ()
    return parts if found == sign else ()


def _text(node: Node) -> str:
    return squeeze(source(unparenthesized(node)))
