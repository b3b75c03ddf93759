"""Variables are declared where they get their first value, as far as other passes made that value."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declarators
from transpile.assemble.host_code.in_place import without_declarator
from transpile.assemble.host_code.sight import fully_seen
from transpile.assemble.host_code.tree import apply, of_type, parse, text_of, uses
from transpile.code.edits import Edit

_MADE = re.compile(rb"(?:\([^()]*\)|static_cast<[^;]*>\()?malloc\(|std::chrono::")
_POINT = b"std::chrono::steady_clock::time_point"


def declared_at_first_use(data: bytes) -> bytes:
    """Return the text with buffers and points in time declared where they are made."""
    while True:
        edits = next(
            (found for node in of_type(parse(data), "declaration") if (found := _moved(data, node))), None
        )
        if edits is None:
            return data
        data = apply(data, edits)


def _moved(data: bytes, declaration: Node) -> list[Edit[bytes]] | None:
    block = declaration.parent
    if block is None or block.type != "compound_statement" or b"static" in text_of(declaration)[:7]:
        return None
    for found in declarators(declaration):
        if found.arrays or found.reference or found.constructed:
            continue
        if found.value is not None and found.value.type not in ("number_literal", "null"):
            continue
        statement = _first_value(found, block, declaration)
        if statement is not None:
            return [without_declarator(data, found), _declaring(found, statement)]
    return None


def _first_value(found: Declared, block: Node, declaration: Node) -> Node | None:
    """Return the statement of the same block that assigns first, where nothing uses the variable before."""
    first = next((use for use in uses(block, found.name) if use.start_byte >= declaration.end_byte), None)
    parent = first.parent if first is not None else None
    if first is None or parent is None or parent.type != "assignment_expression":
        return None
    operator, right = parent.child_by_field_name("operator"), parent.child_by_field_name("right")
    statement = parent.parent
    if parent.child_by_field_name("left") != first or operator is None or text_of(operator) != b"=":
        return None
    if (
        statement is None
        or statement.type != "expression_statement"
        or statement.parent != block
        or right is None
    ):
        return None
    if not _MADE.match(text_of(right)) or next(uses(right, found.name), None) is not None:
        return None
    return statement if fully_seen(block, found.name) and b"goto" not in text_of(block) else None


def _declaring(found: Declared, statement: Node) -> Edit[bytes]:
    name = b"*" * found.pointers + found.name
    kind = b"auto" if found.type == _POINT else found.type
    value = text_of(statement).partition(b"=")[2].lstrip()
    return Edit(statement.start_byte, statement.end_byte, kind + b" " + name + b" = " + value)
