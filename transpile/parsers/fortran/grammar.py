"""tree-sitter's grammar of Fortran: text to a syntax tree, and what the front end asks of its nodes."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_fortran
from tree_sitter import Language, Node, Parser

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.source import Source

_PARSER = Parser(Language(tree_sitter_fortran.language()))
_LONGEST = 60


class Syntax:
    """The syntax tree of a source, and where its nodes stand in the file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.root = _PARSER.parse(source.text.encode()).root_node

    def check(self) -> None:
        """Refuse what the grammar did not understand."""
        if not self.root.has_error:
            return
        broken = [node for node in _walk(self.root) if node.is_error or node.is_missing]
        # The grammar may give up on all that stands around: the innermost place tells most.
        node = min(broken, key=lambda item: (item.end_byte - item.start_byte, item.start_byte))
        text = self.source.text.split("\n")[node.start_point[0]].strip()
        raise self.refused(f"cannot be parsed: `{text[:_LONGEST]}`", node)

    def line(self, node: Node) -> int:
        """Return the line of the file on which a node begins."""
        return self.source.places[min(node.start_point[0], len(self.source.places) - 1)].line

    def refused(self, detail: str, node: Node) -> Refused:
        """Return a refusal at a node."""
        place = self.source.places[min(node.start_point[0], len(self.source.places) - 1)]
        return Refused(detail, place.line, place.file)


def text(node: Node) -> str:
    """Return the text of a node."""
    return (node.text or b"").decode()


def child(node: Node, *types: str) -> Node | None:
    """Return the first child of one of the types."""
    return next((item for item in node.children if item.type in types), None)


def children(node: Node, *types: str) -> list[Node]:
    """Return the children of the types."""
    return [item for item in node.children if item.type in types]


def named(node: Node) -> list[Node]:
    """Return the named children that are no comments."""
    return [item for item in node.named_children if item.type != "comment"]


def field(node: Node, name: str) -> Node:
    """Return the child of a field; there must be one."""
    found = node.child_by_field_name(name)
    assert found is not None, f"{node.type} without {name}"
    return found


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children))
