"""The hint ``register`` in heads of loops: compilers pass over it, OpenMP has no such loop (5.2, 4.4.1)."""

from __future__ import annotations

from transpile.code.edits import Edit
from transpile.code.syntax import Function, find, source


def without_registers(text: str) -> str:
    """Return a function without the hint where heads of loops declare variables."""
    if "register" not in text:
        return text
    function = Function(text)
    return function.edited(
        Edit(node.start_byte, node.next_sibling.start_byte, "")
        for node in find(function.body, "storage_class_specifier")
        if source(node) == "register"
        and node.next_sibling is not None
        and node.parent is not None
        and node.parent.parent is not None
        and node.parent.parent.type == "for_statement"
    )
