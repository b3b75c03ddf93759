"""Streams become program order: nothing is left to wait for, and nothing to order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from tree_sitter import Node

from transpile.assemble.host_code.declarations import declarators, parameters
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.quiet import kept_effects, removed
from transpile.assemble.host_code.tree import (
    BLOCKS,
    apply,
    arguments_of,
    called,
    calls,
    of_type,
    parse,
    statement_of,
    text_of,
    uses,
)
from transpile.code.edits import Edit

CALLS = frozenset(
    (
        b"cudaStreamCreate",
        b"cudaStreamCreateWithFlags",
        b"cudaStreamCreateWithPriority",
        b"cudaStreamDestroy",
        b"cudaStreamSynchronize",
        b"cudaStreamWaitEvent",
        b"cudaStreamAttachMemAsync",
    )
)
_TYPES = frozenset((b"cudaStream_t", b"CUstream"))
_DECLARATIONS = ("declaration", "field_declaration")
_LAST_NAME, _INDEX = re.compile(rb"(\w+)\W*$"), re.compile(rb"\[[^\]]*\]")


def in_program_order(files: Mapping[str, bytes], known: Definitions) -> dict[str, bytes]:
    """Return the files without streams, as far as they can be taken out.

    Where something else is given one, such as a library, streams are made and destroyed as before.
    """
    idle = {
        path: _without_event_streams(_without_launch_streams(data, known), known)
        for path, data in files.items()
    }
    texts = _without_parameters({path: _without_calls(data, known) for path, data in idle.items()}, known)
    return idle if _given(texts) else texts


def _given(files: Mapping[str, bytes]) -> bool:
    """Tell whether a call that is left is given a stream."""
    names = {
        found.name
        for data in files.values()
        for declaration in chain(*(of_type(parse(data), kind) for kind in _DECLARATIONS))
        for found in declarators(declaration)
        if found.bare_type in _TYPES
    }
    arguments = (
        _LAST_NAME.search(_INDEX.sub(b"", text_of(argument)))
        for data in files.values()
        for call in of_type(parse(data), "call_expression")
        for argument in arguments_of(call)
    )
    return any(found is not None and found[1] in names for found in arguments)


def _without_calls(data: bytes, known: Definitions) -> bytes:
    edits = []
    for call in calls(parse(data), CALLS):
        statement = call.parent
        if statement is not None and statement.type == "expression_statement":
            edits.append(removed(data, statement, arguments_of(call), known))
    return apply(data, edits)


def _without_event_streams(data: bytes, known: Definitions) -> bytes:
    edits: list[Edit[bytes]] = []
    for call in calls(parse(data), frozenset((b"cudaEventRecord",))):
        given = arguments_of(call)
        if len(given) == 2:
            edits += _dropped(call, given[0], given[1], known)
    return apply(data, edits)


def _without_launch_streams(data: bytes, known: Definitions) -> bytes:
    """Drop the stream of launches that stay, and the shared size where it is zero then."""
    edits: list[Edit[bytes]] = []
    for syntax in of_type(parse(data), "kernel_call_syntax"):
        parts = [child for child in syntax.named_children if child.type != "comment"]
        if len(parts) == 4:
            last = 1 if text_of(parts[2]) == b"0" else 2
            edits += _dropped(syntax, parts[last], parts[3], known)
    return apply(data, edits)


def _dropped(place: Node, last: Node, stream: Node, known: Definitions) -> list[Edit[bytes]]:
    """Return the edits that end a list behind what was last, and do what evaluating the stream does."""
    kept = kept_effects([stream], known)
    statement = statement_of(place)
    edit = Edit(last.end_byte, stream.end_byte, b"")
    if not kept:
        return [edit]
    if statement is None or statement.parent is None or statement.parent.type not in BLOCKS:
        return []
    return [edit, Edit(statement.end_byte, statement.end_byte, b" " + kept)]


def _without_parameters(files: dict[str, bytes], known: Definitions) -> dict[str, bytes]:
    """Take stream parameters off functions that do nothing with them any more, and off their calls."""
    while True:
        functions = _removable(files, known)
        if not functions:
            return files
        files = {path: apply(data, _signature_edits(data, functions)) for path, data in files.items()}


def _removable(files: Mapping[str, bytes], known: Definitions) -> dict[bytes, int]:
    """Return the position of an idle stream parameter by function, for names with one definition."""
    found: dict[bytes, int] = {}
    spoiled: set[bytes] = set()
    for data in files.values():
        for function in of_type(parse(data), "function_definition"):
            name, own = _name(function), list(parameters(function))
            if name in found:
                spoiled.add(name)
            for position, parameter in enumerate(own):
                body = function.child_by_field_name("body")
                idle = body is not None and next(uses(body, parameter.name), None) is None
                if parameter.bare_type in _TYPES and not parameter.pointers and idle:
                    found[name] = position
                    if not name or len(own) != _listed(function):
                        spoiled.add(name)
    candidates = {name: position for name, position in found.items() if name not in spoiled}
    return {
        name: position for name, position in candidates.items() if _only_called(files, name, position, known)
    }


def _name(function: Node) -> bytes:
    declarator = next(
        of_type(function.child_by_field_name("declarator") or function, "function_declarator"), None
    )
    own = declarator.child_by_field_name("declarator") if declarator is not None else None
    return text_of(own) if own is not None and own.type == "identifier" else b""


def _listed(function: Node) -> int:
    listed = next(of_type(function, "parameter_list"), None)
    return (
        len([child for child in listed.named_children if child.type != "comment"])
        if listed is not None
        else 0
    )


def _only_called(files: Mapping[str, bytes], name: bytes, position: int, known: Definitions) -> bool:
    """Tell whether every mention of a function is a call with that argument or declares it."""
    for data in files.values():
        if re.search(rb"\b" + re.escape(name) + rb"\b", data) is None:
            continue
        for node in uses(parse(data), name):
            parent = node.parent
            if parent is not None and parent.type == "function_declarator":
                continue
            if parent is None or called(parent) != name:
                return False
            given = arguments_of(parent)
            if len(given) <= position or any(True for _ in of_type(given[position], "call_expression")):
                return False
            if kept_effects(given[position : position + 1], known):
                return False
    return True


def _signature_edits(data: bytes, functions: Mapping[bytes, int]) -> Iterator[Edit[bytes]]:
    root = parse(data)
    for declarator in of_type(root, "function_declarator"):
        own = declarator.child_by_field_name("declarator")
        position = functions.get(text_of(own)) if own is not None else None
        listed = declarator.child_by_field_name("parameters")
        if position is not None and listed is not None:
            yield from _item_removal(
                [node for node in listed.named_children if node.type != "comment"], position
            )
    for call in calls(root, frozenset(functions)):
        name = called(call)
        assert name is not None
        yield from _item_removal(arguments_of(call), functions[name])


def _item_removal(items: list[Node], position: int) -> Iterator[Edit[bytes]]:
    if position >= len(items):
        return
    if position:
        yield Edit(items[position - 1].end_byte, items[position].end_byte, b"")
    elif len(items) > 1:
        yield Edit(items[0].start_byte, items[1].start_byte, b"")
    else:
        yield Edit(items[0].start_byte, items[0].end_byte, b"")
