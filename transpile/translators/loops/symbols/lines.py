"""Lines of kernels and host code: statements of the source at another indentation, and their guards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import INDENT, Function, indentation, reindent


def lines_of(function: Function, node: Node, edits: Sequence[Edit[str]] = ()) -> list[str]:
    """Return a statement with edits made, at no indentation."""
    text = apply_outermost(function.text, edits, node.start_byte, node.end_byte)
    return reindent(text, indentation(function.text, node.start_byte), "").split("\n")


def deeper(inner: Iterable[str], steps: int = 1) -> list[str]:
    """Return lines some levels further in."""
    return [INDENT * steps + line if line else line for line in inner]


def with_head(head: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines behind a head, in braces where they are several."""
    if len(lines) == 1:
        return (head, *deeper(lines))
    return (f"{head} {{", *deeper(lines), "}")


def under(tests: Sequence[str], lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines that run where all tests hold."""
    if not tests:
        return lines
    text = tests[0] if len(tests) == 1 else " && ".join(f"({test})" for test in tests)
    return with_head(f"if ({text})", lines)


def either(test: str, chosen: Sequence[str], left: Sequence[str]) -> tuple[str, ...]:
    """Return a choice between lines, of which some are there."""
    if not left:
        return with_head(f"if ({test})", chosen)
    if not chosen:
        return with_head(f"if (!({test}))", left)
    return (f"if ({test}) {{", *deeper(chosen), "} else {", *deeper(left), "}")
