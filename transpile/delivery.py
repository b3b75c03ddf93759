"""A port as its user builds it: by its own command, on a copy, with parallel regions in the products."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from transpile.assemble import Assembly
from transpile.assemble.builds import own_command
from transpile.broken import COMPLAINT
from transpile.code import trees
from transpile.core import (
    TRAITS,
    BuildOutcome,
    Candidate,
    Dialect,
    Evidence,
    Falsified,
    Inconclusive,
    OwnBuild,
    Passed,
    ProgramVerdict,
    Source,
    Verdict,
    digest,
)
from transpile.options import PortOptions
from transpile.parsers.building import cmakes
from transpile.parsers.files.data import data_of
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import lacking
from transpile.publish import delivered, write
from transpile.settle import Settled
from transpile.testers.programs.program import judge_products
from transpile.toolchains import own_build
from transpile.toolchains.beside import include_directories, outside
from transpile.toolchains.build import ABSENT_LIBRARY, BuildFailed
from transpile.toolchains.devices import DEVICE_COMPILERS, DeviceCompiler, missing_header
from transpile.toolchains.own_build import BuildOrder, BuildRun
from transpile.toolchains.recipes import version
from transpile.toolchains.workshop import Workshop

_PRAGMA = re.compile(r"\bomp\b.*\b(?:parallel|target|task|taskloop)\b")
_OUTLINED = re.compile(r"omp_fn|omp_outlined|omp_offloading")
_NAMELESS = re.compile(r"^def \.omp_outlined\.")
"""The name that clang before 17 gives every region."""
_MISSING = (
    re.compile(r"(?:^|: )([A-Za-z][\w.+-]*): (?:command )?not found$", re.MULTILINE),
    re.compile(r"^make(?:\[\d+\])?: ([A-Za-z][\w.+-]*): No such file or directory$", re.MULTILINE),
    ABSENT_LIBRARY,
    re.compile(r"Could NOT find (\w+)"),
)
"""Complaints of the shell, make, the linker and CMake that this machine lacks something."""
_NO_HIP = "does not contain the HIP runtime CMake package"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """Findings about a port that its own command has built."""

    own_build: OwnBuild
    programs: tuple[ProgramVerdict, ...]
    """Of the runs of its programs, those that were built so among them."""


def rehearsal(
    workshop: Workshop,
    source: Source,
    settled: Settled,
    runs: Sequence[tuple[str, ...]],
    options: PortOptions,
) -> Delivered:
    """Build a port as its user does, and run the programs that this makes."""
    own, products = built_as_delivered(workshop, source, settled, options)
    passed = {item.command for item in settled.programs if isinstance(item.verdict, Passed)}
    shown = judge_products(workshop, source, settled.assembly, runs, products, passed)
    again = {item.command: item.verdict for item in shown}
    command = settled.assembly.build_command
    return Delivered(
        own_build=own,
        programs=tuple(_with_product(item, again.get(item.command), command) for item in settled.programs),
    )


def _with_product(program: ProgramVerdict, product: Verdict | None, command: str) -> ProgramVerdict:
    """Return what a program showed together with what it showed as its own build made it."""
    before, as_built = program.verdict, f"as `{command}` builds it"
    if isinstance(before, Passed) and isinstance(product, Falsified):
        example = replace(product.counterexample, where=f"{as_built}, {product.counterexample.where}")
        return replace(program, verdict=replace(product, counterexample=example))
    if isinstance(before, Passed) and isinstance(product, Passed):
        shown = before.guarantee
        more = replace(
            shown,
            trials=shown.trials + product.guarantee.trials,
            checks=(*shown.checks, as_built),
        )
        return replace(program, verdict=replace(before, guarantee=more))
    return program


def built_as_delivered(
    workshop: Workshop, source: Source, settled: Settled, options: PortOptions
) -> tuple[OwnBuild, Mapping[str, Path]]:
    """Run the build command of a port on a copy of it.

    Returns what it showed, and the programs that run here, by the names of the source's.
    """
    if not settled.built:
        return OwnBuild(reason="not all of its files compile"), {}
    tool = _lacking_tool(settled.assembly.build_command, options.target)
    if tool:
        return OwnBuild(reason=f"{tool} is not here"), {}
    regions = _regions(settled, options)
    order = _order(source, settled.assembly, options.target, regions)
    built = own_build.run(workshop, order)
    if built.failure is None:
        return regions_in(built, regions), {} if settled.assembly.emulated else built.programs
    return _failed(workshop, source, settled, order, built.failure), {}


def _failed(
    workshop: Workshop, source: Source, settled: Settled, order: BuildOrder, failure: BuildFailed
) -> OwnBuild:
    """Return that a build fails, or that nothing is shown: a tool is missing, or the source fails, too."""
    assembly = settled.assembly
    missing = _named_as_missing(failure.output, source, assembly) or _missing_header(failure.output, source)
    if missing:
        return OwnBuild(reason=f"{missing} is not here", output=failure.output)
    before = _of_excerpts(failure.output, assembly) or complaint_about_units(failure.output, settled.evidence)
    before = before or _complaint_of_source(workshop, source, assembly, order)
    if before:
        reason = f"the build of the source fails here as well: {before}"
        return OwnBuild(reason=reason, output=failure.output)
    return OwnBuild(outcome=BuildOutcome.FAILS, reason=failure.complaint, output=failure.output)


def _lacking_tool(command: str, target: Dialect) -> str:
    """Return a tool that the build needs and this machine does not have; empty where it has all."""
    tools = [word for word in ("make", "cmake") if re.search(rf"(?:^|&& ){word}\b", command)]
    device = _device(target)
    tools += [device.name] if device is not None else []
    return next((tool for tool in tools if shutil.which(tool) is None), "")


def _device(target: Dialect) -> DeviceCompiler | None:
    """Return the compiler of devices that a build calls if it is told nothing: of two, that of CUDA."""
    models = target.models if target.also is None else (target.also, *target.models)
    return next((DEVICE_COMPILERS[model] for model in models if model in DEVICE_COMPILERS), None)


def _order(
    source: Source, assembly: Assembly, target: Dialect, regions: Mapping[str, frozenset[str]]
) -> BuildOrder:
    """Return how a port is built."""
    device = _device(target)
    order = BuildOrder(
        command=assembly.build_command,
        readable=outside([flag for unit in assembly.translation_units for flag in unit.flags]),
        environment=device.environment if device is not None else {},
        tools=("g++", device.name) if device is not None else ("g++",),
        programs=tuple(program.name for program in assembly.programs),
        functions=tuple(sorted({name for names in regions.values() for name in names})),
    )
    return _with_files(order, source, delivered(source, assembly))


def _with_files(order: BuildOrder, source: Source, files: Mapping[str, bytes]) -> BuildOrder:
    """Return the order to build these files, with the data of the source beside them."""
    copied = data_of(source)
    stamps = (f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in _stamps(source, copied))
    texts = (part for path in sorted(files) for part in (path, files[path]))
    how = (order.command, *map(version, order.tools), *order.programs, "|", *order.functions, "|")

    def fill(tree: Path) -> None:
        write(tree, files, source.root, copied)

    return replace(order, fill=fill, key=digest(*how, *texts, "|", *stamps))


def _stamps(source: Source, copied: tuple[str, ...]) -> Iterator[tuple[str, os.stat_result]]:
    for path in copied:
        yield path, os.stat(source.root / path, follow_symlinks=False)


def _regions(settled: Settled, options: PortOptions) -> dict[str, frozenset[str]]:
    """Return the functions that hold parallel regions, by the kept unit whose translation they are."""
    found = {}
    for item in settled.evidence:
        candidate = item.candidate
        if candidate is None or not item.kept(options.required):
            continue
        if TRAITS[candidate.dialect.model].outlined and (names := _functions_with_regions(candidate)):
            found[item.unit.id] = names
    return found


def _functions_with_regions(candidate: Candidate) -> frozenset[str]:
    names: set[str] = set()
    for replacement in candidate.replacements:
        root = trees.parse(replacement.text).root_node
        for function in trees.descendants(root, "function_definition"):
            name = trees.declared(function.child_by_field_name("declarator"))
            if name is not None and _PRAGMA.search(trees.text(function)):
                names.add(trees.text(name).rpartition("::")[2])
    return frozenset(names)


def regions_in(built: BuildRun, regions: Mapping[str, frozenset[str]]) -> OwnBuild:
    """Say of each unit whether its regions are in the products of a build.

    Args:
        built: The build, which succeeded.
        regions: The functions that hold regions, by unit.
    """
    outlined = [symbol for symbol in built.symbols if _OUTLINED.search(symbol)]
    nameless = any(map(_NAMELESS.match, outlined))
    parallel: list[str] = []
    serial: list[str] = []
    absent: list[str] = []
    for unit, names in regions.items():
        if any(_mentions(symbol, names) for symbol in outlined):
            parallel.append(unit)
        elif not any(symbol.startswith("def ") and _mentions(symbol, names) for symbol in built.symbols):
            absent.append(unit)
        else:
            (parallel if nameless else serial).append(unit)
    return OwnBuild(
        outcome=BuildOutcome.BUILDS,
        parallel=tuple(parallel),
        serial=tuple(serial),
        absent=tuple(absent),
    )


def _mentions(symbol: str, names: frozenset[str]) -> bool:
    """Tell whether a symbol is of one of these functions, or of a region in it."""
    return any(
        re.search(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])", symbol)
        or re.search(rf"omp_offloading_.*(?:_|\d){name}\w*_l\d+", symbol)
        for name in names
    )


def _complaint_of_source(workshop: Workshop, source: Source, assembly: Assembly, order: BuildOrder) -> str:
    """Return what stops the build of the source; nothing where it builds, or cannot be asked."""
    device = DEVICE_COMPILERS.get(source.dialect.model)
    if (device is None or device.here) and own_command(source.files, source):
        files = {path: data for path, data in source.files.items() if path not in source.generated}
        before = own_build.run(workshop, _with_files(order, source, files))
        return before.failure.complaint if before.failure else ""
    if assembly.build_command.startswith("cmake") and not source.projects:
        return cmakes.ask(source.root, ()).complaint
    return ""


def _of_excerpts(output: str, assembly: Assembly) -> str:
    """Return a compiler's first complaint where it is of a file that the source does not compile either."""
    cut = {path for item in assembly.excerpts.values() for path in item.damage.errors}
    path, said = _first_complaint(output)
    return said if path in cut | assembly.excerpts.keys() else ""


def complaint_about_units(output: str, evidence: Sequence[Evidence]) -> str:
    """Return a compiler's first complaint where the source of a unit in that file got it, too."""
    path, said = _first_complaint(output)
    stem = posixpath.splitext(path)[0]
    for item in evidence:
        match item.verdict:
            case Inconclusive(code="TP403", reason=reason) if f"error: {said}" in reason:
                if posixpath.splitext(item.unit.path)[0] == stem:
                    return said
    return ""


def _first_complaint(output: str) -> tuple[str, str]:
    """Return the file that a compiler complains of first, and what it says; empty texts if of none."""
    found = COMPLAINT.search(output)
    return (posixpath.normpath(found["path"]), found["said"]) if found is not None else ("", "")


def _missing_header(output: str, source: Source) -> str:
    """Return the header that a build did not find; nothing where the source does not lack it, too."""
    header = missing_header(output)
    lacks = (
        header in lacking(source.files, unit.path, include_directories(unit.flags))
        for unit in source.translation_units
    )
    return header if header and any(lacks) else ""


def _named_as_missing(output: str, source: Source, assembly: Assembly) -> str:
    """Return a tool or library that a build did not find; nothing where the source does not ask for it.

    What the port's own build makes is not missing, and neither is what only our edits of it name.
    """
    if _NO_HIP in output:
        return "the HIP runtime's package for CMake"
    asked = b"\n".join(data for path, data in source.files.items() if not is_code(path))
    made = {posixpath.basename(program.name) for program in assembly.programs}
    for pattern in _MISSING:
        for name in pattern.findall(output):
            word = re.escape(name)
            own = rf"\blib{word}\.|add_library\s*\(\s*{word}\b|(?<![\w.-]){word}\s*:(?!=)"
            wanted = re.search(rf"(?:(?<![\w.-])|-l){word}(?![\w.-])".encode(), asked)
            if wanted and name not in made and not re.search(own.encode(), asked):
                return str(name)
    return ""
