"""The build files of a source of plain C or C++ whose port needs OpenMP and nothing else."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from transpile.assemble.builds import Build, languages_of, own_command, programs_of
from transpile.assemble.cmake import with_openmp
from transpile.assemble.make_flags import OPENMP, with_flags
from transpile.assemble.makefile import Program, by_language, object_of, quoted, rules_of_blanks
from transpile.core import Source
from transpile.parsers.building.projects import is_makefile
from transpile.parsers.text.hosts import is_c

OFFLOAD = """\
# Target regions run on the host unless the compiler is told of a device, as it compiles and as it links:
# gcc -foffload=nvptx-none (package gcc-offload-nvptx), clang -fopenmp-targets=nvptx64.
"""
"""Head of the build files of a port to target regions."""


def ported(source: Source, others: Mapping[str, bytes], head: str = "") -> Build:
    """Return the source's own build files with OpenMP, or a small Makefile where it has none.

    Args:
        source: What is ported.
        others: Its files that are no code.
        head: Comments that each build file begins with.
    """
    files: dict[str, bytes] = {}
    languages = languages_of(unit.path for unit in source.translation_units)
    for path, data in others.items():
        base, text = posixpath.basename(path), data.decode("utf-8", "surrogateescape")
        if is_makefile(path):
            text = with_flags(text, OPENMP, _beside(others, path), languages)
        elif base == "CMakeLists.txt":
            text = with_openmp(text, languages=languages)
        else:
            continue
        files[path] = (head + text).encode("utf-8", "surrogateescape")
    if command := own_command(files, source):
        return Build(files=files, command=command)
    return Build(files={**files, "Makefile": (head + _generated(source)).encode()}, command="make")


def _beside(others: Mapping[str, bytes], path: str) -> list[tuple[str, str]]:
    """Return the Makefiles but one, by their names."""
    return [
        (name, data.decode("utf-8", "surrogateescape"))
        for name, data in others.items()
        if name != path and is_makefile(name)
    ]


def _generated(source: Source) -> str:
    """Return a small Makefile; make's own rules know how C and C++ are compiled."""
    programs = programs_of(source, {path: path for path in source.files})
    paths = list(dict.fromkeys(path for program in programs for path in program.files))
    paths = paths or [unit.path for unit in source.translation_units]
    given = {flag: None for unit in source.translation_units if unit.path in paths for flag in unit.flags}
    flags = " ".join((f"-O2 {OPENMP} -Wall", *map(quoted, given)))
    spoken = [("CC", "CFLAGS", "gcc")] if any(map(is_c, paths)) else []
    spoken += [] if all(map(is_c, paths)) else [("CXX", "CXXFLAGS", "g++")]
    settings = "".join(f"{name:8} = {tool}\n{variable:8} = {flags}\n" for name, variable, tool in spoken)
    objects = " ".join(map(object_of, paths))
    blanks = rules_of_blanks(paths, by_language)
    if not programs:
        return f"""{settings}
objects = {objects}

all: $(objects)

{blanks}clean:
\trm -f $(objects)

.PHONY: all clean
"""
    if len(programs) > 1:
        rules = "".join(
            f"{program.name}: {' '.join(map(object_of, program.files))}\n\t{_link(source, program)}\n\n"
            for program in programs
        )
        return f"""{settings}
programs = {" ".join(program.name for program in programs)}

all: $(programs)

{rules}{blanks}clean:
\trm -f $(programs) {objects}

.PHONY: all clean
"""
    return f"""{settings}
program = {programs[0].name}
objects = {objects}

$(program): $(objects)
\t{_link(source, programs[0])}

{blanks}clean:
\trm -f $(program) $(objects)

.PHONY: clean
"""


def _link(source: Source, program: Program) -> str:
    """Return the command that links a program; one that was guessed may need libm, which gcc leaves out."""
    c = all(map(is_c, program.files))
    guessed = any(item.guessed for item in source.programs)
    libraries = [item for item in program.libraries if item != OPENMP]
    libraries += ["-lm"] if c and guessed and "-lm" not in libraries else []
    compiler = "$(CC) $(CFLAGS)" if c else "$(CXX) $(CXXFLAGS)"
    return " ".join([compiler, "-o $@ $^", *libraries])
