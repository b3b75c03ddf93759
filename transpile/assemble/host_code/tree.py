"""Syntax trees of host code, and edits on their byte spans.

Every pass parses the text it is given, collects edits and applies them, so that what it does not name
survives byte for byte.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

import tree_sitter
import tree_sitter_cuda
from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost

_LANGUAGE = tree_sitter.Language(tree_sitter_cuda.language())
SCOPES = frozenset(
    ("compound_statement", "translation_unit", "for_statement", "function_definition", "case_statement")
)
BLOCKS = frozenset(
    (
        "compound_statement",
        "case_statement",
        "translation_unit",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
    )
)
"""Where statements stand one after the other."""
STATEMENTS = frozenset(
    (
        "compound_statement",
        "expression_statement",
        "declaration",
        "if_statement",
        "for_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "case_statement",
        "return_statement",
        "break_statement",
        "continue_statement",
        "goto_statement",
        "labeled_statement",
        "for_range_loop",
        "try_statement",
    )
)


@functools.lru_cache(maxsize=256)
def parse(data: bytes) -> Node:
    """Return the root of the tree of a file."""
    return tree_sitter.Parser(_LANGUAGE).parse(data).root_node


def apply(data: bytes, edits: Iterable[Edit[bytes]]) -> bytes:
    """Return the text with every edit made once; an edit inside an earlier, larger one is dropped."""
    return apply_outermost(data, dict.fromkeys(edits))


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all below it, in the order of the text."""
    cursor = node.walk()
    while True:
        current = cursor.node
        assert current is not None
        yield current
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return


def of_type(node: Node, *types: str) -> Iterator[Node]:
    """Yield the nodes of these types at or below a node."""
    return (found for found in walk(node) if found.type in types)


def text_of(node: Node) -> bytes:
    """Return the bytes of a node."""
    return node.text or b""


def called(node: Node) -> bytes | None:
    """Return the plain name that a call expression calls; None where it is no such call."""
    if node.type != "call_expression":
        return None
    function = node.child_by_field_name("function")
    if function is not None and function.type == "template_function":
        function = function.child_by_field_name("name")
    return text_of(function) if function is not None and function.type == "identifier" else None


def arguments_of(call: Node) -> list[Node]:
    """Return the arguments of a call, comments left out."""
    listed = call.child_by_field_name("arguments")
    return [] if listed is None else [node for node in listed.named_children if node.type != "comment"]


def calls(root: Node, names: frozenset[bytes] | None = None) -> Iterator[Node]:
    """Yield the calls of plain names, of these names where given."""
    for node in of_type(root, "call_expression"):
        name = called(node)
        if name is not None and (names is None or name in names):
            yield node


def enclosing(node: Node, *types: str) -> Node | None:
    """Return the closest ancestor of one of the types."""
    current = node.parent
    while current is not None and current.type not in types:
        current = current.parent
    return current


def statement_of(node: Node) -> Node | None:
    """Return the closest statement or declaration that holds the node (itself where it is one)."""
    return node if node.type in STATEMENTS else enclosing(node, *STATEMENTS)


def function_of(node: Node) -> Node | None:
    """Return the function definition that holds the node."""
    return enclosing(node, "function_definition")


def peel(node: Node) -> Node:
    """Return the expression without casts and parentheses around it."""
    while True:
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        elif node.type == "cast_expression":
            value = node.child_by_field_name("value")
            if value is None:
                return node
            node = value
        elif node.type == "call_expression" and _is_named_cast(node):
            node = arguments_of(node)[0]
        else:
            return node


def _is_named_cast(call: Node) -> bool:
    function = call.child_by_field_name("function")
    if function is None or len(arguments_of(call)) != 1:
        return False
    return re.match(rb"(static|reinterpret|const)_cast\s*<", text_of(function)) is not None


def address_of(node: Node) -> Node | None:
    """Return what ``&x`` or ``(void **)&x`` takes the address of."""
    node = peel(node)
    if node.type == "pointer_expression" and text_of(node).startswith(b"&"):
        return node.child_by_field_name("argument")
    return None


def uses(scope: Node, name: bytes) -> Iterator[Node]:
    """Yield the identifiers of that name below a node, members of other objects left out."""
    return (node for node in of_type(scope, "identifier") if node.text == name)


def removal(data: bytes, node: Node) -> Edit[bytes]:
    """Return the edit that removes a statement, with its line where it stands alone on it."""
    return removal_of(data, node.start_byte, node.end_byte)


def removal_of(data: bytes, start: int, end: int) -> Edit[bytes]:
    """Return the edit that removes a span, with its lines where nothing but a comment is left on them."""
    line = data.rfind(b"\n", 0, start) + 1
    after = re.compile(rb"[ \t]*(?://[^\n]*)?(?:\r?\n|\Z)").match(data, end)
    if data[line:start].strip() or after is None:
        spaces = re.compile(rb"[ \t]*").match(data, end)
        first = data[line:start].strip() == b""
        if not first and data[end : end + 1] == b" ":
            start = len(data[:start].rstrip(b" \t"))
        return Edit(start, spaces.end() if spaces and first else end, b"")
    start, end = line, after.end()
    before = data[:start].rstrip(b" \t")
    blank_before = before.endswith((b"\n\n", b"\n\r\n", b"{\n", b"{\r\n"))
    following = re.compile(rb"[ \t]*\r?\n").match(data, end)
    if blank_before and following is not None:
        end = following.end()
    elif blank_before and re.compile(rb"[ \t]*\}").match(data, end) is not None:
        start = len(before.rstrip()) + 1  # no blank line before a closing brace
    return Edit(start, end, b"")


def is_null(value: Node) -> bool:
    """Tell whether an expression is a pointer to nothing, as it is spelled."""
    return text_of(value) in (b"NULL", b"nullptr", b"0")


def indentation(data: bytes, at: int) -> bytes:
    """Return the white space at the start of the line that holds a position."""
    line = data.rfind(b"\n", 0, at) + 1
    found = re.compile(rb"[ \t]*").match(data, line)
    return found.group() if found else b""


def deletion(data: bytes, statement: Node) -> Edit[bytes]:
    """Return the edit that takes a statement out and leaves valid text, as the body of an ``if`` too."""
    parent = statement.parent
    if parent is not None and parent.type in (
        "if_statement",
        "while_statement",
        "for_statement",
        "for_range_loop",
        "do_statement",
        "else_clause",
        "labeled_statement",
    ):
        lonely = parent.type == "if_statement" and parent.child_by_field_name("alternative") is None
        asked = parent.child_by_field_name("condition") or parent
        active = of_type(asked, "call_expression", "assignment_expression", "update_expression")
        if lonely and next(active, None) is None:
            return deletion(data, parent)
        return Edit(statement.start_byte, statement.end_byte, b"{}")
    return removal(data, statement)
