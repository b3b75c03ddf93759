"""SOURCE: a repository read, cut into units, ordered, with its launches and signatures."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from transpile import faults
from transpile.code.edits import line_of
from transpile.code.lexer import depth, tokenize
from transpile.core import (
    Diagnostic,
    Elsewhere,
    Severity,
    Signature,
    Source,
    TranslationUnit,
    Unit,
    UnitKind,
)
from transpile.parsers import signatures
from transpile.parsers.building import builds
from transpile.parsers.building.builds import Build
from transpile.parsers.extraction.extraction import LoopChoice, extraction
from transpile.parsers.files.discovery import Files, is_code, read_files
from transpile.parsers.files.includes import closure, lacking, searched
from transpile.parsers.lowering import excerpts, unsupported
from transpile.parsers.text.calls import Directory, called, callees_first
from transpile.parsers.text.hip_words import hip_files, in_cuda
from transpile.parsers.text.hosts import dialect_of, plain_paths, with_functions
from transpile.parsers.text.launch_sites import launch_sites
from transpile.parsers.text.mains import with_plain_runs
from transpile.parsers.text.outline import qualifier_macros
from transpile.parsers.text.units import Definition, definitions, identifier
from transpile.parsers.types.companions import holders, linked
from transpile.prune import prune
from transpile.toolchains.beside import include_directories

_DEEPEST = 256
"""Brackets around each other, as for clang where nothing else is said (``-fbracket-depth``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Code that is to be read."""

    root: Path
    code: Mapping[str, bytes]
    build: Build
    written: Source | None = None
    """The same as it was read before, if loops of its functions are to be functions."""
    loops: LoopChoice | None = None
    """The choice of these loops."""
    hip: frozenset[str] = frozenset()
    """Files that were written in HIP."""


Reader = Callable[[Request], Source]
Chooser = Callable[[Source], LoopChoice | None]
"""Says, of a source as it was read last, which loops are to be functions; None where it may stay."""


def read(
    root: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    flags: Sequence[str] = (),
    opened: Sequence[Path] = (),
    reader: Reader | None = None,
    chooser: Chooser | None = None,
    hip: bool = False,
) -> Source:
    """Read a repository, or one file. UsageError for what is neither; all else is a diagnostic.

    A file on which we fail ourselves is left out, and told of.

    Args:
        root: The directory, or the file.
        include: Globs of code files; none: all.
        exclude: Globs of what is left out.
        flags: The user's own, which come after those of the build.
        opened: Directories outside of the root that its build may read.
        reader: What parses the code; without one it happens in this process, with no limit on its time and
            memory; code that nobody here wrote wants an ``isolated.Reader``.
        chooser: What says which loops are to be functions; without one, none.
        hip: Sources of HIP stay in its words.
    """
    found = read_files(root, include=include, exclude=exclude)
    source_of = partial(_source, flags=flags, opened=opened, reader=reader or cut, chooser=chooser, hip=hip)

    def without(paths: Sequence[str]) -> Files:
        texts = {path: data for path, data in found.texts.items() if path not in paths}
        return replace(found, texts=texts)

    def readable(paths: Sequence[str]) -> bool:
        try:
            source_of(without([path for path in code if path not in paths]))
        except Exception as error:
            faults.raise_others(error)
            return False
        return True

    try:
        return source_of(found)
    except Exception as error:
        fault, first = faults.own(error, "reading the source"), error
    code = tuple(filter(is_code, found.texts))
    good = prune(code, readable)
    if good is None:
        raise first
    bad = [path for path in code if path not in good]
    source = source_of(without(bad))
    # Where every file is readable, it was the looking for loops that failed: it is not asked for again.
    told = (faults.diagnostic(fault, path) for path in bad or [str(root)])
    return replace(source, diagnostics=(*source.diagnostics, *told))


def _source(
    found: Files,
    *,
    flags: Sequence[str],
    opened: Sequence[Path],
    reader: Reader,
    chooser: Chooser | None,
    hip: bool,
) -> Source:
    """Return what files mean."""
    code = {path: data for path, data in found.texts.items() if is_code(path)}
    build = builds.describe(found.root, code, flags, opened)
    generated = _mentioned(build.generated, code)
    code = {**generated, **code}
    of_hip = frozenset[str]() if hip else hip_files(code)
    code |= {path: in_cuda(code[path]) for path in of_hip}
    request = Request(root=found.root, code=code, build=replace(build, generated={}), hip=of_hip)
    source = reader(request)
    missing = code.keys() - source.files.keys()
    if chooser is not None and not missing:
        again = replace(request, written=source)
        while (loops := chooser(source)) is not None:
            source = reader(replace(again, loops=loops))
    given = {**generated, **found.texts}
    texts = {path: source.files.get(path, data) for path, data in given.items() if path not in missing}
    return replace(
        source,
        files=texts,
        alone=found.alone,
        generated=frozenset(generated) - found.texts.keys(),
        diagnostics=(*found.diagnostics, *source.diagnostics),
    )


def _mentioned(headers: Mapping[str, bytes], code: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the headers whose names stand in the code, or in each other: the rest is nothing to port."""
    texts = (*code.values(), *headers.values())
    names = {path: posixpath.basename(path).encode("utf-8", "surrogateescape") for path in headers}
    return {path: data for path, data in headers.items() if any(names[path] in text for text in texts)}


def cut(request: Request, begin: Callable[[str], None] = lambda path: None) -> Source:
    """Cut code into units, and find out what these mean.

    Args:
        request: The code.
        begin: Told of each file before it is looked at, and of "" before what concerns all of them.
    """
    if request.written is None or request.loops is None:
        return _cut(request, begin)
    made = extraction(request.written, request.loops, begin)
    source = _cut(replace(request, code=made.files), begin)
    extracted = made.extracted(source.units)
    units = (
        replace(unit, line=extracted[unit.id].line - extracted[unit.id].row)
        if unit.id in extracted
        else replace(unit, line=made.line(unit.path, unit.span.start, request.code))
        for unit in source.units
    )
    callers = {request.written.unit(loop.caller) for loop in extracted.values()}
    told = (made.told(item, request.code) for item in source.diagnostics)
    return replace(
        source,
        units=tuple(units),
        extracted=extracted,
        diagnostics=tuple(item for item in told if not _is_of(item, callers)),
    )


def _is_of(found: Diagnostic, units: Collection[Unit]) -> bool:
    """Tell whether a diagnostic says why one of these units cannot be called."""
    return found.code in signatures.UNCALLABLE and any(
        (unit.path, unit.line) == (found.path, found.line) for unit in units
    )


def _cut(request: Request, begin: Callable[[str], None]) -> Source:
    """Cut code as it stands."""
    root, build = request.root, request.build
    code: Mapping[str, bytes] = request.code
    macros = frozenset[bytes]()
    deep: set[str] = set()
    for path, data in code.items():
        begin(path)
        tokens = tokenize(data)
        macros |= qualifier_macros(tokens)
        if depth(tokens.text) > _DEEPEST:
            deep.add(path)
    left = {path: data for path, data in code.items() if path in deep}
    code = {path: data for path, data in code.items() if path not in deep}
    all_definitions: list[Definition] = []
    for path, data in code.items():
        begin(path)
        all_definitions += definitions(path, data, macros)
    begin("")
    translation_units = _with_orphans(code, build.translation_units, all_definitions)
    # Kernels in a header often have a test beside the program that needs a framework.
    homes = _homes(code, sorted(translation_units, key=lambda unit: not _is_whole(code, unit)))
    visible = _visible(code, translation_units)
    directory = Directory(all_definitions, visible)
    units = _units(all_definitions, code, directory, homes)
    plain = plain_paths(code, translation_units)
    units = with_functions(units, plain)
    launches = launch_sites(code, all_definitions, _identifiers(all_definitions), directory, visible)
    typed = signatures.find(root, code, translation_units, units, launches, begin)
    begin("")
    units = _informed(units, typed)
    inventories = list(typed.inventories)
    for of_device in (False, True):
        others = [item for item in translation_units if (item.path not in plain) is of_device]
        inventories += holders(root, code, others, typed.inventories, begin, of_device=of_device)
    begin("")
    elsewhere = linked(inventories, translation_units, build.programs, _signals(units, typed.signatures))
    elsewhere |= {
        path: replace(elsewhere.get(path, Elsewhere()), variables=tuple(sorted(names)))
        for path, names in typed.lacking.items()
        if names
    }
    of_hip = request.hip.union(path for path, home in homes.items() if home in request.hip)
    lacks: list[Diagnostic] = []
    for hip in (False, True):
        texts = {path: data for path, data in code.items() if (path in of_hip) is hip}
        lacks += unsupported.diagnose(texts, macros, typed.inactive, hip=hip)
    told = (left_out(path, f"its brackets are nested more than {_DEEPEST} deep") for path in sorted(deep))
    return Source(
        root=root,
        files={**code, **left},
        outside=frozenset(left),
        dialect=dialect_of(translation_units, plain),
        translation_units=translation_units,
        units=tuple(units),
        signatures=typed.signatures,
        elsewhere=elsewhere,
        opaque=typed.opaque,
        of_host=typed.of_host,
        values=typed.values,
        absent={
            path: tuple(sorted(damage.headers)) for path, damage in typed.damaged.items() if damage.headers
        },
        left_out=excerpts.left_out(code, translation_units, units, typed.damaged),
        launches=tuple(launches),
        programs=with_plain_runs(build.programs, code),
        projects=build.projects,
        goals=build.goals,
        diagnostics=(*build.diagnostics, *typed.diagnostics, *lacks, *told),
    )


def left_out(path: str, reason: str) -> Diagnostic:
    """Return that parsers do not bear a file, and why."""
    return Diagnostic(
        code="TP103",
        severity=Severity.WARNING,
        path=path,
        line=1,
        message=f"the file is left out: {reason}",
        hint="nothing in it is ported: if it is generated, leave it out with --exclude",
    )


def _signals(
    units: Sequence[Unit], signatures: Mapping[str, Sequence[Signature]]
) -> dict[str, frozenset[str]]:
    """Return the names that stubs have in libraries, by the path of a translation unit."""
    found: dict[str, frozenset[str]] = {}
    for unit in units:
        names = {item.name for known in signatures.get(unit.id, ()) for item in known.signals}
        found[unit.translation_unit] = found.get(unit.translation_unit, frozenset()) | names
    return found


def _with_orphans(
    files: Mapping[str, bytes], units: Sequence[TranslationUnit], found: Sequence[Definition]
) -> tuple[TranslationUnit, ...]:
    """Add the files with kernels that no translation unit contains of which every header is at hand.

    They are headers of a library, dead code, or what is built with a framework that is not installed.
    Each becomes a translation unit of its own, with the flags that the others have in common.
    """
    common = [flag for flag in units[0].flags if all(flag in unit.flags for unit in units)] if units else []
    known = set(_homes(files, [unit for unit in units if _is_whole(files, unit)]))
    known |= {unit.path for unit in units}
    included_somewhere = _homes(files, units)
    orphans: dict[str, TranslationUnit] = {}
    for item in found:
        if item.kind is UnitKind.KERNEL and item.path not in known:
            flags = searched(files, item.path, common)
            orphan = TranslationUnit(path=item.path, flags=flags)
            if item.path in included_somewhere and not _is_whole(files, orphan):
                continue
            orphans[item.path] = orphan
            known.update(closure(files, item.path, include_directories(flags)))
    return (*units, *orphans.values())


def _is_whole(files: Mapping[str, bytes], unit: TranslationUnit) -> bool:
    """Tell whether every header of a translation unit is one of the source's, or installed."""
    return not any(lacking(files, unit.path, include_directories(unit.flags)))


def _homes(files: Mapping[str, bytes], units: Sequence[TranslationUnit]) -> dict[str, str]:
    """Map every file to a translation unit that contains it: its own, or the first that includes it."""
    homes = {unit.path: unit.path for unit in units}
    for unit in units:
        for path in closure(files, unit.path, include_directories(unit.flags)):
            homes.setdefault(path, unit.path)
    return homes


def _visible(files: Mapping[str, bytes], units: Sequence[TranslationUnit]) -> dict[str, frozenset[str]]:
    """Map every file to those that share a translation unit with it."""
    together: dict[str, set[str]] = {}
    for unit in units:
        paths = closure(files, unit.path, include_directories(unit.flags))
        for path in paths:
            together.setdefault(path, set()).update(paths)
    return {path: frozenset(paths) for path, paths in together.items()}


def _units(
    found: Sequence[Definition], files: Mapping[str, bytes], directory: Directory, homes: Mapping[str, str]
) -> list[Unit]:
    names = _identifiers(found)
    callees = _callees(found, files, directory)
    return [
        Unit(
            id=names[index],
            kind=item.kind,
            path=item.path,
            name=item.name,
            span=item.span,
            line=line_of(files[item.path], item.span.start),
            text=item.span.of(files[item.path]),
            callees=tuple(names[callee] for callee in callees[index]),
            translation_unit=homes.get(item.path, ""),
            member=item.member,
        )
        for index in callees_first(callees)
        for item in (found[index],)
    ]


def _informed(units: Sequence[Unit], typed: signatures.Typed) -> list[Unit]:
    """Return the units with what libclang knows better: who is called, and what ``#if`` removes."""
    names = {unit.id: unit.name.rpartition("::")[2] for unit in units}
    known = []
    for unit in units:
        seen = typed.calls.get(unit.id)
        resolved = seen.names if seen is not None else frozenset()
        guessed = tuple(callee for callee in unit.callees if names[callee] not in resolved)
        removed = typed.inactive.get(unit.path, ())
        active = not any(span.start <= unit.span.start < span.end for span in removed)
        known.append(
            replace(unit, callees=(*(seen.units if seen is not None else ()), *guessed), active=active)
        )
    index = {unit.id: position for position, unit in enumerate(known)}
    order = callees_first([[index[callee] for callee in unit.callees] for unit in known])
    return [known[position] for position in order]


def _identifiers(found: Sequence[Definition]) -> list[str]:
    """Return the ids of functions, numbered where they are equal: branches of an ``#if`` may define one."""
    seen: dict[str, int] = {}
    unique = []
    for name in map(identifier, found):
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return unique


def _callees(
    found: Sequence[Definition], files: Mapping[str, bytes], directory: Directory
) -> list[list[int]]:
    """Return, for each definition, those that its body calls by name and number of arguments."""
    starts = {path: [token.start for token in tokenize(files[path]).text] for path in {i.path for i in found}}
    callees = []
    for own, item in enumerate(found):
        first = bisect_left(starts[item.path], item.body.start)
        last = bisect_left(starts[item.path], item.body.end)
        body = tokenize(files[item.path]).text[first:last]
        called_here = (directory.resolve(name, count, item.path) for name, count in called(body))
        callees.append(list(dict.fromkeys(index for some in called_here for index in some if index != own)))
    return callees
