"""The build of functions of plain C and C++ that became CUDA.

A file of C++ becomes a file of CUDA, and a file of C has one beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from transpile.assemble import moving
from transpile.assemble.makefile import object_of, quoted
from transpile.assemble.moving import Moved, stays
from transpile.core import Candidate, Diagnostic, ProgramTarget, Severity, Source, TranslationUnit

SUFFIX = "_cuda.cu"
"""Ends the name of the file that holds what a C file no longer does."""


def moved(source: Source, kept: Mapping[str, Candidate]) -> Moved:
    """Return the source's files with what is kept in its new places."""
    return moving.moved(source, kept, beside=SUFFIX, suffix=".cu")


def notes(source: Source, kept: Mapping[str, Candidate]) -> Iterator[Diagnostic]:
    """Yield which functions stand beside the source's own, by which name."""
    for name, candidate in kept.items():
        unit = source.unit(name)
        if stays(candidate):
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
    return moving.units_of(source, made, _as_cuda)


def makefile(units: Sequence[TranslationUnit], programs: Sequence[ProgramTarget]) -> str:
    """Return a Makefile that builds the programs, or a library's objects, with nvcc and host compilers."""
    used = {path for program in programs for path in program.translation_units}
    used = used or {unit.path for unit in units}
    flags = {flag: None for unit in units if unit.path in used for flag in _as_cuda(unit.flags)}
    settings = " ".join(("-O2", *map(quoted, flags)))
    rules = "".join(
        f"\n{program.name}: {' '.join(object_of(path) for path in program.translation_units)}\n"
        f"\t$(NVCC) $(NVCCFLAGS) -o $@ $^{''.join(f' {item}' for item in program.link_flags)}\n"
        for program in programs
    )
    objects = " ".join(sorted(map(object_of, used)))
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


def _as_cuda(flags: Sequence[str]) -> tuple[str, ...]:
    return tuple(flag for flag in flags if not flag.startswith("-std=c") or "++" in flag)
