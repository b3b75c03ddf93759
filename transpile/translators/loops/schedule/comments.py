"""Comments of a nest of loops: they go with the statements that they stand at."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.syntax import source


def above(statement: Node, nest: Node) -> Iterator[str]:
    """Yield the lines of comments above a statement, and above the loops that begin with it."""
    node, found = statement, list[Node]()
    while node.id != nest.id and node.parent is not None:
        before = node.prev_named_sibling
        while before is not None and before.type == "comment" and not _ends_a_line(before):
            found.insert(0, before)
            before = before.prev_named_sibling
        if before is not None and before.type != "comment" and node.parent.type == "compound_statement":
            break
        node = node.parent
    for comment in found:
        yield from (line.strip() for line in source(comment).splitlines())


def behind(statement: Node) -> str:
    """Return the comment at the end of a statement's line, with a space before it."""
    after = statement.next_named_sibling
    if after is None or after.type != "comment" or not _ends_a_line(after):
        return ""
    return " " + " ".join(source(after).split())


def _ends_a_line(comment: Node) -> bool:
    """Tell whether something stands before a comment on its line."""
    before = comment.prev_sibling
    return before is not None and before.type != "{" and before.end_point[0] == comment.start_point[0]
