"""Places in a function that a reason is about, and the reason with their lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import quoted


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """A part of a reason, and the syntax that it is about."""

    text: str
    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Reason:
    """A reason not to run something in parallel."""

    text: str
    mentions: tuple[Mention, ...] = ()
    """Parts of the text that are about places in the function, in their order."""


NO_REASON = Reason("")


def mention(node: Node) -> Mention:
    """Return the mention of an expression that a reason quotes."""
    return Mention(quoted(node), node)


def with_lines(reason: Reason, line_of: Callable[[Node], int | None]) -> str:
    """Return a reason with the line of each mention behind it, as far as lines are known."""
    text, done = reason.text, 0
    for item in reason.mentions:
        at, line = text.find(item.text, done), line_of(item.node)
        if at < 0 or line is None:
            continue
        end, told = at + len(item.text), f" (line {line})"
        text = text[:end] + told + text[end:]
        done = end + len(told)
    return text
