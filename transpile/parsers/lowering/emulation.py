"""Lowering: CUDA text becomes C++ that a plain compiler takes, with our emulator's header in front.

Only what is not C++ changes: launches, ``__shared__`` declarations, inline assembly of the device, and
references to textures; and plain reads that only feed a compare-and-swap get a name. A line
of the result is the same line of the source. Function and variable qualifiers are macros of the emulator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from transpile.code.edits import Change, Edit, apply, disjoint, line_ends
from transpile.code.joins import without_joins
from transpile.code.lexer import Kind, Token, closing, spelled, tokenize
from transpile.core import Diagnostic, Source, Unit, UnitKind
from transpile.parsers.files.includes import compiled
from transpile.parsers.lowering import shared_memory, unsupported
from transpile.parsers.lowering.excerpts import excerpt
from transpile.parsers.lowering.instantiations import pointer_edits
from transpile.parsers.lowering.lowered_launches import launch_edits
from transpile.parsers.lowering.nameless import nameless_in, nameless_kernels
from transpile.parsers.lowering.packed_launches import packed_launch_edits
from transpile.parsers.lowering.stubs import stubs
from transpile.parsers.ptx import places
from transpile.parsers.swaps import expected_reads, unused_results
from transpile.parsers.text.launches import find_launches
from transpile.parsers.text.outline import DeviceFunction, device_functions, file_scope
from transpile.parsers.text.units import definitions
from transpile.parsers.warp_synchronous import waiting

MAIN = b"transpile_source_main"
"""Name of ``main`` in a library build."""

_CANDIDATE_NAMESPACE = "transpile_candidate"

_TRIGGER = re.compile(
    rb"<\s*<\s*<|__shared__|\b(?:asm|__asm|__asm__)\b|\btexture\s*<|\batomicCAS"
    rb"|\b(?:cuda|hip)Launch(?:Cooperative)?Kernel\b"
)
_OPERATOR = re.compile(r"(?:^|::)operator\W")
_DEFINED_AS = rb"^[ \t]*#[ \t]*define\b(?:[^\n]|\\\r?\n)*?\W%s[ \t]*\("
_C_LINKAGE = re.compile(rb'\bextern\s*"C"\s*\{')
_IN_C_LINKAGE = b'\nextern "C++" {namespace %s {\n%s\n}}\n'
"""Functions of C linkage are one, whatever namespaces they stand in."""
_MAIN = re.compile(rb"\bmain\b")
_TYPE_NAME = re.compile(rb"\b(?:using[ \t]+(?=\w+[ \t]*=)|typedef\b[^;{}]*?(?=\w+[ \t]*;))(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowered:
    """Text for a plain C++ compiler, and what could not be lowered faithfully."""

    data: bytes
    diagnostics: tuple[Diagnostic, ...] = ()


def candidate_namespace(number: int) -> str:
    """Return the namespace that holds the texts of that insertion."""
    return f"{_CANDIDATE_NAMESPACE}_{number}" if number else _CANDIDATE_NAMESPACE


def candidate_name(name: str, number: int) -> str:
    """Return what a function of that insertion is called in C, which has no namespaces."""
    return f"{candidate_namespace(number)}__{name}"


def lower(
    source: Source,
    *,
    insertions: Sequence[Mapping[str, bytes]] = (),
    without: frozenset[str] = frozenset(),
    rename_main: bool = False,
    in_c: bool = False,
    needed: frozenset[str] = frozenset(),
) -> dict[str, bytes]:
    """Lower every file of a source that a compiler may read: what else lies there may be megabytes of data.

    Each of the ``insertions`` maps unit ids to texts that go right after the unit, into a namespace of that
    insertion. A name that is inserted is called without argument-dependent lookup, which would find the
    original; operators, which always are looked up so, and helpers that macros call take the place of the
    original. What stands ``in_c`` has names of its own instead. The units whose ids are in ``without`` leave
    only their lines behind. Where some are ``needed``, functions that they do not mention only fail.
    """
    source = replace(source, files=compiled(source.files))
    source = waiting(excerpt(source) if rename_main else source)
    templates = nameless_kernels(source.files)
    left = replace(source, units=tuple(unit for unit in source.units if unit.id not in without))
    edits = stubs(left, needed) if rename_main else {}
    for unit in source.units:
        if unit.id in without:
            gone = Edit(unit.span.start, unit.span.end, line_ends(unit.text))
            edits.setdefault(unit.path, []).append(gone)
    files = _inserted(source, insertions, edits, in_c=in_c)
    unused = unused_results(files.values())
    return {
        path: lower_text(data, templates, rename_main=rename_main, path=path, unused=unused).data
        for path, data in files.items()
    }


def lowered(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Lower every file of a tree that was not read as a source."""
    templates = nameless_kernels(files)
    unused = unused_results(files.values())
    return {path: lower_text(data, templates, path=path, unused=unused).data for path, data in files.items()}


def lower_text(
    data: bytes,
    templates: frozenset[str],
    *,
    rename_main: bool = False,
    path: str = "",
    unused: frozenset[str] | None = None,
) -> Lowered:
    """Lower one file, of any text.

    Args:
        data: The text.
        templates: The kernels that are templates, here or elsewhere.
        rename_main: Whether ``main`` is to be another function.
        path: Where the text is from.
        unused: The functions around a compare-and-swap whose results are used nowhere. Without them reads
            stay plain, as they may where nobody traces.
    """
    data = without_joins(data)
    triggered = _TRIGGER.search(data) is not None
    if not triggered and not (rename_main and _MAIN.search(data)):
        return Lowered(data=data)
    tokens = tokenize(data)
    functions = tuple(device_functions(tokens.text)) if triggered else ()
    names = frozenset(name.encode() for name in templates) | nameless_in(tokens.text, functions)
    scope = file_scope(tokens.text)
    changes: Iterable[Change] = chain(
        launch_edits(data, tokens, names),
        packed_launch_edits(data, tokens.text),
        *(packed_launch_edits(data, macro.body) for macro in tokens.macros),
        _shared_edits(data, tokens.text, scope),
        *(_shared_edits(data, macro.body, None) for macro in tokens.macros),
        _assembly_edits(data, functions),
        _texture_edits(tokens.text, scope),
        _expected_edits(data, unused) if unused is not None else (),
        _main_edits(tokens.text, scope) if rename_main else (),
    )
    edits = disjoint(changes)
    return Lowered(data=apply(data, edits), diagnostics=tuple(unsupported.diagnose({path: data})))


def called_directly(data: bytes) -> bytes:
    """Blank the configurations of launches, so that a launch is a plain call: types and templates resolve.

    Every byte keeps its place, but for those of explicit instantiations.
    """
    tokens = tokenize(data)
    launches = [launch for stream in tokens.streams for launch in find_launches(stream)]
    spans = [(launch.opened.start, launch.closed.end) for launch in launches]
    blanked = ((Edit(first, last, _blank(data[first:last])),) for first, last in spans)
    pointers = ((edit,) for edit in pointer_edits(data, tokens.text))
    return apply(data, disjoint(chain(blanked, pointers)))


def _blank(removed: bytes) -> bytes:
    """Return white space of the same length with the same lines, continued ones included."""
    return re.sub(rb"\\(?!\r?\n)|[^\\\r\n]", b" ", removed)


def _shared_edits(data: bytes, tokens: Sequence[Token], scope: bytearray | None) -> Iterator[Change]:
    done = -1
    for index, token in enumerate(tokens):
        if token.text != b"__shared__" or index <= done:
            continue
        found = shared_memory.statement(tokens, index)
        if found is None:
            # a parameter: the qualifier says nothing there, and as the emulator's macro it would not compile
            yield (Edit(token.start, token.end, b""),)
            continue
        first, done = found
        declaration = shared_memory.understand(tokens[first:done])
        text = (
            shared_memory.declared(declaration, file_scope=bool(scope and scope[index]))
            if declaration
            else None
        )
        if text is not None:
            start, end = tokens[first].start, tokens[done - 1].end
            yield (Edit(start, end, text.encode("utf-8", "surrogateescape") + line_ends(data[start:end])),)


def _assembly_edits(data: bytes, functions: Sequence[DeviceFunction]) -> Iterator[Change]:
    """Replace device assembly by what it does, or by a trap, which is no wrong answer."""
    yield from places.changes(data, functions)
    for item in places.places(data, functions):
        if item.refused:
            yield (
                Edit(item.start, item.bare, b"__builtin_trap()" + line_ends(data[item.start : item.bare])),
            )


def _texture_edits(tokens: Sequence[Token], scope: bytearray) -> Iterator[Change]:
    """Name the emulator's texture references as its own; a program may have a type of that name."""
    named = [index for index, token in enumerate(tokens) if token.text == b"texture"]
    before = {index: tokens[index - 1].text if index else b"" for index in named}
    if any(text in (b"class", b"struct") for text in before.values()):
        return
    for index in named:
        reference = scope[index] and tokens[index + 1 : index + 2] and tokens[index + 1].text == b"<"
        if reference and before[index] != b"::":
            yield (Edit(tokens[index].start, tokens[index].start, b"simt::"),)


def _expected_edits(data: bytes, unused: frozenset[str]) -> Iterator[Change]:
    """Name the plain reads that only say what a compare-and-swap expects."""
    for span in expected_reads(data, unused):
        yield (Edit(span.start, span.start, b"simt::expected("), Edit(span.end, span.end, b")"))


def _main_edits(tokens: Sequence[Token], scope: bytearray) -> Iterator[Change]:
    for index, token in enumerate(tokens[:-1]):
        if (
            token.text == b"main"
            and scope[index]
            and tokens[index + 1].text == b"("
            and index > 0
            and tokens[index - 1].kind is Kind.WORD
        ):
            yield (Edit(token.start, token.end, MAIN),)


def _inserted(
    source: Source,
    insertions: Sequence[Mapping[str, bytes]],
    stubs: Mapping[str, Sequence[Edit[bytes]]],
    *,
    in_c: bool,
) -> dict[str, bytes]:
    """Return the files with the candidates' texts after each unit, and with some bodies left out."""
    files = dict(source.files)
    edits = {path: list(items) for path, items in stubs.items()}
    blocks: dict[str, list[bytes]] = {}
    in_place: dict[str, bytes] = {}
    linked = any(_C_LINKAGE.search(data) for data in source.files.values())
    for number, texts in enumerate(insertions):
        names = {source.unit(identifier).name.rpartition("::")[2].encode() for identifier in texts}
        for identifier, text in texts.items():
            # Another text for the same unit stays ambiguous: its candidate is built without this one's.
            replaces = not in_c and _looked_up(source, source.unit(identifier), text)
            if replaces and in_place.setdefault(identifier, text) == text:
                continue
            blocks.setdefault(identifier, []).append(
                b"\n%s\n" % _prefixed(text, names, candidate_name("", number).encode())
                if in_c
                else (_IN_C_LINKAGE if linked else b"\nnamespace %s {\n%s\n}\n")
                % (candidate_namespace(number).encode(), _without_lookup(text, names))
            )
    for identifier, text in in_place.items():
        unit = source.unit(identifier)
        others = [item for item in edits.get(unit.path, ()) if not _within(item, unit)]
        edits[unit.path] = [*others, Edit(unit.span.start, unit.span.end, text)]
    for identifier, items in blocks.items():
        unit = source.unit(identifier)
        edits.setdefault(unit.path, []).append(Edit(unit.span.end, unit.span.end, b"".join(items)))
    for path, changes in edits.items():
        files[path] = apply(files[path], changes)
    return files


def _looked_up(source: Source, unit: Unit, text: bytes) -> bool:
    """Tell whether a function is found by its arguments' types where no parentheses can keep it from that."""
    if unit.kind is not UnitKind.DEVICE:
        return False
    if _OPERATOR.search(unit.name) is not None:
        return True
    name = re.escape(unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape"))
    called = re.compile(_DEFINED_AS % name, re.MULTILINE)
    same = _parameters(unit.text) == _parameters(text)
    return same and any(map(called.search, source.files.values()))


def _parameters(text: bytes) -> str:
    """Return the parameters of a function, without what is blank between them."""
    tokens = tokenize(text).text
    opened = next((index for index, token in enumerate(tokens) if token.text == b"("), len(tokens))
    return spelled(tokens[opened : closing(tokens, opened)])


def _within(change: Edit[bytes], unit: Unit) -> bool:
    """Tell whether an edit changes the text of a unit."""
    return unit.span.start <= change.span.start and change.span.end <= unit.span.end


def _prefixed(text: bytes, names: set[bytes], prefix: bytes) -> bytes:
    """Return a text of C whose functions, and others that are inserted, have names of their own.

    Members of structs keep theirs, and so do texts and comments.
    """
    own = {item.name.encode("utf-8", "surrogateescape") for item in definitions("candidate.c", text)}
    word = b"|".join(re.escape(name) for name in sorted(names | own))
    pattern = rb"(\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/)|(?<![\w.])(?<!->)(%s)(?!\w)" % word
    return re.sub(pattern, lambda found: found[1] or prefix + found[2], text, flags=re.DOTALL)


def _without_lookup(text: bytes, names: set[bytes]) -> bytes:
    """Put parentheses around the inserted names where they are called or declared.

    The original functions still stand in the file. With an argument of a type of theirs, ``f(x)`` would find
    both by argument-dependent lookup; ``(f)(x)`` finds the inserted one alone. A type of that name, declared
    in the text, hides both.
    """
    tokens = tokenize(text).text
    names = names - set(_TYPE_NAME.findall(text))
    edits = []
    for index, token in enumerate(tokens[:-1]):
        plain = index == 0 or tokens[index - 1].text not in (b"::", b".", b"->")
        if token.text in names and plain and tokens[index + 1].text == b"(":
            edits.append(Edit(token.start, token.end, b"(" + token.text + b")"))
    return apply(text, edits)
