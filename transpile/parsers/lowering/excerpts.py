"""Excerpts of files that do not compile here: what kernels need of them, and nothing else.

A file of a neural network includes ``cudnn.h``, one of a solver ``mpi.h``: neither is here, nor would any of
it run on the emulator; other host code calls what the emulator lacks, or is broken as it stands. The kernels
beside that code need none of it. A library build of them leaves out the includes that lead nowhere, and each
declaration that no kernel needs. What stays is at its place, byte for byte, so that spans hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from transpile.code.lexer import Kind, tokenize
from transpile.core import JUDGED, Source, Span, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.conditionals import behind_mark
from transpile.parsers.files.includes import closure, read_by
from transpile.parsers.lowering.declarations import (
    Damage,
    Declarations,
    Texts,
    given,
    last_name,
    lines_of,
    overlap,
)
from transpile.parsers.text.hosts import is_plain
from transpile.toolchains.beside import include_directories

_KEPT_BYTES = re.compile(rb"[^\r\n]")
_COMMENT = rb"//(?:[^\\\n]|\\[\s\S])*|/\*[\s\S]*?(?:\*/|\Z)"
_STRING = (
    rb"R\"(?P<delimiter>[^\s()\\\"]{0,16})\([\s\S]*?\)(?P=delimiter)\""
    rb"|\"(?:[^\"\\\n]|\\[\s\S])*\"|'(?:[^'\\\n]|\\[\s\S])+'"
)
_LASTING = re.compile(
    rb"(?P<line>^[ \t]*\#[ \t]*(?:define|undef|if|ifdef|ifndef|elif|else|endif"
    rb"|pragma[ \t]+(?:pack|push_macro|pop_macro|GCC[ \t]+(?:push_options|pop_options|optimize|target)))\b"
    rb"(?:%s|\"(?:[^\"\\\n]|\\[\s\S])*\"|[^\\\n]|\\[\s\S])*)|%s|%s" % (_COMMENT, _COMMENT, _STRING),
    re.MULTILINE,
)
"""Directives that hold behind the declaration that they stand in; what only looks so in texts is none."""
_LIBRARIES = re.compile(
    r"(?:mpi|hdf5|netcdf|fftw3|png|jpeglib|tiffio|nccl|nvml|zlib|pnetcdf|adios2?|silo|papi)\w*\.h$"
    r"|(?:cudnn|cublas|cusolver|cusparse|cufft|cutensor|curand|npp|nvjpeg|cupti|NvInfer)\w*\.h$"
    r"|(?:GL|GLFW|SDL2?|opencv2?|boost|gtest|torch|ATen|c10|pybind11|X11)/"
)
"""Headers of libraries that projects include in quotes, too; other such headers may be the project's own."""


def is_of_library(header: str, *, quoted: bool) -> bool:
    """Tell whether a header is of a library, and not the project's own: that may define what kernels mean."""
    return not quoted or _LIBRARIES.match(header) is not None


def left_out(
    files: Mapping[str, bytes],
    translation_units: Sequence[TranslationUnit],
    units: Sequence[Unit],
    damaged: Mapping[str, Damage],
) -> dict[str, tuple[Span, ...]]:
    """Return the spans that library builds leave out, by the path of a file.

    Args:
        files: The source's.
        translation_units: All of them.
        units: All that was cut; kernels and functions are judged.
        damaged: What is not understood of a translation unit, by its path.
    """
    spans: dict[str, tuple[Span, ...]] = {}
    headers = frozenset[str]().union(*(item.headers for item in damaged.values()))
    texts = Texts(files)
    for unit in translation_units if damaged else ():
        own = [item for item in units if item.translation_unit == unit.path]
        left: Mapping[str, tuple[Span, ...]] = {}
        if (damage := damaged.get(unit.path)) is not None:
            plain = is_plain(units, unit.path)
            uncalled = [item for item in own if _is_host_code(item, plain=plain)]
            declarations = Declarations.of(texts, unit, damage, uncalled, emulated=not plain)
            names = [last_name(item) for item in own if item.kind in JUDGED and item.active]
            left = declarations.left_out(names)
        if not left and own:
            # It sees no such include, and all else of the files that it shares with those that do.
            read = closure(files, unit.path, include_directories(unit.flags))
            left = {path: tuple(lines_of(files[path], headers)) for path in read}
        for path, found in left.items():
            known = spans.get(path)
            spans[path] = found if known is None else tuple(item for item in found if item in known)
    return {path: found for path, found in spans.items() if found}


def _is_host_code(unit: Unit, *, plain: bool) -> bool:
    """Tell whether no judged unit can call a unit: functions that are judged may call what prints, too."""
    if plain:
        return unit.name == "main"
    return unit.kind in (UnitKind.GLUE, UnitKind.PROGRAM) and b"constexpr" not in unit.text


def excerpt(source: Source) -> Source:
    """Return a source without what its library builds leave out; the same one where that is nothing."""
    if not source.left_out:
        return source
    files = {path: blanked(data, source.left_out.get(path, ())) for path, data in source.files.items()}
    units = tuple(unit for unit in source.units if not is_left_out(source, unit))
    return replace(source, files=files, units=units, left_out={})


def needed_by(
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    damage: Damage,
    names: Sequence[str],
    *,
    emulated: bool = False,
) -> dict[str, bytes]:
    """Return files with just what some functions of a translation unit need.

    Args:
        files: Texts by path.
        unit: The translation unit.
        damage: The missing headers, and the files that are cut (at whatever offsets).
        names: Of the functions.
        emulated: They were kernels, which call nothing of the host.
    """
    declarations = Declarations.of(Texts(files), unit, damage, emulated=emulated)
    roots = [name.rpartition("::")[2].encode("utf-8", "surrogateescape") for name in names]
    spans = declarations.without(declarations.reached(roots).pieces)
    return {path: blanked(data, spans.get(path, ())) for path, data in files.items()}


def without_includes(files: Mapping[str, bytes], headers: Collection[str]) -> dict[str, bytes]:
    """Return files without the lines that include missing headers."""
    return {path: blanked(data, tuple(lines_of(data, headers))) for path, data in files.items()}


def is_left_out(source: Source, unit: Unit) -> bool:
    """Tell whether library builds leave a unit out."""
    return any(overlap(span, unit.span) for span in source.left_out.get(unit.path, ()))


def cut_files(source: Source, path: str) -> tuple[str, ...]:
    """Return the files that a translation unit reads and that library builds cut."""
    return tuple(file for file in read_by(source, path) if file in source.left_out)


def supposed(source: Source, unit: Unit) -> Iterator[str]:
    """Yield what is assumed of the headers that the file of a unit lacks, or one that it is linked with."""
    linked = (item.unit.path for item in source.companions(unit.translation_unit))
    lacked = (source.absent.get(path, ()) for path in (unit.translation_unit, *linked))
    headers = tuple(dict.fromkeys(chain.from_iterable(lacked)))
    asked = _asked(source, unit) if headers else ()
    for header in headers:
        yield f"`{header}`, which is not found, redefines nothing that it uses"
        if asked:
            yield f"`{header}`, which is not found, does not define `{'`, `'.join(asked)}`"


def _asked(source: Source, unit: Unit) -> tuple[str, ...]:
    """Return what conditions in a unit ask for and the source does not define; compilers define `_NAMES`."""
    known = {macro.name for data in source.files.values() for macro in tokenize(data).macros}
    known.update(name for item in source.translation_units for name, _ in given(item.flags))
    found = {
        word.text.decode("utf-8", "surrogateescape")
        for part in (unit, *source.closure(unit))
        for token in tokenize(part.text).text
        if token.kind is Kind.DIRECTIVE
        for word in behind_mark(token)[1:]
        if word.kind is Kind.WORD and word.text != b"defined" and word.text not in known
    }
    return tuple(sorted(name for name in found if not name.startswith("_")))


def blanked(data: bytes, spans: Sequence[Span]) -> bytes:
    """Return a text with blanks in place of some of it; lines stay, and so do conditions and macros."""
    parts: list[bytes] = []
    at = 0
    for span in sorted(spans):
        parts += (data[at : span.start], *_blanks(span.of(data)))
        at = span.end
    return b"".join((*parts, data[at:]))


def _blanks(data: bytes) -> Iterator[bytes]:
    at = 0
    for line in _LASTING.finditer(data):
        if line["line"] is not None:
            yield from (_KEPT_BYTES.sub(b" ", data[at : line.start()]), line[0])
            at = line.end()
    yield _KEPT_BYTES.sub(b" ", data[at:])
