"""Functions of plain C and C++ that call parallel algorithms, as the files of a port.

A file of C++ stays, a file of C has one of C++ beside it. The range of indices comes along at the root.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from transpile.assemble import moving
from transpile.assemble.makefile import by_language, object_of, quoted, rules_of_blanks
from transpile.assemble.moving import Moved
from transpile.core import STDPAR, Candidate, ProgramTarget, Source, TranslationUnit
from transpile.parsers.text.hosts import is_c
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE, index_range

SUFFIX = "_parallel.cpp"
"""Ends the name of the file that holds what a C file no longer does."""
_LIBRARIES = tuple(f"-l{name}" for name in STDPAR.traits.libraries)


def surroundings(source: Source) -> Source:
    """Return a source with what its translations include."""
    return replace(source, files={**source.files, INDEX_RANGE: index_range()})


def flags(given: Sequence[str]) -> tuple[str, ...]:
    """Return the flags of a file with translations."""
    return ("-std=c++20", "-I.", *(flag for flag in given if not flag.startswith("-std=")))


def moved(source: Source, kept: Mapping[str, Candidate]) -> Moved:
    """Return the source's files with what is kept in its new places."""
    return moving.moved(surroundings(source), kept, beside=SUFFIX)


def units_of(source: Source, made: Moved) -> tuple[TranslationUnit, ...]:
    """Return what the port's build compiles."""
    return moving.units_of(source, made, flags)


def programs_of(source: Source, made: Moved) -> tuple[ProgramTarget, ...]:
    """Return the port's programs."""
    return moving.programs_of(source, made, _LIBRARIES)


def makefile(units: Sequence[TranslationUnit], programs: Sequence[ProgramTarget]) -> str:
    """Return a Makefile that builds the programs, or a library's objects."""
    used = {path for program in programs for path in program.translation_units}
    compiled = [unit for unit in units if unit.path in used or not used]
    objects = " ".join(sorted(object_of(unit.path) for unit in compiled))
    rules = "".join(
        f"\n{program.name}: {' '.join(map(object_of, program.translation_units))}\n"
        f"\t$(CXX) $(CXXFLAGS) -o $@ $^ {' '.join(program.link_flags)}\n"
        for program in programs
    )
    names = " ".join(program.name for program in programs)
    return f"""# On a device, where parallel loops reach the heap alone: make CXX="nvc++ -stdpar=gpu".
CXX      = g++
CXXFLAGS = {_settings([unit for unit in compiled if not is_c(unit.path)])}
CFLAGS   = {_settings([unit for unit in compiled if is_c(unit.path)])}

all: {names or objects}
{rules}
{rules_of_blanks([unit.path for unit in compiled], by_language)}clean:
\trm -f {f"{names} " if names else ""}{objects}

.PHONY: all clean
"""


def _settings(units: Sequence[TranslationUnit]) -> str:
    """Return the flags of all files of a language."""
    given = dict.fromkeys(flag for unit in units for flag in unit.flags)
    newest = max((flag for flag in given if flag.startswith("-std=")), default="")
    return " ".join(
        ("-O2", *(quoted(flag) for flag in given if flag == newest or not flag.startswith("-std=")))
    )
