"""A source and its kept kernels become the files of a port."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from transpile.assemble import builds, device, either_build, hip, hip_notes, host, plain, probes, stdpar
from transpile.assemble.builds import openmp_hidden
from transpile.assemble.excerpts import Excerpt
from transpile.assemble.host_code import standard
from transpile.assemble.host_code.implied import implied
from transpile.assemble.host_code.vocabulary import Level, asks_for_cuda, level
from transpile.assemble.includes import with_includes, with_standard
from transpile.assemble.kernels import with_kernels
from transpile.assemble.makefile import HIPCC
from transpile.assemble.moving import programs_of
from transpile.assemble.names import renamed, with_new_includes
from transpile.assemble.vendor import DIRECTORY, vendored
from transpile.core import (
    OPENMP,
    TRAITS,
    Candidate,
    Diagnostic,
    Dialect,
    ProgrammingModel,
    ProgramTarget,
    Severity,
    Source,
    TranslationUnit,
    UnitKind,
)
from transpile.parsers.building.projects import CMAKE, MAKEFILES
from transpile.parsers.extraction.restoring import restored
from transpile.parsers.extraction.tidying import tidied
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import shared_with_c, with_c_linkage
from transpile.parsers.lowering.emulation import lower_text, lowered
from transpile.parsers.lowering.nameless import nameless_kernels
from transpile.parsers.warp_synchronous import waiting_text
from transpile.toolchains.beside import headers_beside, include_directories
from transpile.toolchains.recipes import modern
from transpile.translators.targets.hip import vendors


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """The files of a port, and how it is built."""

    files: Mapping[str, bytes]
    probed: Mapping[str, bytes]
    """The same files as they are built here, recording each buffer that the source copied back."""
    build_command: str
    """For the shell."""
    translation_units: tuple[TranslationUnit, ...]
    programs: tuple[ProgramTarget, ...]
    paths: Mapping[str, str]
    """The port's path of each file of the source."""
    built_otherwise: str = ""
    """Another way to build it, in words."""
    diagnostics: tuple[Diagnostic, ...] = ()
    emulated: frozenset[str] = frozenset()
    """Translation units of CUDA or HIP, which are built on the emulator here."""
    emulators: tuple[tuple[str, ...], ...] = ((),)
    """Macros, without ``-D``, of each emulator that they are built on."""
    left: frozenset[str] = frozenset()
    """Files of the source that are what it is ported to already: nothing says what is right of them."""
    selecting: tuple[str, ...] = ()
    """Macros, without ``-D``, that its build for HIP defines."""
    before: Mapping[str, bytes] = field(default_factory=dict)
    """The source's files, where the port is to be compiled by its compiler as well."""
    excerpts: Mapping[str, Excerpt] = field(default_factory=dict)
    """Parts that are built here of translation units that do not compile as a whole, by path in the port."""
    device: Mapping[str, bytes] = field(default_factory=dict)
    """What a compiler for the devices is given: the files with every kernel translated."""


def assemble(
    source: Source,
    kept: Mapping[str, Candidate],
    *,
    fallback: Literal["simt", "none"] = "simt",
    style: host.Style = host.Style.IN_PLACE,
    reasons: Mapping[str, str] | None = None,
    target: Dialect = OPENMP,
    unproven: bool = False,
) -> Assembly:
    """Return the port of a source.

    Args:
        source: What is ported.
        kept: The candidates that go into the port, by unit id.
        fallback: What becomes of the other kernels: they run through the emulator, or stay as they are.
        style: How far host code is rewritten.
        reasons: Why a unit is not kept, for the comment beside it.
        target: What it is ported to.
        unproven: In a port to HIP, kernels that are not kept are translated all the same.
    """
    source = tidied(restored(source, kept))
    outside = {path: source.files[path] for path in source.outside}
    inside = {path: data for path, data in source.files.items() if path not in outside}
    made = _assembled(
        replace(source, files=inside),
        kept,
        fallback=fallback,
        style=style,
        reasons=reasons or {},
        target=target,
        unproven=unproven,
    )
    return replace(made, files={**outside, **made.files}, probed={**outside, **made.probed})


def _assembled(
    source: Source,
    kept: Mapping[str, Candidate],
    *,
    fallback: Literal["simt", "none"],
    style: host.Style,
    reasons: Mapping[str, str],
    target: Dialect,
    unproven: bool,
) -> Assembly:
    """Return the port of the files that a port may change."""
    if hip.becomes_hip(source, target):
        return _in_hip(source, target, kept, reasons, unproven=unproven)
    models = {item.dialect.model for item in kept.values()} & set(NEW_BUILDS)
    if models:
        return NEW_BUILDS[models.pop()](source, kept)
    texts = with_kernels(source, kept, reasons)
    if source.dialect.is_plain:
        return _plain(source, kept, texts, target)
    code = {path: data for path, data in texts.items() if is_code(path)}
    rewritten = host.rewritten(code, source, kept, style)
    names = {**renamed(source.files), **{path: path for path in source.outside}}
    gone = [posixpath.basename(names[path]) for path in code if path not in rewritten.files]
    templates = nameless_kernels(rewritten.files)
    ported: dict[str, bytes] = {}
    needs = Level.NONE
    linked, shared = with_c_linkage(source), shared_with_c(source)
    for path in rewritten.files:
        least = _least(source.files[path]) if style is host.Style.EMULATED else Level.NONE
        new, needed = _finished(
            rewritten.files,
            path,
            source,
            templates,
            kept,
            least,
            c_linkage=path in linked,
            shared_with_c=path in shared,
        )
        ported[names[path]] = with_new_includes(new, names)
        needs = max(needs, needed)
    ported |= _with_implied(source, ported, names, linked, shared)
    others = {names[path]: data for path, data in texts.items() if path not in code}
    hidden = openmp_hidden(source)
    plain = {path: probes.without(data) for path, data in ported.items()}
    probed = {path: probes.included(data) for path, data in ported.items()}
    flags = [flag for unit in source.translation_units for flag in unit.flags]
    directories = frozenset(include_directories(flags))
    beside = headers_beside(plain, flags)
    carried = vendored({**plain, **beside}, directories=directories)
    build = builds.ported(source, names, others, gone, emulated=bool(carried))
    return Assembly(
        files={**others, **build.files, **plain, **carried},
        probed={
            **others,
            **build.files,
            **probed,
            **vendored({**probed, **beside}, directories=directories),
        },
        build_command=build.command,
        translation_units=tuple(_unit(unit, names, hidden) for unit in source.translation_units),
        programs=tuple(_program(program, names) for program in source.programs),
        paths=names,
        diagnostics=(*rewritten.diagnostics, *_unkept(source, kept, _FATES[fallback])),
    )


def _plain(
    source: Source, kept: Mapping[str, Candidate], texts: Mapping[str, bytes], target: Dialect
) -> Assembly:
    """Return the port of plain C or C++: its functions in their places, the rest as it was."""
    headers: dict[str, set[str]] = {}
    for unit, item in kept.items():
        headers.setdefault(source.unit(unit).path, set()).update(item.headers)
    files = {
        path: with_includes(data, Level.NONE, headers[path]) if path in headers else data
        for path, data in texts.items()
    }
    others = {path: data for path, data in files.items() if not is_code(path)}
    offloads = target.traits.offloads
    build = plain.ported(source, others, plain.OFFLOAD if offloads else "")
    files |= build.files
    return Assembly(
        files=files,
        probed=files,
        build_command=build.command,
        translation_units=source.translation_units,
        programs=source.programs,
        paths={path: path for path in source.files},
    )


def _on_device(source: Source, kept: Mapping[str, Candidate], model: ProgrammingModel) -> Assembly:
    """Return the port of plain C or C++ to devices. Its build files are new: other compilers take part."""
    made = device.moved(source, kept, model)
    units, programs = device.units_of(source, made), programs_of(source, made)
    files = _with_makefile(made.files, device.makefile(units, programs, model))
    return Assembly(
        files=files,
        probed=lowered(files),
        build_command="make",
        translation_units=units,
        programs=programs,
        paths=made.paths,
        diagnostics=tuple(device.notes(source, kept)),
        emulated=made.written,
        emulators=(TRAITS[model].defines,),
    )


def _with_algorithms(source: Source, kept: Mapping[str, Candidate]) -> Assembly:
    """Return the port of plain C or C++ to parallel algorithms. Its build files are new ones, of C++20."""
    made = stdpar.moved(source, kept)
    units, programs = stdpar.units_of(source, made), stdpar.programs_of(source, made)
    files = _with_makefile(made.files, stdpar.makefile(units, programs))
    return Assembly(
        files=files,
        probed=files,
        build_command="make",
        translation_units=units,
        programs=programs,
        paths=made.paths,
    )


NEW_BUILDS: Mapping[ProgrammingModel, Callable[[Source, Mapping[str, Candidate]], Assembly]] = {
    ProgrammingModel.CUDA: partial(_on_device, model=ProgrammingModel.CUDA),
    ProgrammingModel.HIP: partial(_on_device, model=ProgrammingModel.HIP),
    ProgrammingModel.STDPAR: _with_algorithms,
}
"""Models that plain C and C++ are ported to with build files of our own."""


def _with_makefile(files: Mapping[str, bytes], makefile: str) -> dict[str, bytes]:
    """Return files with one Makefile in place of what built them."""
    old = [path for path in files if posixpath.basename(path) in (*MAKEFILES, CMAKE)]
    kept = {path: data for path, data in files.items() if path not in old}
    return {**kept, "Makefile": makefile.encode("utf-8", "surrogateescape")}


def _in_hip(
    source: Source,
    target: Dialect,
    kept: Mapping[str, Candidate],
    reasons: Mapping[str, str],
    *,
    unproven: bool,
) -> Assembly:
    """Return the port of CUDA to HIP."""
    made = hip.ported(source, target, kept, reasons, unproven=unproven)
    others = {path: data for path, data in made.files.items() if not is_code(path)}
    if target.also is ProgrammingModel.CUDA:
        build = either_build.ported(source, others)
    else:
        build = builds.ported(source, made.names, others, (), driver=HIPCC)
    files = {**made.files, **build.files}
    units = tuple(replace(unit, path=made.names[unit.path]) for unit in source.translation_units)
    ours = replace(source, units=tuple(item for item in source.units if not vendors.is_left(source, item)))
    return Assembly(
        files=files,
        probed=lowered(files),
        build_command=build.command,
        built_otherwise=build.otherwise,
        translation_units=units,
        programs=tuple(_program(program, made.names) for program in source.programs),
        paths={path: made.names[path] for path in source.files},
        diagnostics=(*hip_notes.notes(source, target), *_unkept(ours, kept, _STAYS_CUDA)),
        left=vendors.already(source),
        emulated=frozenset(unit.path for unit in units),
        emulators=tuple(hip.defines(source, reading) for reading in target.readings),
        selecting=vendors.selecting(source),
        before=source.files if source.dialect.model in target.models else {},
        device={**made.whole, **build.files},
    )


def _finished(
    files: Mapping[str, bytes],
    path: str,
    source: Source,
    templates: frozenset[str],
    kept: Mapping[str, Candidate],
    least: Level,
    *,
    c_linkage: bool,
    shared_with_c: bool,
) -> tuple[bytes, Level]:
    """Lower what is left of CUDA in a file and give it the headers it needs; others stay as they are."""
    data = files[path]
    needed = max(level(data), least)
    lowered = lower_text(waiting_text(data), templates, path=path).data
    if data == source.files[path] and needed is Level.NONE and level(source.files[path]) is Level.NONE:
        return lowered, needed
    units = {unit.id for unit in source.units if unit.path == path}
    named = {header.strip("<>") for unit, item in kept.items() if unit in units for header in item.headers}
    wanted = {header for header in named if standard.useful(data, header)}
    if data != source.files[path]:
        missing = standard.missing(files, path)
        wanted |= missing & standard.LIBRARY if needed is Level.ALL else missing
    new = with_includes(lowered, needed, wanted, c_linkage=c_linkage, shared_with_c=shared_with_c)
    return new, needed


def _with_implied(
    source: Source,
    ported: Mapping[str, bytes],
    names: Mapping[str, str],
    linked: Collection[str],
    shared: Collection[str],
) -> dict[str, bytes]:
    """Return the ported files that relied on headers which nvcc includes by itself, with these."""
    cuda = [names[unit.path] for unit in source.translation_units if unit.path.endswith(".cu")]
    with_linkage, with_c = ({names[path] for path in paths} for paths in (linked, shared))
    return {
        path: with_standard(
            ported[path], headers, c_linkage=path in with_linkage, shared_with_c=path in with_c
        )
        for path, headers in implied(ported, cuda).items()
    }


def _least(data: bytes) -> Level:
    """Return what a file needs where nothing is taken for granted: all of CUDA if it ever asked for any."""
    return Level.ALL if asks_for_cuda(data) else Level.NONE


def _unit(unit: TranslationUnit, names: Mapping[str, str], hidden: tuple[str, ...]) -> TranslationUnit:
    return replace(unit, path=names[unit.path], flags=(*modern(unit.flags), f"-I{DIRECTORY}", *hidden))


def _program(program: ProgramTarget, names: Mapping[str, str]) -> ProgramTarget:
    return replace(program, translation_units=tuple(names[path] for path in program.translation_units))


@dataclass(frozen=True, slots=True)
class _Fate:
    """What becomes of a kernel that is not kept."""

    severity: Severity
    told: str
    hint: str = ""


_FATES: Mapping[str, _Fate] = {
    "simt": _Fate(Severity.WARNING, "is not translated and runs through the emulator in simt/"),
    "none": _Fate(
        Severity.ERROR,
        "is not translated and stays CUDA",
        "--fallback simt lets it run through the emulator",
    ),
}
_STAYS_CUDA = _Fate(
    Severity.ERROR,
    "is not kept and stays CUDA",
    "--keep-unproven puts its translation there, marked as such",
)


def _unkept(source: Source, kept: Mapping[str, Candidate], fate: _Fate) -> Sequence[Diagnostic]:
    """Say of each kernel that is not kept what becomes of it."""
    return [
        unit.diagnostic("TP502", f"the kernel {fate.told}", severity=fate.severity, hint=fate.hint)
        for unit in source.units
        if unit.kind is UnitKind.KERNEL and unit.id not in kept
    ]
