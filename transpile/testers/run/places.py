"""Where candidates stand while they are judged: in the translation unit of their source.

C is not C++: what stands beside a candidate in CUDA for a C function is that file without its functions, but
for those that the candidate calls and those that variables at file scope lead to, compiled as C++.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from transpile.assemble import hip, stdpar
from transpile.code.lexer import tokenize
from transpile.core import Dialect, ProgrammingModel, Source, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.discovery import HEADERS
from transpile.parsers.files.includes import read_by
from transpile.parsers.text import c_brackets, c_rows
from transpile.parsers.text.hosts import is_c, is_plain

_BOUNDS = ("-fno-sanitize=vla-bound",)
"""A parameter may lead to rows of no element, a variable that views it as such may not."""
_AS_CPP = ("-Drestrict=__restrict__", *_BOUNDS)
_FUNCTIONS = (UnitKind.FUNCTION, UnitKind.GLUE)
_BEFORE = frozenset((b"{", b",", b"=", b"&", b")"))
_BEHIND = frozenset((b"}", b",", b";"))
"""Text around an initial value."""


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
    in_c: bool = False
    """What stands there is C, and so are the candidates."""

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
    source: Source,
    unit: TranslationUnit,
    insertions: Sequence[Mapping[str, bytes]],
    dialect: Dialect,
    *,
    in_cpp: bool = False,
) -> Place:
    """Return where the texts, by unit id, go that are inserted into a translation unit."""
    if dialect.model is ProgrammingModel.STDPAR:
        unit = replace(unit, flags=stdpar.flags(unit.flags))
    plain = is_plain(source.units, unit.path)
    if not plain or not is_c(unit.path):
        return Place(unit=unit, plain=plain)
    if not dialect.traits.needs_cpp and not in_cpp:
        return Place(unit=replace(unit, flags=(*unit.flags, *_BOUNDS)), plain=True, in_c=True)
    inserted = {identifier for texts in insertions for identifier in texts}
    called = {part.id for name in inserted for part in source.closure(source.unit(name))} - inserted
    kept = called | _in_tables(source, unit.path)
    return Place(
        unit=replace(unit, path=f"{unit.path}.cpp", flags=(*_without_standard(unit.flags), *_AS_CPP)),
        plain=True,
        of_c=True,
        without=frozenset(
            item.id for item in source.units if item.kind in _FUNCTIONS and item.id not in kept
        ),
    )


def _as_read(data: bytes) -> bytes:
    """Return a text of C whose parameters C++ reads as well."""
    return c_rows.flat(c_brackets.without(data))


def _in_tables(source: Source, path: str) -> set[str]:
    """Return the functions that variables at file scope of a translation unit lead to, and all they call."""
    functions: dict[str, list[Unit]] = {file: [] for file in read_by(source, path)}
    for item in source.units:
        if item.kind in _FUNCTIONS and item.path in functions:
            functions[item.path].append(item)
    named = {name for file, own in functions.items() for name in _initial(_outside(source.files[file], own))}
    tabled = [item for own in functions.values() for item in own if item.name in named]
    return {part.id for item in tabled for part in (item, *source.closure(item))}


def _outside(data: bytes, functions: Sequence[Unit]) -> bytes:
    """Return a file without its functions."""
    spans = sorted(item.span for item in functions)
    starts = (0, *(span.end for span in spans))
    ends = (*(span.start for span in spans), len(data))
    return b" ".join(data[start:end] for start, end in zip(starts, ends, strict=True))


def _initial(data: bytes) -> Iterator[str]:
    """Yield the names that stand alone where an initial value may."""
    tokens = [token.text for token in tokenize(data).text]
    for before, name, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before in _BEFORE and behind in _BEHIND:
            yield name.decode("utf-8", "surrogateescape")


def _without_standard(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the flags without a standard of C."""
    return tuple(flag for flag in flags if not flag.startswith("-std=") or "++" in flag)
