"""Error checks around runtime calls that a CPU program does not make, or cannot fail in, are taken off.

``CHECK(cudaMemcpy(…));``, ``err = cudaMemcpy(…);`` with its ``if (err != cudaSuccess) {…}`` and
``if (cudaMemcpy(…) != cudaSuccess) {…}`` all become the bare call, which later passes rewrite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.assemble.host_code.tree import (
    address_of,
    apply,
    arguments_of,
    called,
    calls,
    deletion,
    enclosing,
    function_of,
    of_type,
    parse,
    peel,
    statement_of,
    text_of,
    uses,
)
from transpile.code.edits import Edit

_ERROR_TYPES = frozenset((b"cudaError_t", b"cudaError"))
_STATUS_READERS = frozenset((b"cudaGetLastError", b"cudaPeekAtLastError"))


def unchecked(data: bytes, names: frozenset[bytes]) -> bytes:
    """Return the text in which calls of these names stand bare where their status can be dropped."""
    data = apply(data, _unwrapped(data, names))
    data = apply(data, _without_variables(data, names))
    return apply(data, _without_conditions(data, names))


def wrapper_of(call: Node) -> Node | None:
    """Return the call statement ``CHECK(call)`` whose first argument is this call."""
    outer = enclosing(call, "call_expression", "expression_statement")
    if outer is None or outer.type != "call_expression":
        return None
    name, given = called(outer), arguments_of(outer)
    if name is None or name.startswith(b"cuda") or not given or peel(given[0]).start_byte != call.start_byte:
        return None
    parent = outer.parent
    return outer if parent is not None and parent.type == "expression_statement" else None


def _unwrapped(data: bytes, names: frozenset[bytes]) -> Iterator[Edit[bytes]]:
    for call in calls(parse(data), names):
        outer = wrapper_of(call)
        if outer is not None:
            yield Edit(outer.start_byte, outer.end_byte, text_of(call))
            continue
        cast = call.parent
        if cast is not None and cast.type == "cast_expression":
            statement = cast.parent
            if statement is not None and statement.type == "expression_statement":
                yield Edit(cast.start_byte, cast.end_byte, text_of(call))


def _without_variables(data: bytes, names: frozenset[bytes]) -> Iterator[Edit[bytes]]:
    """Drop status variables that hold nothing but the status of these calls."""
    root = parse(data)
    for function in of_type(root, "function_definition"):
        body = function.child_by_field_name("body")
        if body is None:
            continue
        for name in _status_variables(body):
            edits = _variable_edits(data, body, name, names)
            if edits is not None:
                yield from edits


def _status_variables(body: Node) -> set[bytes]:
    found = set()
    for declaration in of_type(body, "declaration"):
        kind = declaration.child_by_field_name("type")
        if kind is None or text_of(kind) not in _ERROR_TYPES:
            continue
        for declarator in declaration.children_by_field_name("declarator"):
            inner = (
                declarator.child_by_field_name("declarator")
                if declarator.type == "init_declarator"
                else declarator
            )
            if inner is not None and inner.type == "identifier":
                found.add(text_of(inner))
    return found


def _variable_edits(
    data: bytes, body: Node, name: bytes, names: frozenset[bytes]
) -> list[Edit[bytes]] | None:
    """Return the edits that remove a status variable; None where some use of it has to stay."""
    edits: list[Edit[bytes]] = []
    pointer: bytes | None = None
    checked: set[int] = set()
    for use in uses(body, name):
        if use.start_byte in checked or any(item.start <= use.start_byte < item.end for item in edits):
            continue
        statement = statement_of(use)
        if statement is None:
            return None
        if _is_check(use, name):
            condition = statement if statement.type == "if_statement" else enclosing(use, "if_statement")
            if condition is None or condition.child_by_field_name("alternative") is not None:
                return None
            checked.update(found.start_byte for found in uses(condition, name))
            edits.append(_check_edit(data, condition, name, pointer))
            pointer = None
            continue
        value = statement if _is_wrapped(use) else _assigned(use, statement)
        callee = called(value) if value is not None else None
        if value is None or (value.type == "call_expression" and callee not in names):
            return None
        pointer = None
        if callee is None or callee in _STATUS_READERS:
            edits.append(deletion(data, statement))
            continue
        edits.append(Edit(statement.start_byte, statement.end_byte, text_of(value) + b";"))
        target = (
            address_of(arguments_of(value)[0]) if callee == b"cudaMalloc" and arguments_of(value) else None
        )
        pointer = text_of(target) if target is not None else None
    return edits


def _check_edit(data: bytes, condition: Node, name: bytes, pointer: bytes | None) -> Edit[bytes]:
    """Return what becomes of a check: a test of the pointer after an allocation, else nothing."""
    body, test = condition.child_by_field_name("consequence"), condition.child_by_field_name("condition")
    if pointer is None or body is None or test is None:
        return deletion(data, condition)
    if next(uses(body, name), None) is not None or b"cudaGet" in text_of(body):
        return deletion(data, condition)
    return Edit(test.start_byte, test.end_byte, b"(" + pointer + b" == nullptr)")


def _assigned(use: Node, statement: Node) -> Node | None:
    """Return the value that a statement gives a status variable, or the statement where it gives none."""
    parent = use.parent
    if parent is None:
        return None
    if parent.type == "declaration" and len(parent.children_by_field_name("declarator")) == 1:
        return parent
    if parent.type == "init_declarator" and parent.child_by_field_name("declarator") == use:
        if len(statement.children_by_field_name("declarator")) != 1:
            return None
        value = parent.child_by_field_name("value")
        return statement if value is None or text_of(value) == b"cudaSuccess" else value
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == use:
        value = parent.child_by_field_name("right")
        if statement.type != "expression_statement" or value is None:
            return None
        return statement if text_of(value) == b"cudaSuccess" else value
    return None


def _is_check(use: Node, name: bytes) -> bool:
    """Tell whether the use is the whole condition of an ``if``: such as ``err != cudaSuccess``."""
    condition = enclosing(use, "condition_clause", "expression_statement", "declaration")
    if condition is None or condition.type != "condition_clause":
        return False
    parent = condition.parent
    if parent is None or parent.type != "if_statement":
        return False
    bare = re.sub(rb"\s+", b"", text_of(condition))
    return bare in (
        b"(" + name + b"!=cudaSuccess)",
        b"(cudaSuccess!=" + name + b")",
        b"(" + name + b")",
        b"(" + name + b"!=0)",
    )


def _is_wrapped(use: Node) -> bool:
    """Tell whether the use is ``CHECK(err);``."""
    outer = enclosing(use, "call_expression", "expression_statement")
    if outer is None or outer.type != "call_expression":
        return False
    given, parent = arguments_of(outer), outer.parent
    name = called(outer)
    plain = name is not None and not name.startswith(b"cuda") and len(given) > 0 and given[0] == use
    return plain and parent is not None and parent.type == "expression_statement"


def _without_conditions(data: bytes, names: frozenset[bytes]) -> Iterator[Edit[bytes]]:
    """Turn ``if (cudaX(…) != cudaSuccess) {…}`` into ``cudaX(…);``."""
    for call in calls(parse(data), names):
        condition = enclosing(call, "condition_clause", "expression_statement", "declaration")
        owner = condition.parent if condition is not None else None
        if condition is None or owner is None or owner.type != "if_statement" or function_of(owner) is None:
            continue
        bare = re.sub(rb"\s+", b"", text_of(condition))
        own = re.sub(rb"\s+", b"", text_of(call))
        failing = bare in (b"(" + own + b"!=cudaSuccess)", b"(cudaSuccess!=" + own + b")", b"(" + own + b")")
        if failing and owner.child_by_field_name("alternative") is None:
            yield Edit(owner.start_byte, owner.end_byte, text_of(call) + b";")
