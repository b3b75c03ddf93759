"""Variables that hold memory of their own, so that no other variable leads to it.

A function that is given several pointers may work on the arrays themselves only where its callers surely pass
different ones: two names may stand for one array.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared, parameters
from transpile.assemble.host_code.definitions import bound_to_reference, written
from transpile.assemble.host_code.effects import Program, function_name
from transpile.assemble.host_code.tree import (
    arguments_of,
    called,
    calls,
    enclosing,
    function_of,
    is_null,
    of_type,
    parse,
    peel,
    text_of,
    uses,
)
from transpile.code.lexer import Kind, tokenize

MAKERS = frozenset(
    (b"malloc", b"calloc", b"aligned_alloc", b"memalign", b"_mm_malloc", b"std::malloc", b"std::calloc")
)
ADDRESS_MAKERS = frozenset((b"posix_memalign", b"cudaMallocHost", b"cudaHostAlloc"))
_DEVICE_MAKERS = frozenset((b"cudaMalloc", b"cudaMallocManaged", b"cudaMallocAsync"))
_OWNERS = re.compile(rb"(?:std::)?(?:vector|array)\s*<.*>", re.DOTALL)
_DEPTH = 4


def makes_storage(value: Node) -> bool:
    """Tell whether an expression is new memory."""
    value = peel(value)
    if value.type == "new_expression":
        return True
    function = value.child_by_field_name("function") if value.type == "call_expression" else None
    return function is not None and text_of(function) in MAKERS


def passed_apart(function: Node, name: bytes, program: Program, depth: int = _DEPTH) -> bool:
    """Tell whether all callers of a function pass arrays of their own, and each only once.

    Args:
        function: Whose parameters are meant.
        name: The parameter that no other may share memory with.
        program: Where callers are.
        depth: How many callers of callers are looked at.
    """
    own = list(parameters(function))
    position = next((i for i, one in enumerate(own) if one.name == name), None)
    pointers = [i for i, one in enumerate(own) if one.pointers + one.arrays > 0 or one.reference]
    own_name = function_name(function)
    found = _calls(own_name, program) if own_name and position is not None else None
    if not found or position is None:
        return False
    return all(_apart(arguments_of(call), position, pointers, program, depth) for call in found)


def _calls(name: bytes, program: Program) -> list[Node] | None:
    """Return the calls of a function; None where it may be called elsewhere, as by a macro or a thread."""
    found: list[Node] = []
    for data in program.files.values():
        if name not in data:
            continue
        words = {
            token.start
            for stream in tokenize(data).streams
            for token in stream
            if token.kind is Kind.WORD and token.text == name
        }
        own = list(calls(parse(data), frozenset((name,))))
        heads = [callee for call in own if (callee := call.child_by_field_name("function")) is not None]
        declared_here = [
            inner
            for item in of_type(parse(data), "function_declarator")
            if (inner := item.child_by_field_name("declarator")) is not None and text_of(inner) == name
        ]
        if words != {node.start_byte for node in (*heads, *declared_here)}:
            return None
        found += own
    return found


def _apart(
    given: Sequence[Node], position: int, pointers: Sequence[int], program: Program, depth: int
) -> bool:
    if len(given) <= max(pointers, default=0):
        return False
    roots = [_root(given[index]) for index in pointers]
    own = _root(given[position])
    if own is None or None in roots or [text_of(root) for root in roots if root].count(text_of(own)) != 1:
        return False
    return all(root is not None and _owns(root, program, depth) for root in roots)


def _root(argument: Node) -> Node | None:
    """Return the variable whose memory an argument passes: ``h`` of ``h + 1``, ``&h[2]`` and ``h.data()``."""
    node: Node | None = peel(argument)
    assert node is not None
    if node.type == "call_expression":
        callee = node.child_by_field_name("function")
        field = callee.child_by_field_name("field") if callee is not None else None
        data = callee is not None and field is not None and text_of(field) == b"data"
        node = callee.child_by_field_name("argument") if data and callee is not None else None
    elif node.type == "pointer_expression" and text_of(node).startswith(b"&"):
        node = node.child_by_field_name("argument")
        if node is not None and node.type == "subscript_expression":
            node = node.child_by_field_name("argument")
    elif node.type == "binary_expression":
        node = node.child_by_field_name("left")
    return node if node is not None and node.type == "identifier" else None


def _owns(root: Node, program: Program, depth: int) -> bool:
    """Tell whether a variable holds memory that no other variable leads to."""
    found = declared(root)
    if found is None or found.reference:
        return False
    if found.parameter:
        owner = function_of(found.declaration)
        by_value = not found.pointers and not found.arrays
        return by_value or (
            depth > 0 and owner is not None and passed_apart(owner, found.name, program, depth - 1)
        )
    if not found.pointers:
        return found.arrays > 0 or _OWNERS.fullmatch(found.bare_type) is not None or _is_plain(found)
    value = found.value
    if value is not None and not _is_own(value, found):
        return False
    return all(_keeps_own(use, found) for use in _all_uses(found, program))


def _is_plain(found: Declared) -> bool:
    """Tell whether a variable is a number or a structure itself, whose address is passed."""
    return (
        not found.constructed and re.search(rb"\b(?:auto|span|view|ptr|iterator)\b", found.bare_type) is None
    )


def _all_uses(found: Declared, program: Program) -> Iterator[Node]:
    scope = found.scope
    if scope is not None and scope.type != "translation_unit":
        yield from uses(scope, found.name)
        return
    for several in program.functions.values():
        for function in several:
            for use in uses(function, found.name):
                other = declared(use)
                if other is None or function_of(other.declaration) is None:
                    yield use


def _keeps_own(use: Node, found: Declared) -> bool:
    """Tell whether a use leaves a pointer with memory of its own, or gives it new one."""
    parent = use.parent
    if found.declaration.start_byte <= use.start_byte < found.declaration.end_byte and parent is not None:
        return True
    if bound_to_reference(use):
        return False
    if parent is None or not written(use) or parent.type == "subscript_expression":
        return True
    if parent.type == "assignment_expression":
        right = parent.child_by_field_name("right")
        return right is not None and _is_own(right, found)
    call = enclosing(use, "call_expression")
    return (
        parent.type == "pointer_expression"
        and call is not None
        and called(call) in ADDRESS_MAKERS | _DEVICE_MAKERS
    )


def _is_own(value: Node, found: Declared) -> bool:
    """Tell whether a value is new memory, none, or what a call returns that is given no such pointer."""
    value = peel(value)
    if is_null(value) or makes_storage(value):
        return True
    if value.type != "call_expression":
        return False
    for name in of_type(value, "identifier"):
        other = declared(name)
        if other is not None and other.bare_type == found.bare_type and other.pointers + other.arrays > 0:
            return False
    return True
