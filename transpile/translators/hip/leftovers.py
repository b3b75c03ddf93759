"""What HIP has nothing for: names by the table of what it lacks, and assembly of NVIDIA's devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transpile.parsers import unsupported
from transpile.parsers.edits import line_of
from transpile.parsers.lexer import every_word, tokenize
from transpile.translators.hip import helpers, tables

_ASSEMBLY = frozenset((b"asm", b"__asm__", b"__asm"))


@dataclass(frozen=True, slots=True)
class Leftover:
    """A piece of a text that stays as it is."""

    line: int
    name: str
    """What has no equivalent."""


def leftovers(data: bytes, own: frozenset[bytes] = frozenset()) -> Iterator[Leftover]:
    """Yield what of a text HIP has nothing for.

    Args:
        data: The text, in HIP otherwise.
        own: Names that the source defines itself.
    """
    lacking = tables.lacking() - helpers.OF_WORDS
    for token in every_word(data):
        if token.text in lacking and token.text not in own:
            yield Leftover(line_of(data, token.start), token.text.decode())
    for stream in tokenize(data).streams:
        for index, token in enumerate(stream):
            if token.text in _ASSEMBLY:
                end = unsupported.assembly_end(stream, index)
                if end is not None and unsupported.is_ptx(stream[index:end]):
                    yield Leftover(line_of(data, token.start), "inline PTX")


def defined(data: bytes) -> frozenset[bytes]:
    """Return the names of the macros that a file defines."""
    return frozenset(macro.name for macro in tokenize(data).macros)
