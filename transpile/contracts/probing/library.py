"""The source as a library: kernels on the emulator, functions of plain C and C++ as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.core import Signature, Source, TranslationUnit
from transpile.parsers.lowering.companions import beside
from transpile.parsers.lowering.nameless import names_of_several
from transpile.parsers.text.hosts import is_plain
from transpile.toolchains.build import BuildFailed, Built, Flavour, build_library
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.entry import source_entries
from transpile.toolchains.function_entry import function_entries, source_calls
from transpile.toolchains.workshop import Workshop


def source_library(
    workshop: Workshop,
    source: Source,
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    signatures: Sequence[Signature],
    flavour: Flavour,
) -> Built | BuildFailed:
    """Build a translation unit with entries for the signatures, in their order.

    Args:
        workshop: Where to build.
        source: What the unit is of.
        files: Its lowered texts.
        unit: The file and its flags.
        signatures: What is called.
        flavour: What the build is for.
    """
    if is_plain(source.units, unit.path):
        entries = function_entries(source_calls(signatures))
        made = Compilation(files=files, unit=unit, entries=entries, emulated=False)
    else:
        entries = source_entries(signatures, names_of_several(source, unit.path))
        made = Compilation(files=files, unit=unit, entries=entries)
    known = beside(workshop, source, unit.path, flavour)
    return build_library(workshop, made, flavour, beside=known)
