"""Excerpts of files that do not compile here: what kernels need of them, and nothing else.

A file of a neural network includes ``cudnn.h``, one of a solver ``mpi.h``: neither is here, nor would any of
it run on the emulator; other host code calls what the emulator lacks, or is broken as it stands. The kernels
beside that code need none of it. A library build of them leaves out the includes that lead nowhere, and each
declaration that no kernel needs. What stays is at its place, byte for byte, so that spans hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.code.lexer import Kind, tokenize
from transpile.core import Source, Span, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.includes import closure
from transpile.parsers.text.pieces import Piece, pieces
from transpile.toolchains.beside import INCLUDE, include_directories

JUDGED = (UnitKind.KERNEL, UnitKind.FUNCTION)
_KEPT_BYTES = re.compile(rb"[^\r\n]")
_LASTING = re.compile(
    rb"^[ \t]*#[ \t]*(?:define|undef|if|ifdef|ifndef|elif|else|endif)\b(?:[^\\\n]|\\[\s\S])*", re.MULTILINE
)
"""Directives that hold behind the declaration that they stand in."""
_LIBRARIES = re.compile(
    r"(?:mpi|hdf5|netcdf|fftw3|png|jpeglib|tiffio|nccl|nvml|zlib|pnetcdf|adios2?|silo|papi)\w*\.h$"
    r"|(?:cudnn|cublas|cusolver|cusparse|cufft|cutensor|curand|npp|nvjpeg|cupti|NvInfer)\w*\.h$"
    r"|(?:GL|GLFW|SDL2?|opencv2?|boost|gtest|torch|ATen|c10|pybind11|X11)/"
)
"""Headers of libraries that projects include in quotes, too; other such headers may be the project's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """What a compiler does not understand of a translation unit."""

    headers: frozenset[str]
    """Those of libraries that are missing, as the includes name them."""
    errors: Mapping[str, tuple[int, ...]]
    """Offsets of names that nothing declares, by the path of a file."""


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
    found: dict[str, dict[str, tuple[Span, ...]]] = {}
    for unit in translation_units:
        damage = damaged.get(unit.path)
        if damage is not None:
            own = [item for item in units if item.translation_unit == unit.path]
            scene = _Scene.of(files, unit, damage, [item for item in own if _is_host_code(item)])
            names = [_last(item) for item in own if item.kind in JUDGED and item.active]
            found[unit.path] = scene.left_out(names, damage)
    judged = {item.translation_unit for item in units if item.kind in JUDGED}
    whole = {
        path
        for unit in translation_units
        if unit.path in judged and not found.get(unit.path)
        for path in closure(files, unit.path, include_directories(unit.flags))
    }
    spans: dict[str, tuple[Span, ...]] = {}
    for own_spans in found.values():
        # A file that another translation unit compiles as a whole stays whole, and all that reads it.
        for path, some in own_spans.items() if whole.isdisjoint(own_spans) else ():
            known = spans.get(path)
            spans[path] = some if known is None else tuple(item for item in some if item in known)
    return spans


def _is_host_code(unit: Unit) -> bool:
    """Tell whether no judged unit can call a unit."""
    return unit.kind in (UnitKind.GLUE, UnitKind.PROGRAM) and b"constexpr" not in unit.text


def _last(unit: Unit) -> bytes:
    return unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape")


def excerpt(source: Source) -> Source:
    """Return a source without what its library builds leave out; the same one where that is nothing."""
    if not source.left_out:
        return source
    files = {path: blanked(data, source.left_out.get(path, ())) for path, data in source.files.items()}
    units = tuple(unit for unit in source.units if not is_left_out(source, unit))
    return replace(source, files=files, units=units, left_out={})


def needed_by(
    files: Mapping[str, bytes], unit: TranslationUnit, damage: Damage, names: Sequence[str]
) -> dict[str, bytes]:
    """Return files with just what some functions of a translation unit need.

    Args:
        files: Texts by path.
        unit: The translation unit.
        damage: The missing headers, and the files that are cut (at whatever offsets).
        names: Of the functions.
    """
    scene = _Scene.of(files, unit, damage)
    roots = [name.rpartition("::")[2].encode("utf-8", "surrogateescape") for name in names]
    spans = scene.without(scene.reached(roots))
    return {path: blanked(data, spans.get(path, ())) for path, data in files.items()}


def is_left_out(source: Source, unit: Unit) -> bool:
    """Tell whether library builds leave a unit out."""
    return any(span.start <= unit.span.start < span.end for span in source.left_out.get(unit.path, ()))


def supposed(source: Source, unit: Unit) -> Iterator[str]:
    """Yield what is assumed of the headers that the file of a unit lacks."""
    for header in source.absent.get(unit.translation_unit, ()):
        yield f"`{header}`, which is not found, redefines nothing that it uses"


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
        yield from (_KEPT_BYTES.sub(b" ", data[at : line.start()]), line[0])
        at = line.end()
    yield _KEPT_BYTES.sub(b" ", data[at:])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """The declarations of a translation unit, those of files that headers are missing from apart."""

    pieces: Mapping[str, tuple[Piece, ...]]
    includes: Mapping[str, tuple[Span, ...]]
    """The lines that lead nowhere."""
    macros: Mapping[bytes, frozenset[bytes]]
    """Words in the bodies of macros."""

    @staticmethod
    def of(
        files: Mapping[str, bytes],
        unit: TranslationUnit,
        damage: Damage,
        uncalled: Sequence[Unit] = (),
    ) -> _Scene:
        directories = include_directories(unit.flags)
        read = closure(files, unit.path, directories)
        includes = {path: found for path in read if (found := tuple(_includes(files[path], damage.headers)))}
        hurt = includes.keys() | damage.errors.keys()
        touched = [path for path in read if not hurt.isdisjoint(closure(files, path, directories))]
        macros: dict[bytes, frozenset[bytes]] = {}
        called: set[bytes] = set()
        for path in read:
            for macro in tokenize(files[path]).macros:
                words = frozenset(token.text for token in macro.body if token.kind is Kind.WORD)
                macros[macro.name] = macros.get(macro.name, frozenset()) | words
                if macro.parameters is not None:
                    called.add(macro.name)
        idle = {(item.path, item.span.start) for item in uncalled}
        parts = {
            path: tuple(
                replace(piece, names=frozenset()) if (path, piece.span.start) in idle else piece
                for piece in pieces(path, files[path], frozenset(called))
            )
            for path in touched
        }
        return _Scene(pieces=parts, includes=includes, macros=macros)

    def left_out(self, roots: Sequence[bytes], damage: Damage) -> dict[str, tuple[Span, ...]]:
        """Return the spans of what no root needs, nothing where that mends nothing.

        Where headers are missing, a root that needs what is broken is none; else a compiler may know better.
        """
        broken = {
            piece
            for path, some in self.pieces.items()
            for piece in some
            if any(piece.span.start <= at < piece.span.end for at in damage.errors.get(path, ()))
        }
        needs = [self.reached({name}) for name in dict.fromkeys(roots)]
        needed = {
            piece
            for reached in needs
            if not damage.headers or reached.isdisjoint(broken)
            for piece in reached
        }
        return self.without(needed, broken) if self.includes or not broken <= needed else {}

    def without(
        self, needed: Collection[Piece], broken: Collection[Piece] = ()
    ) -> dict[str, tuple[Span, ...]]:
        """Return the spans of all but some pieces, and those that serve without being named."""
        nameless = [
            piece for some in self.pieces.values() for piece in some if piece.nameless and piece not in broken
        ]
        served = self.reached(frozenset().union(*(item.words for item in nameless)))
        kept = {*needed, *nameless, *(piece for piece in served if piece not in broken)}
        spans = {path: [item.span for item in some if item not in kept] for path, some in self.pieces.items()}
        for path, lines in self.includes.items():
            inside = (any(span.start <= line.start < span.end for span in spans[path]) for line in lines)
            spans[path] += [line for line, gone in zip(lines, [*inside], strict=True) if not gone]
        return {path: tuple(sorted(some)) for path, some in spans.items() if some}

    def reached(self, names: Collection[bytes]) -> set[Piece]:
        """Return the declarations that names lead to."""
        by_name: dict[bytes, list[Piece]] = {}
        for some in self.pieces.values():
            for piece in some:
                for name in piece.names:
                    by_name.setdefault(name, []).append(piece)
        seen: set[bytes] = set()
        reached: set[Piece] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            waiting += self.macros.get(name, ())
            for piece in by_name.get(name, ()):
                if piece not in reached:
                    reached.add(piece)
                    waiting += piece.words
        return reached


def _includes(data: bytes, headers: frozenset[str]) -> Iterator[Span]:
    """Yield the lines that include missing headers."""
    for line in INCLUDE.finditer(data):
        if (line[1] or line[2]).decode("utf-8", "surrogateescape") in headers:
            yield Span(start=line.start(), end=line.end())
