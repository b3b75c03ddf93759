"""Sizes that a kernel goes through in steps as long as a block is wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import lcm

from tree_sitter import Node

from transpile.code.trees import descendants, text
from transpile.contracts.text.size_products import Text

_BLOCK = re.compile(r"blockDim\.[xyz]")


def stepped(whole: Text, size: int) -> frozenset[str]:
    """Return the scalars that tiles of a size are counted by.

    A loop up to such a scalar goes ahead by the size (``for (k = 0; k < n; k += 16)``), or counts as many
    tiles as the scalar has (``n / 16``). What is left over at the end is mostly not thought of.

    Args:
        whole: The functions of a kernel.
        size: Threads of a block on an axis, which ``blockDim``, constants of the source and template
            parameters may stand for.
    """
    found = (name for root in whole.functions.values() for name in _counted(root, whole, size))
    return frozenset(found) & whole.scalars


def steps(whole: Text) -> dict[str, int]:
    """Return the scalars up to which loops go ahead by constants, with the least multiple of these."""
    found: dict[str, int] = {}
    for root in whole.functions.values():
        for step, end in _ahead(root):
            number = _constant(step, whole)
            if number > 1 and text(end) in whole.scalars:
                found[text(end)] = lcm(number, found.get(text(end), 1))
    return found


def _constant(node: Node | None, whole: Text) -> int:
    """Return the number that an expression is, by its digits or by a name of the source's; 0 for none."""
    written = text(node)
    spelt = (written, text(whole.constant(written)).strip("() "), whole.arguments.get(written) or "")
    return next((int(item) for item in spelt if item.isdigit()), 0)


def _counted(root: Node, whole: Text, size: int) -> Iterator[str]:
    for step, end in _ahead(root):
        if _is_size(step, whole, size):
            yield text(end)
    for quotient in descendants(root, "binary_expression"):
        if text(quotient.child_by_field_name("operator")) == "/" and _is_size(_right(quotient), whole, size):
            yield text(quotient.child_by_field_name("left"))


def _ahead(root: Node) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield by what loops go ahead, and up to what."""
    for loop in descendants(root, "for_statement"):
        update, condition = loop.child_by_field_name("update"), loop.child_by_field_name("condition")
        if update is not None and condition is not None and _adds(update):
            yield _right(update), _right(condition)
    for kind in ("while_statement", "do_statement"):
        for loop in descendants(root, kind):
            yield from _ahead_in(loop)


def _ahead_in(loop: Node) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield by what the body of a loop without a head of its own takes on what its condition compares."""
    body, conditions = loop.child_by_field_name("body"), loop.child_by_field_name("condition")
    if body is None or conditions is None:
        return
    for condition in descendants(conditions, "binary_expression"):
        counter = text(condition.child_by_field_name("left"))
        for update in descendants(body, "assignment_expression"):
            if _adds(update) and text(update.child_by_field_name("left")) == counter:
                yield _right(update), _right(condition)


def _adds(update: Node) -> bool:
    return update.type == "assignment_expression" and text(update.child_by_field_name("operator")) == "+="


def _right(node: Node) -> Node | None:
    return node.child_by_field_name("right")


def _is_size(node: Node | None, whole: Text, size: int) -> bool:
    """Tell whether an expression is the size, by its digits or by a name of the source's."""
    written = text(node)
    return bool(_BLOCK.fullmatch(written)) or str(size) in (
        written,
        text(whole.constant(written)).strip("() "),
        whole.arguments.get(written),
    )
