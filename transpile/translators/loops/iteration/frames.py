"""Lines above and below a loop that keeps its text, at another indentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, Function, find, indentation, reindent, source
from transpile.translators.loops.symbols.directives import hints

_OPENING = ("{", ")", "else")
"""Syntax before a statement that belongs to it, and is indented with it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Lines above and below a loop."""

    above: tuple[str, ...]
    below: tuple[str, ...] = ()
    depth: int = 0
    """Levels by which the loop is indented in it."""


def framed(function: Function, loop: Node, frame: Frame) -> Iterator[Edit[str]]:
    """Yield the edits that put a frame around a loop."""
    indent, deeper = indentation(function.text, loop.start_byte), INDENT * frame.depth
    for hint in hints(loop):  # what goes above it may not stand below
        yield Edit(function.text.rfind("\n", 0, hint.start_byte) + 1, hint.end_byte, "")
    alone = not frame.below and not frame.depth
    above = (
        lines_above(function, loop, *frame.above) if alone else _above(function, loop, frame.above, indent)
    )
    yield Edit(above.start, above.end, above.text + deeper)
    at = function.text.find("\n", loop.start_byte, loop.end_byte)
    while at != -1:
        if function.text[at + 1 : at + 2] not in ("\n", "#"):
            yield Edit(at + 1, at + 1, deeper)
        at = function.text.find("\n", at + 1, loop.end_byte)
    below = (indent + line if line else line for line in frame.below)
    yield Edit(loop.end_byte, loop.end_byte, "".join(f"\n{line}" for line in below))


def beside(function: Function, loop: Node, frame: Frame, apart: str) -> Frame:
    """Return a frame for arrays that lie apart, with the loop as it is beside it for those that overlap."""
    kept = reindent(source(loop), indentation(function.text, loop.start_byte), "").split("\n")
    return Frame(
        (f"if ({apart}) {{", *indented(frame.above)),
        (*indented(frame.below), "} else {", *indented(kept), "}"),
        frame.depth + 1,
    )


def numbered(function: Function, loop: Node) -> int:
    """Return how many loops of a function begin before one of them: a number for names of its own."""
    return sum(other.start_byte < loop.start_byte for other in find(function.body, "for_statement"))


def lines_above(function: Function, node: Node, *lines: str) -> Edit[str]:
    """Return the edit that puts lines above a statement, which begins a line then."""
    indent, before = indentation(function.text, node.start_byte), _before(function, node)
    if before.endswith(_OPENING) and "\n" not in source(node):
        indent += INDENT
    return _above(function, node, lines, indent)


def _above(function: Function, node: Node, lines: Iterable[str], indent: str) -> Edit[str]:
    start = f"\n{indent}" if _before(function, node) else ""
    return Edit(node.start_byte, node.start_byte, start + "".join(f"{line}\n{indent}" for line in lines))


def _before(function: Function, node: Node) -> str:
    """Return what stands before a statement in its line."""
    return function.text[function.text.rfind("\n", 0, node.start_byte) + 1 : node.start_byte].strip()


def on_own_lines(function: Function, edits: Sequence[Edit[str]]) -> Iterator[Edit[str]]:
    """Yield edits, those that begin lines above one statement as one: what stands before ends its line."""
    above: dict[int, list[Edit[str]]] = {}
    for edit in edits:
        if edit.start == edit.end:
            above.setdefault(edit.start, []).append(edit)
    broken = {at: found for at, found in above.items() if all(item.text.startswith("\n") for item in found)}
    yield from (edit for edit in edits if edit.start != edit.end or edit.start not in broken)
    for at, [first, *others] in broken.items():
        begin = len(function.text[:at].rstrip(" \t"))
        yield Edit(begin, at, first.text + "".join(item.text.lstrip() for item in others))


def indented(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines a level deeper, but for empty ones."""
    return tuple(INDENT + line if line else line for line in lines)
