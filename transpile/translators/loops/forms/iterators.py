"""``for (auto it = v.begin(); it != v.end(); ++it)``: a counted loop over the elements of a container."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import Function, field, find, inside, operator, replace, source, squeeze
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.places import closed, first_changed
from transpile.translators.loops.symbols.containers import elements, stays
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_HEAD = re.compile(
    r"(?:auto|std::vector<.+>::(?:const_)?iterator)(?P<it>\w+)=(?P<of>\w+)\.c?begin\(\);(?P=it)!=(?P=of)\.c?end\(\);(?:\+\+(?P=it)|(?P=it)\+\+)"
)


def with_numbers(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more iterator as a number; None where there is none."""
    variables = resolve(function, around.refers)
    return first_changed(function, lambda node: _edits(function, node, variables), "for_statement")


def _edits(function: Function, node: Node, variables: Variables) -> Iterator[Edit[str]]:
    own = next((item for item in variables.all if _is_begun(item, node)), None)
    head = function.text[node.start_byte : closed(node)].partition("(")[2].rpartition(")")[0]
    match = _HEAD.fullmatch(squeeze(head))
    if own is None or match is None or any(find(node, "lambda_expression")):
        return
    name = next(item for item in find(node, "identifier") if source(item) == match["of"])
    container, body = variables.of(name), field(node, "body")
    places = [_place(use) for use in own.uses if inside(use, body)]
    hidden = any(item.name == match["of"] and item is not container for item in variables.all)
    if container is None or elements(container) is None or not stays(container, body):
        return
    if hidden or None in places:
        return
    counter = free_name(function.identifiers, f"{own.name}_index", f"{own.name}_number")
    head = f"for (std::size_t {counter} = 0; {counter} < {container.name}.size(); {counter}++)"
    yield Edit(node.start_byte, closed(node), head)
    for place in places:
        if place is not None:
            member = f".{source(field(place, 'field'))}" if place.type == "field_expression" else ""
            yield replace(place, f"{container.name}[{counter}]{member}")


def _is_begun(variable: Variable, node: Node) -> bool:
    start = node.child_by_field_name("initializer")
    return start is not None and variable.declaration.id == start.id


def _place(use: Node) -> Node | None:
    """Return the expression of the element that an iterator leads to; None where it is used otherwise."""
    parent = use.parent
    if parent is None or parent.type not in ("pointer_expression", "field_expression"):
        return None
    return parent if operator(parent) == ("*" if parent.type == "pointer_expression" else "->") else None
