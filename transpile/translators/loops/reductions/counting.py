"""The loop that counts what another one appends: its conditions and steps, and what these rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from transpile.code.syntax import (
    INDENT,
    Function,
    alternative,
    block_statements,
    consequence,
    field,
    indentation,
    reindent,
)
from transpile.translators.loops.iteration.places import closed
from transpile.translators.loops.reductions.slices import Slice


def counted(function: Function, kept: Slice, counts: Mapping[int, str], node: Node) -> Iterator[str]:
    """Yield the lines that a statement of a loop's body becomes; none where it has nothing to do with it.

    Args:
        function: The function.
        kept: What has to be gone through to count.
        counts: What counts in the place of a statement that appends.
        node: The statement.
    """
    if node.id not in kept.kept:
        return
    if node.id in counts:
        yield counts[node.id]
    elif node.type == "compound_statement":
        for item in block_statements(node):
            yield from counted(function, kept, counts, item)
    elif node.type == "if_statement":
        yield from _chosen(function, kept, counts, node)
    elif (body := node.child_by_field_name("body")) is not None:
        yield from _under(_moved(function, node, closed(node)), list(counted(function, kept, counts, body)))
    else:
        yield from _moved(function, node, node.end_byte).split("\n")


def _chosen(function: Function, kept: Slice, counts: Mapping[int, str], node: Node) -> Iterator[str]:
    """Yield an ``if`` with what is left of its branches."""
    test, other = field(node, "condition"), alternative(node)
    taken = list(counted(function, kept, counts, consequence(node)))
    left = list(counted(function, kept, counts, other)) if other is not None else []
    asked = _moved(function, test, test.end_byte)
    if left and not taken:
        yield from _under(f"if (!{asked})", left)
        return
    *lines, last = _under(f"if {asked}", taken)
    yield from lines
    if not left:
        yield last
        return
    first, *rest = [f"else {left[0]}", *left[1:]] if left[0].startswith("if ") else _under("else", left)
    yield from (f"}} {first}",) if last == "}" else (last, first)
    yield from rest


def _under(head: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines under a head, in braces unless they are one plain statement."""
    if len(lines) == 1 and not lines[0].startswith(("if ", "for ", "while ")):
        yield from f"{head} {lines[0]}".split("\n")
        return
    yield from f"{head} {{".split("\n")
    yield from (INDENT + line for line in lines)
    yield "}"


def _moved(function: Function, node: Node, end: int) -> str:
    """Return the text from where a node begins, as if nothing around it were indented."""
    return reindent(function.text[node.start_byte : end], indentation(function.text, node.start_byte), "")
