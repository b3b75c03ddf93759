"""Lines of kernels with tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from transpile.translators.rules.polynomial import Polynomial, spelled
from transpile.translators.rules.syntax import INDENT, Edit, Function, apply, indentation, reindent


def statement_lines(function: Function, node: Node, edits: Sequence[Edit] = ()) -> list[str]:
    """Return a statement of a function with edits made, as lines that are not indented."""
    text = apply(function.text, edits, node.start_byte, node.end_byte)
    return reindent(text, indentation(function.text, node.start_byte), "").split("\n")


def deeper(given: Iterable[str], steps: int = 1) -> list[str]:
    """Return lines some steps further in."""
    return [INDENT * steps + line if line else line for line in given]


def plus(text: str, value: Polynomial) -> str:
    """Return the sum of an expression and a polynomial, as C."""
    if not value:
        return text
    more = spelled(value)
    return f"{text} - {more[1:]}" if more.startswith("-") else f"{text} + {more}"


def bare(value: Polynomial, cast: str = "") -> Polynomial:
    """Return a polynomial over the names of the text, the first of each product in the type of a cast."""
    terms = {tuple(item.partition("@")[0] for item in monomial): factor for monomial, factor in value.items()}
    return {(cast + names[0], *names[1:]) if names else (): factor for names, factor in terms.items()}
