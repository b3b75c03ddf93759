"""The build of functions of plain C and C++ that became CUDA or HIP.

A file of C++ becomes a file of that, and a file of C has one beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from transpile.assemble import moving
from transpile.assemble.makefile import by_language, object_of, quoted, rules_of_blanks
from transpile.assemble.moving import Moved, stays
from transpile.core import (
    TRAITS,
    Candidate,
    Diagnostic,
    ProgrammingModel,
    ProgramTarget,
    Severity,
    Source,
    TranslationUnit,
)
from transpile.toolchains.devices import DEVICE_COMPILERS


def moved(source: Source, kept: Mapping[str, Candidate], model: ProgrammingModel) -> Moved:
    """Return the source's files with what is kept in its new places."""
    suffix = TRAITS[model].device_suffix
    return moving.moved(source, kept, beside=f"_{model}{suffix}", suffix=suffix)


def notes(source: Source, kept: Mapping[str, Candidate]) -> Iterator[Diagnostic]:
    """Yield which functions stand beside the source's own, by which name."""
    for name, candidate in kept.items():
        unit = source.unit(name)
        if stays(candidate):
            yield unit.diagnostic(
                "TP505",
                f"`{candidate.binding.name}` is `{unit.name}` for arrays in device memory",
                severity=Severity.NOTE,
                hint="the program still calls the source's function",
            )


def units_of(source: Source, made: Moved) -> tuple[TranslationUnit, ...]:
    """Return what the port's build compiles."""
    return moving.units_of(source, made, _for_device)


def makefile(
    units: Sequence[TranslationUnit], programs: Sequence[ProgramTarget], model: ProgrammingModel
) -> str:
    """Return a Makefile that builds the programs, or a library's objects, by compilers of device and host."""
    command = DEVICE_COMPILERS[model].name
    compiler = command.upper()
    used = {path for program in programs for path in program.translation_units}
    used = used or {unit.path for unit in units}
    flags = {flag: None for unit in units if unit.path in used for flag in _for_device(unit.flags)}
    settings = " ".join(("-O2", *map(quoted, flags)))
    exact = TRAITS[model].unfused
    rules = "".join(
        f"\n{program.name}: {' '.join(object_of(path) for path in program.translation_units)}\n"
        f"\t$({compiler}) $({compiler}FLAGS) -o $@ $^{''.join(f' {item}' for item in program.link_flags)}\n"
        for program in programs
    )
    objects = " ".join(sorted(map(object_of, used)))
    names = " ".join(program.name for program in programs)
    suffix = TRAITS[model].device_suffix

    def compiled(path: str) -> str:
        return f"$({compiler}) $({compiler}FLAGS)" if path.endswith(suffix) else by_language(path)

    width = len(f"{compiler}FLAGS")
    return f"""{compiler:{width}} = {command}
# Products and sums are rounded one by one, as on the host. Without {exact} they are fused.
{compiler}FLAGS = {settings} {exact}
{"CFLAGS":{width}} = {settings}
{"CXXFLAGS":{width}} = {settings}

all: {names or objects}
{rules}
%.o: %{suffix}
\t$({compiler}) $({compiler}FLAGS) -c $< -o $@

{rules_of_blanks(sorted(used), compiled)}clean:
\trm -f {f"{names} " if names else ""}{objects}

.PHONY: all clean
"""


def _for_device(flags: Sequence[str]) -> tuple[str, ...]:
    return tuple(flag for flag in flags if not flag.startswith("-std=c") or "++" in flag)
