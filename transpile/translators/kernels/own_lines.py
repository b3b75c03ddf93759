"""Statements on lines of their own, so that directives and others may stand beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, Function, ancestors, begins_line, indentation


def on_own_line(function: Function, *statements: Node) -> str:
    """Return the text of a function in which statements, and others of their outermost blocks, begin lines.

    Asked again, it goes on with the blocks inside. A statement that is a branch by itself, with no block,
    stays where it is.
    """
    edits: dict[Edit[str], None] = {}
    for statement in statements:
        blocks = [node for node in ancestors(statement) if node.type == "compound_statement"]
        # Where an inner block goes is known once the outer one is open.
        opened = (tuple(_opened(function, block)) for block in reversed(blocks))
        edits |= dict.fromkeys(next(filter(None, opened), ()))
    return function.edited(edits)


def in_place_of(function: Function, statement: Node, lines: Sequence[str]) -> Edit[str]:
    """Return the edit that puts lines in the place of a statement, in braces where it is a branch."""
    text = function.text
    start, end = statement.start_byte, statement.end_byte
    indent = indentation(text, start)
    parent = statement.parent
    if parent is None or parent.type in ("compound_statement", "case_statement"):
        return Edit(start, end, ("\n" + indent).join(lines))
    if len(lines) == 1 and not lines[0].startswith("#"):
        return Edit(start, end, lines[0])
    if parent.type == "else_clause":
        parent = parent.parent
    indent = indentation(text, parent.start_byte) if parent is not None else indent
    inner = ("\n" + indent + INDENT).join(["{", *lines])
    return Edit(len(text[:start].rstrip()), end, " " + inner + "\n" + indent + "}")


def _opened(function: Function, block: Node) -> Iterator[Edit[str]]:
    """Yield what puts the statements of a block, and its brace, on lines of their own."""
    text, outer = function.text, indentation(function.text, block.start_byte)
    indent, before = outer + INDENT, block.start_byte + 1
    for child in block.named_children:
        if child.type != "comment" and not begins_line(text, child.start_byte):
            yield Edit(before, child.start_byte, f"\n{indent}")
        before = child.end_byte
    if not begins_line(text, block.end_byte - 1):
        yield Edit(before, block.end_byte - 1, f"\n{outer}")
