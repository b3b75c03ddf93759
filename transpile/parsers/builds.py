"""What the build compiles, with which flags, into which programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transpile.core import Diagnostic, ProgramTarget, TranslationUnit
from transpile.parsers.discovery import is_source
from transpile.parsers.includes import closure, include_directories


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The translation units of a source and the programs linked from them."""

    translation_units: tuple[TranslationUnit, ...]
    programs: tuple[ProgramTarget, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def guess(files: Mapping[str, bytes], flags: Sequence[str]) -> Build:
    """Return a build where none is described: every source file that no other includes, one program."""
    directories = include_directories(flags)
    sources = [path for path in files if is_source(path)]
    included = {inner for path in sources for inner in closure(files, path, directories) if inner != path}
    units = tuple(TranslationUnit(path=path, flags=tuple(flags)) for path in sources if path not in included)
    program = ProgramTarget(name="main", translation_units=tuple(unit.path for unit in units))
    return Build(translation_units=units, programs=(program,) if units else ())
