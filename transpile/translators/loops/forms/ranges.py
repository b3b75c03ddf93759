"""``for (auto &e : v)``: a counted loop over the elements of a container that keeps its length."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import Function, field, find, inside, replace
from transpile.code.types import named_by
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.places import beginning
from transpile.translators.loops.symbols.containers import elements, stays
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def with_counter(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more loop over a container counted; None where there is none."""
    variables = resolve(function, around.refers)
    for node in find(function.body, "for_range_loop"):
        edits = list(_edits(function, node, variables))
        if edits:
            return function.edited(edits)
    return None


def _edits(function: Function, node: Node, variables: Variables) -> Iterator[Edit[str]]:
    body = field(node, "body")
    container = variables.of(field(node, "right"))
    element = next((item for item in variables.all if item.declaration.id == node.id), None)
    if any(True for _ in find(node, "structured_binding_declarator")):
        return
    if container is None or element is None or elements(container) is None or not stays(container, body):
        return
    if _is_hidden(container, body, variables) or any(find(body, "lambda_expression")):
        return
    if element.reference and not _is_of(container, node):
        return
    counter = free_name(function.identifiers, *(f"{element.name}_{end}" for end in ("index", "number")))
    place = f"{container.name}[{counter}]"
    head = f"for (std::size_t {counter} = 0; {counter} < {container.name}.size(); {counter}++)"
    yield Edit(node.start_byte, _closed(node), head)
    if element.reference:
        yield from (replace(use, place) for use in element.uses)
    else:
        yield from beginning(function, node, f"{_declared(function, node)} = {place};")


def _is_of(container: Variable, node: Node) -> bool:
    """Tell whether a reference is to the elements, and not to what they are converted to."""
    kind = named_by(node)
    return kind in ("auto", elements(container))


def _is_hidden(container: Variable, body: Node, variables: Variables) -> bool:
    """Tell whether a name means something else in a part of a loop."""
    return any(
        item.name == container.name and inside(item.declaration, body)
        for item in variables.all
        if item is not container
    )


def _closed(node: Node) -> int:
    """Return where the head of a loop ends."""
    parenthesis = next(child for child in reversed(node.children) if child.type == ")")
    return parenthesis.end_byte


def _declared(function: Function, node: Node) -> str:
    """Return the declaration of a loop's element as it is written."""
    begin = next(child for child in node.children if child.type == "(").end_byte
    return function.text[begin : field(node, "declarator").end_byte].strip()
