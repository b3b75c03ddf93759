"""Comparisons that the parser takes for templates: ``(r < rows && c >= 0)`` begins like ``r<rows && c>``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import declared_name, field, find, operator, parse, source
from transpile.translators.loops.symbols.expansions import Spelling

_COMPARED = re.compile(r"\s*<\s*\w*")
_JOINED = frozenset(("&&", "||"))


def compared(text: str) -> tuple[str, tuple[Spelling, ...]]:
    """Return a function whose comparisons are read as such, and how those that had to change are spelled."""
    found: dict[Spelling, None] = {}
    while (edit := next(_misread(parse(text)), None)) is not None:
        found[Spelling(text[edit.start : edit.end], edit.text)] = None
        text = apply_outermost(text, [edit])
    return text, tuple(found)


def _misread(root: Node) -> Iterator[Edit[str]]:
    """Yield the edits that put names in parentheses behind which no template arguments may stand."""
    own = _declared(root)
    for node in find(root, "template_function"):
        name = field(node, "name")
        if name.type == "identifier" and (source(name) in own or _is_condition(field(node, "arguments"))):
            rest = _COMPARED.match(source(root)[name.end_byte - root.start_byte :])
            if rest is not None:
                yield Edit(name.start_byte, name.end_byte + rest.end(), f"({source(name)}){rest[0]}")


def _declared(root: Node) -> frozenset[str]:
    """Return the names of parameters and variables, none of which is a template."""
    declarations = find(root, "parameter_declaration", "declaration")
    declarators = (part for node in declarations for part in node.children_by_field_name("declarator"))
    return frozenset(declared_name(part) for part in declarators)


def _is_condition(arguments: Node) -> bool:
    """Tell whether conditions are joined where a template would have its arguments."""
    return any(operator(node) in _JOINED for node in find(arguments, "binary_expression"))
