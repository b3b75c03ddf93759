"""Pieces of C++ text that know how strongly they bind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Binding(IntEnum):
    """Precedence of an expression of C++; the strongest last."""

    COMMA = 0
    CONDITIONAL = 2
    OR = 3
    AND = 4
    EQUAL = 8
    LESS = 9
    SHIFT = 10
    ADD = 11
    TIMES = 12
    UNARY = 14
    PRIMARY = 16


@dataclass(frozen=True, slots=True)
class Code:
    """An expression of C++."""

    text: str
    binding: Binding = Binding.PRIMARY

    def within(self, least: Binding) -> str:
        """Return the text, in parentheses where it binds less than needed."""
        return self.text if self.binding >= least else f"({self.text})"


def join(left: Code, operator: str, right: Code, binding: Binding) -> Code:
    """Return an operation that binds from the left."""
    return Code(f"{left.within(binding)} {operator} {right.within(Binding(_next(binding)))}", binding)


def _next(binding: Binding) -> int:
    return min(item for item in Binding if item > binding)


def call(function: str, *arguments: str) -> Code:
    """Return a call of a function."""
    return Code(f"{function}({', '.join(arguments)})")


class Writer:
    """Lines of C++ with their indentation."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.origins: list[int] = []
        """Of each line the line of Fortran that it comes from; 0 where there is none."""
        self.origin = 0
        self.depth = depth

    def line(self, text: str = "") -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + text if text else "")
        self.origins.append(self.origin)

    def open(self, text: str = "") -> None:
        """Add a line that opens a block."""
        self.line(f"{text} {{" if text else "{")
        self.depth += 1

    def close(self, text: str = "") -> None:
        """Add a line that closes a block."""
        self.depth -= 1
        self.line("}" + text)

    def outdented(self, text: str) -> None:
        """Add a line one level to the left, as labels stand."""
        self.lines.append("    " * max(self.depth - 1, 0) + text)
        self.origins.append(self.origin)

    def drop(self, at: int) -> None:
        """Take a line away."""
        del self.lines[at], self.origins[at]

    def text(self) -> str:
        """Return all lines."""
        return "\n".join(self.lines) + "\n"
