"""``x[i] = x[i - 1] + e``: each element is the one before and more, as a running sum that is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import add, read
from transpile.code.polynomial import name as named
from transpile.code.syntax import (
    INDENT,
    Function,
    block_statements,
    field,
    find,
    indentation,
    inside,
    operator,
    source,
    squeeze,
    subscript,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.nests import Loop, counted, steady
from transpile.translators.loops.iteration.places import before, closed, first_changed
from transpile.translators.loops.iteration.trips import moved, some
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import is_number


@dataclass(frozen=True, slots=True)
class _Recurrence:
    target: Node
    again: Node
    """The element that was set in the iteration before."""
    sign: str
    added: Node


def with_running_sum(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more array that is summed up in a scalar; None where there is none."""
    variables = resolve(function, around.refers)

    def edits_of(node: Node) -> Iterator[Edit[str]]:
        loop = counted(node, variables, around)
        found = _recurrence(loop) if loop is not None else None
        if loop is not None and found is not None and steady(loop.first, node, variables, around):
            yield from _edits(function, loop, found, variables)

    return first_changed(function, edits_of, "for_statement")


def _recurrence(loop: Loop) -> _Recurrence | None:
    """Return the one statement of a body as what it adds to an element."""
    statements = block_statements(loop.body)
    if len(statements) != 1 or statements[0].type != "expression_statement":
        return None
    node = statements[0].named_children[0]
    if node.type != "assignment_expression":
        return None
    target, right = unparenthesized(field(node, "left")), unparenthesized(field(node, "right"))
    if operator(node) == "+=":
        return _Recurrence(target, right, "+", target)
    if operator(node) != "=" or right.type != "binary_expression" or operator(right) not in ("+", "-"):
        return None
    first, second = (unparenthesized(field(right, side)) for side in ("left", "right"))
    if operator(right) == "+" and not _same_array(target, first):
        first, second = second, first
    return _Recurrence(target, first, operator(right), second)


def _same_array(one: Node, other: Node) -> bool:
    pair = (one, other)
    if any(item.type != "subscript_expression" for item in pair):
        return False
    names = [unparenthesized(field(item, "argument")) for item in pair]
    return all(item.type == "identifier" for item in names) and source(names[0]) == source(names[1])


def _edits(function: Function, loop: Loop, found: _Recurrence, variables: Variables) -> Iterator[Edit[str]]:
    if not _same_array(found.target, found.again):
        return
    array = variables.of(unparenthesized(field(found.target, "argument")))
    places = [_ahead(item, loop) for item in (found.target, found.again)]
    if array is None or places[0] is None or places[1] is None or places[0] - places[1] != loop.step:
        return
    kind = elements(array) or " ".join(word for word in array.type.split() if word != "const")
    if not is_number(squeeze(kind)) or not _alone(array, loop, found):
        return
    name, running = array.name, free_name(function.identifiers, f"{array.name}_running")
    start = moved(source(unparenthesized(loop.first)), places[1])
    indent = indentation(function.text, loop.node.start_byte)
    line = f"{kind} {running} = {some(loop)} ? {name}[{start}] : 0;"
    yield Edit(loop.node.start_byte, loop.node.start_byte, before(function, loop.node, [line]))
    sums = f"{running} {found.sign}= {source(found.added)};"
    stores = f"{source(found.target)} = {running};"
    text = f" {{\n{indent}{INDENT}{sums}\n{indent}{INDENT}{stores}\n{indent}}}"
    yield Edit(closed(loop.node), loop.body.end_byte, text)


def _ahead(element: Node, loop: Loop) -> int | None:
    """Return how far the subscript of an element is ahead of the loop's variable; None where it varies."""
    value = read(subscript(element), lambda _: None)
    ahead = add(value, named(loop.variable.name), -1) if value is not None else None
    if ahead is None or not set(ahead) <= {()}:
        return None
    return ahead.get((), 0)


def _alone(array: Variable, loop: Loop, found: _Recurrence) -> bool:
    """Tell whether nothing else of the loop names the array, and what is added changes nothing."""
    own = (found.target, found.again)
    uses = (use for use in array.uses if inside(use, loop.node))
    changes = any(True for _ in find(found.added, "assignment_expression", "update_expression"))
    return not changes and all(any(inside(use, item) for item in own) for use in uses)
