"""Parameters of templates, as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import ancestors, text

_WORD = re.compile(r"[A-Za-z_]\w*")


def parameters_of(listed: Node) -> Iterator[tuple[str, str | None]]:
    """Yield the names of a ``template_parameter_list``, with what they are where nobody gives them."""
    for item in listed.named_children:
        if item.type == "comment":
            continue
        default = item.child_by_field_name("default_type") or item.child_by_field_name("default_value")
        head = text(item)
        if default is not None:
            head = head.rpartition(text(default))[0].rstrip(" =\t\n")
        words = _WORD.findall(head)
        yield words[-1] if words else "", None if default is None else text(default)


def parameters_around(node: Node) -> frozenset[str]:
    """Return the names of the parameters of all templates that a node stands in."""
    lists = (
        around.child_by_field_name("parameters")
        for around in ancestors(node)
        if around.type == "template_declaration"
    )
    return frozenset(name for listed in lists if listed is not None for name, _ in parameters_of(listed))
