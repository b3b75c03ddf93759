"""The loop that counts what another one appends: its conditions and steps, and what these rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.translators.loops.compactions import Compaction
from transpile.translators.loops.forms.places import closed
from transpile.translators.rules.syntax import (
    INDENT,
    Function,
    alternative,
    block_statements,
    consequence,
    field,
    indentation,
    reindent,
    source,
)


def counted(function: Function, found: Compaction, node: Node) -> Iterator[str]:
    """Yield the lines that a statement of a loop's body becomes; none where it has nothing to do with it."""
    step = next((item for item in found.steps if item.statement.id == node.id), None)
    if node.id not in found.slice.kept:
        return
    if step is not None:
        yield f"{source(step.node)};"
    elif node.type == "compound_statement":
        for item in block_statements(node):
            yield from counted(function, found, item)
    elif node.type == "if_statement":
        yield from _chosen(function, found, node)
    elif (body := node.child_by_field_name("body")) is not None:
        yield from _under(_moved(function, node, closed(node)), list(counted(function, found, body)))
    else:
        yield from _moved(function, node, node.end_byte).split("\n")


def _chosen(function: Function, found: Compaction, node: Node) -> Iterator[str]:
    """Yield an ``if`` with what is left of its branches."""
    test, other = field(node, "condition"), alternative(node)
    taken = list(counted(function, found, consequence(node)))
    left = list(counted(function, found, other)) if other is not None else []
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
