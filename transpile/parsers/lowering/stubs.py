"""Bodies left out of a library build: what the emulator does not declare, or declares only in part.

A library build judges the kernels of a file. A function that speaks of textures or graphs could keep all
others from being compiled, so its body becomes a trap. So does all that one kernel does not need, where the
file cannot be compiled as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from transpile.code.edits import Edit
from transpile.code.lexer import closing, tokenize
from transpile.core import Source, Unit
from transpile.parsers.lowering.declarations import last_name

_UNDECLARED = re.compile(
    rb"\btex[123C]\w*\s*[(<]|\bsurf[123C]\w*\s*[(<]|cuda\w*(?:Texture|Surface)|cudaResourceDesc|cudaArray\w*"
    rb"|cudaChannelFormat|cudaGraph|nvcuda"
)

_WORD = re.compile(rb"[A-Za-z_]\w*")


def stubs(source: Source, needed: Collection[str] = ()) -> dict[str, list[Edit[bytes]]]:
    """Return the edits, by path, that replace the bodies of such functions.

    Args:
        source: What the functions are of.
        needed: Ids of units. Where there are any, all that these do not mention is left out as well.
    """
    edits: dict[str, list[Edit[bytes]]] = {}
    idle = _idle(source.units, needed) if needed else frozenset()
    for unit in source.units:
        left_out = unit.id in idle or _undeclared(unit)
        if left_out and (stub := trapped(unit)) is not None:
            edits.setdefault(unit.path, []).append(stub)
    return edits


def _idle(units: Sequence[Unit], needed: Collection[str]) -> frozenset[str]:
    """Return the units that others do not need: what is not mentioned there, or in what is."""
    idle = {unit.id: unit for unit in units if unit.id not in needed}
    mentioned = {word for unit in units if unit.id in needed for word in _WORD.findall(unit.text)}
    while reached := [unit for unit in idle.values() if last_name(unit) in mentioned]:
        for unit in reached:
            mentioned.update(_WORD.findall(idle.pop(unit.id).text))
    return frozenset(idle)


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
