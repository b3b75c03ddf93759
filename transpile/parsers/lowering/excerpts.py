"""Excerpts of files whose headers are missing: what kernels need of them, and nothing else.

A file of a neural network includes ``cudnn.h``, one of a solver ``mpi.h``: neither is here, nor would any of
it run on the emulator. The kernels beside that code need none of it. A library build of them leaves out the
includes that lead nowhere, and each declaration that no kernel needs. What stays is at its place, byte for
byte, so that spans hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from transpile.code.lexer import Kind, tokenize
from transpile.core import Source, Span, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.includes import closure
from transpile.parsers.text.hosts import is_plain
from transpile.parsers.text.pieces import Macros, Piece, pieces
from transpile.toolchains.beside import INCLUDE, include_directories

JUDGED = (UnitKind.KERNEL, UnitKind.FUNCTION)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """What a compiler does not understand of a translation unit since headers are missing."""

    headers: frozenset[str]
    """As the includes name them."""
    errors: Mapping[str, tuple[int, ...]]
    """Offsets in files, by path."""


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
        damaged: What is lost in each translation unit that lacks headers, by its path.
    """
    spans: dict[str, tuple[Span, ...]] = {}
    headers = frozenset[str]().union(*(item.headers for item in damaged.values()))
    for unit in translation_units:
        damage = damaged.get(unit.path)
        own = [item for item in units if item.translation_unit == unit.path]
        if damage is not None:
            plain = is_plain(units, unit.path)
            scene = _Scene.of(
                files, unit, damage.headers, [item for item in own if _is_host_code(item, plain=plain)]
            )
            names = [_last(item) for item in own if item.kind in JUDGED and item.active]
            left = scene.left_out(names, damage.errors)
        elif headers and own:
            # It sees no such include, and all else of the files that it shares with those that do.
            read = closure(files, unit.path, include_directories(unit.flags))
            left = {path: tuple(_includes(files[path], headers)) for path in read}
        else:
            continue
        for path, found in left.items():
            known = spans.get(path)
            spans[path] = found if known is None else tuple(item for item in found if item in known)
    return {path: found for path, found in spans.items() if found}


def _is_host_code(unit: Unit, *, plain: bool) -> bool:
    """Tell whether no judged unit can call a unit: functions that are judged may call what prints, too."""
    if plain:
        return unit.name == "main"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is compiled of a translation unit of a port that lacks headers."""

    headers: tuple[str, ...]
    functions: tuple[str, ...]
    """The translations, by name."""


def excerpts(source: Source, paths: Mapping[str, str], kept: Collection[str]) -> dict[str, Excerpt]:
    """Return what is built of such translation units of a port, by path there.

    Args:
        source: What is ported.
        paths: The port's path of each file of the source.
        kept: Ids of the units whose translations are in the port.
    """
    return {
        paths[path]: Excerpt(
            headers=headers,
            functions=tuple(
                item.name for item in source.units if item.id in kept and item.translation_unit == path
            ),
        )
        for path, headers in source.absent.items()
    }


def excerpt_of(files: Mapping[str, bytes], unit: TranslationUnit, wanted: Excerpt) -> dict[str, bytes]:
    """Return the files of a port with just what the translations in a translation unit need."""
    scene = _Scene.of(files, unit, frozenset(wanted.headers))
    roots = [name.rpartition("::")[2].encode("utf-8", "surrogateescape") for name in wanted.functions]
    spans = scene.left_out(roots, {})
    return {path: blanked(data, spans.get(path, ())) for path, data in files.items()}


def without_includes(files: Mapping[str, bytes], headers: Collection[str]) -> dict[str, bytes]:
    """Return files without the lines that include missing headers."""
    return {path: blanked(data, tuple(_includes(data, headers))) for path, data in files.items()}


def is_left_out(source: Source, unit: Unit) -> bool:
    """Tell whether library builds leave a unit out."""
    return any(
        span.start < unit.span.end and unit.span.start < span.end
        for span in source.left_out.get(unit.path, ())
    )


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
    known.update(name for item in source.translation_units for name, _ in _given(item.flags))
    found = {
        word.text.decode("utf-8", "surrogateescape")
        for part in (unit, *source.closure(unit))
        for token in tokenize(part.text).text
        if token.kind is Kind.DIRECTIVE
        for word in tokenize(token.text[token.text.index(b"#") + 1 :]).text[1:]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """The declarations of a translation unit, those of files that headers are missing from apart."""

    pieces: Mapping[str, tuple[Piece, ...]]
    includes: Mapping[str, tuple[Span, ...]]
    """The lines that lead nowhere."""
    macros: Mapping[bytes, frozenset[bytes]]
    """Words in the bodies of macros."""
    idle: frozenset[tuple[str, int]]
    """Where functions begin that no judged one calls."""
    doubtful: Mapping[str, tuple[Span, ...]]
    """Texts between conditions on what a missing header may define."""
    doubtful_macros: frozenset[bytes]
    """Macros that are defined there."""

    @staticmethod
    def of(
        files: Mapping[str, bytes],
        unit: TranslationUnit,
        headers: frozenset[str],
        uncalled: Sequence[Unit] = (),
    ) -> _Scene:
        directories = include_directories(unit.flags)
        read = closure(files, unit.path, directories)
        includes = {path: found for path in read if (found := tuple(_includes(files[path], headers)))}
        touched = [path for path in read if not includes.keys().isdisjoint(closure(files, path, directories))]
        macros: dict[bytes, frozenset[bytes]] = dict(_given(unit.flags))
        for macro in (item for path in read for item in tokenize(files[path]).macros):
            words = frozenset(token.text for token in macro.body if token.kind is Kind.WORD)
            macros[macro.name] = macros.get(macro.name, frozenset()) | words
        known = Macros.of(macro for path in read for macro in tokenize(files[path]).macros)
        parts = {path: pieces(path, files[path], known) for path in touched}
        doubtful = {path: tuple(_doubtful(files[path], headers, macros.keys())) for path in read}
        return _Scene(
            pieces=parts,
            includes=includes,
            macros=macros,
            idle=frozenset(_idle(uncalled, parts, macros)),
            doubtful=doubtful,
            doubtful_macros=frozenset(
                macro.name
                for path, spans in doubtful.items()
                for macro in tokenize(files[path]).macros
                if any(span.start < macro.end <= span.end for span in spans)
            ),
        )

    def left_out(
        self, roots: Sequence[bytes], errors: Mapping[str, Sequence[int]]
    ) -> dict[str, tuple[Span, ...]]:
        """Return the spans of what no root needs; a root that needs what is broken is none."""
        broken = {
            piece
            for path, some in self.pieces.items()
            for piece in some
            if any(piece.span.start <= at < piece.span.end for at in errors.get(path, ()))
            or any(_overlap(piece.span, span) for span in self.doubtful[path])
        }
        by_name = self._by_name(errors)
        nameless = [item for some in self.pieces.values() for item in some if item.nameless]
        always = frozenset().union(*(item.words for item in nameless if item not in broken))
        needed: set[Piece] = set()
        for name in dict.fromkeys(roots):
            reached, mentioned = self._reached({name}, by_name)
            if reached.isdisjoint(broken) and mentioned.isdisjoint(self.doubtful_macros):
                needed |= reached
        needed |= {item for item in (*nameless, *self._reached(always, by_name)[0]) if item not in broken}
        spans = {
            path: [piece.span for piece in some if piece not in needed] for path, some in self.pieces.items()
        }
        for path, lines in self.includes.items():
            outside = (
                line for line in lines if not any(span.start <= line.start < span.end for span in spans[path])
            )
            spans[path] += [*outside]
        return {path: tuple(sorted(some)) for path, some in spans.items() if some}

    def _by_name(self, errors: Mapping[str, Sequence[int]]) -> dict[bytes, list[Piece]]:
        """Return the declarations by what they may declare, and by what macros make of that.

        A function is no idle one where its head is not understood: what is missing may say whose it is.
        """
        found: dict[bytes, list[Piece]] = {}
        for path, some in self.pieces.items():
            heads = errors.get(path, ())
            for piece in some:
                clear = not any(piece.span.start <= at < piece.body for at in heads)
                if clear and (path, piece.span.start) in self.idle:
                    continue
                for name in self._expanded(piece.names):
                    found.setdefault(name, []).append(piece)
        return found

    def _expanded(self, names: Collection[bytes]) -> set[bytes]:
        """Return names, and the words of the macros that stand for them."""
        found: set[bytes] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.macros.get(name, ())
        return found

    def _reached(
        self, names: Collection[bytes], by_name: Mapping[bytes, Sequence[Piece]]
    ) -> tuple[set[Piece], set[bytes]]:
        """Return the declarations that names lead to, and all the names that these mention."""
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
        return reached, seen


def _idle(
    uncalled: Sequence[Unit],
    parts: Mapping[str, Sequence[Piece]],
    macros: Mapping[bytes, Collection[bytes]],
) -> Iterator[tuple[str, int]]:
    """Yield where functions begin that no judged one calls, whatever it mentions.

    An overload or a form of something else is called by that name, and an operator by none.
    """
    device = {b"__device__", b"__global__"}
    while more := {name for name, words in macros.items() if not device.isdisjoint(words)} - device:
        device |= more
    places = {(item.path, item.span.start) for item in uncalled}
    others = frozenset[bytes]().union(
        *(
            piece.names
            for path, some in parts.items()
            for piece in some
            if piece.body < piece.span.end and (path, piece.span.start) not in places
        )
    )
    for unit in uncalled:
        head = {token.text for token in tokenize(unit.text.partition(b"{")[0]).text}
        names = {_last(unit).partition(b"<")[0]}
        if head.isdisjoint({*device, b"operator"}) and names.isdisjoint(others):
            yield unit.path, unit.span.start


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _given(flags: Sequence[str]) -> Iterator[tuple[bytes, frozenset[bytes]]]:
    """Yield the macros that flags define, each with the words of its body."""
    for flag in flags:
        if flag.startswith("-D"):
            name, _, body = flag[2:].partition("=")
            tokens = tokenize(body.encode("utf-8", "surrogateescape")).text
            yield name.encode(), frozenset(token.text for token in tokens if token.kind is Kind.WORD)


def _doubtful(data: bytes, headers: Collection[str], known: Collection[bytes]) -> Iterator[Span]:
    """Yield what stands between conditions on names that missing headers seem to define: ``MPI_VERSION``."""
    libraries = {
        part.partition("_")[0].lower()
        for header in headers
        for part in header.removesuffix(".h").removesuffix(".hpp").split("/")
    }
    opened: list[tuple[int, bool]] = []
    for token in tokenize(data).text:
        if token.kind is not Kind.DIRECTIVE:
            continue
        words = {item.text for item in tokenize(token.text[token.text.index(b"#") + 1 :]).text}
        asked = any(_prefix(word) in libraries for word in words.difference(known))
        if words & {b"if", b"ifdef", b"ifndef"}:
            opened.append((token.start, asked))
        elif b"endif" in words and opened:
            start, doubtful = opened.pop()
            if doubtful:
                yield Span(start=start, end=token.end)
        elif asked and opened:
            opened[-1] = (opened[-1][0], True)


def _prefix(word: bytes) -> str:
    return word.partition(b"_")[0].decode("utf-8", "surrogateescape").lower()


def _includes(data: bytes, headers: Collection[str]) -> Iterator[Span]:
    """Yield the lines that include missing headers."""
    for line in INCLUDE.finditer(data):
        if (line[1] or line[2]).decode("utf-8", "surrogateescape") in headers:
            yield Span(start=line.start(), end=line.end())
