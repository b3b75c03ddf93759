"""A library of Fortran routines as one C++ file, with functions by which Fortran and trials call them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.interfaces import Interface, interface, qualified
from transpile.parsers.fortran.resolve import Program, resolve
from transpile.parsers.fortran.symbols import Procedure
from transpile.parsers.fortran.walking import Node, names
from transpile.translators.fortran.program import Port
from transpile.translators.fortran.sharing import HEADER
from transpile.translators.fortran.shims import shim, target_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Routines of a library that were translated, and those that were not."""

    text: str
    origins: tuple[int, ...]
    """Of each line of the text the line of Fortran that it comes from; 0 where there is none."""
    interfaces: tuple[Interface, ...]
    refused: tuple[tuple[str, Refused], ...] = ()
    """Program units that have no translation, or use one that has none, and why."""


def translate(
    files: Iterable[tree.File], *, wanted: Collection[str] = (), leave: Collection[str] = ()
) -> Library:
    """Translate all routines that have a translation.

    Args:
        files: Where they are.
        wanted: Qualified names of the routines that Fortran calls in C++; all where it is empty.
        leave: Names of program units that are left out, with what uses them.

    Raises:
        Refused: Where nothing can be told of a place.
    """
    left, gone = _without(tuple(files), set(leave))
    refused = [(unit.name, Refused("it is left out", unit.line, file)) for unit, file in gone]
    while True:
        try:
            return replace(_translated(left, wanted), refused=tuple(refused))
        except Refused as why:
            unit = _unit_at(left, why)
            if unit is None:
                raise
            refused.append((unit.name, why))
            left = tuple(
                replace(file, units=tuple(item for item in file.units if item is not unit)) for file in left
            )
            if not any(item.name == unit.name for file in left for item in file.units):
                left, gone = _without(left, {unit.name})
                detail = f"it uses `{unit.name}`, which has no translation"
                refused += [
                    (item.name, Refused(detail, item.line, file)) for item, file in gone if item is not unit
                ]


def _translated(files: tuple[tree.File, ...], wanted: Collection[str]) -> Library:
    program = resolve(files)
    port = Port(program, shared=True)
    known = [(item, interface(item, program, target_name(item))) for item in _procedures(program)]
    shims = [
        shim(procedure, port.procedures)
        for procedure, told in known
        if not told.obstacle and (not wanted or qualified(procedure) in wanted)
    ]
    text = port.text(shims, [HEADER])
    return Library(text=text, origins=tuple(port.origins), interfaces=tuple(told for _, told in known))


def _procedures(program: Program) -> Iterator[Procedure]:
    """Yield the procedures that can be called from outside."""
    for scope in program.units:
        assert scope.unit is not None
        if scope.unit.kind == "module":
            yield from (item for item in scope.procedures if not item.interface_only)
        elif scope.unit.kind in ("subroutine", "function"):
            found = program.root.symbols[scope.unit.name].procedure
            assert found is not None
            yield found


def _unit_at(files: tuple[tree.File, ...], why: Refused) -> tree.Unit | None:
    """Return the program unit that a refusal is about."""
    units = [
        unit for file in files if file.name == why.file for unit in file.units if unit.line <= (why.line or 1)
    ]
    return max(units, key=lambda item: item.line, default=None)


def _without(
    files: tuple[tree.File, ...], leave: set[str]
) -> tuple[tuple[tree.File, ...], list[tuple[tree.Unit, str]]]:
    """Return files without units of these names and what uses them, directly or not.

    Those that are left out follow, each with its file.
    """
    gone = set(leave)
    if not gone:
        return files, []
    mentioned = {id(unit): set(_mentioned(unit)) for file in files for unit in file.units}
    while True:
        using = {unit.name for file in files for unit in file.units if mentioned[id(unit)] & gone} - gone
        if not using:
            break
        gone |= using
    kept = tuple(
        replace(file, units=tuple(unit for unit in file.units if unit.name not in gone)) for file in files
    )
    left = [(unit, file.name) for file in files for unit in file.units if unit.name in gone]
    return kept, sorted(left, key=lambda item: item[0].name)


def _mentioned(unit: tree.Unit) -> Iterator[str]:
    parts: tuple[Node, ...] = (*unit.declarations, *unit.body)
    for part in parts:
        if isinstance(part, tree.Use):
            yield part.module
        yield from (item.name for item in names(part))
    for inner in unit.procedures:
        yield from _mentioned(inner)
