"""SOURCE: a repository read, cut into units, ordered, with its launches and signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from transpile.core import CUDA, Dialect, LaunchSite, Source, TranslationUnit, Unit, UnitKind
from transpile.parsers import builds, signatures, unsupported
from transpile.parsers.calls import Directory, called, callees_first, launched_name
from transpile.parsers.discovery import is_code, read_files
from transpile.parsers.includes import closure, include_directories
from transpile.parsers.launches import LaunchText, find_launches
from transpile.parsers.lexer import spelled, split, tokenize
from transpile.parsers.outline import qualifier_macros
from transpile.parsers.units import Definition, definitions, identifier


def read(
    root: Path,
    *,
    dialect: Dialect = CUDA,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    flags: Sequence[str] = (),
) -> Source:
    """Read a repository, or one file. UsageError for what is neither; all else is a diagnostic."""
    found = read_files(root, include=include, exclude=exclude)
    code = {path: data for path, data in found.texts.items() if is_code(path)}
    build = builds.describe(found.root, code, flags)
    macros = frozenset[bytes]().union(*(qualifier_macros(tokenize(data)) for data in code.values()))
    all_definitions = [item for path, data in code.items() for item in definitions(path, data, macros)]
    translation_units = _with_orphans(code, build.translation_units, all_definitions)
    homes = _homes(code, translation_units)
    directory = Directory(all_definitions, _visible(code, translation_units))
    units = _units(all_definitions, code, directory, homes)
    launches = _launch_sites(code, all_definitions, directory)
    typed = signatures.find(found.root, code, translation_units, units, launches)
    units = _informed(units, typed)
    lacks = unsupported.diagnose(code, macros)
    return Source(
        root=found.root,
        files=found.texts,
        dialect=dialect,
        translation_units=translation_units,
        units=tuple(units),
        signatures=typed.signatures,
        launches=tuple(launches),
        programs=build.programs,
        diagnostics=(*found.diagnostics, *build.diagnostics, *typed.diagnostics, *lacks),
    )


def _with_orphans(
    files: Mapping[str, bytes], units: Sequence[TranslationUnit], found: Sequence[Definition]
) -> tuple[TranslationUnit, ...]:
    """Add the files with kernels that no translation unit contains: headers of a library, dead code.

    Each becomes a translation unit of its own, with the flags that the others have in common.
    """
    common = [flag for flag in units[0].flags if all(flag in unit.flags for unit in units)] if units else []
    known = set(_homes(files, units))
    orphans: dict[str, TranslationUnit] = {}
    for item in found:
        if item.kind is UnitKind.KERNEL and item.path not in known:
            orphans[item.path] = TranslationUnit(path=item.path, flags=tuple(common))
            known.update(closure(files, item.path, include_directories(common)))
    return (*units, *orphans.values())


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
    names = _unique([identifier(item) for item in found])
    callees = [_callees(item, index, files[item.path], directory) for index, item in enumerate(found)]
    return [
        Unit(
            id=names[index],
            kind=item.kind,
            path=item.path,
            name=item.name,
            span=item.span,
            line=files[item.path].count(b"\n", 0, item.span.start) + 1,
            text=item.span.of(files[item.path]),
            callees=tuple(names[callee] for callee in callees[index]),
            translation_unit=homes.get(item.path, ""),
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


def _unique(names: Sequence[str]) -> list[str]:
    """Number the later ones of equal ids: both branches of an ``#if`` may define one function."""
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return unique


def _callees(item: Definition, own: int, data: bytes, directory: Directory) -> list[int]:
    found: dict[int, None] = {}
    for name, arguments in called(tokenize(item.body.of(data)).text):
        for index in directory.resolve(name, arguments, item.path):
            if index != own:
                found[index] = None
    return list(found)


def _launch_sites(
    files: Mapping[str, bytes], found: Sequence[Definition], directory: Directory
) -> list[LaunchSite]:
    sites = []
    names = _unique([identifier(item) for item in found])
    for path, data in files.items():
        tokens = tokenize(data)
        launches = [
            *find_launches(tokens.text),
            *(item for macro in tokens.macros for item in find_launches(macro.body)),
        ]
        for launch in launches:
            sites.append(_launch_site(path, data, launch, found, names, directory))
    return sites


def _launch_site(
    path: str,
    data: bytes,
    launch: LaunchText,
    found: Sequence[Definition],
    names: Sequence[str],
    directory: Directory,
) -> LaunchSite:
    arguments = split(launch.arguments)
    kernels = [
        index
        for index in directory.resolve(launched_name(launch.kernel), len(arguments), path)
        if found[index].kind is UnitKind.KERNEL
    ]
    callers = [
        names[index] for index, item in enumerate(found) if item.path == path and _within(launch, item)
    ]
    return LaunchSite(
        path=path,
        span=launch.span,
        line=data.count(b"\n", 0, launch.span.start) + 1,
        kernel=spelled(launch.kernel),
        configuration=tuple(spelled(part) for part in split(launch.configuration)),
        arguments=tuple(spelled(part) for part in arguments),
        unit=names[kernels[0]] if len(kernels) == 1 else None,
        caller=callers[0] if callers else "",
    )


def _within(launch: LaunchText, item: Definition) -> bool:
    return item.span.start <= launch.span.start and launch.span.end <= item.span.end
