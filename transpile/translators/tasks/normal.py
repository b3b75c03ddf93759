"""A form in which calls stand in blocks: a returned choice as two branches, braces around statements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import (
    Function,
    field,
    find,
    indent_unit,
    indentation,
    replace,
    source,
    unparenthesized,
)
from transpile.code.types import bare
from transpile.code.variables import Variables, declared_type, resolve
from transpile.translators.tasks.body import is_plain, own_calls
from transpile.translators.tasks.spawns import LEAVES

_SIGNED = ("short", "int", "long", "longlong")


def normal(text: str) -> str:
    """Return a function that does the same, whose statements with several calls stand in blocks."""
    while True:
        function = Function(text)
        edit = next(chain(_blocks(function), _branches(function)), None)
        if edit is None:
            return text
        text = function.edited([edit])


def _blocks(function: Function) -> Iterator[Edit[str]]:
    """Yield what puts braces around statements that make several calls."""
    for node in find(function.body, *LEAVES):
        parent = node.parent
        if parent is not None and parent.type != "compound_statement" and len(_calls(node, function)) > 1:
            indent = indentation(function.text, parent.start_byte)
            start = len(function.text[: node.start_byte].rstrip())
            inner = f"\n{indent}{indent_unit(function)}{source(node)}\n{indent}}}"
            yield Edit(start, node.end_byte, " {" + inner)


def _branches(function: Function) -> Iterator[Edit[str]]:
    """Yield what makes two statements of ``return c ? a : b``."""
    variables = resolve(function)
    for node in find(function.body, "return_statement"):
        value = unparenthesized(node.named_children[0]) if node.named_children else node
        in_block = node.parent is not None and node.parent.type == "compound_statement"
        if not in_block or value.type != "conditional_expression" or not _calls(value, function):
            continue
        test, yes, no = (field(value, name) for name in ("condition", "consequence", "alternative"))
        if _calls(test, function) or not any(_keeps(arm, function, variables) for arm in (yes, no)):
            continue
        indent = indentation(function.text, node.start_byte)
        deeper = indent + indent_unit(function)
        yield replace(
            node,
            f"if ({source(unparenthesized(test))})\n{deeper}return {source(unparenthesized(yes))};\n"
            f"{indent}return {source(unparenthesized(no))};",
        )


def _keeps(arm: Node, function: Function, variables: Variables) -> bool:
    """Tell whether an arm has the same value whatever type the other arm has."""
    arm = unparenthesized(arm)
    variable = variables.of(arm)
    if variable is not None:
        returned = bare(declared_type(function.node))
        return is_plain(variable) and variable.bare in (*_SIGNED, returned)
    return source(arm).isdigit()


def _calls(node: Node, function: Function) -> list[Node]:
    return own_calls(node, function.name)
