"""Functions of plain C and C++ that became CUDA, as the files of a port.

A file of C++ becomes a file of CUDA. A file of C stays, without those functions; they stand in a file of
their own beside it, with what the C file has around them: as they stood when they were judged. Functions that
take memory of the device replace none of the source's, whose callers have memory of the host.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from transpile.assemble.includes import with_includes
from transpile.assemble.kernels import prototype, replacements
from transpile.assemble.makefile import quoted
from transpile.core import (
    Candidate,
    Diagnostic,
    Interface,
    ProgramTarget,
    Severity,
    Source,
    TranslationUnit,
    Unit,
    UnitKind,
)
from transpile.parsers.edits import apply, edit
from transpile.parsers.hosts import is_c
from transpile.parsers.includes import read_by
from transpile.translators.rules.host.vocabulary import Level

SUFFIX = "_cuda.cu"
"""Ends the name of the file that holds what a C file no longer does."""
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
    """Files of CUDA by the C file that they stand beside."""


def moved(source: Source, kept: Mapping[str, Candidate]) -> Moved:
    """Return the source's files with what is kept in its new places."""
    texts = replacements(source, kept)
    files = dict(source.files)
    paths = {path: path for path in files}
    added: dict[str, str] = {}
    for path in sorted({source.unit(name).path for name in texts}):
        own = [unit for unit in source.units if unit.path == path and unit.id in texts]
        headers = {header for unit in own for header in kept[unit.id].headers}
        stem = posixpath.splitext(path)[0]
        if is_c(path):
            gone = [unit for unit in own if not _stays(kept[unit.id])]
            files[path] = apply(
                source.files[path], [edit(unit.span.start, unit.span.end, _head(unit)) for unit in gone]
            )
            added[path] = paths[path] = stem + SUFFIX
            text = _beside(source, path, own, kept)
        else:
            del files[path]
            paths[path] = stem + ".cu"
            text = apply(
                source.files[path],
                [edit(unit.span.start, unit.span.end, _in_place(unit, kept[unit.id])) for unit in own],
            )
        files[paths[path]] = with_includes(text, Level.NONE, headers)
    return Moved(files=files, paths=paths, added=added)


def notes(source: Source, kept: Mapping[str, Candidate]) -> Iterator[Diagnostic]:
    """Yield which functions stand beside the source's own, by which name."""
    for name, candidate in kept.items():
        unit = source.unit(name)
        if _stays(candidate):
            yield Diagnostic(
                code="TP505",
                severity=Severity.NOTE,
                path=unit.path,
                line=unit.line,
                message=f"{unit.name} is there for memory of the device as {candidate.binding.name}",
                hint="the program goes on calling the source's function",
            )


def units_of(source: Source, made: Moved) -> tuple[TranslationUnit, ...]:
    """Return what the port's build compiles."""
    return tuple(
        TranslationUnit(path=path, flags=unit.flags if not path.endswith(".cu") else _as_cuda(unit.flags))
        for unit in source.translation_units
        for path in _paths(unit.path, made)
    )


def programs_of(source: Source, made: Moved) -> tuple[ProgramTarget, ...]:
    """Return the port's programs."""
    return tuple(
        ProgramTarget(
            name=program.name,
            translation_units=tuple(
                path for unit in program.translation_units for path in _paths(unit, made)
            ),
            link_flags=program.link_flags,
            runs=program.runs,
        )
        for program in source.programs
    )


def makefile(units: Sequence[TranslationUnit], programs: Sequence[ProgramTarget]) -> str:
    """Return a Makefile that builds the programs, or a library's objects, with nvcc and host compilers."""
    used = {path for program in programs for path in program.translation_units}
    used = used or {unit.path for unit in units}
    flags = {flag: None for unit in units if unit.path in used for flag in _as_cuda(unit.flags)}
    settings = " ".join(("-O2", *map(quoted, flags)))
    rules = "".join(
        f"\n{program.name}: {' '.join(_object(path) for path in program.translation_units)}\n"
        f"\t$(NVCC) $(NVCCFLAGS) -o $@ $^{''.join(f' {item}' for item in program.link_flags)}\n"
        for program in programs
    )
    objects = " ".join(sorted(map(_object, used)))
    names = " ".join(program.name for program in programs)
    return f"""NVCC      = nvcc
NVCCFLAGS = {settings}
CFLAGS    = {settings}
CXXFLAGS  = {settings}

all: {names or objects}
{rules}
%.o: %.cu
\t$(NVCC) $(NVCCFLAGS) -c $< -o $@

clean:
\trm -f {f"{names} " if names else ""}{objects}

.PHONY: all clean
"""


def _object(path: str) -> str:
    return posixpath.splitext(path)[0] + ".o"


def _paths(path: str, made: Moved) -> Iterator[str]:
    if path in made.added:
        yield path
    yield made.paths[path]


def _as_cuda(flags: Sequence[str]) -> tuple[str, ...]:
    return tuple(flag for flag in flags if not flag.startswith("-std=c") or "++" in flag)


def _head(unit: Unit) -> bytes:
    """Return the prototype of a function that stands elsewhere now."""
    return _LINKAGE.sub(b"", prototype(unit.text, unit.name.rpartition("::")[2]) or b"")


def _stays(candidate: Candidate) -> bool:
    """Tell whether the source's function stays in the port, beside what was made of it."""
    return candidate.dialect.interface is Interface.DEVICE


def _in_place(unit: Unit, candidate: Candidate) -> bytes:
    """Return what stands in the place of a function of C++."""
    text = candidate.replacements[0].text
    return unit.text + b"\n\n" + text if _stays(candidate) else text


def _beside(source: Source, path: str, own: Sequence[Unit], kept: Mapping[str, Candidate]) -> bytes:
    """Return the file of CUDA: the C file with the new functions, and of the others those that they call."""
    called = {part.id for unit in own for part in source.closure(unit)}
    edits = []
    for unit in source.units:
        if unit.path != path or unit.kind not in _FUNCTIONS:
            continue
        if unit in own:
            edits.append(edit(unit.span.start, unit.span.end, _with_c_linkage(kept[unit.id])))
        elif unit.id not in called:
            edits.append(edit(unit.span.start, unit.span.end, b""))
    text = apply(source.files[path], edits)
    # Headers of the language are there before those of C are read with C linkage.
    system = {found for name in read_by(source, path) for found in _SYSTEM.findall(source.files[name])}
    front = b"".join(line.strip() + b"\n" for line in sorted(system))
    text = _OWN.sub(lambda match: b'extern "C" {\n' + match[0] + b"\n}", _SYSTEM.sub(b"", text))
    return front + b"#define restrict __restrict__\n" + re.sub(rb"\n{3,}", b"\n\n", text)


def _with_c_linkage(candidate: Candidate) -> bytes:
    """Return a candidate whose function the C files can call."""
    text = candidate.replacements[0].text
    head = (prototype(text, candidate.binding.name) or b"").removesuffix(b";")
    return text.replace(head, b'extern "C" ' + _LINKAGE.sub(b"", head), 1)
