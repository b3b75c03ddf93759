"""Variables of a function that nothing on the host names any more, once its loops are kernels."""

from __future__ import annotations

import re
from collections.abc import Collection

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.edits import Edit
from transpile.code.syntax import declared_name, find, function_of, source
from transpile.code.variables import Variables


def without_idle(text: str, variables: Variables) -> str:
    """Return the function of the host without declarations of what only its loops used.

    Args:
        text: The function, its loops replaced.
        variables: Of the function as it was.
    """
    function = function_of(text)
    used = frozenset(
        item.name for item in variables.all if item.uses and not item.parameter and not item.static
    )
    if function is None:
        return text
    plain = code(text)
    idle = frozenset(name for name in used if len(re.findall(rf"\b{name}\b", plain)) == 1)
    edits = [_without(text, node, idle) for node in find(function.body, "declaration")]
    return function.edited(edit for edit in edits if edit is not None)


def _without(text: str, declaration: Node, idle: Collection[str]) -> Edit[str] | None:
    """Return the edit that leaves the other variables of a declaration, or nothing of it."""
    declarators = declaration.children_by_field_name("declarator")
    kept = [item for item in declarators if item.type == "init_declarator" or declared_name(item) not in idle]
    # A type that is declared along with a variable may be named elsewhere.
    if len(kept) == len(declarators) or any(
        item.type.endswith("_specifier") for item in declaration.children
    ):
        return None
    if kept:
        rest = ", ".join(source(item) for item in kept)
        return Edit(declarators[0].start_byte, declarators[-1].end_byte, rest)
    start = text.rfind("\n", 0, declaration.start_byte) + 1
    end = text.find("\n", declaration.end_byte)
    alone = end >= 0 and not (text[start : declaration.start_byte] + text[declaration.end_byte : end]).strip()
    return Edit(start, end + 1, "") if alone else Edit(declaration.start_byte, declaration.end_byte, "")
