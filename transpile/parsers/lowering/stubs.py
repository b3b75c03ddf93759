"""Bodies left out of a library build because of what the emulator does not declare, or only in part.

A library build judges the kernels of a file. A function that speaks of textures or graphs could keep all
others from being compiled, so its body becomes a trap.
"""

from __future__ import annotations

import re

from transpile.code.edits import Edit
from transpile.code.lexer import closing, tokenize
from transpile.core import Source, Unit

_UNDECLARED = re.compile(
    rb"\btex[123C]\w*\s*[(<]|\bsurf[123C]\w*\s*[(<]|cuda\w*(?:Texture|Surface)|cudaResourceDesc|cudaArray\w*"
    rb"|cudaChannelFormat|cudaGraph|nvcuda"
)


def stubs(source: Source) -> dict[str, list[Edit[bytes]]]:
    """Return the edits, by path, that replace the bodies of such functions."""
    edits: dict[str, list[Edit[bytes]]] = {}
    for unit in source.units:
        if _undeclared(unit) and (stub := trapped(unit)) is not None:
            edits.setdefault(unit.path, []).append(stub)
    return edits


def _undeclared(unit: Unit) -> bool:
    """Tell whether the body of a unit speaks of such things, and not its head, which no trap would help."""
    body = unit.text.find(b"{")
    return body >= 0 and _UNDECLARED.search(unit.text, body) is not None


def trapped(unit: Unit) -> Edit[bytes] | None:
    """Return the edit that makes a trap of a function's body; None where it has none."""
    tokens = tokenize(unit.text).text
    last = len(tokens) - 1
    body = next(
        (at for at, token in enumerate(tokens) if token.text == b"{" and closing(tokens, at) == last), None
    )
    if body is None:
        return None
    start, end = tokens[body].start, tokens[last].end
    text = b"{ __builtin_trap(); " + b"\n" * unit.text.count(b"\n", start, end) + b"}"
    return Edit(unit.span.start + start, unit.span.start + end, text)
