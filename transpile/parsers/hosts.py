"""Which translation units are plain C or C++, and which of their functions are units of their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from transpile.core import CPP, CUDA, C, Dialect, TranslationUnit, Unit, UnitKind
from transpile.parsers.effects import OUTSIDE, effect_of
from transpile.parsers.includes import closure, include_directories

_DEVICE = re.compile(
    rb"\b__(?:global|device|shared|constant)__\b|#\s*include\s*[<\"](?:cuda|hip)"
    rb"|\b(?:cuda|hip)(?:Malloc|Free|Memcpy|Memset|Launch|Stream|Event|Device|Get|Set|Error)"
)
_SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cxx"))


def plain_paths(files: Mapping[str, bytes], units: Sequence[TranslationUnit]) -> frozenset[str]:
    """Return the translation units that neither are nor include anything of CUDA or HIP."""
    return frozenset(
        unit.path
        for unit in units
        if PurePosixPath(unit.path).suffix in _SUFFIXES
        and not any(
            _DEVICE.search(files[path]) for path in closure(files, unit.path, include_directories(unit.flags))
        )
    )


def dialect_of(units: Sequence[TranslationUnit], plain: Collection[str]) -> Dialect:
    """Return what a source is written in: CUDA, where any file of it is."""
    paths = [unit.path for unit in units]
    if not paths or not all(path in plain for path in paths):
        return CUDA
    return C if all(map(is_c, paths)) else CPP


def with_functions(units: Sequence[Unit], plain: frozenset[str]) -> list[Unit]:
    """Return the units with the functions of plain translation units as such.

    ``main`` stays glue, and so does what itself prints or reads.
    """
    own = frozenset(unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape") for unit in units)
    return [
        replace(unit, kind=UnitKind.FUNCTION)
        if unit.kind is UnitKind.GLUE and unit.translation_unit in plain and _callable(unit, own)
        else unit
        for unit in units
    ]


def _callable(unit: Unit, own: frozenset[bytes]) -> bool:
    """Tell whether a call needs arguments alone: no object, no program around it, no files."""
    if unit.member or unit.name.rpartition("::")[2] == "main":
        return False
    effect = effect_of(unit.text, own)
    return effect is None or effect.code != OUTSIDE


def is_plain(units: Sequence[Unit], path: str) -> bool:
    """Tell whether a translation unit is plain: then it has functions that are units."""
    return any(unit.kind is UnitKind.FUNCTION and unit.translation_unit == path for unit in units)


def is_c(path: str) -> bool:
    """Tell whether a compiler takes the file for C."""
    return PurePosixPath(path).suffix == ".c"
