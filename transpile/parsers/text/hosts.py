"""Which translation units are plain C or C++, and which of their functions are units of their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from transpile.core import CPP, CUDA, C, Dialect, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.conditionals import defined, left
from transpile.parsers.files.includes import closure, foreign
from transpile.parsers.text.effects import OUTSIDE, effect_of
from transpile.toolchains.beside import include_directories

_DEVICE = re.compile(
    rb"\b__(?:global|device|shared|constant)__\b"
    rb"|\b(?:cuda|hip)(?:Malloc|Free|Memcpy|Memset|Launch|Stream|Event|Device|Get|Set|Error)"
)
_SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cxx"))


def plain_paths(files: Mapping[str, bytes], units: Sequence[TranslationUnit]) -> frozenset[str]:
    """Return the translation units that neither are nor include anything of CUDA or HIP in this build."""
    names = defined(files, units)
    texts = {path: left(data, names) for path, data in files.items()}
    marked = frozenset(path for path, data in texts.items() if _DEVICE.search(data))

    def is_of_device(path: str, directories: Sequence[str]) -> bool:
        return path in marked or any(
            name.startswith(("cuda", "hip")) for name in foreign(texts, path, directories)
        )

    def has_none(unit: TranslationUnit) -> bool:
        directories = include_directories(unit.flags)
        return not any(is_of_device(path, directories) for path in closure(texts, unit.path, directories))

    return frozenset(
        unit.path for unit in units if PurePosixPath(unit.path).suffix in _SUFFIXES and has_none(unit)
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
