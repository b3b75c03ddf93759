"""Memory in rows: ``cudaMallocPitch`` becomes ``malloc``, copies and fills become loops over rows.

Rows begin where those of the emulator do: programs exist that use one pitch for several arrays, or print it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from transpile.assemble.host_code.stable import pure
from transpile.assemble.host_code.tree import address_of, arguments_of, of_type, peel, text_of

ALLOCATIONS = frozenset((b"cudaMallocPitch",))
COPIES = frozenset((b"cudaMemcpy2D", b"cudaMemcpy2DAsync"))
FILLS = frozenset((b"cudaMemset2D", b"cudaMemset2DAsync"))
CALLS = ALLOCATIONS | COPIES | FILLS
_NAMES = (b"row", b"row_of_copy")
_HANDED_OUT = (b"get", b"data")
"""Members that return a pointer, the same however often they are asked."""


def pitch(given: Sequence[Node]) -> bytes | None:
    """Return the variable that tells how long the rows of an allocation are; None where it cannot be set."""
    if len(given) != 4 or not all(map(pure, given[2:])):
        return None
    target, whole = address_of(given[1]), peel(given[1])
    if target is None and whole.type != "identifier":
        return None
    named = {text_of(name) for name in of_type(whole, "identifier")}
    if any(text_of(name) in named for node in given[2:] for name in of_type(node, "identifier")):
        return None
    return text_of(target) if target is not None else b"*" + text_of(whole)


def aligned(width: Node) -> bytes:
    """Return the bytes from row to row, as the emulator has them."""
    operator = width.child_by_field_name("operator")
    bare = operator is not None and text_of(operator) in (b"*", b"+", b"-", b"/")
    return b"(" + (text_of(width) if bare else operand(width)) + b" + 511) / 512 * 512"


def copy(given: Sequence[Node]) -> bytes | None:
    """Return the loop that copies rows."""
    if len(given) < 6 or not all(map(_may_be_repeated, given[:6])):
        return None
    target, source = _row_of(given, 0, 1), _row_of(given, 2, 3)
    return _loop(given, 5, b"memcpy(" + target + b", " + source + b", " + text_of(given[4]) + b");")


def fill(given: Sequence[Node]) -> bytes | None:
    """Return the loop that fills rows."""
    if len(given) < 5 or not all(map(_may_be_repeated, given[:5])):
        return None
    value, width = text_of(given[2]), text_of(given[3])
    return _loop(given, 4, b"memset(" + _row_of(given, 0, 1) + b", " + value + b", " + width + b");")


def copied_back(name: bytes, given: Sequence[Node]) -> tuple[bytes, bytes] | None:
    """Return the row that a copy from the device writes, and its bytes; None for other calls."""
    if name not in COPIES or len(given) < 7 or text_of(given[6]) != b"cudaMemcpyDeviceToHost":
        return None
    return _row_of(given, 0, 1), text_of(given[4])


def with_statement(loop: bytes, statement: bytes) -> bytes:
    """Return a loop over rows with a statement at the end of its body."""
    head, body = loop.split(b"\n", 1)
    return head + b" {\n" + body + b"\n    " + statement + b"\n}"


def _loop(given: Sequence[Node], rows: int, body: bytes) -> bytes:
    name, count = _counter(given), text_of(given[rows])
    operator = given[rows].child_by_field_name("operator")
    if operator is None or text_of(operator) not in (b"*", b"/", b"%", b"+", b"-"):
        count = operand(given[rows])
    head = b"for (size_t " + name + b" = 0; " + name + b" < " + count + b"; ++" + name + b")"
    return head + b"\n    " + body


def _row_of(given: Sequence[Node], pointer: int, step: int) -> bytes:
    """Return the address of a row."""
    return b"(char *)" + operand(given[pointer]) + b" + " + _counter(given) + b" * " + operand(given[step])


def _counter(given: Sequence[Node]) -> bytes:
    """Return a name for a row that no argument mentions."""
    taken = {text_of(name) for node in given for name in of_type(node, "identifier")}
    return next((name for name in _NAMES if name not in taken), _NAMES[-1] + b"_")


def operand(node: Node) -> bytes:
    """Return an expression as an operand of a product, or of a cast."""
    text = text_of(node)
    loose = ("binary_expression", "conditional_expression", "cast_expression", "assignment_expression")
    return b"(" + text + b")" if node.type in loose else text


def _may_be_repeated(node: Node) -> bool:
    """Tell whether an expression may be evaluated for every row."""
    if pure(node):
        return True
    calls = list(of_type(node, "call_expression"))
    return all(_hands_out(call) for call in calls) and not any(
        True for _ in of_type(node, "assignment_expression", "update_expression", "new_expression")
    )


def _hands_out(call: Node) -> bool:
    function = call.child_by_field_name("function")
    member = function.child_by_field_name("field") if function is not None else None
    return member is not None and text_of(member) in _HANDED_OUT and not arguments_of(call)
