"""Where candidates stand while they are judged: in the translation unit of their source.

C is not C++: what stands beside a candidate for a C function is that file without its functions, but for
those that the candidate calls, compiled as C++.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.assemble import hip, stdpar
from transpile.core import Dialect, ProgrammingModel, Source, TranslationUnit, UnitKind
from transpile.parsers import c_brackets
from transpile.parsers.hosts import is_c, is_plain

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

    def text(self, data: bytes) -> bytes:
        """Return the text of the unit as its language reads it."""
        return c_brackets.without(data) if self.of_c else data


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
        unit=replace(unit, path=f"{unit.path}.cpp", flags=(*_as_cpp(unit.flags), "-Drestrict=__restrict__")),
        plain=True,
        of_c=True,
        without=frozenset(
            item.id for item in source.units if item.kind in _FUNCTIONS and item.id not in called
        ),
    )


def _as_cpp(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the flags without a standard of C."""
    return tuple(flag for flag in flags if not flag.startswith("-std=") or "++" in flag)
