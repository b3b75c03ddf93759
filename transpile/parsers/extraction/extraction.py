"""A source whose functions cannot all be called by themselves, with loops of them as functions that can."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from clang.cindex import CursorKind

from transpile.code.edits import Edit, apply, line_of
from transpile.code.syntax import function_of
from transpile.code.variables import resolve
from transpile.core import Diagnostic, ExtractedLoop, Source, Span, TranslationUnit, Unit, UnitKind
from transpile.parsers.extraction.arguments import (
    Effects,
    Surroundings,
    Unmovable,
    arguments_of,
    supposed,
)
from transpile.parsers.extraction.comparing import Mention, hands_on_the_same, local_types, mentions
from transpile.parsers.extraction.loops import loops
from transpile.parsers.extraction.macros import Macros, macros_of
from transpile.parsers.extraction.types import meaning
from transpile.parsers.extraction.writing import Written, written
from transpile.parsers.text.hosts import is_c
from transpile.parsers.types import clang
from transpile.parsers.types.functions import Functions

Cursor = Any

_CLASSES = (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL)
_TEMPLATES = (
    *(CursorKind.FUNCTION_TEMPLATE, CursorKind.CLASS_TEMPLATE),
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
)
_COMMENTS = re.compile(rb"(?:^[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t\r]*)\n)+\Z", re.MULTILINE)
_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma\b[^\n]*\s*\Z", re.MULTILINE)
_PATH = rb"(?:\w+\s*(?:->|\.)\s*)*"
_SET = re.compile(
    rb"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)"
    rb"|(?:\+\+|--)\s*\(*\s*" + _PATH + rb"(\w+)"
)
_COPYING = re.compile(
    rb"\b(?:memcpy|memmove|memset|swap|exchange|copy|copy_n|fill)\b|(?:[;{})]|\A)\s*\*[^;=]*[^=!<>;]=\s*\*"
)
_STORING = re.compile(rb"(?:[;{})]|\A)\s*\(*\s*\*|(?:\+\+|--)\s*\(*\s*\*")
_ADDRESS = re.compile(rb"(?<!&)&\s*\(*\s*" + _PATH + rb"(?:\[[^\]]*\]\s*(?:->|\.)\s*)?" + _PATH + rb"(\w+)")
_LEAVING = re.compile(rb"\b(?:throw|longjmp|siglongjmp)\b|\.\s*at\s*\(")
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)(?:[ \t]+(\w+))?", re.MULTILINE)
_LASTING = (b"STDC", b"GCC", b"clang", b"float_control", b"fp_contract")
"""Pragmas that hold until the end of a block, or of the file."""
_COMPILED_SO = re.compile(rb"\b_*(?:target|target_clones|optimize|no_sanitize\w*)_*\s*\(")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopChoice:
    """Choice of the loops that are to be functions."""

    units: frozenset[str]
    """Ids of the functions whose loops they are."""
    but: frozenset[tuple[str, int]] = frozenset()
    """Loops that stay, by the unit and their line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A loop that becomes a function: what is put in, and what takes its place."""

    unit: Unit
    written: Written
    at: int
    """Offset at which the function is put in."""
    loop: Span
    line: int
    supposed: tuple[str, ...]
    mentions: tuple[Mention, ...]
    """All that the loop names."""

    @property
    def text(self) -> bytes:
        """Return the loop as it was written."""
        start = self.unit.span.start
        return self.unit.text[self.loop.start - start : self.loop.end - start]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A loop that became a function: where this and the call of it are now."""

    move: Move
    function: Span
    call: Span

    def holds(self, place: int) -> bool:
        """Tell whether a place is in either text."""
        return any(span.start <= place < span.end for span in (self.function, self.call))


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The files with these functions, and where everything is in them."""

    files: Mapping[str, bytes]
    edits: Mapping[str, tuple[Edit[bytes], ...]]
    placed: tuple[Placed, ...]

    def told(self, found: Diagnostic, original: Mapping[str, bytes]) -> Diagnostic:
        """Return a diagnostic with its line as the file is on disk."""
        if found.path not in self.edits:
            return found
        lines = self.files[found.path].split(b"\n")[: found.line - 1]
        return replace(found, line=self.line(found.path, sum(len(line) + 1 for line in lines), original))

    def line(self, path: str, offset: int, original: Mapping[str, bytes]) -> int:
        """Return the line, as the file is on disk, of an offset in it as it is here."""
        shift = 0
        for edit in self.edits.get(path, ()):
            if edit.start + shift + len(edit.text) > offset:
                break
            shift += len(edit.text) - (edit.end - edit.start)
        return line_of(original[path], offset - shift)

    def extracted(self, units: Sequence[Unit]) -> dict[str, ExtractedLoop]:
        """Return the loops by the ids of the units that they became."""
        by_place = {(unit.path, unit.span.start): unit for unit in units}
        found = {}
        for item in self.placed:
            unit = by_place.get((item.move.unit.path, item.function.start))
            if unit is not None:
                found[unit.id] = ExtractedLoop(
                    caller=item.move.unit.id,
                    path=unit.path,
                    line=item.move.line,
                    row=item.move.written.row,
                    text=item.move.text,
                    supposed=item.move.supposed,
                    function=item.function,
                    call=item.call,
                )
        return found


def extraction(source: Source, choice: LoopChoice, begin: Callable[[str], None]) -> Extraction:
    """Return the files of a source with loops as functions; those that would not compile so stay.

    Args:
        source: As it is on disk.
        choice: Which loops.
        begin: Told of each translation unit before it is parsed.
    """
    moves: list[Move] = []
    words = frozenset(_words(source.files.values()))
    macros = macros_of(source.files.values())
    for item in source.translation_units:
        own = [
            unit
            for unit in source.units
            if unit.id in choice.units and unit.path == item.path == unit.translation_unit and unit.active
        ]
        if own:
            begin(item.path)
            parsed = _parsed(source, item, source.files)
            found = list(_moves(source, parsed, own, choice, macros, set(words)))
            moves += _compiling(source, item, found, len(_errors(source, item, parsed)))
    return _applied(source.files, moves)


def _moves(
    source: Source,
    parsed: Any,
    units: Sequence[Unit],
    choice: LoopChoice,
    macros: Macros,
    taken: set[str],
) -> Iterator[Move]:
    if _is_broken(source, parsed):
        return
    # Those that nothing calls by themselves are looked at, too.
    functions = Functions(
        source.root, parsed, [replace(unit, kind=UnitKind.FUNCTION) for unit in source.units]
    )
    own = frozenset(unit.name.rpartition("::")[2].encode() for unit in source.units)
    for unit in units:
        function = function_of(unit.text.decode("latin-1"))
        cursor = _definition(functions, unit)
        if function is None or cursor is None:
            continue
        data = source.files[unit.path]
        at = _place(data, unit, cursor)
        if at is None:
            continue
        around = Surroundings(
            function=function,
            start=unit.span.start,
            variables=resolve(function, macros=macros.words),
            meaning=meaning(cursor, is_c(unit.path)),
            effects=partial(_effects, source),
            assigning=macros.assigning,
            whole=macros.whole,
        )
        for loop in loops(function, own, macros.bound):
            line = unit.line + function.text.count("\n", 0, loop.start)
            span = Span(start=unit.span.start + loop.start, end=unit.span.start + loop.node.end_byte)
            if (unit.id, line) in choice.but or not _is_same_text(data[at : span.start]):
                continue
            try:
                arguments = arguments_of(loop.node, around)
            except Unmovable:
                continue
            name = _name(unit, loop.number, taken)
            made = written(function, loop, name, arguments)
            yield Move(
                unit=unit,
                written=made,
                at=at,
                loop=span,
                line=line,
                supposed=tuple(supposed(loop.node, arguments, around)),
                mentions=mentions(cursor, span),
            )


def _is_broken(source: Source, parsed: Any) -> bool:
    """Tell whether the source's own text has errors: what a name means there may be anything."""
    own = {str(source.root / path) for path in source.files}
    return any(
        found.severity >= clang.ERROR and found.location.file and found.location.file.name in own
        for found in parsed.diagnostics
    )


def _definition(functions: Functions, unit: Unit) -> Cursor | None:
    """Return the definition of a function; None of a template, and of what is in one."""
    keys = functions.by_unit.get(unit.id, ())
    if len(keys) != 1 or unit.id in functions.patterns:
        return None
    cursor = functions.found[keys[0]].cursor
    outer = cursor
    while outer is not None and outer.kind is not CursorKind.TRANSLATION_UNIT:
        if outer.kind in _TEMPLATES or outer.get_num_template_arguments() > 0:
            return None
        outer = outer.semantic_parent
    return cursor


def _place(data: bytes, unit: Unit, cursor: Cursor) -> int | None:
    """Return where a function that a unit calls goes: before it, its class and the comment on it."""
    start, outer = unit.span.start, cursor.lexical_parent
    while outer is not None and outer.kind in _CLASSES:
        start, outer = outer.extent.start.offset, outer.lexical_parent
    begin = data.rfind(b"\n", 0, start) + 1
    if data[begin:start].strip() not in (b"", b"typedef") or _COMPILED_SO.search(
        unit.text.partition(b"{")[0]
    ):
        return None
    comment = _COMMENTS.search(data, max(0, begin - 4000), begin)
    place = comment.start() if comment is not None else begin
    # It may be for the function behind it.
    return place if _PRAGMA.search(data, max(0, place - 400), place) is None else None


def _name(unit: Unit, number: int, taken: set[str]) -> str:
    """Return a name for the function of a loop that no file holds."""
    plain = re.sub(r"\W+", "_", unit.name.rpartition("::")[2]).strip("_")
    name = f"{plain}_loop{number}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _is_same_text(between: bytes) -> bool:
    """Tell whether a text means the same before and behind another, as far as directives are concerned."""
    depth = 0
    for found in _DIRECTIVE.finditer(between):
        if found[1] in (b"define", b"undef", b"include", b"include_next", b"import"):
            return False
        if found[1] == b"pragma" and found[2] in _LASTING:
            return False
        if found[1] in (b"if", b"ifdef", b"ifndef"):
            depth += 1
        elif found[1] == b"endif":
            depth -= 1
        elif depth == 0 and found[1].startswith(b"el"):
            return False
    return depth == 0


def _compiling(source: Source, item: TranslationUnit, moves: Sequence[Move], before: int) -> Sequence[Move]:
    """Return the moves after which a translation unit has no more errors than before, and means the same."""
    while moves:
        made = _applied(source.files, moves)
        parsed = _parsed(source, item, made.files)
        places = _errors(source, item, parsed)
        if len(places) <= before:
            good = {id(some.move) for some in _same(source, item, parsed, made)}
            return [move for move in moves if id(move) in good]
        wrong = {id(some.move) for some in made.placed for place in places if some.holds(place)}
        moves = [move for move in moves if id(move) not in wrong] if wrong else ()
    return ()


def _same(source: Source, item: TranslationUnit, parsed: Any, made: Extraction) -> Iterator[Placed]:
    """Yield the loops that name in their functions what they named before."""
    path = str(source.root / item.path)
    own = [
        cursor
        for cursor in clang.functions(parsed)
        if cursor.location.file is not None and cursor.location.file.name == path
    ]
    for placed in made.placed:
        function = _around(own, placed.function.start)
        caller = _around(own, placed.call.start)
        if function is None or caller is None or not hands_on_the_same(caller, placed.move.written.name):
            continue
        text = made.files[item.path][placed.function.start : placed.function.end]
        head = sum(len(line) + 1 for line in text.split(b"\n")[: placed.move.written.row])
        body = Span(start=placed.function.start + head, end=placed.function.end)
        types = placed.move.written.types
        if mentions(function, body) == placed.move.mentions and local_types(function, list(types)) == types:
            yield placed


def _around(functions: Sequence[Cursor], place: int) -> Cursor | None:
    """Return the innermost function that holds a place."""
    holding = [item for item in functions if item.extent.start.offset <= place < item.extent.end.offset]
    return min(holding, key=lambda item: item.extent.end.offset - item.extent.start.offset, default=None)


def _parsed(source: Source, item: TranslationUnit, files: Mapping[str, bytes]) -> Any:
    return clang.parse(source.root, files, item, plain=True)


def _errors(source: Source, item: TranslationUnit, parsed: Any) -> list[int]:
    """Return the offsets of errors in a translation unit's own file, and -1 for those in others."""
    path = str(source.root / item.path)
    return [
        found.location.offset if found.location.file and found.location.file.name == path else -1
        for found in parsed.diagnostics
        if found.severity >= clang.ERROR
    ]


def _applied(files: Mapping[str, bytes], moves: Sequence[Move]) -> Extraction:
    texts = dict(files)
    edits: dict[str, tuple[Edit[bytes], ...]] = {}
    placed: list[Placed] = []
    for path in dict.fromkeys(move.unit.path for move in moves):
        own = [move for move in moves if move.unit.path == path]
        functions = [Edit(move.at, move.at, move.written.function.encode("latin-1")) for move in own]
        calls = [Edit(move.loop.start, move.loop.end, move.written.call.encode("latin-1")) for move in own]
        edits[path] = tuple(sorted((*functions, *calls), key=lambda edit: (edit.start, edit.end)))
        texts[path] = apply(files[path], edits[path])
        spans = _spans(edits[path])
        placed += (
            Placed(move=move, function=spans[id(function)], call=spans[id(call)])
            for move, function, call in zip(own, functions, calls, strict=True)
        )
    return Extraction(files=texts, edits=edits, placed=tuple(placed))


def _spans(edits: Sequence[Edit[bytes]]) -> dict[int, Span]:
    """Return where the texts of edits stand once all are made."""
    found: dict[int, Span] = {}
    shift = 0
    for edit in edits:
        start = edit.start + shift
        found[id(edit)] = Span(start=start, end=start + len(edit.text))
        shift += len(edit.text) - (edit.end - edit.start)
    return found


def _words(texts: Collection[bytes]) -> set[str]:
    return {word.decode() for data in texts for word in re.findall(rb"[A-Za-z_]\w*", data)}


def _effects(source: Source, called: Collection[str]) -> Effects:
    """Return what functions of these names do, and all that they call."""
    units = [unit for unit in source.units if unit.name.rpartition("::")[2] in called]
    known = {inner.id: inner for unit in units for inner in (unit, *source.closure(unit))}
    texts = [unit.text for unit in known.values()]
    members = set(_set_by(texts))
    if any(_STORING.search(text) for text in texts):
        members |= {found[1].decode() for data in source.files.values() for found in _ADDRESS.finditer(data)}
    return Effects(
        members=frozenset(members),
        everything=any(_COPYING.search(text) for text in texts),
        leaves=any(_LEAVING.search(text) for text in texts),
    )


def _set_by(texts: Iterable[bytes]) -> Iterator[str]:
    """Yield names that are set in texts."""
    for text in texts:
        for found in _SET.finditer(text):
            yield (found[1] or found[2]).decode("latin-1")
