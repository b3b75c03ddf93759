"""SOURCE and UNIT: a repository as the parsers see it, and the pieces that are translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from transpile.core.dialect import Diagnostic, Dialect, Severity, Span
from transpile.core.digests import digest
from transpile.core.signature import Signature


class UnitKind(StrEnum):
    KERNEL = "kernel"
    FUNCTION = "function"
    DEVICE = "device"
    """A ``__device__`` function: translated with the kernels that call it, never judged alone."""
    GLUE = "glue"
    PROGRAM = "program"


JUDGED = (UnitKind.KERNEL, UnitKind.FUNCTION)
"""Kinds that are translated and judged by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A piece of source that is translated and judged."""

    id: str
    """``path::qualified_name(types)``; stays when the text changes."""
    kind: UnitKind
    path: str
    name: str
    """Qualified name, without template arguments."""
    span: Span
    """From the first byte of the template header, attributes or qualifiers to the closing brace."""
    line: int
    text: bytes
    callees: tuple[str, ...] = ()
    """Ids of units of this source that the text calls."""
    translation_unit: str = ""
    """Path of a translation unit that contains it (its own path, or that of an includer)."""
    active: bool = True
    """False where ``#if`` removes it in this build."""
    member: bool = False
    """Of a class: its text stands nowhere but in that class."""

    @property
    def digest(self) -> str:
        """Return the digest of the text alone."""
        return digest(self.text)

    def diagnostic(
        self, code: str, message: str, *, severity: Severity = Severity.ERROR, row: int = 0, hint: str = ""
    ) -> Diagnostic:
        """Return what a user should know of it.

        Args:
            code: Of the explanation.
            message: One line.
            severity: How bad it is.
            row: Line within the unit, from 0.
            hint: What to do.
        """
        line = self.line + row
        return Diagnostic(code=code, severity=severity, path=self.path, line=line, message=message, hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationUnit:
    """A file the build compiles, with the flags that change its meaning (-I, -D, -std, -include).

    Include directories are relative to the source root where they lie inside it.
    """

    path: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """Another translation unit that a library of one is linked with."""

    unit: TranslationUnit
    symbols: tuple[str, ...]
    """Its functions and variables that are seen there, by the names that the linker knows."""
    units: frozenset[str]
    """Ids of what may run behind those functions in that translation unit, none of which keeps state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What a translation unit names and others of its program define."""

    companions: tuple[Companion, ...] = ()
    variables: tuple[str, ...] = ()
    """All that it names, by the names that the linker knows, found or not; kernels as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTarget:
    """An executable of the repository: what is linked into it and how a small run of it looks."""

    name: str
    translation_units: tuple[str, ...]
    link_flags: tuple[str, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()
    unasked: bool = False
    """Nobody says how it is run: its run has no arguments."""
    guessed: bool = False
    """No build file tells of it."""
    project: str = ""
    """The folder whose own build file makes it; empty where the root's does, or none."""


def arguments_of(run: Sequence[str]) -> Sequence[str]:
    """Return the words after the program's own: ``./heat 64`` names it, ``64`` does not."""
    return run[1:] if run and run[0].startswith("./") else run


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroLaunch:
    """A launch in the body of a macro, at one use of that macro."""

    path: str
    """Of the file with the macro."""
    span: Span
    """Of the launch in its body."""
    kernel: str
    configuration: tuple[str, ...]
    arguments: tuple[str, ...]
    """These are as they are written there."""
    expansion: bytes
    """The text that the use stands for."""
    place: Span
    """Of the launch in that text."""
    own: frozenset[str]
    """Names that the text may set: what they hold at the launch is not what they hold before the use."""
    complete: bool
    """All uses of macros that launch are launch sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchSite:
    """A place where a kernel is launched: ``kernel<<<configuration>>>(arguments)``.

    Where a macro does it, the place is the macro's use.
    """

    path: str
    span: Span
    line: int
    kernel: str
    """Text of the kernel expression, template arguments included."""
    configuration: tuple[str, ...]
    """Two to four texts: grid, block, shared bytes, stream."""
    arguments: tuple[str, ...]
    unit: str | None = None
    """Id of the unit that is launched, where it could be resolved."""
    caller: str = ""
    macro: MacroLaunch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedLoop:
    """A loop that became a function of its own, to be judged by itself, and a call of that function.

    Its spans are in the file with the function, not in that which is on disk.
    """

    caller: str
    """Id of the unit that holds the loop."""
    path: str
    line: int
    """Of the loop, as the file is on disk."""
    row: int
    """The line of the loop within the unit, from 0."""
    text: bytes
    """The loop as it was written."""
    supposed: tuple[str, ...]
    """Facts that the text does not show and that make both the same."""
    function: Span
    """Of what was put into the file: the function and the empty line behind it."""
    call: Span
    """Of the statement that stands in the place of the loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A repository as the parsers see it. Never written to."""

    root: Path
    files: Mapping[str, bytes]
    """Text files by path relative to the root, as bytes."""
    dialect: Dialect
    translation_units: tuple[TranslationUnit, ...]
    units: tuple[Unit, ...]
    """Callees first."""
    signatures: Mapping[str, tuple[Signature, ...]]
    """By unit id."""
    launches: tuple[LaunchSite, ...]
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)
    """What is linked with a library of a translation unit, by its path."""
    opaque: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names in functions of plain C++ behind which something may run that no call in the text shows, by unit
    id: what is of a class with operators, constructors or conversions of its own."""
    of_host: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names behind which functions of the host run: those, and of classes whose operators only compute."""
    values: frozenset[str] = frozenset()
    """Classes of plain C++ whose objects are made, copied and operated on by computing alone."""
    absent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Headers that are not here, by the path of a translation unit that includes them; none of one that does
    not compile as a whole for other reasons."""
    left_out: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    """Spans that library builds leave out of files that do not compile as a whole: no unit needs them."""
    extracted: Mapping[str, ExtractedLoop] = field(default_factory=dict)
    """Loops that are units, by the ids of these."""
    programs: tuple[ProgramTarget, ...] = ()
    projects: tuple[str, ...] = ()
    """Folders that are built by themselves; none where a build file in the root builds everything."""
    goals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Targets of make besides the default one that the build takes, by the folder of their Makefile."""
    generated: frozenset[str] = frozenset()
    """Headers that the build writes, as it would: they are in no checkout."""
    outside: frozenset[str] = frozenset()
    """Files of projects where nothing is judged, or that parsers do not bear: they stay as they are."""
    alone: bool = False
    """One file was asked for: it and what it includes are all, whatever else lies in its folder."""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def runs(self) -> tuple[tuple[str, ...], ...]:
        """Return the runs of programs that the build files name."""
        return tuple(run for program in self.programs for run in program.runs)

    @property
    def callers(self) -> frozenset[str]:
        """Return the ids of the units whose loops are units."""
        return frozenset(loop.caller for loop in self.extracted.values())

    def unit(self, identifier: str) -> Unit:
        """Return the unit of that id; KeyError where there is none."""
        for unit in self.units:
            if unit.id == identifier:
                return unit
        raise KeyError(identifier)

    def companions(self, path: str) -> tuple[Companion, ...]:
        """Return what a library of a translation unit is linked with."""
        return self.elsewhere[path].companions if path in self.elsewhere else ()

    def closure(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the units that a unit calls, at any depth, callees first and without itself."""
        callees = {item.id: item.callees for item in self.units}
        reached: set[str] = set()
        waiting = list(unit.callees)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += callees.get(name, ())
        return tuple(item for item in self.units if item.id in reached - {unit.id})
