"""Lines of kernels: statements of the source that move to another indentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from transpile.translators.rules.syntax import INDENT, Edit, Function, apply, indentation, reindent


def lines_of(function: Function, node: Node, edits: Sequence[Edit] = ()) -> list[str]:
    """Return a statement with edits made, at no indentation."""
    text = apply(function.text, edits, node.start_byte, node.end_byte)
    return reindent(text, indentation(function.text, node.start_byte), "").split("\n")


def deeper(inner: Iterable[str], steps: int = 1) -> list[str]:
    """Return lines some levels further in."""
    return [INDENT * steps + line if line else line for line in inner]
