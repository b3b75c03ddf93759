"""Which translation units are plain C or C++, and which of their functions are units of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from transpile.core import TranslationUnit, Unit, UnitKind
from transpile.parsers.includes import closure, include_directories

_DEVICE = re.compile(
    rb"\b__(?:global|device|shared|constant)__\b|\b(?:cuda|hip)[A-Z]\w*\s*\(|#\s*include\s*[<\"](?:cuda|hip)"
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


def with_functions(units: Sequence[Unit], plain: frozenset[str]) -> list[Unit]:
    """Return the units with the functions of plain translation units as such; ``main`` stays glue."""
    return [
        replace(unit, kind=UnitKind.FUNCTION)
        if unit.kind is UnitKind.GLUE and unit.translation_unit in plain and _callable(unit)
        else unit
        for unit in units
    ]


def _callable(unit: Unit) -> bool:
    """Tell whether a call needs arguments alone: no object, and no program around it."""
    return not unit.member and unit.name.rpartition("::")[2] != "main"


def is_plain(units: Sequence[Unit], path: str) -> bool:
    """Tell whether a translation unit is plain: then it has functions that are units."""
    return any(unit.kind is UnitKind.FUNCTION and unit.translation_unit == path for unit in units)


def is_c(path: str) -> bool:
    """Tell whether a compiler takes the file for C."""
    return PurePosixPath(path).suffix == ".c"
