"""Launch bounds: the most threads that a block of a kernel may have (CUDA C++ Programming Guide, 10.38)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token, Tokens, closing, split

_ATTRIBUTE = b"__launch_bounds__"
_OPERATORS = frozenset((b"*", b"+", b"-", b"/", b"(", b")"))
_ENDS = frozenset((b"{", b"}", b";"))


@dataclass(frozen=True, slots=True)
class LaunchBounds:
    """Kernels of a file in the order of its text, with the most threads of their blocks where they say so."""

    kernels: tuple[tuple[int, bytes, bytes], ...]
    """Where each begins, its name, and the expression; empty without one, or with a template's parameter."""

    def of(self, name: bytes, place: int) -> bytes:
        """Return the bound of the kernel that a name means at a place: candidates bring namesakes."""
        named = [(start, bound) for start, kernel, bound in self.kernels if kernel == name]
        before = [bound for start, bound in named if start < place]
        return before[-1] if before else named[0][1] if named else b""


def launch_bounds(tokens: Tokens) -> LaunchBounds:
    """Find the kernels of a file and their bounds."""
    constants = {macro.name for macro in tokens.macros if macro.parameters is None}
    text = tokens.text
    found = []
    for index, token in enumerate(text):
        if token.text == b"__global__":
            name, bound = _declared(text, index + 1, constants)
            if name:
                found.append((token.start, name, bound))
    return LaunchBounds(tuple(found))


def _declared(text: Sequence[Token], at: int, constants: set[bytes]) -> tuple[bytes, bytes]:
    """Return the name and the bound of a kernel whose declaration goes on at a token."""
    bound = name = b""
    while at + 1 < len(text) and text[at].text not in _ENDS:
        close = closing(text, at + 1) if text[at + 1].text == b"(" else None
        if text[at].text == _ATTRIBUTE and close is not None:
            bound = _constant(split(text[at + 2 : close]), constants)
            at = close
        elif close is not None:
            name = name or text[at].text
            at = close
        at += 1
    return name, bound


def _constant(arguments: Sequence[Sequence[Token]], constants: set[bytes]) -> bytes:
    most = arguments[0] if arguments else ()
    constant = all(
        part.kind is Kind.NUMBER or part.text in _OPERATORS or part.text in constants for part in most
    )
    return b" ".join(part.text for part in most) if constant else b""
