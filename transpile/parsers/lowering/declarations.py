"""Declarations of a translation unit that does not compile as a whole, and which of them functions need."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Macro, Token, tokenize
from transpile.core import Span, TranslationUnit, Unit
from transpile.parsers.files.conditionals import behind_mark
from transpile.parsers.files.includes import closure
from transpile.parsers.text.pieces import Macros, Piece, pieces
from transpile.toolchains.beside import INCLUDE, include_directories


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Missing headers and unknown names of a translation unit."""

    headers: frozenset[str]
    """Those of libraries that are missing, as the includes name them."""
    errors: Mapping[str, tuple[int, ...]]
    """Offsets of names that nothing declares, by the path of a file."""


class Texts:
    """The files of a source, each read once for all translation units that include it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self._read: dict[str, Text] = {}
        self._pieces: dict[tuple[str, Macros], tuple[Piece, ...]] = {}

    def text(self, path: str) -> Text:
        """Return the macros and directives of a file."""
        if path not in self._read:
            tokens = tokenize(self.files[path])
            marks = [token for token in tokens.text if token.kind is Kind.DIRECTIVE]
            self._read[path] = Text(macros=tokens.macros, directives=tuple(map(_directive, marks)))
        return self._read[path]

    def pieces(self, path: str, known: Macros) -> tuple[Piece, ...]:
        """Return the declarations of a file where such macros may declare anything."""
        found = self._pieces.get((path, known))
        if found is None:
            found = self._pieces[path, known] = pieces(path, self.files[path], known)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The macros that a file defines, and its other directives."""

    macros: tuple[Macro, ...]
    directives: tuple[Directive, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """A directive that may begin, end or change a condition."""

    span: Span
    words: frozenset[bytes]


def _directive(mark: Token) -> Directive:
    return Directive(
        span=Span(start=mark.start, end=mark.end),
        words=frozenset(item.text for item in behind_mark(mark)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Declarations that names lead to."""

    pieces: frozenset[Piece]
    words: frozenset[bytes]
    """All that is mentioned on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """The declarations of a translation unit, in the files of it that do not compile as a whole."""

    pieces: Mapping[str, tuple[Piece, ...]]
    includes: Mapping[str, tuple[Span, ...]]
    """The lines that lead nowhere."""
    macros: Mapping[bytes, frozenset[bytes]]
    """Words in the bodies of macros."""
    by_name: Mapping[bytes, Sequence[Piece]]
    """The declarations by what they may declare."""
    idle: frozenset[Piece]
    """Functions that no judged one calls."""
    damage: Damage
    doubtful: Mapping[str, tuple[Span, ...]]
    """Texts between conditions on what a missing header may define."""
    doubtful_macros: frozenset[bytes]
    """Macros that are defined there."""

    @staticmethod
    def of(
        texts: Texts,
        unit: TranslationUnit,
        damage: Damage,
        uncalled: Sequence[Unit] = (),
        *,
        emulated: bool = False,
    ) -> Declarations:
        """Read the declarations.

        Args:
            texts: Of the source.
            unit: The translation unit.
            damage: What is not understood of it.
            uncalled: Functions that no judged one calls.
            emulated: Kernels are judged, which call nothing of the host.
        """
        files, directories = texts.files, include_directories(unit.flags)
        read = closure(files, unit.path, directories)
        includes = {path: found for path in read if (found := tuple(lines_of(files[path], damage.headers)))}
        hurt = includes.keys() | damage.errors.keys()
        touched = [path for path in read if not hurt.isdisjoint(closure(files, path, directories))]
        macros: dict[bytes, frozenset[bytes]] = dict(given(unit.flags))
        for macro in (item for path in read for item in texts.text(path).macros):
            words = frozenset(token.text for token in macro.body if token.kind is Kind.WORD)
            macros[macro.name] = macros.get(macro.name, frozenset()) | words
        known = Macros.of(macro for path in read for macro in texts.text(path).macros)
        parts = {path: texts.pieces(path, known) for path in touched}
        idle = frozenset(_idle(uncalled, parts, macros, damage.errors, emulated=emulated))
        doubtful = {
            path: tuple(_doubtful(texts.text(path).directives, damage.headers, macros.keys()))
            for path in read
        }
        return Declarations(
            pieces=parts,
            includes=includes,
            macros=macros,
            by_name=_by_name(parts, idle, macros),
            idle=idle,
            damage=damage,
            doubtful=doubtful,
            doubtful_macros=frozenset(
                macro.name
                for path, spans in doubtful.items()
                for macro in texts.text(path).macros
                if any(span.start < macro.end <= span.end for span in spans)
            ),
        )

    def left_out(self, roots: Sequence[bytes]) -> dict[str, tuple[Span, ...]]:
        """Return the spans of what no root needs, nothing where that mends nothing.

        Where headers are missing, a root that needs what is broken is none; else a compiler may know better.
        """
        broken = {
            piece
            for path, some in self.pieces.items()
            for piece in some
            if any(piece.span.start <= at < piece.span.end for at in self.damage.errors.get(path, ()))
            or any(overlap(piece.span, span) for span in self.doubtful[path])
        }
        needed: set[Piece] = set()
        for name in dict.fromkeys(roots):
            found = self.reached({name})
            unclear = not (found.pieces.isdisjoint(broken) and found.words.isdisjoint(self.doubtful_macros))
            if not (self.damage.headers and unclear):
                needed |= found.pieces
        return self.without(needed, broken) if self.includes or not broken <= needed else {}

    def without(
        self, needed: Collection[Piece], broken: Collection[Piece] = ()
    ) -> dict[str, tuple[Span, ...]]:
        """Return the spans of all but some pieces, and those that serve without being named."""
        nameless = [
            piece
            for some in self.pieces.values()
            for piece in some
            if piece.nameless and piece not in broken and piece not in self.idle
        ]
        served = self.reached(frozenset().union(*(item.words for item in nameless))).pieces
        kept = {*needed, *nameless, *(piece for piece in served if piece not in broken)}
        spans = {path: [item.span for item in some if item not in kept] for path, some in self.pieces.items()}
        for path, lines in self.includes.items():
            inside = (any(span.start <= line.start < span.end for span in spans[path]) for line in lines)
            spans[path] += [line for line, gone in zip(lines, [*inside], strict=True) if not gone]
        return {path: tuple(sorted(some)) for path, some in spans.items() if some}

    def reached(self, names: Collection[bytes]) -> Reached:
        """Return the declarations that names lead to."""
        words: set[bytes] = set()
        found: set[Piece] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in words:
                continue
            words.add(name)
            waiting += self.macros.get(name, ())
            for piece in self.by_name.get(name, ()):
                if piece not in found:
                    found.add(piece)
                    waiting += piece.words
        return Reached(pieces=frozenset(found), words=frozenset(words))


def _by_name(
    parts: Mapping[str, Sequence[Piece]],
    idle: Collection[Piece],
    macros: Mapping[bytes, Collection[bytes]],
) -> dict[bytes, list[Piece]]:
    """Return the declarations by what they may declare, and by what macros make of that."""
    found: dict[bytes, list[Piece]] = {}
    for piece in (piece for some in parts.values() for piece in some if piece not in idle):
        for name in _expanded(piece.names, macros):
            found.setdefault(name, []).append(piece)
    return found


def _expanded(names: Collection[bytes], macros: Mapping[bytes, Collection[bytes]]) -> set[bytes]:
    """Return names, and the words of the macros that stand for them."""
    found: set[bytes] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += macros.get(name, ())
    return found


def _idle(
    uncalled: Sequence[Unit],
    parts: Mapping[str, Sequence[Piece]],
    macros: Mapping[bytes, Collection[bytes]],
    errors: Mapping[str, Sequence[int]],
    *,
    emulated: bool,
) -> Iterator[Piece]:
    """Yield the functions that no judged one calls, whatever it mentions.

    An overload or a form of something else is called by that name, and an operator by none; where a head is
    not understood, what is missing may say whose the function is. What macros make is not among the units;
    where kernels are judged (``emulated``), they call none of the host.
    """
    device = {b"__device__", b"__global__"}
    while more := {name for name, words in macros.items() if not device.isdisjoint(words)} - device:
        device |= more
    units = {(item.path, item.span.start): item for item in uncalled}
    others = frozenset[bytes]().union(
        *(
            piece.names
            for path, some in parts.items()
            for piece in some
            if piece.body < piece.span.end and (path, piece.span.start) not in units
        )
    )
    for path, piece in ((path, piece) for path, some in parts.items() for piece in some):
        unit = units.get((path, piece.span.start))
        if piece.function_of:
            if emulated and device.isdisjoint({piece.function_of, *piece.words}):
                yield piece
        elif unit is not None:
            head = {token.text for token in tokenize(unit.text.partition(b"{")[0]).text}
            clear = not any(piece.span.start <= at < piece.body for at in errors.get(path, ()))
            named = last_name(unit).partition(b"<")[0]
            if clear and head.isdisjoint({*device, b"operator"}) and named not in others:
                yield piece


def last_name(unit: Unit) -> bytes:
    """Return the name of a unit without its scopes."""
    return unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape")


def overlap(one: Span, other: Span) -> bool:
    """Tell whether two spans share a byte."""
    return one.start < other.end and other.start < one.end


def given(flags: Sequence[str]) -> Iterator[tuple[bytes, frozenset[bytes]]]:
    """Yield the macros that flags define, each with the words of its body."""
    for flag in flags:
        if flag.startswith("-D"):
            name, _, body = flag[2:].partition("=")
            tokens = tokenize(body.encode("utf-8", "surrogateescape")).text
            yield name.encode(), frozenset(token.text for token in tokens if token.kind is Kind.WORD)


def _doubtful(
    directives: Sequence[Directive], headers: Collection[str], known: Collection[bytes]
) -> Iterator[Span]:
    """Yield what stands between conditions on names that missing headers seem to define: ``MPI_VERSION``."""
    libraries = {
        part.partition("_")[0].lower()
        for header in headers
        for part in header.removesuffix(".h").removesuffix(".hpp").split("/")
    }
    opened: list[tuple[int, bool]] = []
    for item in directives:
        asked = any(_prefix(word) in libraries for word in item.words.difference(known))
        if item.words & {b"if", b"ifdef", b"ifndef"}:
            opened.append((item.span.start, asked))
        elif b"endif" in item.words and opened:
            start, doubtful = opened.pop()
            if doubtful:
                yield Span(start=start, end=item.span.end)
        elif asked and opened:
            opened[-1] = (opened[-1][0], True)


def _prefix(word: bytes) -> str:
    return word.partition(b"_")[0].decode("utf-8", "surrogateescape").lower()


def lines_of(data: bytes, headers: Collection[str]) -> Iterator[Span]:
    """Yield the lines that include missing headers."""
    for line in INCLUDE.finditer(data):
        if (line[1] or line[2]).decode("utf-8", "surrogateescape") in headers:
            yield Span(start=line.start(), end=line.end())
