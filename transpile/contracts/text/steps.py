"""Sizes that a kernel goes through in steps as long as a block is wide."""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def _counted(root: Node, whole: Text, size: int) -> Iterator[str]:
    for loop in descendants(root, "for_statement"):
        update, condition = loop.child_by_field_name("update"), loop.child_by_field_name("condition")
        if update is None or condition is None or update.type != "assignment_expression":
            continue
        if text(update.child_by_field_name("operator")) == "+=" and _is_size(_right(update), whole, size):
            yield text(_right(condition))
    for quotient in descendants(root, "binary_expression"):
        if text(quotient.child_by_field_name("operator")) == "/" and _is_size(_right(quotient), whole, size):
            yield text(quotient.child_by_field_name("left"))


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
