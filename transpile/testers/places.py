"""Where candidates stand while they are judged: in the translation unit of their source.

C is not C++: what stands beside a candidate for a C function is that file without its functions, but for
those that the candidate calls, compiled as C++.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from transpile.assemble import hip, stdpar
from transpile.core import Dialect, ProgrammingModel, Source, TranslationUnit, UnitKind
from transpile.parsers import c_brackets, c_rows
from transpile.parsers.discovery import HEADERS
from transpile.parsers.hosts import is_c, is_plain

_AS_CPP = ("-Drestrict=__restrict__", "-fno-sanitize=vla-bound")
"""Flags for C. A parameter may lead to rows of no element, a variable that views it as such may not."""
_FUNCTIONS = (UnitKind.FUNCTION, UnitKind.GLUE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A translation unit that candidates are inserted into."""

    unit: TranslationUnit
    """Its path may be of no file of the source."""
    plain: bool
    """No CUDA is in the source."""
    without: frozenset[str] = frozenset()
    """Units whose text is left out."""
    of_c: bool = False
    """What stands there is C, and is compiled as C++."""

    def read(self, files: Mapping[str, bytes], path: str) -> dict[str, bytes]:
        """Return files with the text of the unit, held there under a path, as its language reads it."""
        texts = dict(files)
        if not self.of_c:
            return texts | {self.unit.path: texts[path]}
        headers = {
            name: _as_read(data) for name, data in files.items() if PurePosixPath(name).suffix in HEADERS
        }
        return texts | headers | {self.unit.path: _as_read(texts[path])}


def surroundings(source: Source, dialect: Dialect) -> Source:
    """Return what stands around a candidate of a dialect."""
    if dialect.model is ProgrammingModel.STDPAR:
        return stdpar.surroundings(source)
    return hip.surroundings(source, dialect)


def candidate_place(
    source: Source, unit: TranslationUnit, insertions: Sequence[Mapping[str, bytes]], dialect: Dialect
) -> Place:
    """Return where the texts, by unit id, go that are inserted into a translation unit."""
    if dialect.model is ProgrammingModel.STDPAR:
        unit = replace(unit, flags=stdpar.flags(unit.flags))
    plain = is_plain(source.units, unit.path)
    if not plain or not is_c(unit.path):
        return Place(unit=unit, plain=plain)
    inserted = {identifier for texts in insertions for identifier in texts}
    called = {part.id for name in inserted for part in source.closure(source.unit(name))} - inserted
    return Place(
        unit=replace(unit, path=f"{unit.path}.cpp", flags=(*_without_standard(unit.flags), *_AS_CPP)),
        plain=True,
        of_c=True,
        without=frozenset(
            item.id for item in source.units if item.kind in _FUNCTIONS and item.id not in called
        ),
    )


def _as_read(data: bytes) -> bytes:
    """Return a text of C whose parameters C++ reads as well."""
    return c_rows.flat(c_brackets.without(data))


def _without_standard(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the flags without a standard of C."""
    return tuple(flag for flag in flags if not flag.startswith("-std=") or "++" in flag)
