"""Variables at file scope that two files of a port share: one defines them, the other declares them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.parsers import syntax
from transpile.parsers.edits import Edit, apply, edit


def declared(text: bytes, path: str) -> bytes:
    """Return a file of C in which what other files may name is declared and not defined.

    What is ``const`` stays: each file of C++ has its own. So does what has a type without a name.
    """
    root = syntax.parse(text, syntax.grammar_of(path)).root_node
    return apply(text, [item for node in _at_file_scope(root) for item in _without_value(node)])


def _at_file_scope(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "declaration":
            yield child
        elif child.type.startswith("preproc_"):
            yield from _at_file_scope(child)


def _without_value(node: Node) -> Iterator[Edit]:
    """Yield the edits that make a declaration of the definition of variables; none for anything else."""
    kinds = {child.type for child in node.named_children}
    kind, declarators = node.child_by_field_name("type"), node.children_by_field_name("declarator")
    if (
        kind is None
        or kind.child_by_field_name("body") is not None
        or "storage_class_specifier" in kinds
        or ("type_qualifier" in kinds and not any(_is(item, "pointer_declarator") for item in declarators))
        or any(_is(item, "function_declarator") for item in declarators)
    ):
        return
    yield edit(node.start_byte, node.start_byte, b"extern ")
    for item in declarators:
        variable = item.child_by_field_name("declarator") if item.type == "init_declarator" else None
        if variable is not None:
            yield edit(variable.end_byte, item.end_byte, b"")


def _is(declarator: Node, kind: str) -> bool:
    """Tell whether a declarator is of a kind, or one within it is: that of a function, or of a pointer."""
    node: Node | None = declarator
    while node is not None:
        if node.type == kind:
            return True
        node = node.child_by_field_name("declarator")
    return False
