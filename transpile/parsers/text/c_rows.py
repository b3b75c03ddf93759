"""Parameters of C as long as other parameters say: ``double a[n][m]`` (C11 6.7.6.2), which C++ has not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from transpile.code.edits import Edit, apply
from transpile.code.trees import descendants, parse

_BRACKETS = re.compile(rb"\[\s*[^\]\s]")
_CONST = re.compile(rb"\bconst\b")
_ARRAYS = ("array_declarator", "abstract_array_declarator")


@lru_cache(maxsize=64)
def flat(text: bytes) -> bytes:
    """Return a text of C whose parameters C++ reads as well.

    Rows that are as long as another parameter says come as ``void *``, and the body begins by viewing that as
    rows again.
    """
    if not _BRACKETS.search(text):
        return text
    functions = descendants(parse(text).root_node, "function_declarator")
    return apply(text, (change for function in functions for change in _changes(function, text)))


@dataclass(frozen=True, slots=True)
class _Parameter:
    node: Node
    lengths: tuple[Node | None, ...]
    """What stands in its brackets; None for empty ones."""
    name: bytes
    type: bytes
    """What stands before its declarator."""
    leads: bool
    """It is declared as a pointer to what the brackets tell, and not as an array."""

    @property
    def rows(self) -> tuple[Node | None, ...]:
        """Return the lengths of what it leads to."""
        return self.lengths if self.leads else self.lengths[1:]

    @property
    def opaque(self) -> bytes:
        """Return it as a pointer to anything."""
        return (b"const " if _CONST.search(self.type) else b"") + b"void *"

    @property
    def view(self) -> bytes:
        """Return the declaration that views such a pointer as rows."""
        rows = b"".join(b"[" + (length.text or b"") + b"]" for length in self.rows if length is not None)
        row = self.name + b"__row"
        return b" typedef %s %s%s; %s *%s = (%s *)%s__rows;" % (
            *(self.type, row, rows),
            *(row, self.name, row, self.name),
        )


def _changes(function: Node, text: bytes) -> Iterator[Edit[bytes]]:
    parameters = list(_parameters(function, text))
    names = {item.name for item in parameters}
    around = function.parent
    body = around.child_by_field_name("body") if around and around.type == "function_definition" else None
    views = b""
    for item in parameters:
        if any(_uses(length, names) for length in item.rows):
            named = item.name + b"__rows" if body is not None else b""
            yield Edit(item.node.start_byte, item.node.end_byte, item.opaque + named)
            views += item.view
        elif item.lengths and (first := item.lengths[0]) is not None and _uses(first, names):
            yield Edit(first.start_byte, first.end_byte, b"")
    if views and body is not None:
        yield Edit(body.start_byte + 1, body.start_byte + 1, views)


def _parameters(function: Node, text: bytes) -> Iterator[_Parameter]:
    listed = function.child_by_field_name("parameters")
    for node in listed.named_children if listed is not None else ():
        declarator = node.child_by_field_name("declarator")
        if node.type == "parameter_declaration" and declarator is not None:
            lengths, leads = _brackets(declarator)
            before = text[node.start_byte : declarator.start_byte].strip()
            yield _Parameter(node, lengths, _name(declarator), before, leads)


def _brackets(declarator: Node) -> tuple[tuple[Node | None, ...], bool]:
    """Return what stands in the brackets of a declarator, and whether they stand behind ``(*name)``."""
    lengths, inner = list[Node | None](), [declarator]
    while inner and inner[-1].type in _ARRAYS:
        lengths.insert(0, inner[-1].child_by_field_name("size"))
        inner = inner[-1].children_by_field_name("declarator")
    return tuple(lengths), bool(inner) and inner[-1].type.endswith("parenthesized_declarator")


def _name(declarator: Node | None) -> bytes:
    """Return the name that a declarator declares; empty for none."""
    while declarator is not None and declarator.type != "identifier":
        inner = [
            item for item in declarator.named_children if item.type.endswith(("declarator", "identifier"))
        ]
        declarator = declarator.child_by_field_name("declarator") or (inner[-1] if inner else None)
    return declarator.text or b"" if declarator is not None else b""


def _uses(length: Node | None, names: set[bytes]) -> bool:
    if length is None:
        return False
    return length.text in names or any(item.text in names for item in descendants(length, "identifier"))
