"""Where statements may be put around a loop and into it, and names that nothing else has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, LOOPS, Function, ancestors, field, find, indentation


def in_block(node: Node) -> bool:
    """Tell whether other statements may stand beside a statement."""
    return node.parent is not None and node.parent.type == "compound_statement"


def first_changed(
    function: Function, edits_of: Callable[[Node], Iterable[Edit[str]]], *types: str
) -> str | None:
    """Return the text with the edits of the first loop of these types that has some; None where none has.

    Only loops are asked beside which other statements may stand.
    """
    for node in find(function.body, *types):
        edits = list(edits_of(node)) if in_block(node) else []
        if edits:
            return function.edited(edits)
    return None


def continues(loop: Node) -> bool:
    """Tell whether an iteration may end before its last statement and be followed by the next."""
    return any(
        next(parent for parent in ancestors(jump) if parent.type in LOOPS).id == loop.id
        for jump in find(field(loop, "body"), "continue_statement")
    )


def before(function: Function, node: Node, lines: Sequence[str]) -> str:
    """Return statements as the text in front of one in a block."""
    indent = indentation(function.text, node.start_byte)
    return "".join(f"{line}\n{indent}" for line in lines)


def after(function: Function, node: Node, line: str) -> Edit[str]:
    """Return the edit that puts a statement behind one in a block."""
    return Edit(node.end_byte, node.end_byte, f"\n{indentation(function.text, node.start_byte)}{line}")


def ending(function: Function, loop: Node, lines: Sequence[str]) -> Iterator[Edit[str]]:
    """Yield the edits that put statements at the end of a loop's body."""
    body, outer = field(loop, "body"), indentation(function.text, loop.start_byte)
    added = "".join(f"\n{outer}{INDENT}{line}" for line in lines) + f"\n{outer}"
    if body.type == "compound_statement":
        brace = body.end_byte - 1
        yield Edit(len(function.text[:brace].rstrip()), brace, added)
        return
    yield Edit(closed(loop), body.start_byte, f" {{\n{outer}{INDENT}")
    yield Edit(body.end_byte, body.end_byte, added + "}")


def beginning(function: Function, loop: Node, line: str) -> Iterator[Edit[str]]:
    """Yield the edits that put a statement at the beginning of a loop's body."""
    body, outer = field(loop, "body"), indentation(function.text, loop.start_byte)
    if body.type == "compound_statement":
        yield Edit(body.start_byte + 1, body.start_byte + 1, f"\n{outer}{INDENT}{line}")
        return
    yield Edit(closed(loop), body.start_byte, f" {{\n{outer}{INDENT}{line}\n{outer}{INDENT}")
    yield Edit(body.end_byte, body.end_byte, f"\n{outer}}}")


def closed(loop: Node) -> int:
    """Return where the head of a loop ends; comments may stand between it and the body."""
    head = field(loop, "body").prev_sibling
    while head is not None and head.type == "comment":
        head = head.prev_sibling
    assert head is not None
    return head.end_byte
