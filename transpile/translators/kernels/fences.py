"""Fences within a block, where one thread of the host runs all threads of a block."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import find, source, squeeze
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import BLOCK_FENCE


def block_fences(draft: Draft) -> Draft:
    """Leave out fences within a block, unless its threads have become turns of a parallel loop.

    What a thread of the host has written it reads in the order in which it wrote it.
    """
    if draft.parallel or BLOCK_FENCE not in draft.text:
        return draft
    function = draft.function
    return draft.after("block-fences", function.edited([_without(node) for node in _fences(function.body)]))


def _fences(body: Node) -> Iterator[Node]:
    return (
        node for node in find(body, "expression_statement") if squeeze(source(node)) == f"{BLOCK_FENCE}();"
    )


def _without(fence: Node) -> Edit[str]:
    """Return the edit that takes a fence out, with the white space before it where others stand beside it."""
    before = fence.prev_sibling
    beside = fence.parent is not None and fence.parent.type in ("compound_statement", "case_statement")
    if not beside or before is None:
        return Edit(fence.start_byte, fence.end_byte, "{}")
    return Edit(before.end_byte, fence.end_byte, "")
