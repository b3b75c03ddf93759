"""Launches through the runtime's functions: ``cudaLaunchCooperativeKernel((void *)kernel, …)``.

They take the kernel as an address of no type, so the emulator would not know its parameters. The cast goes,
and the kernel's name is passed along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.code.edits import Change, Edit, line_ends
from transpile.code.lexer import Token, closing, quoted, spelled, split

_LAUNCHERS = frozenset(
    vendor + name for vendor in (b"cuda", b"hip") for name in (b"LaunchKernel", b"LaunchCooperativeKernel")
)
_NAMED_CASTS = (b"reinterpret_cast", b"static_cast", b"const_cast")
_UNTYPED = ("void*", "const void*", "void const*")


def packed_launch_edits(data: bytes, tokens: Sequence[Token]) -> Iterator[Change]:
    """Yield what changes for each launch whose kernel is an expression that names it."""
    for index, token in enumerate(tokens[:-1]):
        if token.text in _LAUNCHERS and tokens[index + 1].text == b"(":
            close = closing(tokens, index + 1)
            arguments = split(tokens[index + 2 : close]) if close else []
            if len(arguments) < 4 or not arguments[0]:
                continue
            kernel = _without_cast(arguments[0])
            if kernel:
                start, end = arguments[0][0].start, arguments[0][-1].end
                name = spelled(kernel).encode("utf-8", "surrogateescape")
                text = b"simt::named(" + quoted(name) + b", " + name + b")" + line_ends(data[start:end])
                yield (Edit(start, end, text),)


def _without_cast(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the operand of casts to an address of no type, and of the address operator."""
    while tokens:
        if tokens[0].text == b"&":
            tokens = tokens[1:]
        elif tokens[0].text in _NAMED_CASTS and tokens[-1].text == b")":
            opened = next((at for at, token in enumerate(tokens) if token.text == b"("), len(tokens))
            if spelled(tokens[2 : opened - 1]) not in _UNTYPED:
                return tokens
            tokens = tokens[opened + 1 : -1]
        elif tokens[0].text == b"(":
            close = closing(tokens, 0)
            if close is None:
                return tokens
            if close == len(tokens) - 1:
                tokens = tokens[1:-1]
            elif spelled(tokens[1:close]) in _UNTYPED:
                tokens = tokens[close + 1 :]
            else:
                return tokens
        else:
            break
    return tokens
