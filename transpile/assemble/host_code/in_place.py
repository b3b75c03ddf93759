"""Device copies of host arrays vanish: kernels work on the host array itself where that is safe.

Looked at are buffers that live in one function: allocated there once, filled from and copied back to host
arrays of the same size, handed to kernels and freed. ``twins`` decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.host_code.arrays import Array, array_events, array_of
from transpile.assemble.host_code.declarations import Declared, declarators
from transpile.assemble.host_code.effects import Effect, Program, is_null_test
from transpile.assemble.host_code.exits import exits
from transpile.assemble.host_code.probing import probe
from transpile.assemble.host_code.sight import fully_seen, hidden_words
from transpile.assemble.host_code.sizes import same_size
from transpile.assemble.host_code.tree import (
    BLOCKS,
    address_of,
    apply,
    arguments_of,
    called,
    deletion,
    enclosing,
    is_null,
    of_type,
    parse,
    peel,
    removal_of,
    text_of,
    uses,
)
from transpile.assemble.host_code.twins import Act, Event, interchangeable
from transpile.code.edits import Edit

_ALLOCATIONS = frozenset((b"cudaMalloc", b"cudaMallocAsync"))
_RELEASES = frozenset((b"cudaFree", b"cudaFreeAsync"))
_COPIES = frozenset((b"cudaMemcpy", b"cudaMemcpyAsync"))
_FILLS = frozenset((b"cudaMemset", b"cudaMemsetAsync"))


class _Refused(Exception):
    """The buffer has a use that is not understood."""


@dataclass(frozen=True, slots=True)
class _Buffer:
    """A device buffer that lives in one function."""

    declared: Declared
    function: Node
    size: Node
    """Bytes, as allocated."""


def in_place(data: bytes, path: str, program: Program) -> bytes:
    """Return the text in which every buffer that may be its host array is that array."""
    while True:
        edits = next(_mergers(data, path, program), None)
        if edits is None:
            return data
        data = apply(data, edits)


def _mergers(data: bytes, path: str, program: Program) -> Iterator[list[Edit[bytes]]]:
    """Yield the edits of each buffer that can vanish."""
    for function in of_type(parse(data), "function_definition"):
        if b"cudaMalloc" not in text_of(function) or b"#pragma omp" in text_of(function):
            continue
        for buffer in _buffers(function):
            for array in _partners(buffer):
                edits = _merged(data, path, buffer, array, program)
                if edits is not None:
                    yield edits


def _buffers(function: Node) -> Iterator[_Buffer]:
    body = function.child_by_field_name("body")
    for declaration in of_type(body, "declaration") if body is not None else ():
        for found in declarators(declaration):
            if found.pointers != 1 or found.arrays or found.reference or b"static" in text_of(declaration):
                continue
            if found.value is not None and not is_null(found.value):
                continue
            scope = found.scope
            sizes = [size for use in uses(scope, found.name) for size in _allocated(use)] if scope else []
            if len(sizes) == 1:
                yield _Buffer(found, function, sizes[0])


def _allocated(use: Node) -> Iterator[Node]:
    call = enclosing(use, "call_expression")
    given = arguments_of(call) if call is not None else []
    if call is not None and called(call) in _ALLOCATIONS and len(given) > 1:
        target = address_of(given[0])
        if target is not None and target == use:
            yield given[1]


def _copy_sides(buffer: _Buffer) -> Iterator[tuple[Node, bool]]:
    """Yield the host sides of the buffer's copies, and whether the copy goes to the device."""
    scope = buffer.declared.scope
    assert scope is not None
    for use in uses(scope, buffer.declared.name):
        call = enclosing(use, "call_expression")
        given = arguments_of(call) if call is not None else []
        if call is None or called(call) not in _COPIES or len(given) < 4:
            continue
        if text_of(given[3]) == b"cudaMemcpyHostToDevice" and peel(given[0]) == use:
            yield given[1], True
        elif text_of(given[3]) == b"cudaMemcpyDeviceToHost" and peel(given[1]) == use:
            yield given[0], False


def _partners(buffer: _Buffer) -> list[Array]:
    """Return the host arrays that the buffer is copied from and to, those with both first."""
    found: dict[bytes, tuple[Array, set[bool]]] = {}
    for side, to_device in _copy_sides(buffer):
        array = array_of(side, buffer.function)
        if array is not None:
            found.setdefault(array.text, (array, set()))[1].add(to_device)
    ranked = sorted(found.values(), key=lambda item: (-len(item[1]), False not in item[1]))
    return [array for array, _ in ranked if _alike(buffer.declared, array)]


def _alike(buffer: Declared, array: Array) -> bool:
    return re.sub(rb"\s+", b"", buffer.bare_type) == re.sub(rb"\s+", b"", array.element)


def _merged(
    data: bytes, path: str, buffer: _Buffer, array: Array, program: Program
) -> list[Edit[bytes]] | None:
    """Return the edits that make buffer and array one; None where that is not safe."""
    scope = buffer.declared.scope
    if scope is None or not array.known_apart(program):
        return None
    hidden = hidden_words(program.files.values())
    for name in (buffer.declared.name, array.declared.name):
        if name in hidden or not fully_seen(buffer.function, name):
            return None
    edits: list[Edit[bytes]] = []
    events: list[Event] = []
    paired: set[int] = set()
    try:
        for use in uses(scope, buffer.declared.name):
            if (
                buffer.declared.declaration.start_byte
                <= use.start_byte
                < buffer.declared.declaration.end_byte
            ):
                continue
            event, edit, call = _use(data, path, use, buffer, array, program)
            events.append(event)
            edits.append(edit)
            paired.add(call.start_byte)
            held = array.scope
            dropped = event.act in (Act.BUFFER_BEGINS, Act.BUFFER_ENDS)
            if not dropped and not held.start_byte <= use.start_byte < held.end_byte:
                return None
        found = array_events(array, buffer.function, program, paired)
    except _Refused:
        return None
    if found is None:
        return None
    ends = exits(buffer.function, program.known)
    if not interchangeable(buffer.function, (*events, *found, *ends), outlives=array.outlives):
        return None
    return [*edits, without_declarator(data, buffer.declared)]


def _use(
    data: bytes, path: str, use: Node, buffer: _Buffer, array: Array, program: Program
) -> tuple[Event, Edit[bytes], Node]:
    """Return what a use of the buffer means and what becomes of it, and the call it stands in."""
    tested = _tested(use)
    if tested is not None:
        return Event(use.start_byte, Act.BUFFER_BEGINS), deletion(data, tested), tested
    call = enclosing(use, "call_expression", "expression_statement", "declaration")
    while call is not None and call.type == "call_expression" and _is_cast(call):
        call = enclosing(call, "call_expression", "expression_statement", "declaration")
    if call is None or call.type != "call_expression" or enclosing(use, "lambda_expression") is not None:
        raise _Refused
    name, given = called(call), arguments_of(call)
    statement = call.parent
    bare = statement is not None and statement.type == "expression_statement"
    if bare and statement is not None:
        if name in _ALLOCATIONS:
            return Event(call.start_byte, Act.BUFFER_BEGINS), deletion(data, statement), call
        if name in _RELEASES:
            return Event(call.start_byte, Act.BUFFER_ENDS), deletion(data, statement), call
        if name in _COPIES and len(given) > 3:
            return *_copied(data, path, use, call, statement, buffer, array, program), call
        if name in _FILLS and len(given) > 2 and peel(given[0]) == use:
            full = same_size(given[2], buffer.size, program.known)
            text = b"memset(" + array.text + b", " + text_of(given[1]) + b", " + text_of(given[2]) + b");"
            event = Event(call.start_byte, Act.BUFFER_FILLED if full else Act.BUFFER_CHANGED)
            return event, Edit(statement.start_byte, statement.end_byte, text), call
    if name is None or name.startswith(b"cuda"):
        raise _Refused
    position = next(
        (i for i, node in enumerate(given) if node.start_byte <= use.start_byte < node.end_byte), None
    )
    if position is None or not _pointer_value(given[position], use, array) or array.mentioned(call):
        raise _Refused
    effect = program.effect(name, position)
    if effect is None or (array.const and effect is not Effect.CONST):
        raise _Refused
    act = Act.BUFFER_CHANGED if effect is Effect.WRITE else Act.BUFFER_READ
    return Event(use.start_byte, act), Edit(use.start_byte, use.end_byte, array.text), call


def _tested(use: Node) -> Node | None:
    """Return the statement that asks whether the buffer was allocated, and does something if not."""
    test = use.parent
    owner = test.parent.parent if test is not None and test.parent is not None else None
    if test is None or owner is None or owner.type != "if_statement" or not is_null_test(test):
        return None
    operator, body = test.child_by_field_name("operator"), owner.child_by_field_name("consequence")
    failing = operator is not None and text_of(operator) == b"=="
    left = body is not None and next(uses(body, text_of(use)), None) is None
    return owner if failing and left and owner.child_by_field_name("alternative") is None else None


def _is_cast(call: Node) -> bool:
    function = call.child_by_field_name("function")
    return (
        function is not None
        and re.match(rb"(static|reinterpret|const)_cast\b", text_of(function)) is not None
    )


def _pointer_value(argument: Node, use: Node, array: Array) -> bool:
    """Tell whether the argument is the buffer, or an offset from it that the array can take too."""
    plain = peel(argument)
    if plain == use:
        return plain == argument or not array.address
    if array.address or plain.type != "binary_expression":
        return False
    left, operator = plain.child_by_field_name("left"), plain.child_by_field_name("operator")
    return left == use and operator is not None and text_of(operator) == b"+"


def _copied(
    data: bytes,
    path: str,
    use: Node,
    call: Node,
    statement: Node,
    buffer: _Buffer,
    array: Array,
    program: Program,
) -> tuple[Event, Edit[bytes]]:
    target, source, size, kind = arguments_of(call)[:4]
    if peel(target) != use and peel(source) != use:
        raise _Refused
    full = same_size(size, buffer.size, program.known)
    inward = peel(target) == use
    other = source if inward else target
    is_partner = text_of(peel(other)) == array.text or text_of(other) == array.text
    back = text_of(kind) == b"cudaMemcpyDeviceToHost"
    if text_of(kind) not in (
        b"cudaMemcpyDeviceToHost",
        b"cudaMemcpyHostToDevice",
        b"cudaMemcpyDeviceToDevice",
    ):
        raise _Refused
    if is_partner:
        if not full or inward == back:
            raise _Refused
        mark = probe(data, path, call, other, array.text, text_of(size))
        edit = deletion(data, statement) if inward else Edit(statement.start_byte, statement.end_byte, mark)
        return Event(call.start_byte, Act.TO_DEVICE if inward else Act.TO_HOST), edit
    if array.const and inward:
        raise _Refused
    if array.mentioned(call):
        raise _Refused
    to, origin = (array.text, text_of(source)) if inward else (text_of(target), array.text)
    text = b"memcpy(" + to + b", " + origin + b", " + text_of(size) + b");"
    if back:
        if statement.parent is None or statement.parent.type not in BLOCKS:
            raise _Refused
        line = data.rfind(b"\n", 0, statement.start_byte) + 1
        indent = re.match(rb"[ \t]*", data[line:])
        text += (
            b"\n"
            + (indent.group() if indent else b"")
            + probe(data, path, call, target, text_of(target), text_of(size))
        )
    written = Act.BUFFER_FILLED if full else Act.BUFFER_CHANGED
    return Event(call.start_byte, written if inward else Act.BUFFER_READ), Edit(
        statement.start_byte, statement.end_byte, text
    )


def without_declarator(data: bytes, found: Declared) -> Edit[bytes]:
    """Return the edit that takes one name out of its declaration, or all of it where it is the only one."""
    listed = found.declaration.children_by_field_name("declarator")
    if len(listed) == 1:
        return removal_of(data, found.declaration.start_byte, found.declaration.end_byte)
    index = next(i for i, node in enumerate(listed) if node == found.declarator)
    if index == 0:
        return Edit(listed[0].start_byte, listed[1].start_byte, b"")
    return Edit(listed[index - 1].end_byte, listed[index].end_byte, b"")
