"""Error checks around runtime calls that a CPU program does not make, or cannot fail in, are taken off.

``CHECK(cudaMemcpy(…));``, ``err = cudaMemcpy(…);`` with its ``if (err != cudaSuccess) {…}`` and
``if (cudaMemcpy(…) != cudaSuccess) {…}`` all become the bare call, which later passes rewrite. Conditions on
several statuses lose those that are taken off.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tree_sitter import Node

from transpile.assemble.host_code.declarations import declared
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.error_checks import is_error_check
from transpile.assemble.host_code.quiet import kept_effects
from transpile.assemble.host_code.stable import pure
from transpile.assemble.host_code.tree import (
    BLOCKS,
    address_of,
    apply,
    arguments_of,
    called,
    calls,
    deletion,
    enclosing,
    function_of,
    indentation,
    of_type,
    parse,
    peel,
    statement_of,
    text_of,
    uses,
)
from transpile.code.edits import Edit, apply_outermost

_ERROR_TYPES = frozenset((b"cudaError_t", b"cudaError"))
_STATUS_READERS = frozenset((b"cudaGetLastError", b"cudaPeekAtLastError"))
_ALLOCATIONS = (b"cudaMalloc", b"cudaMallocPitch")
_WORDS = {
    b"cudaGetErrorString": (b'"out of memory"', b'"no error"'),
    b"cudaGetErrorName": (b'"cudaErrorMemoryAllocation"', b'"cudaSuccess"'),
}
"""Words for an allocation that failed, and for one that did not."""
_NEVER = b"transpile_never"
"""Stands for an operand that never holds, until its condition is read again."""


def unchecked(data: bytes, names: frozenset[bytes], known: Definitions) -> bytes:
    """Return the text in which calls of these names stand bare where their status can be dropped."""
    data = apply(data, _unwrapped(data, names, known))
    data = apply_outermost(data, list(_without_variables(data, names, known)))
    data = apply_outermost(data, list(_without_operands(data)))
    return apply(data, _without_conditions(data, names))


def wrapper_of(call: Node, known: Definitions) -> Node | None:
    """Return the call statement ``CHECK(call)`` whose first argument is this call, where it only checks."""
    outer = enclosing(call, "call_expression", "expression_statement")
    if outer is None or outer.type != "call_expression":
        return None
    name, given = called(outer), arguments_of(outer)
    if name is None or name.startswith(b"cuda") or not given or peel(given[0]).start_byte != call.start_byte:
        return None
    if not is_error_check(name, known) or kept_effects(given[1:], known):
        return None
    parent = outer.parent
    return outer if parent is not None and parent.type == "expression_statement" else None


def _unwrapped(data: bytes, names: frozenset[bytes], known: Definitions) -> Iterator[Edit[bytes]]:
    for call in calls(parse(data), names):
        outer = wrapper_of(call, known)
        if outer is not None:
            yield Edit(outer.start_byte, outer.end_byte, text_of(call))
            continue
        cast = call.parent
        if cast is not None and cast.type == "cast_expression":
            statement = cast.parent
            if statement is not None and statement.type == "expression_statement":
                yield Edit(cast.start_byte, cast.end_byte, text_of(call))


def _without_variables(data: bytes, names: frozenset[bytes], known: Definitions) -> Iterator[Edit[bytes]]:
    """Drop status variables that hold nothing but the status of these calls."""
    root = parse(data)
    for function in of_type(root, "function_definition"):
        body = function.child_by_field_name("body")
        if body is None:
            continue
        gone = set()
        for name in _status_variables(body):
            found = _variable_edits(data, body, name, names, known)
            if found is not None:
                edits, stays = found
                gone |= set() if stays else {name}
                yield from edits
        yield from _without_declarators(data, body, gone)


def _without_declarators(data: bytes, body: Node, gone: Collection[bytes]) -> Iterator[Edit[bytes]]:
    """Take variables out of declarations of several."""
    for declaration in of_type(body, "declaration"):
        declarators = declaration.children_by_field_name("declarator")
        left = [
            item for item in declarators if (name := _declared(item)) is None or text_of(name) not in gone
        ]
        if len(declarators) < 2 or len(left) == len(declarators):
            continue
        if not left:
            yield deletion(data, declaration)
        else:
            kept = b", ".join(map(text_of, left))
            yield Edit(declarators[0].start_byte, declarators[-1].end_byte, kept)


def _declared(declarator: Node) -> Node | None:
    """Return the name of a variable that is neither a pointer nor an array."""
    initialised = declarator.type == "init_declarator"
    inner = declarator.child_by_field_name("declarator") if initialised else declarator
    return inner if inner is not None and inner.type == "identifier" else None


def _without_operands(data: bytes) -> Iterator[Edit[bytes]]:
    """Leave out of conditions what never holds, and statements whose condition never does."""
    for statement in of_type(parse(data), "if_statement") if _NEVER in data else ():
        test = statement.child_by_field_name("condition")
        operands = list(_operands(test)) if test is not None else []
        left = [text_of(operand) for operand in operands if text_of(operand) != _NEVER]
        if test is None or len(left) == len(operands):
            continue
        if left:
            yield Edit(test.start_byte, test.end_byte, b"(" + b" || ".join(left) + b")")
        else:
            yield deletion(data, statement)


def _operands(test: Node) -> Iterator[Node]:
    """Yield what ``||`` joins, on all levels."""
    if test.type in ("condition_clause", "parenthesized_expression") and test.named_child_count == 1:
        yield from _operands(test.named_children[0])
    elif _is_disjunction(test):
        for side in test.named_children:
            yield from _operands(side)
    else:
        yield test


def _is_disjunction(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return operator is not None and text_of(operator) == b"||"


def _status_variables(body: Node) -> set[bytes]:
    found: set[bytes] = set()
    for declaration in of_type(body, "declaration"):
        kind = declaration.child_by_field_name("type")
        if kind is not None and text_of(kind) in _ERROR_TYPES:
            declarators = map(_declared, declaration.children_by_field_name("declarator"))
            found.update(text_of(item) for item in declarators if item is not None)
    return found


def _variable_edits(
    data: bytes, body: Node, name: bytes, names: frozenset[bytes], known: Definitions
) -> tuple[list[Edit[bytes]], bool] | None:
    """Return the edits that take a status variable off these calls, and whether others still need it.

    None where it has to stay as it is.
    """
    edits: list[Edit[bytes]] = []
    declaration: Edit[bytes] | None = None
    pointer: bytes | None = None
    stays = initialised = False
    checked: set[int] = set()
    for use in uses(body, name):
        if use.start_byte in checked or any(item.start <= use.start_byte < item.end for item in edits):
            continue
        statement = statement_of(use)
        if statement is None or not _is_status(use):
            return None
        if _is_check(use, name):
            condition = statement if statement.type == "if_statement" else enclosing(use, "if_statement")
            if condition is None or condition.child_by_field_name("alternative") is not None:
                return None
            checked.update(found.start_byte for found in uses(condition, name))
            edits.append(_check_edit(data, condition, name, pointer))
            pointer = None
            continue
        operand = _operand_of(use, name)
        if operand is not None:
            edits.append(Edit(operand.start_byte, operand.end_byte, _test(pointer) or _NEVER))
            edits += _tellings(operand, name, _test(pointer))
            pointer = None
            continue
        if _is_one_of_several(use):
            continue
        value = statement if _is_wrapped(use, known) else _assigned(use, statement)
        callee = called(value) if value is not None else None
        if value is None or (value.type != "call_expression" and value != statement):
            return None  # such as an error that the program sets itself
        pointer = None
        if value.type == "call_expression" and callee not in names:
            pair = _with_its_check(statement, name)
            if pair is None:
                return None
            checked.update(found.start_byte for node in pair for found in uses(node, name))
            stays = True
            continue
        bare = callee is None or callee in _STATUS_READERS
        whole = Edit(statement.start_byte, statement.end_byte, text_of(value) + b";")
        edits.append(deletion(data, statement) if bare else whole)
        if statement.type == "declaration":
            declaration = edits[-1]
            initialised = callee is not None
        if bare:
            continue
        given = arguments_of(value) if callee in _ALLOCATIONS else []
        target = address_of(given[0]) if given else None
        pointer = text_of(target) if target is not None else None
    if stays and initialised:
        return None
    return [item for item in edits if not (stays and item is declaration)], stays


def _is_status(use: Node) -> bool:
    """Tell whether a name means a status here, and not another variable of that name."""
    found = declared(use)
    return found is not None and found.bare_type in _ERROR_TYPES and not found.reference


def _with_its_check(statement: Node, name: bytes) -> tuple[Node, Node] | None:
    """Return an assignment and the check right behind it, between which nothing else happens; else None."""
    behind = statement.next_named_sibling
    if statement.type != "expression_statement" or behind is None or behind.type != "if_statement":
        return None
    test = behind.child_by_field_name("condition")
    asked = test is not None and any(_fails(item, name) for item in _operands(test))
    return (statement, behind) if asked and behind.child_by_field_name("alternative") is None else None


def _check_edit(data: bytes, condition: Node, name: bytes, pointer: bytes | None) -> Edit[bytes]:
    """Return what becomes of a check: a test of the pointer after an allocation, else nothing."""
    body, test = condition.child_by_field_name("consequence"), condition.child_by_field_name("condition")
    if pointer is None or body is None or test is None:
        return deletion(data, condition)
    if next(uses(body, name), None) is not None or b"cudaGet" in text_of(body):
        return deletion(data, condition)
    return Edit(test.start_byte, test.end_byte, b"(" + _test(pointer) + b")")


def _test(pointer: bytes | None) -> bytes:
    """Return what tells whether an allocation failed; empty where there was none."""
    return pointer + b" == nullptr" if pointer is not None else b""


def _operand_of(use: Node, name: bytes) -> Node | None:
    """Return the comparison of a status that is one of several operands of an ``if`` without ``else``.

    All that the statement may do with the status is to tell it in words.
    """
    test = enclosing(use, "condition_clause", "expression_statement", "declaration")
    owner = test.parent if test is not None else None
    if test is None or owner is None or owner.type != "if_statement":
        return None
    body = owner.child_by_field_name("consequence")
    told = body is None or any(_teller(item) is None for item in uses(body, name))
    if told or owner.child_by_field_name("alternative") is not None:
        return None
    operands = [item for item in _operands(test) if item.start_byte <= use.start_byte < item.end_byte]
    return operands[0] if operands and _fails(operands[0], name) else None


def _teller(use: Node) -> Node | None:
    """Return the call that puts a status into words, where that is all that is done with it."""
    call = use.parent.parent if use.parent is not None and use.parent.type == "argument_list" else None
    return call if call is not None and called(call) in _WORDS else None


def _tellings(operand: Node, name: bytes, test: bytes) -> Iterator[Edit[bytes]]:
    """Yield the words for a status in the statement under a condition, by what tells of its failure."""
    owner = enclosing(operand, "if_statement")
    body = owner.child_by_field_name("consequence") if owner is not None else None
    for use in uses(body, name) if body is not None else ():
        call = _teller(use)
        if call is not None:
            failed, fine = _WORDS[called(call) or b""]
            words = b"(%b ? %b : %b)" % (test, failed, fine) if test else fine
            yield Edit(call.start_byte, call.end_byte, words)


def _fails(test: Node, name: bytes) -> bool:
    """Tell whether an expression asks whether a status is an error, and nothing else."""
    bare = re.sub(rb"\s+", b"", text_of(test))
    return bare in (name + b"!=cudaSuccess", b"cudaSuccess!=" + name, name, name + b"!=0")


def _is_one_of_several(use: Node) -> bool:
    """Tell whether a variable is declared here beside others, without a value or as a success."""
    declarator = use.parent if use.parent is not None and use.parent.type == "init_declarator" else use
    declaration = declarator.parent
    if declaration is None or declaration.type != "declaration":
        return False
    value = declarator.child_by_field_name("value") if declarator != use else None
    several = len(declaration.children_by_field_name("declarator")) > 1
    return several and (value is None or text_of(value) == b"cudaSuccess") and value != use


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
    parts = condition.named_children
    return len(parts) == 1 and _fails(parts[0], name)


def _is_wrapped(use: Node, known: Definitions) -> bool:
    """Tell whether the use is ``CHECK(err);``, and a check is all that this is."""
    outer = enclosing(use, "call_expression", "expression_statement")
    if outer is None or outer.type != "call_expression":
        return False
    given, parent = arguments_of(outer), outer.parent
    name = called(outer)
    plain = name is not None and not name.startswith(b"cuda") and len(given) > 0 and given[0] == use
    if name is None or not is_error_check(name, known) or kept_effects(given[1:], known):
        return False
    return plain and parent is not None and parent.type == "expression_statement"


def _without_conditions(data: bytes, names: frozenset[bytes]) -> Iterator[Edit[bytes]]:
    """Turn ``if (cudaX(…) != cudaSuccess) {…}`` into ``cudaX(…);``, and test the pointer of an allocation."""
    for call in calls(parse(data), names):
        condition = enclosing(call, "condition_clause", "expression_statement", "declaration")
        owner = condition.parent if condition is not None else None
        if condition is None or owner is None or owner.type != "if_statement" or function_of(owner) is None:
            continue
        bare = re.sub(rb"\s+", b"", text_of(condition))
        own = re.sub(rb"\s+", b"", text_of(call))
        failing = bare in (b"(" + own + b"!=cudaSuccess)", b"(cudaSuccess!=" + own + b")", b"(" + own + b")")
        if failing and owner.child_by_field_name("alternative") is None:
            yield Edit(owner.start_byte, owner.end_byte, text_of(call) + b";" + _tested(data, call, owner))


def _tested(data: bytes, call: Node, owner: Node) -> bytes:
    """Return what asks whether an allocation failed, where the source asks and does not tell the status."""
    body, given = owner.child_by_field_name("consequence"), arguments_of(call)
    target = address_of(given[0]) if called(call) in _ALLOCATIONS and given else None
    steady = target is not None and owner.parent is not None and owner.parent.type in BLOCKS and pure(target)
    if not steady or target is None or body is None or b"cudaGet" in text_of(body):
        return b""
    line = b"\n" + indentation(data, owner.start_byte)
    return line + b"if (" + _test(text_of(target)) + b") " + text_of(body)
