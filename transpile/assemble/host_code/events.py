"""Events that take times become points in time of ``std::chrono``; those that order streams vanish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from tree_sitter import Node

from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.quiet import removed
from transpile.assemble.host_code.tree import (
    address_of,
    apply,
    arguments_of,
    called,
    calls,
    deletion,
    of_type,
    parse,
    text_of,
)
from transpile.code.edits import Edit
from transpile.code.lexer import Kind, tokenize

CALLS = frozenset(
    (
        b"cudaEventCreate",
        b"cudaEventCreateWithFlags",
        b"cudaEventRecord",
        b"cudaEventSynchronize",
        b"cudaEventDestroy",
        b"cudaEventElapsedTime",
    )
)
_CLOCK = b"std::chrono::steady_clock"


def as_clock(files: Mapping[str, bytes], known: Definitions) -> dict[str, bytes]:
    """Return the files with events as time points; unchanged where some use of an event is not understood."""
    if any(_obstacle(data) for data in files.values()):
        return dict(files)
    timed = {_key(node) for data in files.values() for node in _timed(data)}
    return {path: apply(data, _edits(data, timed, known)) for path, data in files.items()}


def _obstacle(data: bytes) -> bool:
    understood = {call.start_byte for call in calls(parse(data), CALLS) if _bare(call)}
    for token in chain.from_iterable(tokenize(data).streams):
        if token.kind is Kind.WORD and re.fullmatch(rb"cudaEvent(?!_t$)[A-Z]\w*", token.text):
            flag = re.fullmatch(rb"cudaEvent(?:DisableTiming|Default|BlockingSync)", token.text)
            if flag is None and token.start not in understood:
                return True
    return False


def _bare(call: Node) -> bool:
    return call.parent is not None and call.parent.type == "expression_statement" and bool(arguments_of(call))


def _timed(data: bytes) -> Iterator[Node]:
    """Yield the events between which times are taken."""
    for call in calls(parse(data), frozenset((b"cudaEventElapsedTime",))):
        yield from arguments_of(call)[1:3]


def _key(node: Node) -> bytes:
    """Return the name of an event without indices: ``stop`` for ``timer->stop[i]``."""
    names = re.findall(rb"[A-Za-z_]\w*", re.sub(rb"\[[^\]]*\]", b"", text_of(node)))
    return names[-1] if names else b""


def _edits(data: bytes, timed: set[bytes], known: Definitions) -> Iterator[Edit[bytes]]:
    root = parse(data)
    for call in calls(root, CALLS):
        statement, given = call.parent, arguments_of(call)
        assert statement is not None
        name = called(call)
        if name == b"cudaEventRecord" and _key(given[0]) in timed:
            text = text_of(given[0]) + b" = " + _CLOCK + b"::now();"
            yield Edit(statement.start_byte, statement.end_byte, text)
        elif name == b"cudaEventElapsedTime" and len(given) == 3:
            target = address_of(given[0])
            left = text_of(target) if target is not None else b"*" + text_of(given[0])
            span = text_of(given[2]) + b" - " + text_of(given[1])
            text = left + b" = std::chrono::duration<float, std::milli>(" + span + b").count();"
            yield Edit(statement.start_byte, statement.end_byte, text)
        else:
            yield removed(data, statement, given, known)
    for kind in of_type(root, "type_identifier"):
        if text_of(kind) == b"cudaEvent_t":
            yield from _declaration_edits(data, kind, timed)


def _declaration_edits(data: bytes, kind: Node, timed: set[bytes]) -> Iterator[Edit[bytes]]:
    """Give time points their type; drop events that only ordered streams."""
    owner = kind.parent
    if owner is None or owner.type != "declaration":
        yield Edit(kind.start_byte, kind.end_byte, _CLOCK + b"::time_point")
        return
    listed = owner.children_by_field_name("declarator")
    wanted = [node for node in listed if _declared_name(node) in timed]
    if not wanted:
        yield deletion(data, owner)
        return
    head = data[owner.start_byte : kind.start_byte] + _CLOCK + b"::time_point "
    yield Edit(owner.start_byte, owner.end_byte, head + b", ".join(text_of(node) for node in wanted) + b";")


def _declared_name(node: Node) -> bytes:
    found = next(of_type(node, "identifier", "field_identifier"), None)
    return text_of(found) if found is not None else b""
