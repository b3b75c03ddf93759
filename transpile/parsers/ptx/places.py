"""Where assembly of the device stands in a file, and the file without it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from transpile.code.edits import Change, Edit, apply, disjoint, edited, line_ends
from transpile.code.lexer import Kind, Token, closing, tokenize
from transpile.core import Source, Span
from transpile.parsers.ptx.statement import Untranslatable
from transpile.parsers.ptx.translate import translate
from transpile.parsers.text.outline import DeviceFunction, device_functions

WORDS = frozenset((b"asm", b"__asm__", b"__asm"))
_LINE_END = re.compile(rb"\\\r?\n|\n")
_LAMBDA = (b"(", b"{", b"mutable")
_STEP = b"    "


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An ``asm`` statement for the device."""

    start: int
    end: int
    """Behind its semicolon, where it has one."""
    bare: int
    """Before its semicolon."""
    statements: tuple[str, ...]
    """What it is in C++; empty where it is nothing that we know."""
    refused: str
    """What of it we do not know."""
    ptx: bool
    """It is the device's by its instructions, wherever it stands."""


def places(data: bytes, functions: Sequence[DeviceFunction] | None = None) -> Iterator[Place]:
    """Yield the assembly of the device in a text and in the macros that it defines.

    Args:
        data: The text.
        functions: Its functions of the device, where they are known.
    """
    if not any(word in data for word in WORDS):
        return
    tokens = tokenize(data)
    known = tuple(device_functions(tokens.text)) if functions is None else functions
    for index, token in enumerate(tokens.text):
        if token.text in WORDS:
            home = next((item for item in known if item.first <= index <= item.last), None)
            found = place(tokens.text, index, home=home)
            if found is not None:
                yield found
    for macro in tokens.macros:
        for index, token in enumerate(macro.body):
            if token.text in WORDS:
                found = place(macro.body, index, parameters=frozenset(macro.parameters or ()))
                if found is not None:
                    yield found


def place(
    tokens: Sequence[Token],
    index: int,
    *,
    home: DeviceFunction | None = None,
    parameters: frozenset[bytes] = frozenset(),
    inside: bool = False,
) -> Place | None:
    """Return the assembly at a token; None where it is the host's.

    Args:
        tokens: Of a text or of a macro's body.
        index: Where ``asm`` stands.
        home: The function of the device around it, where it is known.
        parameters: Those of the macro.
        inside: It stands in a function of the device in any case.
    """
    end = _assembly_end(tokens, index)
    if end is None:
        return None
    ptx = _is_ptx(tokens[index:end])
    if not (inside or home is not None or ptx):
        return None
    semicolon = end + 1 < len(tokens) and tokens[end + 1].text == b";"
    last = tokens[end + 1] if semicolon else tokens[end]
    statements, refused = _translated(tokens[index : end + 1], home, tokens, parameters)
    return Place(
        start=tokens[index].start,
        end=last.end,
        bare=tokens[end].end,
        statements=statements,
        refused=refused,
        ptx=ptx,
    )


def _translated(
    asm: Sequence[Token], home: DeviceFunction | None, tokens: Sequence[Token], parameters: frozenset[bytes]
) -> tuple[tuple[str, ...], str]:
    kernel = home is not None and home.kernel and not _has_lambda(tokens[home.body : home.last])
    try:
        return tuple(translate(asm, kernel=kernel, parameters=parameters)), ""
    except Untranslatable as refused:
        return (), str(refused)


def _has_lambda(tokens: Sequence[Token]) -> bool:
    return any(first.text == b"]" and second.text in _LAMBDA for first, second in pairwise(tokens))


def changes(data: bytes, functions: Sequence[DeviceFunction] | None = None) -> Iterator[Change]:
    """Yield what puts C++ in the place of assembly that we know. No line moves."""
    for item in places(data, functions):
        if item.statements:
            yield (Edit(item.start, item.end, _laid_out(data, item)),)


def _laid_out(data: bytes, item: Place) -> bytes:
    """Return the statements on as many lines as the assembly had."""
    ends = _LINE_END.findall(line_ends(data[item.start : item.end]))
    begin = data.rfind(b"\n", 0, item.start) + 1
    margin = re.match(rb"[ \t]*", data[begin : item.start])
    indent = margin.group() if margin else b""
    lines = [text.encode("utf-8", "surrogateescape") for text in item.statements]
    pieces = [lines[0]]
    for number, line in enumerate(lines[1:], 1):
        inner = indent + (_STEP if number < len(lines) - 1 else b"")
        pieces += [ends.pop(0) + inner if ends else b" ", line]
    closed = b";" if item.end > item.bare else b""
    return b"".join((*pieces, closed, *ends))


@lru_cache(maxsize=512)
def _edits(data: bytes) -> tuple[Edit[bytes], ...]:
    return tuple(disjoint(changes(data)))


def without_assembly(source: Source, stays: Callable[[str, bytes, Span], bool] = lambda *_: False) -> Source:
    """Return a source with C++ in the place of the assembly that we know; units keep ids and lines.

    Args:
        source: Whose files to read.
        stays: Tells of a path, its text and a place there whether assembly is left as it is.
    """
    known = {path: _edits(data) for path, data in source.files.items()}
    found = {
        path: items
        for path, edits in known.items()
        if (items := tuple(item for item in edits if not stays(path, source.files[path], item.span)))
    }
    return edited(source, found) if found else source


def plain(data: bytes, stays: Callable[[bytes, Span], bool] = lambda *_: False) -> bytes:
    """Return a text with C++ in the place of the assembly that we know and that does not stay."""
    return apply(data, tuple(item for item in _edits(data) if not stays(data, item.span)))


def _is_ptx(tokens: Sequence[Token]) -> bool:
    """Tell whether an ``asm`` statement is for the device: dotted instructions, ended by semicolons."""
    text = b" ".join(token.text for token in tokens if token.kind is Kind.STRING)
    return re.search(rb"\b[a-z]\w*\.[a-z]\w*[^;]*;", text) is not None


def _assembly_end(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the parenthesis that ends the ``asm`` statement at the index."""
    at = index + 1
    while at < len(tokens) and tokens[at].text in (b"volatile", b"__volatile__", b"goto", b"inline"):
        at += 1
    return closing(tokens, at) if at < len(tokens) and tokens[at].text == b"(" else None
