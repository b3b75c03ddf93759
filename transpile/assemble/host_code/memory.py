"""Device memory becomes memory: ``malloc``, ``free``, ``memcpy``, ``memset`` on buffers of their own.

The emulator knows which memory is the device's, so a program is rewritten as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from tree_sitter import Node

from transpile.assemble.host_code import rows
from transpile.assemble.host_code.declarations import declared, pointee
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.probing import probe
from transpile.assemble.host_code.quiet import kept_effects
from transpile.assemble.host_code.tree import (
    BLOCKS,
    address_of,
    apply,
    arguments_of,
    called,
    calls,
    deletion,
    parse,
    peel,
    text_of,
)
from transpile.code.edits import Edit
from transpile.code.lexer import Kind, tokenize

ALLOCATIONS = frozenset(
    (b"cudaMalloc", b"cudaMallocManaged", b"cudaMallocHost", b"cudaHostAlloc", b"cudaMallocAsync")
)
RELEASES = frozenset((b"cudaFree", b"cudaFreeHost", b"cudaFreeAsync"))
COPIES = frozenset((b"cudaMemcpy", b"cudaMemcpyAsync"))
FILLS = frozenset((b"cudaMemset", b"cudaMemsetAsync"))
SYMBOLS = frozenset(
    (b"cudaMemcpyToSymbol", b"cudaMemcpyToSymbolAsync", b"cudaMemcpyFromSymbol", b"cudaMemcpyFromSymbolAsync")
)
HINTS = frozenset((b"cudaMemPrefetchAsync", b"cudaMemAdvise", b"cudaHostRegister", b"cudaHostUnregister"))
CALLS = ALLOCATIONS | RELEASES | COPIES | FILLS | SYMBOLS | HINTS | rows.CALLS
_FAMILY = re.compile(
    rb"cuda(?:Malloc\w*|Free\w*|Memcpy\w*|Memset\w*|HostAlloc|HostGetDevicePointer|HostRegister|HostUnregister|Mem[A-Z]\w*"
    rb"|GetSymbolAddress|PointerGetAttributes)|cublas(?:Alloc|Free|[GS]et(?:Vector|Matrix)\w*)"
)
_KINDS = re.compile(
    rb"cudaMemcpy(?:HostToHost|HostToDevice|DeviceToHost|DeviceToDevice|Default)|cudaMemcpyKind|cudaMemAdvise\w+|cudaMemAttach\w+"
)


def obstacle(files: Mapping[str, bytes], known: Definitions) -> tuple[str, int, str] | None:
    """Return path, line and name of a use of device memory that cannot be rewritten; None where all can."""
    for path, data in files.items():
        understood = {
            call.start_byte for call in _statements(data) if _edit(data, path, call, known) is not None
        }
        for token in chain.from_iterable(tokenize(data).streams):
            plain = token.kind is not Kind.WORD or _KINDS.fullmatch(token.text) or token.start in understood
            if not plain and _FAMILY.fullmatch(token.text):
                return path, data.count(b"\n", 0, token.start) + 1, token.text.decode()
    return None


def as_host_memory(data: bytes, path: str, known: Definitions) -> bytes:
    """Return the text with every memory call rewritten; the text must have no obstacle."""
    edits: list[Edit[bytes]] = []
    for call in _statements(data):
        edit = _edit(data, path, call, known)
        if edit is not None:
            edits.append(edit)
    return apply(data, edits)


def _statements(data: bytes) -> Iterator[Node]:
    """Yield the calls of the family that are statements of their own."""
    for call in calls(parse(data), CALLS):
        statement = call.parent
        if statement is not None and statement.type == "expression_statement":
            yield call


def _edit(data: bytes, path: str, call: Node, known: Definitions) -> Edit[bytes] | None:
    statement = call.parent
    name, given = called(call), arguments_of(call)
    if statement is None or name is None:
        return None
    rewrite, used = next(((rule, count) for names, rule, count in _RULES if name in names), (None, 0))
    text = rewrite(name, given) if rewrite is not None else None
    if text is None:
        return None
    effects = kept_effects(given[used:], known)
    if not text and not effects:
        return deletion(data, statement)
    back = rows.copied_back(name, given)
    if back is not None:
        text = rows.with_statement(text, probe(data, path, call, given[0], *back))
    elif _copies_back(name, given):
        text += b"\n" + probe(data, path, call, given[0], text_of(given[0]), text_of(given[2]))
    if effects:
        text = b"\n".join(item for item in (text, effects) if item)
    if b"\n" in text:
        return _block(data, statement, text)
    return Edit(statement.start_byte, statement.end_byte, text)


def _block(data: bytes, statement: Node, text: bytes) -> Edit[bytes]:
    """Return the edit that puts several lines in place of a statement, in braces as the body of an ``if``."""
    line = data.rfind(b"\n", 0, statement.start_byte) + 1
    lead = re.match(rb"[ \t]*", data[line:])
    indent = lead.group() if lead else b""
    parent = statement.parent
    if parent is not None and parent.type not in BLOCKS and not text.startswith(b"for ("):
        return Edit(statement.start_byte, statement.end_byte, b"{ " + text.replace(b"\n", b" ") + b" }")
    return Edit(statement.start_byte, statement.end_byte, text.replace(b"\n", b"\n" + indent))


def _copies_back(name: bytes, given: Sequence[Node]) -> bool:
    if name in COPIES:
        return len(given) > 3 and text_of(given[3]) == b"cudaMemcpyDeviceToHost"
    return name.startswith(b"cudaMemcpyFromSymbol")


def _allocation(name: bytes, given: Sequence[Node]) -> bytes | None:
    return _allocated(given[0], text_of(given[1])) if len(given) > 1 else None


def _rows(name: bytes, given: Sequence[Node]) -> bytes | None:
    pitch = rows.pitch(given)
    if pitch is None:
        return None
    allocated = _allocated(given[0], pitch + b" * " + rows.operand(given[3]))
    return pitch + b" = " + rows.aligned(given[2]) + b";\n" + allocated if allocated is not None else None


def _allocated(pointer: Node, size: bytes) -> bytes | None:
    """Return the statement that allocates memory for what an argument leads to."""
    target = address_of(pointer)
    if target is not None:
        left, kind = text_of(target), pointee(target)
    else:
        inner = peel(pointer)
        if inner.type != "identifier":
            return None
        whole = pointee(inner)
        left = b"*" + text_of(inner)
        kind = whole[:-1].strip() if whole is not None and whole.endswith(b"*") else None
    if kind is None and target is not None and target.type in ("identifier", "field_expression"):
        return left + b" = static_cast<decltype(" + left + b")>(malloc(" + size + b"));"
    if kind is None:
        return None
    star = b"*" if kind.endswith(b"*") else b" *"
    cast = b"" if kind == b"void" else b"(" + kind + star + b")"
    return left + b" = " + cast + b"malloc(" + size + b");"


def _release(name: bytes, given: Sequence[Node]) -> bytes | None:
    if not given:
        return None
    if text_of(given[0]) in (b"0", b"NULL", b"nullptr"):
        return b""
    return b"free(" + text_of(given[0]) + b");"


def _copy(name: bytes, given: Sequence[Node]) -> bytes | None:
    if len(given) < 3:
        return None
    return b"memcpy(" + b", ".join(text_of(node) for node in given[:3]) + b");"


def _fill(name: bytes, given: Sequence[Node]) -> bytes | None:
    if len(given) < 3:
        return None
    return b"memset(" + b", ".join(text_of(node) for node in given[:3]) + b");"


def _symbol(name: bytes, given: Sequence[Node]) -> bytes | None:
    if len(given) < 3:
        return None
    to = name.startswith(b"cudaMemcpyToSymbol")
    symbol = peel(given[0] if to else given[1])
    if symbol.type == "string_literal" or _is_address(symbol):
        return None
    taken = symbol.type == "pointer_expression" and text_of(symbol).startswith(b"&")
    address = text_of(symbol) if taken else b"&" + text_of(symbol)
    if len(given) > 3 and text_of(given[3]) != b"0":
        operator = given[3].child_by_field_name("operator")
        tight = operator is not None and text_of(operator) in (b"*", b"/", b"%", b"+", b"-")
        offset = text_of(given[3]) if tight else rows.operand(given[3])
        address = b"(char *)" + address + b" + " + offset
    size = text_of(given[2])
    if to:
        return b"memcpy(" + address + b", " + text_of(given[1]) + b", " + size + b");"
    return b"memcpy(" + text_of(given[0]) + b", " + address + b", " + size + b");"


def _is_address(symbol: Node) -> bool:
    """Tell whether what stands for a variable of the device is a pointer to it."""
    found = declared(symbol) if symbol.type == "identifier" else None
    return found is not None and found.bare_type == b"void"


def _nothing(name: bytes, given: Sequence[Node]) -> bytes | None:
    return b""


_RULES: tuple[tuple[frozenset[bytes], Callable[[bytes, Sequence[Node]], bytes | None], int], ...] = (
    (ALLOCATIONS, _allocation, 2),
    (RELEASES, _release, 1),
    (COPIES, _copy, 3),
    (FILLS, _fill, 3),
    (SYMBOLS, _symbol, 4),
    (HINTS, _nothing, 0),
    (rows.ALLOCATIONS, _rows, 4),
    (rows.COPIES, lambda _, given: rows.copy(given), 6),
    (rows.FILLS, lambda _, given: rows.fill(given), 5),
)
"""Texts that take the place of calls, and how many of their arguments they use."""
