"""The Makefile of a port of a Fortran library."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile.fortran.sources import C_SUFFIXES

FORTRAN = "fortran"
"""Folder of the Fortran that is left."""
PROGRAMS = "programs"
"""Folder of main programs, which stay Fortran."""
BESIDE = "c"
"""Folder of the C and C++ that lies beside the Fortran."""
REPLACED = "replaced.txt"
"""File with the names of routines that C++ takes the place of within objects of Fortran."""
MIXED = "mixed.o"
"""Object with these routines and the Fortran around them."""
_MAKEFILE = """# Builds one library of C++ and of the Fortran that is left; link with -lgfortran -lstdc++.
CXX = g++
FC = gfortran
OBJCOPY = objcopy
CXXFLAGS = -std=c++17 -O2 -ffp-contract=off
FFLAGS = -O2 -ffp-contract=off -std=legacy -w -J. -I{folder}
{settings}
OBJECTS = {first}{objects}

{name}: $(OBJECTS){last}
\t$(AR) rcs $@ $(OBJECTS)

routines.o: routines.cpp
\t$(CXX) $(CXXFLAGS) -I. -c $< -o $@
{rules}
clean:
\t$(RM) *.o {name} *.mod *.described{executables}

.PHONY: clean programs
"""
_WEAKEN = f"$(OBJCOPY) --weaken-symbols={REPLACED}"
_PROGRAM_RULES = """
# The main programs; what else they are linked with is named in LDLIBS.
programs:{executables}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Files of a port beside the C++ of its routines."""

    fortran: Sequence[str]
    """In the order in which they are compiled."""
    described: Sequence[str]
    """Those of them of which no code is made."""
    programs: Sequence[str]
    """Main programs."""
    beside: Sequence[str]
    """C and C++ without a main function, and its headers."""
    mixed: Collection[str] = ()
    """Fortran files some of whose routines C++ takes the place of."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule, and the object that it makes, if any."""

    text: str
    made: str = ""


def makefile(root: Path, parts: Parts) -> str:
    """Return the Makefile of a port of what is in a folder."""
    stem = "".join(letter for letter in root.stem.lower() if letter.isalnum() or letter in "_-") or "routines"
    archive = f"lib{stem}.a"
    rules = [*_fortran(parts), *_beside(parts.beside), *_programs(parts, archive)]
    executables = [_executable(name) for name in parts.programs]
    return _MAKEFILE.format(
        last=_last(parts),
        first=MIXED if parts.mixed else "routines.o",
        objects="".join(f" {item.made}" for item in rules if item.made),
        rules="".join(item.text for item in rules) + _joined(parts),
        name=archive,
        folder=FORTRAN,
        settings=_settings(parts.beside),
        executables="".join(f" {item}" for item in executables),
    )


def _fortran(parts: Parts) -> Iterator[_Rule]:
    """Yield the rules of Fortran files; each waits for those before it, which may hold its modules."""
    before = ""
    for number, name in enumerate(parts.fortran):
        own, place = _left(number, name, parts), _place(FORTRAN, name)
        if name in parts.described:
            command = f"$(FC) $(FFLAGS) -fsyntax-only '{place}'\n\ttouch $@"
            yield _Rule(f"\n{own}: {place}{before}\n\t{command}\n")
        else:
            mixed = name in parts.mixed
            flags, then = (" -fPIC", f"\t{_WEAKEN} $@\n") if mixed else ("", "")
            text = f"\n{own}: {place}{before}\n\t$(FC) $(FFLAGS){flags} -c '{place}' -o $@\n{then}"
            yield _Rule(text, "" if mixed else own)
        before = f" | {own}"


def _last(parts: Parts) -> str:
    """Return that a library is there once its modules are: nothing else may wait for the last of them."""
    last = len(parts.fortran) - 1
    return f" | {_left(last, parts.fortran[last], parts)}" if parts.fortran else ""


def _joined(parts: Parts) -> str:
    """Return the rule that puts C++ in the place of routines within objects of Fortran.

    Calls within the same file go there as well: it is compiled for symbols that others may define.
    """
    if not parts.mixed:
        return ""
    made = [_left(number, name, parts) for number, name in enumerate(parts.fortran) if name in parts.mixed]
    objects = " ".join(["routines.o", *made])
    return f"\n{MIXED}: {objects}\n\t$(CXX) -r -nostdlib -o $@ {objects}\n\t{_WEAKEN} $@\n"


def _left(number: int, name: str, parts: Parts) -> str:
    return f"left{number}.{'described' if name in parts.described else 'o'}"


def _settings(beside: Sequence[str]) -> str:
    """Return the flags of C and C++ that lies beside, which finds its headers where it found them before."""
    if not beside:
        return ""
    folders = dict.fromkeys(_place(BESIDE, str(Path(name).parent)) for name in beside)
    return f"CFLAGS = -O2 -ffp-contract=off\nBESIDE = {' '.join(f'-I{item}' for item in folders)}\n"


def _beside(names: Sequence[str]) -> Iterator[_Rule]:
    compiled = [name for name in names if name.lower().endswith(C_SUFFIXES)]
    for number, name in enumerate(compiled):
        own, place = f"beside{number}.o", _place(BESIDE, name)
        by = "$(CC) $(CFLAGS)" if name.lower().endswith(".c") else "$(CXX) $(CXXFLAGS)"
        yield _Rule(f"\n{own}: {place}\n\t{by} $(BESIDE) -c '{place}' -o $@\n", own)


def _programs(parts: Parts, archive: str) -> Iterator[_Rule]:
    """Yield the rules that build main programs, once all modules are there."""
    if not parts.programs:
        return
    made = "".join(f" {_executable(name)}" for name in parts.programs)
    yield _Rule(_PROGRAM_RULES.format(executables=made))
    last = len(parts.fortran) - 1
    modules = f" | {_left(last, parts.fortran[last], parts)}" if parts.fortran else ""
    for name in parts.programs:
        place, own = _place(PROGRAMS, name), _executable(name)
        command = f"$(FC) $(FFLAGS) '{place}' {archive} $(LDLIBS) -lstdc++ -o '{own}'"
        yield _Rule(f"\n{own}: {place} {archive}{modules}\n\t{command}\n")


def _executable(name: str) -> str:
    return _place(PROGRAMS, str(Path(name).with_suffix("")))


def _place(folder: str, name: str) -> str:
    """Return the path of a file as a Makefile has it."""
    return f"{folder}/{name}".replace("$", "$$").replace(" ", "\\ ")
