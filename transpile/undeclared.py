"""Host code of files that do not compile here: no program shows it, but a port of it must not lose names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from transpile.core import Source, TranslationUnit
from transpile.parsers.lowering.excerpts import without_includes
from transpile.parsers.text.hosts import is_c
from transpile.toolchains.build import BuildFailed, build_program
from transpile.toolchains.workshop import Workshop

_BRIEFLY = ("-w", "-fdiagnostics-plain-output")
_OPEN = "[\u2018'`]"
_NAME = f"{_OPEN}[^\u2019']+[\u2019']"
_COMPLAINT = re.compile(
    rf"\berror: ({_NAME} (?:was not declared|has not been declared|undeclared|does not name a type)"
    rf"|redefinition of {_NAME}|conflicting (?:declaration|types)\D*{_NAME}|call of overloaded {_NAME}"
    rf"|no matching function for call to {_OPEN}[\w:]+|too (?:few|many) arguments to function {_NAME})"
)
"""Complaints of a compiler about names that are not there, or there twice, or called otherwise."""


def complaints(
    workshop: Workshop,
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    headers: Collection[str],
    *,
    emulated: bool | Collection[str],
    defines: Sequence[str] = (),
) -> frozenset[str]:
    """Return what a compiler says of the names in a file, its missing headers passed over.

    Args:
        workshop: Where to build.
        files: The tree, as it is compiled.
        unit: The file.
        headers: Those that are missing.
        emulated: Compile it with the emulator; or the paths of the files that are.
        defines: Macros on top of the unit's own.
    """
    built = build_program(
        workshop,
        without_includes(files, headers),
        [replace(unit, flags=(*unit.flags, *_BRIEFLY))],
        link_flags=("-r",),
        emulated=emulated,
        defines=defines,
    )
    return frozenset(_COMPLAINT.findall(built.whole)) if isinstance(built, BuildFailed) else frozenset()


def of_source(workshop: Workshop, source: Source, files: Mapping[str, bytes]) -> dict[str, frozenset[str]]:
    """Return the same of the files of a source that lack headers, by path.

    Args:
        workshop: Where to build.
        source: What is ported.
        files: Its files as its programs are built from them.
    """
    # C stays C in the port, where a compiler says other things of it than of CUDA.
    emulated = not source.dialect.is_plain
    return {
        unit.path: complaints(
            workshop, files, unit, source.absent[unit.path], emulated=emulated and not is_c(unit.path)
        )
        for unit in source.translation_units
        if unit.path in source.absent
    }
