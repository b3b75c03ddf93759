"""Functions of plain C and C++ in places that another compiler reads: C files keep all but those functions.

These stand in a file of their own beside it, with what the C file has around them: as they stood when they
were judged. Functions that take memory of the device replace none of the source's: these have other callers.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.assemble.host_code.vocabulary import Level
from transpile.assemble.includes import with_includes
from transpile.assemble.kernels import prototype, replacements
from transpile.assemble.variables import announced, declared, named_by, opened
from transpile.code.edits import Edit, apply
from transpile.core import Candidate, Interface, ProgramTarget, Source, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.conditionals import certain
from transpile.parsers.files.includes import read_by
from transpile.parsers.text.hosts import is_c

_OWN = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"[^"\n]+"[^\n]*', re.MULTILINE)
_SYSTEM = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<[^>\n]+>", re.MULTILINE)
_LINKAGE = re.compile(rb"^(?:(?:static|inline|extern)\s+)+")
_FUNCTIONS = (UnitKind.FUNCTION, UnitKind.GLUE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The files of a port, without its build file."""

    files: Mapping[str, bytes]
    paths: Mapping[str, str]
    """Where the functions of each source file are now."""
    added: Mapping[str, str]
    """Files of functions by the C file that they stand beside."""
    written: frozenset[str]
    """Files that hold translations."""


def moved(source: Source, kept: Mapping[str, Candidate], *, beside: str, suffix: str = "") -> Moved:
    """Return the source's files with what is kept in its new places.

    Args:
        source: What is ported.
        kept: The candidates that go into the port, by unit id.
        beside: Ends the name of the file that holds what a C file no longer does.
        suffix: Of a C++ file with translations; empty where it keeps its name.
    """
    texts = replacements(source, kept)
    files = dict(source.files)
    paths = {path: path for path in files}
    added: dict[str, str] = {}
    changed = sorted({source.unit(name).path for name in texts})
    for path in changed:
        own = [unit for unit in source.units if unit.path == path and unit.id in texts]
        headers = {header for unit in own for header in kept[unit.id].headers}
        stem = posixpath.splitext(path)[0]
        if is_c(path):
            gone = [unit for unit in own if not stays(kept[unit.id])]
            left = [Edit(unit.span.start, unit.span.end, _head(unit)) for unit in gone]
            shared = announced(source.files[path], named_by(source, own))
            files[path] = apply(source.files[path], [*left, *shared])
            added[path] = paths[path] = stem + beside
            text = _beside(source, path, own, kept)
        else:
            del files[path]
            paths[path] = stem + suffix if suffix else path
            text = apply(
                source.files[path],
                [Edit(unit.span.start, unit.span.end, _in_place(unit, kept[unit.id])) for unit in own],
            )
        files[paths[path]] = with_includes(text, Level.NONE, headers)
    return Moved(files=files, paths=paths, added=added, written=frozenset(paths[path] for path in changed))


def units_of(
    source: Source, made: Moved, flags: Callable[[Sequence[str]], tuple[str, ...]]
) -> tuple[TranslationUnit, ...]:
    """Return what the port's build compiles; ``flags`` makes those of a file with translations."""
    return tuple(
        TranslationUnit(path=path, flags=flags(unit.flags) if path in made.written else unit.flags)
        for unit in source.translation_units
        for path in _paths(unit.path, made)
    )


def programs_of(source: Source, made: Moved, libraries: tuple[str, ...] = ()) -> tuple[ProgramTarget, ...]:
    """Return the port's programs; the flags of the linker name more libraries."""
    return tuple(
        ProgramTarget(
            name=program.name,
            translation_units=tuple(
                path for unit in program.translation_units for path in _paths(unit, made)
            ),
            link_flags=(*libraries, *program.link_flags),
            runs=program.runs,
        )
        for program in source.programs
    )


def _paths(path: str, made: Moved) -> Iterator[str]:
    if path in made.added:
        yield path
    yield made.paths[path]


def _head(unit: Unit) -> bytes:
    """Return the prototype of a function that stands elsewhere now."""
    return _LINKAGE.sub(b"", prototype(unit.text, unit.name.rpartition("::")[2]) or b"")


def stays(candidate: Candidate) -> bool:
    """Tell whether the source's function stays in the port, beside what was made of it."""
    return candidate.dialect.interface is Interface.DEVICE


def _in_place(unit: Unit, candidate: Candidate) -> bytes:
    """Return what stands in the place of a function of C++."""
    text = candidate.replacements[0].text
    return unit.text + b"\n\n" + text if stays(candidate) else text


def _beside(source: Source, path: str, own: Sequence[Unit], kept: Mapping[str, Candidate]) -> bytes:
    """Return the file beside: the C file with the new functions, and of the others those that they call."""
    called = {part.id for unit in own for part in source.closure(unit)}
    names = named_by(source, own)
    functions = [unit for unit in source.units if unit.path == path and unit.kind in _FUNCTIONS]
    gone = [unit for unit in functions if unit not in own and unit.id not in called]
    edits = [
        *opened(source.files[path], names),
        *declared(source.files[path], names, {unit.name for unit in gone}),
        *(Edit(unit.span.start, unit.span.end, _with_c_linkage(kept[unit.id])) for unit in own),
        *(Edit(unit.span.start, unit.span.end, b"") for unit in gone),
    ]
    text = apply(source.files[path], edits)
    # Headers of the language are there before those of C are read with C linkage.
    front = b"".join(line.strip() + b"\n" for line in sorted(_system(source, path)))
    text = apply(text, [Edit(*found.span(), b"") for found in _SYSTEM.finditer(certain(text))])
    text = _OWN.sub(lambda match: b'extern "C" {\n' + match[0] + b"\n}", text)
    return front + b"#define restrict __restrict__\n" + re.sub(rb"\n{3,}", b"\n\n", text)


def _system(source: Source, path: str) -> frozenset[bytes]:
    """Return the lines by which a file and the source's headers include others in every build."""
    files = {name: certain(source.files[name]) for name in read_by(source, path)}
    read = read_by(replace(source, files=files), path)
    return frozenset(found for name in read for found in _SYSTEM.findall(files[name]))


def _with_c_linkage(candidate: Candidate) -> bytes:
    """Return a candidate whose function the C files can call."""
    text = candidate.replacements[0].text
    head = (prototype(text, candidate.binding.name) or b"").removesuffix(b";")
    return text.replace(head, b'extern "C" ' + _LINKAGE.sub(b"", head), 1)
