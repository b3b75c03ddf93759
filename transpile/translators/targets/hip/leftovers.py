"""Text without an equivalent in HIP: names by the table of what it lacks, and PTX assembly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from transpile.code.edits import line_of
from transpile.code.lexer import every_word, tokenize
from transpile.core import Diagnostic, Severity, Source
from transpile.parsers.ptx.places import places
from transpile.translators.targets.hip import helpers, tables

_OF_ASSEMBLY = frozenset((b"__globaltimer", b"__nanosleep", b"__fns"))
"""Functions that stand for assembly, which HIP has no equivalent of and no documentation lists."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A piece of a text that stays as it is."""

    line: int
    name: str
    """What has no equivalent."""


def lacking_names(port: Source) -> frozenset[bytes]:
    """Return the names that HIP has nothing for, and neither a source in HIP itself nor its own rows."""
    units = frozenset(unit.name.rpartition("::")[2].encode() for unit in port.units)
    known = units.union(helpers.OF_WORDS, *map(_macros, port.files.values()))
    return (tables.lacking(port.files.get(tables.OWN, b"")) | _OF_ASSEMBLY) - known


@lru_cache(maxsize=512)
def _macros(data: bytes) -> frozenset[bytes]:
    return frozenset(macro.name for macro in tokenize(data).macros)


def leftovers(data: bytes, lacking: frozenset[bytes]) -> Iterator[Leftover]:
    """Yield what of a text HIP has nothing for.

    Args:
        data: The text, in HIP otherwise.
        lacking: Names that nobody has.
    """
    for token in every_word(data):
        if token.text in lacking:
            yield Leftover(line_of(data, token.start), token.text.decode())
    for place in places(data):
        if place.refused and place.ptx:
            yield Leftover(line_of(data, place.start), f"inline PTX ({place.refused})")


def missing(path: str, line: int, leftover: Leftover, severity: Severity) -> Diagnostic:
    """Return that HIP has nothing for what stands there."""
    message = f"HIP has no equivalent of `{leftover.name}`, which stays as it is"
    return Diagnostic(code="TP212", severity=severity, path=path, line=line, message=message)
